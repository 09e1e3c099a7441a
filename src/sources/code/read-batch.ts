/** Many files to their records, in the order given. What a thread of the index is asked to do. */
import { join } from 'node:path'
import { wordForms } from '../../base/code-words.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { FileRecord } from '../../model/index-record.ts'
import { decodeRecords, type EncodedRecords, encodeRecords } from '../../model/record-codec.ts'
import type { Files } from '../../platform/files.ts'
import { loadXxh64 } from '../../platform/hash.ts'
import { loadTokenizer } from '../../platform/tokenizer.ts'
import { type FileBytes, type ReadingOptions, type ReadingTools, readFile } from './read-file.ts'

export interface Batch extends ReadingOptions {
  /** Native and absolute. */
  readonly top: string
  readonly files: readonly { readonly path: string; readonly mtimeMs: number }[]
}

export type FileReading =
  | { readonly kind: 'record'; readonly record: FileRecord }
  /** It could not be read at all. */
  | { readonly kind: 'unreadable'; readonly diagnostic: Diagnostic }

/** What crosses from a thread: records packed, and by their places what could not be read. */
export interface EncodedReadings {
  readonly records: EncodedRecords
  readonly unreadable: readonly { readonly at: number; readonly diagnostic: Diagnostic }[]
}

export async function readTask(files: Files, batch: Batch): Promise<EncodedReadings> {
  const readings = await readBatch(files, batch)
  const records = encodeRecords(readings.flatMap((it) => (it.kind === 'record' ? [it.record] : [])))
  const unreadable = readings.flatMap((it, at) =>
    it.kind === 'unreadable' ? [{ at, diagnostic: it.diagnostic }] : [],
  )
  return { records, unreadable }
}

/** A file that is not read, because it could not be. */
export function leftOut(path: string, reason: string): EncodedReadings {
  const message = `could not be read: ${reason}; left out`
  const diagnostic: Diagnostic = { code: 'unreadable', path, message }
  return { records: encodeRecords([]), unreadable: [{ at: 0, diagnostic }] }
}

/** In the order of the files again. */
export function decodeReadings({ records, unreadable }: EncodedReadings): readonly FileReading[] {
  const readings: FileReading[] = decodeRecords(records).map((record) => ({
    kind: 'record',
    record,
  }))
  for (const { at, diagnostic } of unreadable)
    readings.splice(at, 0, { kind: 'unreadable', diagnostic })
  return readings
}

/** Gives back the memory of records that nobody needs any more, and does not wait for the engine. */
export function release({ records }: EncodedReadings): void {
  records.memory.transfer(0)
}

let tools: Promise<ReadingTools> | undefined

let last: Promise<unknown> = Promise.resolve()

/** One batch after the other in a thread: the parser and its lists serve one file at a time. */
export function readBatch(
  files: Pick<Files, 'read'>,
  batch: Batch,
): Promise<readonly FileReading[]> {
  const readings = last.then(() => readAll(files, batch))
  last = readings.catch(() => undefined)
  return readings
}

async function readAll(files: Pick<Files, 'read'>, batch: Batch): Promise<readonly FileReading[]> {
  tools ??= loadTools()
  const ready = await tools
  const readings: FileReading[] = []
  for (const { path, mtimeMs } of batch.files) {
    const bytes = bytesOf(files, batch.top, path)
    readings.push(
      bytes instanceof Uint8Array
        ? { kind: 'record', record: await readSafely({ path, bytes, mtimeMs }, ready, batch) }
        : { kind: 'unreadable', diagnostic: bytes },
    )
  }
  return readings
}

/** Whatever a grammar or a rule of ours stumbles over costs the file its syntax and no more. */
async function readSafely(
  file: FileBytes,
  ready: ReadingTools,
  options: ReadingOptions,
): Promise<FileRecord> {
  try {
    return await readFile(file, ready, options)
  } catch {
    return readFile(file, ready, { ...options, isPlain: true })
  }
}

async function loadTools(): Promise<ReadingTools> {
  const [countTokens, xxh64] = await Promise.all([loadTokenizer(), loadXxh64()])
  return { countTokens, xxh64, forms: wordForms() }
}

/** A file may be gone by now, or never have been readable. */
function bytesOf(files: Pick<Files, 'read'>, top: string, path: string): Uint8Array | Diagnostic {
  try {
    return files.read(join(top, path))
  } catch (error) {
    return {
      code: 'unreadable',
      path,
      message: error instanceof Error ? error.message : String(error),
    }
  }
}
