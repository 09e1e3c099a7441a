/**
 * A Tana JSON export as notes, in memory that does not grow with the texts in it. The file is read
 * twice: first for ownership, then note by note. `associationMap` is skipped: it only has display
 * settings of search results.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { EngineError } from '../../../model/engine-error.ts'
import type { NoteRecord } from '../../../model/note.ts'
import type { NoteBatch, NotesSource, SourceAccount } from '../../../model/notes-index.ts'
import { createDiagnosticList, type DiagnosticList } from './diagnostic-list.ts'
import { classifyNodes, isIncluded, type NodeStatuses } from './node-status.ts'
import type { NodeTable } from './node-table.ts'
import { readFileSize } from './open-file.ts'
import type { RawDoc } from './raw-doc.ts'
import { createRecordMaker } from './record.ts'
import { EXPORT_HINT, type Survey, surveyExport } from './survey.ts'

export interface ExportOptions {
  readonly blockBytes?: number
  readonly batchRecords?: number
}

const BLOCK_BYTES = 4 << 20
const BATCH_RECORDS = 2000

export function openTanaExport(path: string, options: ExportOptions = {}): NotesSource {
  const size = readFileSize(path, EXPORT_HINT)
  const trouble = createDiagnosticList(path)
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
      const found = yield* runSurvey({ file, path, trouble, ...applyDefaults(options) })
      const standing = classifyNodes(found.table)
      reportCycles(standing, trouble)
      yield* yieldNotes({ file, path, standing, trouble, ...applyDefaults(options) }, size)
      account = summarizeImport(found, standing, trouble)
    } finally {
      closeSync(file)
    }
  }

  // The file is read twice.
  return { kind: 'tana-export', size: size * 2, batches, account: () => account }
}

interface ResolvedOptions {
  readonly blockBytes: number
  readonly batchRecords: number
}

function applyDefaults({ blockBytes, batchRecords }: ExportOptions): ResolvedOptions {
  return { blockBytes: blockBytes ?? BLOCK_BYTES, batchRecords: batchRecords ?? BATCH_RECORDS }
}

type SurveyOptions = Parameters<typeof surveyExport>[0]

/** Yields batches without notes, so that progress is visible. */
function* runSurvey(options: SurveyOptions): Generator<NoteBatch, Survey> {
  const steps = surveyExport(options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield { records: [], read: step.value }
  }
}

interface NoteReadOptions extends ResolvedOptions {
  readonly file: number
  readonly path: string
  readonly standing: NodeStatuses
  readonly trouble: DiagnosticList
}

function* yieldNotes(wish: NoteReadOptions, size: number): Generator<NoteBatch> {
  const { standing, batchRecords } = wish
  const { table } = standing
  const make = createRecordMaker(wish)
  const docAt = createDocReader(wish, table)
  let records: NoteRecord[] = []
  let told = 0
  for (let at = 0; at < table.count; at += 1) {
    const node = table.order[at] as number
    if (!isIncluded(standing, node)) continue
    records.push(make(node, docAt(node)))
    if (records.length < batchRecords) continue
    const here = table.offset[node] as number
    yield { records, read: here - told }
    told = here
    records = []
  }
  yield { records, read: size - told }
}

/** Nodes are requested in file order, so that each block is read once. */
function createDocReader({ file, path, blockBytes }: NoteReadOptions, table: NodeTable) {
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
      const hint = 'try again when no other program writes to the file'
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

function reportCycles(
  { table, cutOwners, ownChildren }: NodeStatuses,
  trouble: DiagnosticList,
): void {
  for (const node of cutOwners) {
    const message = 'Owns itself, directly or through others; it was moved to the top level'
    trouble.add({ code: 'cycle', path: table.ids.getText(node), message })
  }
  for (const node of ownChildren) {
    const message = 'Is listed as its own child; the entry was ignored'
    trouble.add({ code: 'cycle', path: table.ids.getText(node), message })
  }
}

function summarizeImport(
  found: Survey,
  standing: NodeStatuses,
  trouble: DiagnosticList,
): SourceAccount {
  return {
    seen: found.seen,
    trashed: standing.trashed,
    inlineReferences: found.inlineReferences,
    correctedParents: standing.correctedParents,
    unresolved: trouble.count('unresolved'),
    diagnostics: trouble.diagnostics(),
  }
}
