/** One piece of a document: a section, or a part of one that was over the limit. */
export interface DocChunk {
  readonly id: string
  /** The headings above it and its own, outermost first; empty before the first heading. */
  readonly titlePath: readonly string[]
  /** 1–6, or 0 before the first heading. */
  readonly headingLevel: number
  readonly text: string
  /** The text without its own heading lines. */
  readonly body: string
  readonly startLine: number
  readonly endLine: number
  readonly part?: number
}

/** A document read: what a pack needs to know of it. */
export interface DocReading {
  readonly chunks: readonly DocChunk[]
  /** Of the normalised text without front matter. */
  readonly contentSha256: string
  readonly contentChars: number
}
