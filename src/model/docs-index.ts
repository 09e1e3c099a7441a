/**
 * What the reading half of a docs pack may ask of a store. Asynchronous and batch-shaped: few
 * calls, large answers, so that a server could implement it as well as a file.
 */
import type { Chunking, DigestEntry, DocsPackHeader, IndexEntry } from './docs-pack.ts'

export interface DocsIndex {
  readonly header: DocsPackHeader
  readonly chunking: Chunking
  /** How the chunks are reached, and what is wrong with that, if anything. */
  readonly backing: Backing
  totals(): Promise<DocsTotals>
  /** Chunks that hold any of the terms, the most promising first. */
  matching(terms: readonly string[], limit: number): Promise<readonly StoredChunk[]>
  /** In how many chunks each term occurs. */
  frequencies(terms: readonly string[]): Promise<readonly number[]>
  /** Those of the ids that exist, in the order asked for. */
  chunks(ids: readonly string[]): Promise<readonly StoredChunk[]>
  sourceOf(doc: string): Promise<DocumentSource | undefined>
  digest(): Promise<readonly DigestEntry[]>
  index(): Promise<readonly IndexEntry[]>
  /** Every chunk, in pack order, a batch at a time. */
  batches(): AsyncIterable<readonly StoredChunk[]>
  close(): Promise<void>
}

export interface Backing {
  readonly kind: 'database' | 'json'
  /** What the caller should know: why the database was not used, or that the pack is an older one. */
  readonly note?: string
}

export interface DocumentSource {
  /** Relative to the segment: wherever the pack was built from. */
  readonly file: string
  /** Of the bytes that the pack was built from. */
  readonly sha256: string
}

export interface DocsTotals {
  readonly documents: number
  readonly chunks: number
  readonly chars: number
}

export interface StoredChunk extends Omit<IndexEntry, 'preview' | 'token_est'> {
  readonly text: string
}
