/** What a diff says of the files of a repository, whoever made it. Paths are from the top, with `/`. */

export const CHANGE_STATUSES = ['added', 'deleted', 'modified', 'renamed', 'copied'] as const
export type ChangeStatus = (typeof CHANGE_STATUSES)[number]

export interface FileChange {
  /** After the change; of a deleted file, before it. */
  readonly path: string
  /** Before a rename or a copy. */
  readonly oldPath?: string
  readonly status: ChangeStatus
  readonly isBinary: boolean
  /** Such as `100644`; present where the mode changed. */
  readonly modes?: { readonly before: string; readonly after: string }
  /** In the order of the file. */
  readonly edits: readonly LineEdit[]
  /**
   * Present where the change is still to be made: the `added` lines are then those on disk that it
   * would remove, and the `removed` lines those that it would put there.
   */
  readonly isPending?: true
}

/** Lines next to each other that were replaced by others, or by none. */
export interface LineEdit {
  /** Number of the first line that was removed; where none was, of the line that follows. */
  readonly oldStart: number
  /** Number of the first line that was added; where none was, of the line that follows. */
  readonly newStart: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Which diff a pack is about, as far as two equal packs share it. */
export interface DiffIdentity {
  /** `working tree`, `working tree since v1`, `staged`, `patch`, or the range as it was given. */
  readonly source: string
  /** Of the parsed diff: the same changes have the same hash, however they are printed. */
  readonly sha256: string
  /** The commit that the changes start from, and that the history is read from; empty for none. */
  readonly base: string
}
