/** What the steps that find the notes of a page have in common. */
import type { NoteKind } from '../../../model/note.ts'
import type { Block } from '../../markdown/blocks.ts'
import type { PageFile, RawField, Span } from './draft.ts'
import type { Marks } from './marks.ts'
import type { InlineField } from './properties.ts'

export interface PageText {
  readonly file: PageFile
  readonly body: string
  readonly blocks: readonly Block[]
  readonly marks: Marks
  /** Of the front matter. */
  readonly title: string | undefined
}

export interface Structure {
  /** The page first, and every note after its parent. */
  readonly notes: readonly FoundNote[]
  /** Which note has what stands at a position, the innermost where several do. */
  readonly regions: readonly Region[]
  /** Lines that are fields. */
  readonly fieldSpans: readonly Span[]
  /** Ids of blocks, which are for programs to read. */
  readonly hidden: readonly Span[]
}

export interface FoundNote {
  readonly id: string
  readonly kind: NoteKind
  readonly parent?: number
  /** Where it begins in the text, by which siblings are in order. */
  readonly start: number
  /** Empty for a page that is called by its file. */
  readonly name: readonly Span[]
  readonly content: readonly Span[]
  readonly fields: readonly RawField[]
  /** Its words, if it is a heading. */
  readonly heading?: string
  readonly blockIds: readonly string[]
}

export interface Region extends Span {
  readonly note: number
}

export interface Growing extends FoundNote {
  content: readonly Span[]
  readonly fields: RawField[]
  readonly blockIds: string[]
}

export interface Building {
  readonly page: PageText
  readonly notes: Growing[]
  readonly regions: Region[]
  readonly fields: readonly InlineField[]
  readonly hidden: Span[]
  /** A wish, or the wish with a number after it where it is taken. */
  claim(wish: string): string
}
