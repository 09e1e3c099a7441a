/**
 * A Tana Intermediate Format file as notes: what converters from other programs write. Nodes stand
 * inside their parents, fields among the children; links in names are `[[uid]]` and
 * `[alias]([[uid]])`. Such files are small, so that one is read as a whole.
 */
import { readFileSync } from 'node:fs'
import { counted } from '../../../base/text.ts'
import { EngineError } from '../../../model/engine-error.ts'
import type { NoteRecord } from '../../../model/note.ts'
import type { NoteBatch, NotesSource, SourceAccount } from '../../../model/notes-index.ts'
import { type IntermediateFile, type IntermediateNode, isNode } from './intermediate-file.ts'
import { intermediateNotes } from './intermediate-notes.ts'
import { fileSize } from './open-file.ts'
import { type TroubleList, troubleList } from './trouble-list.ts'

export interface IntermediateOptions {
  readonly batchRecords?: number
  /** Larger files are refused. */
  readonly maxBytes?: number
}

const BATCH_RECORDS = 2000
/** The longest string of the platform holds no more. */
const MAX_BYTES = 512 << 20
const HINT = 'give a file in Tana Intermediate Format (its version says “TanaIntermediateFile”)'

export function openTanaIntermediate(path: string, options: IntermediateOptions = {}): NotesSource {
  const { batchRecords = BATCH_RECORDS, maxBytes = MAX_BYTES } = options
  const size = fileSize(path, HINT)
  if (size > maxBytes) {
    throw new EngineError(
      'POC_E_SOURCE_INVALID',
      `${path} has ${counted(size, 'byte')}, and a file of this format may have ${maxBytes}`,
      { hint: 'split it, or import it into Tana and give the export of the workspace' },
    )
  }
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
    const found = intermediateNotes(parsed(path), trouble)
    yield { records: [], read: size }
    let records: NoteRecord[] = []
    for (const record of found.records()) {
      records.push(record)
      if (records.length < batchRecords) continue
      yield { records, read: 0 }
      records = []
    }
    yield { records, read: 0 }
    account = accountOf(found.seen, found.inlineReferences(), trouble)
  }

  return { kind: 'tana-intermediate', size, batches, account: () => account }
}

function accountOf(seen: number, inlineReferences: number, trouble: TroubleList): SourceAccount {
  return {
    seen,
    trashed: 0,
    inlineReferences,
    correctedParents: 0,
    unresolved: trouble.count('unresolved'),
    diagnostics: trouble.diagnostics(),
  }
}

function parsed(path: string): IntermediateFile {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    throw new EngineError('POC_E_SOURCE_INVALID', `${path} is not valid JSON: ${why}`, {
      hint: 'the file may not be complete: write it again',
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
