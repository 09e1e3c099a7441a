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
  /** What notes are ordered by: the total without its upper bound, so that a boost always counts. */
  readonly rank: number
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

/** What a note says besides its name: its own text, and the outline of its children. */
export interface NoteContent {
  readonly own: string
  /** The most relevant first, none before the line that it is below. */
  readonly lines: readonly OutlineLine[]
}

/** One child: a list item, with its own text where it has some. */
export interface OutlineLine {
  /** Markdown, indented as deep as it is in the outline. */
  readonly text: string
  /** The best of its own and of those below it. */
  readonly score: number
  /** Where in the outline it is. */
  readonly place: number
}

/** A note that may be shown, with all that any format says of it. */
export interface NoteCandidate {
  /** At its full length. */
  readonly node: ContextNode
  /** What the node's content is made of. */
  readonly content: NoteContent
  /** Nothing but a text: a line of an outline, which needs no heading of its own. */
  readonly isPlain: boolean
  /** Whether the outline of another candidate has it: it is not shown besides, but may be named. */
  readonly isWithin: boolean
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
