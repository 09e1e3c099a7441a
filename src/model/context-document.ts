/** What is asked of notes, and what comes back: the contract's shape, with a few words more in `meta`. */
import type { Lens } from './lens.ts'
import type { RelationType } from './note.ts'
import type { NoteBackend } from './notes-index.ts'

export interface NotesRequest {
  /** The first is what was asked; the others are blended in. Never empty. */
  readonly queries: readonly WeightedQuery[]
  readonly workspace: string
  readonly lens: Lens
  /** 1 to 5; the lens may allow less. */
  readonly depth: number
  readonly maxTokens: number
  readonly includeFields: boolean
  readonly format: ContextFormat
  /** What recency is relative to, and what `assembledAt` says: milliseconds since 1970. */
  readonly now: number
}

export interface WeightedQuery {
  /** A topic, or the id of a note. */
  readonly text: string
  readonly weight: number
}

export const CONTEXT_FORMATS = ['markdown', 'json'] as const

export type ContextFormat = (typeof CONTEXT_FORMATS)[number]

export interface ContextDocument {
  readonly meta: ContextMeta
  /** What was asked for first, then the most relevant first. */
  readonly nodes: readonly ContextNode[]
  readonly overflow: readonly OverflowSummary[]
}

export interface ContextMeta {
  /** As it was asked. */
  readonly query: string
  readonly workspace: string
  readonly lens: string
  readonly tokens: TokenUsage
  readonly assembledAt: string
  readonly backend: NoteBackend
  /** Who made the vectors that semantic similarity was measured with; absent where there are none. */
  readonly embedder?: string
  /** What is less than was asked for, in sentences: a depth that the lens caps, sampled children, a small budget. */
  readonly warnings?: readonly string[]
}

export interface TokenUsage {
  readonly budget: number
  /** Of the text as it is printed, in the format that was asked for. */
  readonly used: number
  /** `used / budget`, to two digits. */
  readonly utilization: number
  readonly nodesIncluded: number
  readonly nodesSummarized: number
}

export interface ContextNode {
  readonly id: string
  readonly name: string
  /** Markdown. */
  readonly content: string
  readonly tags: readonly string[]
  readonly fields?: Readonly<Record<string, string | readonly string[]>>
  /** 0 to 1, to four digits. */
  readonly score: number
  readonly distance: number
  /** From what was asked for to this note, one step per hop; empty for what was asked for. */
  readonly path: readonly RelationshipPath[]
}

/** One step: from a note, along a link, to the next one. */
export interface RelationshipPath {
  readonly from: string
  readonly to: string
  readonly type: RelationType
  readonly direction: 'out' | 'in'
}

export interface OverflowSummary {
  readonly id: string
  readonly name: string
  readonly tags: readonly string[]
  readonly score: number
}
