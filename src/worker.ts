/** The composition root of a reader thread: a batch of documents in, ready to be written out. */
import { type DocumentJob, type ReadDocument, readDocumentJob } from './packs/read-documents.ts'
import { realFiles } from './platform/files.ts'

export default function readBatch(batch: readonly DocumentJob[]): readonly ReadDocument[] {
  return batch.map((job) => readDocumentJob(realFiles, job))
}
