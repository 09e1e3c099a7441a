/**
 * What a SCIP index says about one file: which symbols are defined in it, and where symbols occur.
 * Positions are as the indexer counted them; `sources/scip/offsets.ts` finds them in a text.
 */

/** The roles of an occurrence are a set of these bits. */
export const SCIP_ROLE = {
  Definition: 1,
  Import: 2,
  WriteAccess: 4,
  ReadAccess: 8,
  Generated: 16,
  Test: 32,
  /** A declaration of what is defined elsewhere, as in a C header. */
  ForwardDefinition: 64,
} as const

/** What a character of a position counts: bytes, UTF-16 units or code points. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32'

export interface ScipMetadata {
  /** A URI, as `file:///home/me/project`. */
  readonly projectRoot: string
  readonly toolName: string
  readonly toolVersion: string
  /** How the files are encoded on disk, which says nothing about positions. */
  readonly textEncoding: 'utf-8' | 'utf-16' | 'unspecified'
}

export interface ScipDocument {
  /** Relative to the project's root, with `/`. Comes from outside: look it up, never join it. */
  readonly path: string
  /** Empty when the indexer does not say, as scip-typescript. */
  readonly language: string
  /** The text that was indexed. Few indexers keep it. */
  readonly text?: string
  readonly positionEncoding: PositionEncoding
  readonly symbols: readonly ScipSymbol[]
  readonly occurrences: readonly ScipOccurrence[]
}

/** Empty strings and kind 0 are what the indexer did not say. */
export interface ScipSymbol {
  readonly symbol: string
  /** The number in SCIP's own list of kinds. */
  readonly kind: number
  readonly displayName: string
  readonly documentation: readonly string[]
  readonly relationships: readonly ScipRelationship[]
  /** The symbol around a local one. For others the symbol itself says it. */
  readonly enclosingSymbol: string
}

export interface ScipRelationship {
  readonly symbol: string
  readonly isReference: boolean
  readonly isImplementation: boolean
  readonly isTypeDefinition: boolean
  readonly isDefinition: boolean
}

export interface ScipOccurrence {
  readonly range: ScipRange
  /** Empty for an occurrence that is there for its colour alone. */
  readonly symbol: string
  readonly roles: number
  /** For a definition, all of it: the name, the signature, the body. */
  readonly enclosingRange?: ScipRange
}

/** Lines and characters count from 0; the end is not included. */
export interface ScipRange {
  readonly startLine: number
  readonly startCharacter: number
  readonly endLine: number
  readonly endCharacter: number
}
