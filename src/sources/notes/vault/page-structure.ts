/** Types shared by the steps that find the notes of a page. */
import type { NoteKind } from '../../../model/note.ts'
import type { Block } from '../../markdown/blocks.ts'
import type { PageMarks } from './marks.ts'
import type { PageFile, PropertyField, Span } from './page-draft.ts'
import type { InlineField } from './properties.ts'

export interface PageText {
  readonly file: PageFile
  readonly body: string
  readonly blocks: readonly Block[]
  readonly marks: PageMarks
  /** Of the front matter. */
  readonly title: string | undefined
}

export interface PageStructure {
  /** The page first, and every note after its parent. */
  readonly notes: readonly FoundNote[]
  /** The text region of each note; at nested regions the innermost note owns the text. */
  readonly regions: readonly NoteRegion[]
  /** Lines that are fields. */
  readonly fieldSpans: readonly Span[]
  /** Block ids, which are hidden from readers. */
  readonly hidden: readonly Span[]
}

export interface FoundNote {
  readonly id: string
  readonly kind: NoteKind
  readonly parent?: number
  /** Start in the text; siblings are sorted by it. */
  readonly start: number
  /** Empty for a page that is named by its file. */
  readonly name: readonly Span[]
  readonly content: readonly Span[]
  readonly fields: readonly PropertyField[]
  /** Its words, if it is a heading. */
  readonly heading?: string
  readonly blockIds: readonly string[]
}

export interface NoteRegion extends Span {
  readonly note: number
}

export interface MutableNote extends FoundNote {
  content: readonly Span[]
  readonly fields: PropertyField[]
  readonly blockIds: string[]
}

export interface StructureBuilder {
  readonly page: PageText
  readonly notes: MutableNote[]
  readonly regions: NoteRegion[]
  readonly fields: readonly InlineField[]
  readonly hidden: Span[]
  /** Returns the id, with a number appended if it is taken. */
  claimId(wish: string): string
}
