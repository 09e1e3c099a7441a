/** Documents read from disk and made ready to write, in order, a batch at a time. */
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { decodeDocument, MAX_BYTES } from '../../sources/markdown/documents.ts'
import { type EncodedDocument, encodeDocument } from '../../store/docs/encode.ts'
import type { packDocument } from './pack-document.ts'

export interface DocumentJob {
  readonly doc: string
  /** Relative to the segment. */
  readonly file: string
  /** Relative to the repository root. */
  readonly sourcePath: string
  /** Native and absolute. */
  readonly path: string
  readonly size: number
  /** Whole seconds, as stored in the pack. */
  readonly mtime: number
  readonly maxChars: number
  readonly withTexts: boolean
}

export interface ReadDocument {
  /** Absent when the file could not be read as text. */
  readonly encoded?: EncodedDocument
  readonly diagnostics: readonly Diagnostic[]
}

const BATCH_BYTES = 512 * 1024

/** In the order of the jobs. Yields to the event loop between batches. */
export async function* readDocuments(
  world: World,
  jobs: readonly DocumentJob[],
): AsyncIterable<readonly ReadDocument[]> {
  // Loaded on demand: the Markdown reader takes longer to load than most commands take.
  const { packDocument } = await import('./pack-document.ts')
  let batch: ReadDocument[] = []
  let bytes = 0
  for (const job of jobs) {
    batch.push(readDocumentJob(world.files, job, packDocument))
    bytes += job.size
    if (bytes < BATCH_BYTES) continue
    yield batch
    await yieldToEventLoop(world)
    batch = []
    bytes = 0
  }
  yield batch
  await yieldToEventLoop(world)
}

type PackDocument = typeof packDocument

/** A problem with one document is a diagnostic; the others are still read. */
function readDocumentJob(files: Files, job: DocumentJob, pack: PackDocument): ReadDocument {
  const path = job.sourcePath
  if (job.size > MAX_BYTES) {
    const message = `is over ${MAX_BYTES / 1024 / 1024} MB; left out`
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
  const packed = pack({ doc, file, sourcePath, mtime, text: decoded.text, ...hashed }, job.maxChars)
  return {
    encoded: encodeDocument(packed, job.withTexts),
    diagnostics: decoded.diagnostics.map((it) => ({ ...it, path })),
  }
}
