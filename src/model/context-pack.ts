/**
 * A context pack: pieces of a repository in sections, each with the reason why it is there.
 * The names and the order of the fields are those of the JSON that people keep and compare.
 */
import type { Impact } from './impact.ts'
import type { EvidenceKind } from './index-record.ts'
import type { ItemChanges, PackChanges } from './pack-changes.ts'
import type { Budgets, EdgeType, PackRequest } from './pack-request.ts'

export const SECTION_TYPES = [
  'seeds',
  'callers',
  'callees',
  'imports',
  'exports',
  'usages',
  'dataflow',
  'tests',
  'docs',
  'related',
] as const
export type SectionType = (typeof SECTION_TYPES)[number]

export interface ContextPack {
  readonly formatVersion: 1
  readonly schema: 'ContextPack'
  readonly schemaVersion: '1.0.0'
  readonly indexSignature: string
  /** Hex of sha256 over the index's signature and the request; see `packs/context/pack-id.ts`. */
  readonly packId: string
  /** ISO 8601. No part of the canonical form. */
  readonly createdAt: string
  readonly request: PackRequest
  readonly budgets: BudgetsResolved
  /** How sure it is that what was asked for is in it. */
  readonly confidence: Confidence
  /** Of an impact pack with a focus, where there is room for it. */
  readonly impact?: Impact
  /** Of the diff that the pack is about, where it is about one. */
  readonly changes?: PackChanges
  /** The first of them all, best first, whether or not there was room for their text. */
  readonly seeds: readonly SeedEntry[]
  readonly sections: readonly ContextSection[]
  /** Which of the items call, use, extend or test which. */
  readonly relations: readonly ItemRelation[]
  /** What may be needed and is only named, likeliest first. */
  readonly pointers: readonly ContextItem[]
  readonly explain?: ExplainEnvelope
  readonly stats: ContextPackStats
}

/** What held, and which requested limits were reduced to a hard cap. */
export interface BudgetsResolved extends Budgets {
  readonly clamped: readonly ClampedLimit[]
}

export interface ClampedLimit {
  /** A field of `budgets`, or `maxHops`. */
  readonly field: string
  readonly requested: number
  readonly applied: number
}

export const CONFIDENCES = ['high', 'medium', 'low', 'none'] as const

export interface Confidence {
  readonly level: (typeof CONFIDENCES)[number]
  /** That the best item is needed, from 0 to 1. */
  readonly likelihood: number
  /** Names of the question that nothing holds of what was found. */
  readonly unknown: readonly string[]
}

export interface ContextSection {
  readonly type: SectionType
  readonly title: string
  readonly items: readonly ContextItem[]
  /** What would have stood here, by the reason why it does not. */
  readonly omitted: readonly { readonly reason: DropReason; readonly count: number }[]
}

export const DROP_REASONS = ['budget', 'noEvidence', 'duplicate', 'unsupported', 'secret'] as const
export type DropReason = (typeof DROP_REASONS)[number]

export interface ContextItem {
  readonly kind: 'chunk' | 'symbol'
  readonly symbolId?: string
  readonly chunkUid: string
  readonly fileRelPath: string
  /** Of the chunk: UTF-16 offsets, half-open. */
  readonly range: TextRange
  /** Of the chunk: 1-based, inclusive. */
  readonly lines: LineRange
  readonly languageId: string
  readonly title: string
  readonly excerpt: Excerpt
  readonly scores: ItemScores
  readonly why: Why
  /** What the diff changes in it, where the pack is about one. */
  readonly changes?: ItemChanges
}

/** An edge of the graph between two items of the pack. */
export interface ItemRelation {
  /** `chunkUid` of the item that holds the evidence. */
  readonly from: string
  /** `chunkUid` of the item that defines what the edge leads to. */
  readonly to: string
  readonly edgeType: PathStep['edgeType']
  /** The symbols at its ends: an item may hold several. */
  readonly fromSymbol: string
  readonly toSymbol: string
  readonly evidenceId: string
  readonly line: number
}

/** A hit of the query, with a short excerpt. */
export interface SeedEntry extends ContextItem {
  /** The score of each retriever that found it, by the retriever's name. */
  readonly vector: Readonly<Record<string, number>>
}

export interface TextRange {
  readonly start: number
  readonly end: number
}

