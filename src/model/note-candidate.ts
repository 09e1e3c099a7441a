/** A note on its way into a context document: how it was reached, what it is worth, how it stands. */
import type { ContextNode, RelationshipPath } from './context-document.ts'
import type { Note, RelationType } from './note.ts'

/** A note that a walk has come to. */
export interface ReachedNote {
  readonly note: Note
  /** Links from the nearest source; 0 for a source. */
  readonly distance: number
  readonly path: readonly RelationshipPath[]
  /** Where in the walk it was found. Children of one note stand as their source lists them. */
  readonly order: number
}

/** The contract's components, each with its weight in it, so that the total is their sum. */
export interface RelevanceScore {
  /** 0 to 1. */
  readonly total: number
  readonly components: {
    readonly graphDistance: number
    readonly semanticSim?: number
    readonly recency: number
  }
  /** What the lens adds for a tag that it wants. */
  readonly boost: number
}

export interface ScoredNote extends ReachedNote {
  readonly score: RelevanceScore
}

/** A note that may be shown, with all that any format says of it. */
export interface NoteCandidate {
  /** At its full length. */
  readonly node: ContextNode
  /** Nothing but a text: a line of an outline, which needs no heading of its own. */
  readonly isPlain: boolean
  readonly order: number
  /** Names of its owners, the topmost first; empty where they go without saying. */
  readonly crumbs: readonly string[]
  readonly steps: readonly NamedStep[]
}

/** One step of a path in words that a reader knows. */
export interface NamedStep {
  /** Name of the note that the step starts from. */
  readonly from: string
  readonly type: RelationType
  readonly direction: 'out' | 'in'
  /** Of a `field` step: the field's name. */
  readonly field?: string
}
