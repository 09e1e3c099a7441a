/**
 * What a context pack is asked for. A request is whole: every default is filled in and every cap is
 * applied before anything is computed from it, so that two equal requests mean the same pack.
 */
import type { EvidenceKind } from './index-record.ts'
import type { DiffIdentity } from './repository-diff.ts'

export const SEED_MODES = ['code', 'prose', 'mixed'] as const
export type SeedMode = (typeof SEED_MODES)[number]

export const SEED_PROVIDERS = ['sparse', 'fts', 'ann', 'hybrid'] as const
export type SeedProvider = (typeof SEED_PROVIDERS)[number]

export const INTENTS = [
  'answer',
  'summarize',
  'refactor',
  'debug',
  'impact',
  'contract',
  'review',
] as const
export type Intent = (typeof INTENTS)[number]

export const EDGE_TYPES = ['call', 'usage', 'import', 'export', 'dataflow'] as const
export type EdgeType = (typeof EDGE_TYPES)[number]

/** Of calls: `out` leads to what is called, `in` to who calls. */
export const DIRECTIONS = ['out', 'in', 'both'] as const
export type Direction = (typeof DIRECTIONS)[number]

export const ORDERINGS = ['seedScore', 'graphDistance', 'graphEvidence', 'hybridScore'] as const
export type Ordering = (typeof ORDERINGS)[number]

export const TIE_BREAKERS = ['symbolId', 'chunkUid', 'fileRelPath', 'startLine'] as const
export type TieBreaker = (typeof TIE_BREAKERS)[number]

export const STRICTNESSES = ['strict', 'warn', 'loose'] as const
export type Strictness = (typeof STRICTNESSES)[number]

/** The text that the budget of tokens and characters is counted on. */
export const RENDERINGS = ['markdown', 'xml'] as const
export type Rendering = (typeof RENDERINGS)[number]

export interface PackRequest {
  /** The remote's host and path, else the first commit, else the folder's name; see FORMAT.md. */
  readonly repoId: string
  /** Where its index lies on this machine. No part of the pack's identity. */
  readonly indexRoot: string
  readonly indexSignature: string
  readonly query: string
  readonly seedMode: SeedMode
  readonly seedProvider: SeedProvider
  readonly intent: Intent
  readonly focus: Focus
  /** The diff that the pack is about, where it is about one. */
  readonly diff?: DiffIdentity
  readonly expansion: Expansion
  readonly budgets: Budgets
  readonly ordering: {
    readonly primary: Ordering
    readonly stableTieBreakers: readonly TieBreaker[]
  }
  readonly strictness: Strictness
  readonly includeExplain: boolean
  readonly rendering: Rendering
  /** Whether the whole budget is used, with what is less likely to be needed. */
  readonly fill: boolean
}

/** At most one of the first three; a line only with a file. */
export interface Focus {
  readonly symbolId?: string
  readonly chunkUid?: string
  readonly fileRelPath?: string
  readonly line?: number
}

export interface Expansion {
  readonly maxHops: number
  readonly edgeTypes: readonly EdgeType[]
  readonly direction: Direction
  readonly includeSameFileNeighbors: boolean
  readonly includeImports: boolean
  readonly includeExports: boolean
  readonly includeDataflow: boolean
  readonly requireEvidence: boolean
  readonly evidenceKinds: readonly EvidenceKind[]
}

export interface Budgets {
  readonly maxTotalChars: number
  readonly maxTotalTokens: number
  readonly maxItems: number
  readonly maxItemsPerSection: number
  readonly maxBytesPerItem: number
}

export const DEFAULT_BUDGETS: Budgets = {
  maxTotalChars: 200_000,
  maxTotalTokens: 8_000,
  maxItems: 80,
  maxItemsPerSection: 25,
  maxBytesPerItem: 4_096,
}

/**
 * In proportion to the tokens, above those of the defaults. Without that they and not the tokens bind
 * from 16,000 tokens on, and such packs hold 2 of 100 fewer of the lines that commits changed.
 */
export const GROWING_BUDGETS: readonly (keyof Budgets)[] = [
  'maxTotalChars',
  'maxItems',
  'maxItemsPerSection',
]

/** Hold whatever a request says. */
export const HARD_CAPS: Budgets & { readonly maxHops: number } = {
  maxHops: 4,
  maxTotalChars: 2_000_000,
  maxTotalTokens: 500_000,
  maxItems: 250,
  maxItemsPerSection: 80,
  maxBytesPerItem: 64_000,
}
