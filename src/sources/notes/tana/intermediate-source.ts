/**
 * A Tana Intermediate Format file as notes: what converters from other programs write. Nodes stand
 * inside their parents, fields among the children; links in names are `[[uid]]` and
 * `[alias]([[uid]])`. Such files are small, so they are read at once.
 */
import { readFileSync } from 'node:fs'
import { counted } from '../../../base/text.ts'
import { EngineError } from '../../../model/engine-error.ts'
import type { NoteRecord } from '../../../model/note.ts'
import type { NoteBatch, NotesSource, SourceAccount } from '../../../model/notes-index.ts'
import { createDiagnosticList, type DiagnosticList } from './diagnostic-list.ts'
import { type IntermediateFile, type IntermediateNode, isNode } from './intermediate-file.ts'
import { convertIntermediateFile } from './intermediate-notes.ts'
import { readFileSize } from './open-file.ts'

export interface IntermediateOptions {
  readonly batchRecords?: number
  /** Larger files are refused. */
  readonly maxBytes?: number
}

const BATCH_RECORDS = 2000
/** The maximum string length of the platform. */
const MAX_BYTES = 512 << 20
const HINT = 'give a file in Tana Intermediate Format (its version says “TanaIntermediateFile”)'

export function openTanaIntermediate(path: string, options: IntermediateOptions = {}): NotesSource {
  const { batchRecords = BATCH_RECORDS, maxBytes = MAX_BYTES } = options
  const size = readFileSize(path, HINT)
  if (size > maxBytes) {
    throw new EngineError(
      'POC_E_SOURCE_INVALID',
      `${path} has ${counted(size, 'byte')}, more than the ${maxBytes} allowed for this format`,
      { hint: 'split it, or import it into Tana and use an export of the workspace' },
    )
  }
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
    const found = convertIntermediateFile(parseFile(path), trouble)
    yield { records: [], read: size }
    let records: NoteRecord[] = []
    for (const record of found.records()) {
      records.push(record)
      if (records.length < batchRecords) continue
      yield { records, read: 0 }
      records = []
    }
    yield { records, read: 0 }
    account = summarizeImport(found.seen, found.inlineReferences(), trouble)
  }

  return { kind: 'tana-intermediate', size, batches, account: () => account }
}

function summarizeImport(
  seen: number,
  inlineReferences: number,
  trouble: DiagnosticList,
): SourceAccount {
  return {
    seen,
    trashed: 0,
    inlineReferences,
    correctedParents: 0,
    unresolved: trouble.count('unresolved'),
    diagnostics: trouble.diagnostics(),
  }
}

function parseFile(path: string): IntermediateFile {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'read error'
    throw new EngineError('POC_E_SOURCE_INVALID', `${path} is not valid JSON: ${why}`, {
      hint: 'the file may be incomplete: create it again',
      cause,
    })
  }
  const file: { readonly nodes?: unknown; readonly supertags?: unknown } =
    typeof value === 'object' && value !== null ? value : {}
  if (!Array.isArray(file.nodes)) {
    const message = `${path} is not a Tana Intermediate Format file: it has no list of nodes`
    throw new EngineError('POC_E_SOURCE_INVALID', message, { hint: HINT })
  }
  const nodes: IntermediateNode[] = file.nodes.filter(isNode)
  const supertags: unknown[] = Array.isArray(file.supertags) ? file.supertags : []
  return { nodes, supertags }
}
