/** What a walk asks, what it may do, and what it has come to. */
import type { CodeIndexReader, StoredChunk, StoredEdge } from '../model/code-index.ts'
import type { EdgeKind, EvidenceKind } from '../model/index-record.ts'
import type { Direction, Strictness } from '../model/pack-request.ts'

/** What a walk asks of an index. */
export type WalkIndex = Pick<
  CodeIndexReader,
  | 'edgesFrom'
  | 'edgesInChunks'
  | 'edgesTo'
  | 'countEdgesTo'
  | 'symbolsInChunks'
  | 'definitions'
  | 'chunks'
  | 'chunksAt'
  | 'evidence'
>

export interface MoveRules {
  readonly kinds: readonly EdgeKind[]
  /** `out` leads to what a chunk names, `in` to where it is named. */
  readonly direction: Direction
  /** Which evidence counts; none for all. */
  readonly evidenceKinds: readonly EvidenceKind[]
  /** Under `strict`, edges with other evidence are not walked. */
  readonly requireEvidence: boolean
  readonly strictness: Strictness
  readonly caps: MoveCaps
  /** What of the starts is meant; none for everything in them, and their files. */
  readonly meant?: ReadonlySet<string> | undefined
}

export interface MoveCaps {
  /** Edges of one chunk, kind and direction. */
  readonly fanout: number
  /** Edges that lead to a chunk's symbol: with more, nobody goes back along them but a start. */
  readonly users: number
}

/** A chunk that the walk has come to, and how. */
export interface Reached {
  readonly chunk: StoredChunk
  readonly start: number
  readonly hops: number
  /** None for a start. */
  readonly by: Move | undefined
  /** All steps of the hop that lead here, the best included. */
  readonly all?: readonly Move[]
}

/** A step that can be tried from a chunk: along the edge, or back to where it comes from. */
export interface Move {
  readonly node: Reached
  readonly edge: StoredEdge
  readonly isForward: boolean
}
