/** Who makes vectors of texts, and what is known of those that an index holds. */

/** Vectors of the same identity can be compared. Part of an index's signature. */
export interface EmbedderIdentity {
  /** Learned from the repository's own text, or asked for over HTTP. */
  readonly name: 'self' | 'endpoint'
  readonly model: string
  readonly dimensions: number
}

export interface VectorInfo extends EmbedderIdentity {
  /** Where the endpoint is; empty for `self`. */
  readonly url: string
}

export interface Embedder {
  /** A vector for each text, in their order, all of one length. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}

/** Of a word, where vectors are made of those of words. */
export interface WordVector {
  readonly values: Int8Array
  /** What one occurrence in a question adds of it. */
  readonly worth: number
}
