/** What goes from stage to stage on the way from a query to a pack. */
import type { EdgeEvidence, StoredChunk, StoredEdge } from './code-index.ts'
import type {
  DetailLevel,
  ItemScores,
  LineRange,
  Rule,
  SectionType,
  TextRange,
} from './context-pack.ts'
import type { ItemChanges } from './pack-changes.ts'
import type { ScoreTerm } from './search.ts'

/** From `retrieve/`: a chunk that the query itself found. */
export interface Seed {
  readonly chunk: StoredChunk
  /** 0 to 1, 1 for the best. */
  readonly score: number
  /** The score of each retriever that found it, by the retriever's name. */
  readonly vector: Readonly<Record<string, number>>
  /** What the score is made of; see `seedTerms` of a pack. */
  readonly terms: readonly ScoreTerm[]
  /** For people: which words, names and paths of the query it was found by. */
  readonly reasons: readonly string[]
}

/** From `traverse/`: a chunk that hangs on a seed. */
export interface Neighbour {
  readonly chunk: StoredChunk
  /** The symbol that the last step leads to, or comes from. */
  readonly symbol: string
  /** Number of the start that it was reached from. */
  readonly start: number
  /** `uid` of the chunk that the last step was made from; that of the start where there is none. */
  readonly via: string
  /** From the start to here; as many as there are hops. */
  readonly steps: readonly Step[]
  /** Lines of the chunk that refer to what the step comes from, where they were asked for. */
  readonly sites?: readonly number[]
}

export interface Step {
  readonly edge: StoredEdge
  /** Whether it was walked from `from` to `to`. */
  readonly isForward: boolean
  readonly evidence: EdgeEvidence
  /** Whether the evidence is of a kind that was asked for. */
  readonly isSupported: boolean
}

/** From `traverse/`: one chunk calls, uses, extends or tests another; both were found. */
export interface Relation {
  /** `uid` of the chunk that holds the evidence. */
  readonly from: string
  /** `uid` of the chunk that defines what the edge leads to. */
  readonly to: string
  readonly edge: StoredEdge
  readonly evidence: EdgeEvidence
}

/** From `score/`: a chunk with its place in the pack's order. */
export interface Candidate {
  readonly chunk: StoredChunk
  readonly symbol: string
  /** Where it is shown. */
  readonly section: SectionType
  /** The section whose share of the budget pays for it. */
  readonly pool: SectionType
  readonly rule: Rule
  readonly scores: ItemScores
  /** That it is needed, from 0 to 1; 0 for what only the graph found. */
  readonly likelihood: number
  /** Their sum is the hybrid score. */
  readonly terms: readonly ScoreTerm[]
  /** Those of the seed; none for what only the graph found. */
  readonly seedTerms: readonly ScoreTerm[]
  readonly reasons: readonly string[]
  readonly steps: readonly Step[]
  /** `uid` of the chunk that the walk came from; absent for a seed. */
  readonly via?: string
  /** Of a seed: `uid` of the chunk that the question is about and that its step leads to. */
  readonly anchor?: string
  /** Lines of the chunk that refer to what it was reached from. */
  readonly sites?: readonly number[]
  /** What a diff changes in it, where the pack is about one. */
  readonly changes?: ItemChanges
}

/** One way to show a candidate. */
export interface Showing {
  readonly level: DetailLevel
  readonly text: string
  readonly parts: readonly { readonly range: TextRange; readonly lines: LineRange }[]
  readonly isTruncated: boolean
  readonly redacted: number
  /** Of what the whole is worth, from 0 to 1; by its length where it is absent. */
  readonly worth?: number
}
