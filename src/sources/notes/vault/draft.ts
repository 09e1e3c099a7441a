/**
 * A page as it was read, before anybody knows where its links lead. Its notes are spans of its
 * text: what they are called and say is cut out once every link has its words.
 */
import type { NoteKind } from '../../../model/note.ts'

/** From `start` up to `end`, in code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface PageFile {
  /** Of the note: the path without its extension, made unique. */
  readonly id: string
  /** Of the file, from the top of the vault, with `/`. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Whether an outline program wrote it, so that each bullet is a note. */
  readonly isOutline: boolean
}

export interface PageDraft {
  readonly file: PageFile
  /** The text after the front matter. */
  readonly body: string
  /** The page itself, then what is in it, each after its parent. */
  readonly notes: readonly DraftNote[]
  /** In the order of the text. */
  readonly links: readonly Link[]
  /** What a reader does not see, besides the brackets of links: in texts, and in names alone. */
  readonly hidden: readonly Span[]
  readonly hiddenInNames: readonly Span[]
  readonly aliases: readonly string[]
  /** What programs call the page, if not by its file: `a/b` for `a___b.md`. */
  readonly calledAs: readonly string[]
  /** `2025-12-13` for a page of a journal. */
  readonly day?: string
  readonly created?: number
  readonly modified: number
}

export interface DraftNote {
  readonly id: string
  readonly kind: NoteKind
  /** Index in the page's notes; absent for the page itself. */
  readonly parent?: number
  /** Where it begins in the text, by which siblings are in order. */
  readonly start: number
  /** Pieces that make one line together, or the words themselves. */
  readonly name: readonly Span[] | string
  /** Pieces that are lines of their own. */
  readonly content: readonly Span[]
  readonly tags: readonly string[]
  readonly fields: readonly RawField[]
  /** Its words, if it is a heading, for links to find it by. */
  readonly heading?: string
  /** What a link calls it after `#^`, or within `((…))`. */
  readonly blockIds: readonly string[]
  /** If not as the page. */
  readonly created?: number
  readonly modified?: number
}

/** A property as it is written, links and all. */
export interface RawField {
  readonly name: string
  readonly values: readonly string[]
  readonly isList: boolean
}

export interface Link extends Span {
  /** Index of the note that it stands in. */
  readonly note: number
  readonly target: LinkTarget
  /** Those that stand in its place, where they are written beside it. */
  readonly words?: string
  /** It is the value of a field, which says where it leads; here only its words count. */
  readonly inField: boolean
}

export type LinkTarget =
  | {
      readonly form: 'wiki'
      readonly text: string
      readonly isEmbed: boolean
    }
  /** The text stays; `[` and `](…)` around it go once it is known to lead to a note. */
  | { readonly form: 'markdown'; readonly url: string; readonly frame: readonly Span[] }
  | { readonly form: 'block'; readonly uuid: string }
  /** `#[[two words]]`: whether there is such a page or not, it is a tag. */
  | { readonly form: 'tag'; readonly text: string }

/** Whatever has the position, or the first after it. Both in order. */
export function firstFrom(spans: readonly Span[], offset: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether one of these, which are in order and apart, holds the position. */
export function covers(spans: readonly Span[], offset: number): boolean {
  const it = spans[firstFrom(spans, offset)]
  return it !== undefined && it.start <= offset
}
