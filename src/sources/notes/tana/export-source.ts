/**
 * A Tana JSON export as notes, in memory that does not grow with the texts in it. The file is read
 * twice: first who owns whom, then one note after the other. `associationMap` is passed over: what
 * it hangs on search results are the program's own settings for how they are shown.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { EngineError } from '../../../model/engine-error.ts'
import type { NoteRecord } from '../../../model/note.ts'
import type { NoteBatch, NotesSource, SourceAccount } from '../../../model/notes-index.ts'
import type { NodeTable } from './node-table.ts'
import { fileSize } from './open-file.ts'
import type { RawDoc } from './raw-doc.ts'
import { recordMaker } from './record.ts'
import { isGiven, type Standing, standingOf } from './standing.ts'
import { EXPORT_HINT, type Survey, survey } from './survey.ts'
import { type TroubleList, troubleList } from './trouble-list.ts'

export interface ExportOptions {
  readonly blockBytes?: number
  readonly batchRecords?: number
}

const BLOCK_BYTES = 4 << 20
const BATCH_RECORDS = 2000

export function openTanaExport(path: string, options: ExportOptions = {}): NotesSource {
  const size = fileSize(path, EXPORT_HINT)
  const trouble = troubleList(path)
  let account: SourceAccount = {
    seen: 0,
    trashed: 0,
    inlineReferences: 0,
    correctedParents: 0,
    unresolved: 0,
    diagnostics: [],
  }

  async function* batches(): AsyncGenerator<NoteBatch> {
    const file = openSync(path, 'r')
    try {
      const found = yield* surveyed({ file, path, trouble, ...chosen(options) })
      const standing = standingOf(found.table)
      noteCycles(standing, trouble)
      yield* given({ file, path, standing, trouble, ...chosen(options) }, size)
      account = accountOf(found, standing, trouble)
    } finally {
      closeSync(file)
    }
  }

  // The file is read twice.
  return { kind: 'tana-export', size: size * 2, batches, account: () => account }
}

interface Chosen {
  readonly blockBytes: number
  readonly batchRecords: number
}

function chosen({ blockBytes, batchRecords }: ExportOptions): Chosen {
  return { blockBytes: blockBytes ?? BLOCK_BYTES, batchRecords: batchRecords ?? BATCH_RECORDS }
}

type SurveyOptions = Parameters<typeof survey>[0]

/** Batches without notes: whoever waits can see that something happens. */
function* surveyed(options: SurveyOptions): Generator<NoteBatch, Survey> {
  const steps = survey(options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield { records: [], read: step.value }
  }
}

interface GivenWish extends Chosen {
  readonly file: number
  readonly path: string
  readonly standing: Standing
  readonly trouble: TroubleList
}

function* given(wish: GivenWish, size: number): Generator<NoteBatch> {
  const { standing, batchRecords } = wish
  const { table } = standing
  const make = recordMaker(wish)
  const docAt = docReader(wish, table)
  let records: NoteRecord[] = []
  let told = 0
  for (let at = 0; at < table.count; at += 1) {
    const node = table.order[at] as number
    if (!isGiven(standing, node)) continue
    records.push(make(node, docAt(node)))
    if (records.length < batchRecords) continue
    const here = table.offset[node] as number
    yield { records, read: here - told }
    told = here
    records = []
  }
  yield { records, read: size - told }
}

/** Nodes are asked for in the order of the file, so that each block is read once. */
function docReader({ file, path, blockBytes }: GivenWish, table: NodeTable) {
  let block = Buffer.allocUnsafe(blockBytes)
  let base = 0
  let filled = 0
  return (node: number): RawDoc => {
    const offset = table.offset[node] as number
    const length = table.length[node] as number
    if (offset + length > base + filled) {
      if (length > block.length) block = Buffer.allocUnsafe(length * 2)
      base = offset
      filled = readFull(file, block, offset)
    }
    try {
      return JSON.parse(block.toString('utf8', offset - base, offset - base + length))
    } catch (cause) {
      const hint = 'run it again when nothing writes to the file'
      const message = `${path} changed while it was read`
      throw new EngineError('POC_E_SOURCE_INVALID', message, { hint, cause })
    }
  }
}

function readFull(file: number, block: Buffer, offset: number): number {
  let filled = 0
  while (filled < block.length) {
    const count = readSync(file, block, filled, block.length - filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}

function noteCycles({ table, cutOwners, ownChildren }: Standing, trouble: TroubleList): void {
  for (const node of cutOwners) {
    const message = 'Owns itself, directly or through others; it stands at the top instead'
    trouble.note({ code: 'cycle', path: table.ids.textOf(node), message })
  }
  for (const node of ownChildren) {
    const message = 'Is in its own list of children, which was passed over'
    trouble.note({ code: 'cycle', path: table.ids.textOf(node), message })
  }
}

function accountOf(found: Survey, standing: Standing, trouble: TroubleList): SourceAccount {
  return {
    seen: found.seen,
    trashed: standing.trashed,
    inlineReferences: found.inlineReferences,
    correctedParents: standing.correctedParents,
    unresolved: trouble.count('unresolved'),
    diagnostics: trouble.diagnostics(),
  }
}
