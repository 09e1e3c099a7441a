/**
 * References that could not be resolved and that may mean a symbol: their name is its name, and it
 * is among their candidates, or there were too many to tell.
 */
import { ascending, descending, inOrder } from '../../base/order.ts'
import type { PathRole } from '../../base/path-roles.ts'
import { lineAt } from '../../base/text.ts'
import type {
  CodeIndexReader,
  StoredChunk,
  StoredSymbol,
  StoredUnresolved,
} from '../../model/code-index.ts'
import { MOST_CANDIDATES, symbolKey } from '../../model/index-record.ts'
import { parseSymbol } from '../../model/scip-symbol.ts'

/** Files that are read for them: a name that more ask for is as good as any word. */
const MOST_FILES = 600
/** Places whose text is looked at, to tell which of them come first. */
const MOST_PLACES = 240

export interface PossibleCaller {
  readonly reference: StoredUnresolved
  readonly chunk: StoredChunk | undefined
  readonly line: number
}

export interface PossibleCallers {
  /** Likeliest first. */
  readonly found: readonly PossibleCaller[]
  /** Of all, those that were not looked at included. */
  readonly paths: readonly string[]
  readonly isCut: boolean
}

interface CallerFiles {
  isShown(path: string): boolean
  /** What a file is for. */
  roles(path: string): PathRole
}

export async function findPossibleCallers(
  index: CodeIndexReader,
  meant: ReadonlySet<string>,
  { isShown, roles }: CallerFiles,
): Promise<PossibleCallers> {
  const symbols = await index.symbols([...meant])
  const names = [...new Set(symbols.map((it) => it.name))].filter((it) => it !== '')
  const asking = await index.dependents(names.map(symbolKey))
  const paths = (await filterByLanguage(index, symbols, asking)).filter((it) => isShown(it))
  const ranks = new Map(paths.map((it) => [it, rankRole(roles(it))]))
  const rankOf = (path: string): number => ranks.get(path) ?? 0
  const sourceFirst = paths.toSorted(
    inOrder(
      ascending(rankOf),
      ascending((it) => it),
    ),
  )
  const read = sourceFirst.slice(0, MOST_FILES)
  const all = (await index.unresolvedInFiles(read, names)).filter(
    (it) =>
      (it.kind === 'call' || it.kind === 'inherit') &&
      (it.candidates.length >= MOST_CANDIDATES || it.candidates.some((id) => meant.has(id))),
  )
  const order = inOrder<StoredUnresolved>(
    ascending((it) => rankOf(it.path)),
    REFERENCE_ORDER,
  )
  const near = all.toSorted(order).slice(0, MOST_PLACES)
  const chunks = await index.chunksAt(near.map(({ path, start }) => ({ path, offset: start })))
  const owners = new Set(symbols.map(ownerName))
  const found = near.map((reference, at) => {
    const chunk = chunks[at]
    const line = chunk === undefined ? 0 : lineAt(chunk, reference.start)
    return { reference, chunk, line, isLikely: isCalledLike(owners, receiverIn(chunk, reference)) }
  })
  return {
    found: found.toSorted(
      inOrder(
        ascending((it) => rankOf(it.reference.path)),
        descending((it) => Number(it.isLikely)),
        (a, b) => REFERENCE_ORDER(a.reference, b.reference),
      ),
    ),
    paths: all.map((it) => it.path),
    isCut: read.length < paths.length,
  }
}

const REFERENCE_ORDER = inOrder<StoredUnresolved>(
  descending((it) => it.confidence),
  ascending((it) => it.path),
  ascending((it) => it.start),
  ascending((it) => it.end),
  ascending((it) => it.from),
  ascending((it) => it.name),
)

/** The program itself, then all else, then tests. */
function rankRole(role: PathRole): number {
  return role === 'source' ? 0 : role === 'test' ? 2 : 1
}

/** Of these files, those whose language can call what is written in that of a symbol. */
async function filterByLanguage(
  index: CodeIndexReader,
  symbols: readonly StoredSymbol[],
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return paths
  const files = await index.files([...new Set([...paths, ...symbols.map((it) => it.path)])])
  const families = new Map(files.map((it) => [it.path, FAMILIES[it.language] ?? it.language]))
  const wanted = new Set(symbols.map((it) => families.get(it.path)))
  return paths.filter((it) => wanted.has(families.get(it)))
}

/** Languages whose programs call each other without a bridge, by the first of each family. */
const FAMILIES: Readonly<Record<string, string>> = {
  jsx: 'javascript',
  typescript: 'javascript',
  tsx: 'javascript',
  vue: 'javascript',
  svelte: 'javascript',
  cpp: 'c',
  objc: 'c',
  kotlin: 'java',
  scala: 'java',
  groovy: 'java',
}

/** `Reply` of `Reply.send`; empty where it belongs to a file. */
function ownerName({ id }: StoredSymbol): string {
  const owner = parseSymbol(id.slice('scip:'.length))?.descriptors.at(-2)
  return owner === undefined || owner.kind === 'namespace' ? '' : owner.name.toLowerCase()
}

/** `reply` of `reply.send(`, in lower case; empty where there is no name before it. */
function receiverIn(chunk: StoredChunk | undefined, { start }: StoredUnresolved): string {
  if (chunk === undefined) return ''
  const at = start - chunk.start
  const before = chunk.text.slice(Math.max(0, at - LONGEST_RECEIVER), at)
  return /([A-Za-z_$][\w$]*)\s*(?:\?\.|\.|->|::)\s*$/.exec(before)?.[1]?.toLowerCase() ?? ''
}

const LONGEST_RECEIVER = 60
/** Shorter names are part of too many others. */
const LEAST_SHARED = 3

function isCalledLike(owners: ReadonlySet<string>, receiver: string): boolean {
  if (receiver.length < LEAST_SHARED) return owners.has(receiver)
  return [...owners].some(
    (owner) =>
      owner === receiver ||
      (owner.length >= LEAST_SHARED && (owner.includes(receiver) || receiver.includes(owner))),
  )
}
