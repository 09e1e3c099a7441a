/** The composition root of a reader thread: a batch of documents in, ready to be written out. */
import {
  type DocumentJob,
  readDocumentJob,
  type SentBatch,
  sentBatch,
} from './packs/read-documents.ts'
import { realFiles } from './platform/files.ts'

export default function readBatch(batch: readonly DocumentJob[]): SentBatch {
  return sentBatch(batch.map((job) => readDocumentJob(realFiles, job)))
}
