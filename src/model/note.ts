/**
 * One note, however it was written down: a node of an outline, a page of a vault, a block or a
 * heading that something points at. Names and texts are plain: what stood in them for another note
 * or a date has been replaced by the words that a reader would see.
 */
export interface Note {
  /** Of its own workspace: a node's id, or a page's path with what is in it (`Ideas#Heading`). */
  readonly id: string
  /** All of it, on one line. A paragraph of an outline is a long name. */
  readonly name: string
  readonly kind: NoteKind
  /** Markdown of what belongs to the note besides its name and its children; empty for most. */
  readonly content: string
  /** Names of tags: its own, then those that these extend, each once. */
  readonly tags: readonly string[]
  readonly fields: readonly NoteField[]
  /** Milliseconds since 1970; absent where the source does not say. */
  readonly created?: number
  readonly modified?: number
  /** Whoever owns it, which is not whoever lists it. Absent at the top. */
  readonly parent?: string
}

export const NOTE_KINDS = [
  'note',
  'page',
  'heading',
  'block',
  'folder',
  'tag',
  'field',
  'search',
  'day',
  'code',
  'link',
  'media',
  'chat',
  /** A place of the program's own: the library, the schema. In a breadcrumb, never in an answer. */
  'system',
] as const

export type NoteKind = (typeof NOTE_KINDS)[number]

export interface NoteField {
  readonly name: string
  readonly values: readonly NoteValue[]
}

export interface NoteValue {
  readonly text: string
  /** The note that is the value, where it is one in its own right. */
  readonly target?: string
}

/** A note as a source gives it: with what it leads to. All ids are of the same workspace. */
export interface NoteRecord extends Note {
  /** The notes that it owns, in their order. Each names it as its parent. */
  readonly children: readonly string[]
  /** Notes that its text or its list of children points at without owning them; each once. */
  readonly references: readonly string[]
}

/** How one note is next to another. Two names for one link: who owns is a parent, who is owned a child. */
export const RELATION_TYPES = ['child', 'parent', 'reference', 'field'] as const

export type RelationType = (typeof RELATION_TYPES)[number]

export const NOTE_SOURCES = ['tana-export', 'tana-intermediate', 'vault', 'local-api'] as const

export type NoteSourceKind = (typeof NOTE_SOURCES)[number]
