/** Names that the files of a diff defined before it and define no more, and who still refers to them. */
import { join } from 'node:path'
import { knownForms } from '../../base/code-tokens.ts'
import { ascending, descending, inOrder } from '../../base/order.ts'
import { lineAt } from '../../base/text.ts'
import type { CodeIndexReader, StoredChunk, StoredFile } from '../../model/code-index.ts'
import type { FileChange } from '../../model/repository-diff.ts'
import type { FileRoles } from '../../retrieve/file-roles.ts'
import { undoEdits } from '../../sources/git/line-drift.ts'
import { linesIn } from './changed-chunks.ts'
import { isOfCode, reviewWorth } from './review-worth.ts'

export interface RemovedName {
  readonly name: string
  /** Of the file that defined it, before the diff. */
  readonly path: string
}

/** A place that still has the name. */
export interface StaleReference {
  readonly chunk: StoredChunk
  readonly line: number
  readonly removed: RemovedName
}

/** Old texts are read here and not by threads, so only as many as take a moment. */
const MOST_FILES = 24
const MOST_CHARS = 512 * 1024
/** Short names are words of many things. */
const SHORTEST_NAME = 4
const MOST_NAMES = 60

export async function findRemovedNames(
  files: readonly FileChange[],
  stored: ReadonlyMap<string, StoredFile>,
  roles: FileRoles,
): Promise<readonly RemovedName[]> {
  const texts = new Map<string, string>()
  let chars = 0
  for (const file of filesOfCode(files, roles)) {
    const old = oldText(file, stored.get(file.path))
    if (old === undefined || texts.size === MOST_FILES || chars + old.length > MOST_CHARS) continue
    chars += old.length
    texts.set(file.oldPath ?? file.path, old)
  }
  if (texts.size === 0) return []
  // The languages are loaded for diffs that remove something.
  const { readBatch } = await import('../../sources/code/read-batch.ts')
  const bytes = new Map(
    [...texts].map(([path, text]) => [join(path), new TextEncoder().encode(text)]),
  )
  const readings = await readBatch(
    { read: (path) => bytes.get(path) ?? new Uint8Array() },
    { top: '', files: [...texts.keys()].map((path) => ({ path, mtimeMs: 0 })) },
  )
  const present = new Set([...stored.values()].flatMap((it) => it.symbols.map(({ name }) => name)))
  const removed = readings.flatMap((reading) => {
    if (reading.kind !== 'record') return []
    const { path, symbols } = reading.record
    const names = symbols.filter((it) => isTellable(it.name) && !present.has(it.name))
    return [...new Set(names.map((it) => it.name))].map((name) => ({ name, path }))
  })
  return removed.slice(0, MOST_NAMES)
}

function filesOfCode(files: readonly FileChange[], roles: FileRoles): readonly FileChange[] {
  return files
    .filter((it) => isOfCode(roles(it.path)))
    .toSorted(
      inOrder(
        descending((it) => reviewWorth(roles(it.path))),
        ascending((it) => it.path),
      ),
    )
}

function isTellable(name: string): boolean {
  return name.length >= SHORTEST_NAME && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)
}

/** Undefined where nothing was removed, or what there was before cannot be told. */
function oldText(file: FileChange, stored: StoredFile | undefined): string | undefined {
  const { status, edits, isPending } = file
  if (isPending === true || edits.every((it) => it.removed.length === 0)) return undefined
  if (status === 'deleted') return edits.flatMap((it) => it.removed).join('\n')
  if (stored === undefined) return undefined
  return undoEdits(linesIn(stored), edits)?.join('\n')
}

interface StaleOptions {
  /** `uid`s of chunks that the diff changes. */
  readonly known: ReadonlySet<string>
  readonly roles: FileRoles
}

/** A name that something else defines as well is not gone. */
export async function findStaleReferences(
  index: CodeIndexReader,
  removed: readonly RemovedName[],
  { known, roles }: StaleOptions,
): Promise<readonly StaleReference[]> {
  const names = [...new Set(removed.map((it) => it.name))]
  const defined = new Set((await index.symbolsNamed(names)).map((it) => it.name))
  const gone = removed.filter((it) => !defined.has(it.name))
  const found: StaleReference[] = []
  for (const each of gone) {
    const [word] = knownForms(each.name)
    if (word === undefined) continue
    const [postings] = await index.postings([word])
    // A word of so many chunks is not the name alone.
    if (postings === undefined || postings.frequency > MOST_CHUNKS) continue
    const handles = [...new Set(postings.handles)]
    for (const chunk of await index.chunksByHandle(Uint32Array.from(handles))) {
      const at = placeOf(chunk, each.name)
      // That a change log has a name that is gone is as it should be.
      if (at === undefined || known.has(chunk.uid) || roles(chunk.path) === 'log') continue
      found.push({ chunk, line: lineAt(chunk, chunk.start + at), removed: each })
    }
  }
  return found.toSorted(
    inOrder(
      ascending((it) => it.chunk.path),
      ascending((it) => it.line),
      ascending((it) => it.removed.name),
      ascending((it) => it.removed.path),
      ascending((it) => it.chunk.uid),
    ),
  )
}

const MOST_CHUNKS = 200

/** As a whole identifier. */
function placeOf({ text }: StoredChunk, name: string): number | undefined {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`
    if (!/[\p{L}\p{N}_$]/u.test(around)) return at
  }
  return undefined
}
