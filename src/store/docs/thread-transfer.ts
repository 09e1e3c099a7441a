/**
 * Transfers encoded documents to the writer thread: one string, one array of numbers and one of
 * bytes per batch. Copying them row by row between threads took as long as parsing.
 */
import { ARRAY_NAMES, CHUNK_COLUMNS, type ChunkRow, type EncodedDocument } from './encode.ts'

export interface TransferBatch {
  readonly text: string
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
}

export function encodeBatch(documents: readonly EncodedDocument[]): TransferBatch {
  const texts: string[] = []
  const numbers: number[] = []
  const pieces: Uint8Array[] = []
  const putText = (text: string): void => {
    texts.push(text)
    numbers.push(text.length)
  }
  for (const document of documents) {
    putText(document.doc)
    putText(document.sha256)
    putText(document.digest)
    numbers.push(document.size, document.totalChars, document.rows.length)
    for (const array of ARRAY_NAMES) {
      pieces.push(document.bytes[array])
      numbers.push(document.bytes[array].length)
    }
    for (const row of document.rows) {
      for (const value of row) {
        if (typeof value === 'string') putText(value)
        else numbers.push(value ?? NULL)
      }
    }
  }
  return { text: texts.join(''), numbers: Float64Array.from(numbers), bytes: Buffer.concat(pieces) }
}

/** Stands for null: no column of numbers is ever negative. */
const NULL = -1

export function decodeBatch(batch: TransferBatch): readonly EncodedDocument[] {
  const documents: EncodedDocument[] = []
  let at = 0
  let textAt = 0
  let byteAt = 0
  const number = (): number => batch.numbers[at++] ?? 0
  const text = (): string => {
    const from = textAt
    textAt += number()
    return batch.text.slice(from, textAt)
  }
  const piece = (): Uint8Array => {
    const from = byteAt
    byteAt += number()
    return batch.bytes.subarray(from, byteAt)
  }
  const nullable = (): number | null => {
    const value = number()
    return value === NULL ? null : value
  }
  const row = (): ChunkRow =>
    CHUNK_COLUMNS.map(({ kind }) => (kind === 'text' ? text() : nullable()))
  while (at < batch.numbers.length) {
    const doc = text()
    const sha256 = text()
    const digest = text()
    const size = number()
    const totalChars = number()
    const rowCount = number()
    const bytes = {
      source_files: piece(),
      docs: piece(),
      digest: piece(),
      index: piece(),
      chunks: piece(),
    }
    const rows = Array.from({ length: rowCount }, row)
    documents.push({ doc, sha256, digest, size, totalChars, bytes, rows })
  }
  return documents
}
