/**
 * The ports of notes: where they come from, where they are kept, and how they are asked for. A kept
 * copy and a live program answer the same questions, so that a pipeline need not know which it has.
 * Calls are few and answers large: a server can be behind them as well as a file.
 */
import type { Diagnostic } from './diagnostic.ts'
import type { VectorInfo } from './embedder.ts'
import type { Note, NoteRecord, NoteSourceKind, RelationType } from './note.ts'

/** Bytes or a folder or a live program, read from the first note to the last. Read once. */
export interface NotesSource {
  readonly kind: NoteSourceKind
  /** How much there is to read, in whatever `NoteBatch.read` counts; 0 where nobody knows. */
  readonly size: number
  batches(): AsyncIterable<NoteBatch>
  /** Complete once `batches` has ended. */
  account(): SourceAccount
}

export interface NoteBatch {
  /** In any order; every id is given once in the whole source. */
  readonly records: readonly NoteRecord[]
  /** What has been read since the batch before. */
  readonly read: number
}

/** What a source had in it besides the notes that it gave. */
export interface SourceAccount {
  /** Everything that was looked at: nodes of an export, files of a vault. */
  readonly seen: number
  readonly trashed: number
  readonly inlineReferences: number
  /** Listed by somebody who does not own it, after the owner: an owner that a reader of lists misses. */
  readonly correctedParents: number
  /** Links and references to what is not there. */
  readonly unresolved: number
  readonly diagnostics: readonly Diagnostic[]
}

export const NOTE_BACKENDS = ['sqlite', 'local-api'] as const

export type NoteBackend = (typeof NOTE_BACKENDS)[number]

export interface NotesReader {
  readonly backend: NoteBackend
  status(): Promise<NotesStatus>
  /** The notes that a text is about, the best first, ties by id. Words in any of their texts count. */
  search(query: NotesQuery): Promise<readonly NoteHit[]>
  /** Those of these that there are, in this order. */
  notes(ids: readonly string[]): Promise<readonly Note[]>
  /** Names of the owners of each, the topmost first, system places left out. */
  breadcrumbs(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** What is next to each of these, in the order of `ids`. */
  around(ids: readonly string[], wish: AroundWish): Promise<readonly Surroundings[]>
  /** Those of these that there are vectors of. Empty where nothing was embedded. */
  vectors(ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>
  /** The notes whose vectors are nearest, where there are vectors; the best first, ties by id. */
  nearest(vector: Float32Array, limit: number): Promise<readonly NoteHit[]>
  close(): Promise<void>
}

export interface NotesQuery {
  readonly text: string
  readonly limit: number
}

export interface NoteHit {
  readonly id: string
  /** Higher is better; comparable within one answer alone. */
  readonly score: number
}

export interface AroundWish {
  readonly types: readonly RelationType[]
  /** At most so many of one type and direction of one note; the rest is counted. */
  readonly limit: number
  /** Words that decide who is in where there are more than the limit. */
  readonly words: readonly string[]
}

export interface Surroundings {
  readonly id: string
  /** By type in the order of `RELATION_TYPES`, outward before inward, then as the source lists them. */
  readonly neighbours: readonly Neighbour[]
  /** Where there were more than the limit: how many there are, and how many were given. */
  readonly cut: readonly Cut[]
}

export interface Neighbour {
  readonly id: string
  readonly type: RelationType
  /** `out`: the note points at it. Children are out, parents are in. */
  readonly direction: 'out' | 'in'
}

export interface Cut {
  readonly type: RelationType
  readonly direction: 'out' | 'in'
  readonly total: number
  readonly given: number
}

export interface NotesStatus {
  readonly source: NoteSourceKind
  readonly notes: number
  readonly tagged: number
  readonly links: number
  /** Of the whole content: same notes, same text, on any machine. */
  readonly signature: string
  /** Milliseconds since 1970. */
  readonly importedAt: number
  readonly vectors?: VectorInfo
}

/** One writer at a time. Nothing is seen by readers before `commit`; `close` without it undoes. */
export interface NotesWriter {
  begin(): Promise<void>
  /** Those that are the same as they were cost little. */
  put(records: readonly NoteRecord[]): Promise<void>
  /** Whatever was not put since `begin` is gone afterwards. */
  commit(about: ImportAbout): Promise<ImportCounts>
  close(): Promise<void>
}

export interface ImportAbout {
  readonly source: NoteSourceKind
  readonly importedAt: number
}

export interface ImportCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}