export interface LineRange {
  readonly start: number
  readonly end: number
}

/** How much of a chunk is shown: all, the lines that match, its head, or its title alone. */
export const DETAIL_LEVELS = ['whole', 'excerpt', 'signature', 'title'] as const
export type DetailLevel = (typeof DETAIL_LEVELS)[number]

export interface Excerpt {
  /** The parts, one after the other, with a line `⋯` between two that do not touch. */
  readonly text: string
  readonly level: DetailLevel
  /** Which stretches of the file the text is made of; none when only the title is shown. */
  readonly parts: readonly { readonly range: TextRange; readonly lines: LineRange }[]
  /** Whether the text is not all of the chunk. */
  readonly truncated: boolean
  /** Present where it is truncated. */
  readonly truncation?: { readonly maxBytes: number; readonly reason: TruncationReason }
  /** How many likely secrets were blanked out in the text. */
  readonly redacted?: number
}

/**
 * The budget that an excerpt was cut for, or `seedList`: entries of `seeds` are always short, or
 * `importLines`: lines of imports are named by their title alone.
 */
export const TRUNCATION_REASONS = [
  'maxBytesPerItem',
  'maxTotalTokens',
  'maxTotalChars',
  'seedList',
  'importLines',
] as const
export type TruncationReason = (typeof TRUNCATION_REASONS)[number]

export interface ItemScores {
  /** 0 to 1; 0 for what only the graph found. */
  readonly seedScore: number
  /** Hops from the nearest seed; 0 for a seed. */
  readonly graphDistance: number
  readonly evidenceScore: number
  readonly hybridScore: number
}

export const RULES = [
  'seed',
  'focus',
  'changed',
  'call-neighbor',
  'usage-neighbor',
  'import-neighbor',
  'export-neighbor',
  'dataflow-neighbor',
  'test-neighbor',
  'doc-neighbor',
  'same-file-neighbor',
  'related',
] as const
export type Rule = (typeof RULES)[number]

export interface Why {
  readonly rule: Rule
  /** Edges of the graph, from the seed to the item; each as it stands in the graph. */
  readonly path: readonly PathStep[]
  readonly evidence: readonly EvidenceRef[]
  /** Which words of the query stand where, and the like: for people. */
  readonly reasons: readonly string[]
}

export interface PathStep {
  readonly edgeType: EdgeType | 'inherit' | 'mention' | 'test'
  readonly from: string
  readonly to: string
  readonly evidenceId: string
}

export interface EvidenceRef {
  readonly kind: EvidenceKind
  readonly evidenceId: string
  readonly confidence: number
  readonly fileRelPath: string
  readonly line: number
}

export type TermsOfItems = Readonly<
  Record<string, readonly { readonly name: string; readonly value: number }[]>
>

export interface ExplainEnvelope {
  /** What was understood of the query. */
  readonly query: {
    readonly words: readonly string[]
    readonly identifiers: readonly string[]
    readonly paths: readonly string[]
    readonly phrases: readonly string[]
  }
  /** By chunkUid; their sum is the item's `hybridScore`. */
  readonly terms: TermsOfItems
  /**
   * By chunkUid, of what the query found. With the provider `hybrid`, `seedScore` is e to their sum,
   * which is how far the item is behind the best; with the others, and for a focus, their sum.
   */
  readonly seedTerms: TermsOfItems
  /** Steps of paths that lack the evidence that was wanted. */
  readonly evidenceGaps: readonly { readonly chunkUid: string; readonly step: number }[]
  /** What was left out that the reader may want to ask for, best first. */
  readonly leftOut: readonly {
    readonly chunkUid: string
    readonly symbolId?: string
    readonly fileRelPath: string
    readonly lines: LineRange
    readonly title: string
    readonly reason: DropReason
    /** For a duplicate: whose. */
    readonly of?: string
  }[]
  readonly notes: readonly string[]
}

export interface ContextPackStats {
  readonly itemsPerSection: Readonly<Partial<Record<SectionType, number>>>
  readonly dropped: Readonly<Record<DropReason, number>>
  readonly maxHop: number
  readonly candidates: number
  readonly edgesWalked: number
  /** Of the rendered text. */
  readonly tokens: number
  readonly chars: number
  /** Milliseconds by step. No part of the canonical form. */
  readonly timings: Readonly<Record<string, number>>
}
