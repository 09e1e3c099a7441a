/**
 * Documents read from disk and made ready to write, in order. Many are read in other threads, a
 * batch at a time; a few are read here, where starting a thread would take longer.
 */
import type { Diagnostic } from '../model/diagnostic.ts'
import type { Files } from '../platform/files.ts'
import { sha256 } from '../platform/hash.ts'
import { breathe, type World } from '../platform/world.ts'
import { decodeDocument, MOST_BYTES } from '../sources/markdown/documents.ts'
import { type EncodedDocument, encodeDocument } from '../store/docs/encode.ts'
import { fromWire, toWire, type Wire } from '../store/docs/wire.ts'
import { packDocument } from './pack-document.ts'

export interface DocumentJob {
  readonly doc: string
  /** Relative to the segment. */
  readonly file: string
  /** Relative to the repository root. */
  readonly sourcePath: string
  /** Native and absolute. */
  readonly path: string
  readonly size: number
  /** Whole seconds, as it will be written down. */
  readonly mtime: number
  readonly maxChars: number
  readonly withTexts: boolean
}

export interface ReadDocument {
  /** Absent when the file could not be read as text. */
  readonly encoded?: EncodedDocument
  readonly diagnostics: readonly Diagnostic[]
}

const WORTH_A_THREAD = 4 * 1024 * 1024
const BATCH_BYTES = 512 * 1024
const SMALL_BATCH = 64 * 1024

/** In the order of the jobs, whatever order the threads finish in. */
export async function* readDocuments(
  world: World,
  jobs: readonly DocumentJob[],
): AsyncIterable<readonly ReadDocument[]> {
  const bytes = jobs.reduce((sum, job) => sum + job.size, 0)
  const pool = bytes > WORTH_A_THREAD ? world.readers() : undefined
  if (pool === undefined) {
    for (const batch of batches(jobs, SMALL_BATCH)) {
      await breathe(world)
      yield batch.map((job) => readDocumentJob(world.files, job))
    }
    return
  }
  try {
    // Enough in flight that no thread waits for us, few enough that memory stays bounded.
    const ahead: Promise<SentBatch>[] = []
    const waiting = batches(jobs, BATCH_BYTES)
    while (waiting.length > 0 || ahead.length > 0) {
      while (waiting.length > 0 && ahead.length < pool.ahead) {
        ahead.push(pool.run(waiting.shift() ?? []) as Promise<SentBatch>)
      }
      const next = await ahead.shift()
      await breathe(world)
      if (next !== undefined) yield received(next)
    }
  } finally {
    await pool.close()
  }
}

/** A batch as it comes from a thread. */
export interface SentBatch {
  /** The documents that could be read, in the order of the jobs. */
  readonly wire: Wire
  readonly results: readonly {
    readonly isRead: boolean
    readonly diagnostics: readonly Diagnostic[]
  }[]
}

export function sentBatch(results: readonly ReadDocument[]): SentBatch {
  return {
    wire: toWire(results.flatMap((it) => it.encoded ?? [])),
    results: results.map((it) => ({
      isRead: it.encoded !== undefined,
      diagnostics: it.diagnostics,
    })),
  }
}

function received(batch: SentBatch): readonly ReadDocument[] {
  const documents = fromWire(batch.wire)
  let next = 0
  return batch.results.map(({ isRead, diagnostics }) => {
    const encoded = isRead ? documents[next++] : undefined
    return encoded === undefined ? { diagnostics } : { encoded, diagnostics }
  })
}

function batches(jobs: readonly DocumentJob[], bytes: number): DocumentJob[][] {
  const all: DocumentJob[][] = []
  let room = 0
  for (const job of jobs) {
    if (room <= 0) {
      all.push([])
      room = bytes
    }
    all.at(-1)?.push(job)
    room -= job.size
  }
  return all
}

/** Trouble with one document is a diagnostic; the others go on. */
export function readDocumentJob(files: Files, job: DocumentJob): ReadDocument {
  const path = job.sourcePath
  if (job.size > MOST_BYTES) {
    const message = `is over ${MOST_BYTES / 1024 / 1024} MB; left out`
    return { diagnostics: [{ code: 'too-large', path, message }] }
  }
  let bytes: Uint8Array
  try {
    bytes = files.read(job.path)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { diagnostics: [{ code: 'unreadable', path, message }] }
  }
  const decoded = decodeDocument(bytes)
  if (!('text' in decoded)) return { diagnostics: [{ ...decoded, path }] }
  const { doc, file, sourcePath, mtime } = job
  const hashed = { sha256: sha256(bytes), size: bytes.length }
  const packed = packDocument(
    { doc, file, sourcePath, mtime, text: decoded.text, ...hashed },
    job.maxChars,
  )
  return {
    encoded: encodeDocument(packed, job.withTexts),
    diagnostics: decoded.diagnostics.map((it) => ({ ...it, path })),
  }
}
