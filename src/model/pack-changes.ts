/** What a pack about a diff says of it as a whole, and of each changed item. */
import type { LineRange } from './context-pack.ts'
import type { ChangeStatus } from './repository-diff.ts'

export interface PackChanges {
  /** `working tree`, `working tree since v1`, `staged`, `patch`, or the range as it was given. */
  readonly source: string
  /** All that there are, whether or not they are named. */
  readonly counts: {
    readonly files: number
    /** Definitions that a changed line is part of; those inside a new one are part of it. */
    readonly symbols: number
    readonly addedLines: number
    readonly removedLines: number
    /** Definitions outside of what changed with lines that refer to it; each once for each name. */
    readonly referrers: number
    readonly together: number
    /** Commits whose files were compared. */
    readonly commits: number
  }
  readonly files: readonly ChangedFile[]
  readonly referrers: readonly Referrer[]
  readonly together: readonly CoChange[]
  readonly notes: readonly string[]
}

export interface ChangedFile {
  readonly path: string
  readonly oldPath?: string
  readonly status: ChangeStatus
  readonly addedLines: number
  readonly removedLines: number
  /** Names of the definitions that changed, in the order of the file. */
  readonly symbols: readonly string[]
  /** Names that it defined before, and that nothing in it defines now. */
  readonly removedNames: readonly string[]
  /** `binary`, `mode 100644 → 100755`, `not in the index`. */
  readonly notes: readonly string[]
}

/** Lines that refer to a changed or removed definition, and were not changed. */
export interface Referrer {
  readonly path: string
  readonly lines: readonly number[]
  /** What the lines are part of; empty at the top of a file. */
  readonly name: string
  /** What it refers to. */
  readonly to: string
  /** Whether the diff removes that. */
  readonly isRemoved: boolean
}

/** A file that is not in the diff, and changed together with one that is. */
export interface CoChange {
  readonly path: string
  readonly with: string
  /** In so many of the commits that changed `with`. */
  readonly together: number
  readonly of: number
}

/** Lines that are not on disk: those that were removed, or are still to be added. */
export interface OtherLines {
  /** Number of the line that they belong before. */
  readonly before: number
  readonly count: number
  /** The first of them. */
  readonly lines: readonly string[]
}

/** Which lines of an item the diff is about. */
export interface ItemChanges {
  /** Lines on disk that the diff added; those that it is still to remove, where it is pending. */
  readonly lines: readonly LineRange[]
  readonly others: readonly OtherLines[]
  readonly isPending: boolean
}
