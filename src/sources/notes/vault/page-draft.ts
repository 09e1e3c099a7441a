/**
 * A parsed page before its links are resolved. Its notes are spans of its text; names and contents
 * are extracted once the text of every link is known.
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
  readonly links: readonly DraftLink[]
  /** Spans hidden from readers, besides the brackets of links: in texts, and only in names. */
  readonly hidden: readonly Span[]
  readonly hiddenInNames: readonly Span[]
  readonly aliases: readonly string[]
  /** Names of the page in its program that differ from its file: `a/b` for `a___b.md`. */
  readonly otherNames: readonly string[]
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
  /** Start in the text; siblings are sorted by it. */
  readonly start: number
  /** Spans that form one line together, or the text itself. */
  readonly name: readonly Span[] | string
  /** Spans, one per line. */
  readonly content: readonly Span[]
  readonly tags: readonly string[]
  readonly fields: readonly PropertyField[]
  /** Its words, if it is a heading, for links to find it by. */
  readonly heading?: string
  /** The ids used in links after `#^` or within `((…))`. */
  readonly blockIds: readonly string[]
  /** If not as the page. */
  readonly created?: number
  readonly modified?: number
}

/** A property as it is written, links and all. */
export interface PropertyField {
  readonly name: string
  readonly values: readonly string[]
  readonly isList: boolean
}

export interface DraftLink extends Span {
  /** Index of the note that it stands in. */
  readonly note: number
  readonly target: LinkTarget
  /** The display text, if the link has one. */
  readonly words?: string
  /** The link is the value of a field, which has its target; here only its text is used. */
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

/** The index of the span that contains the offset, or of the first after it. Spans are sorted. */
export function indexFrom(spans: readonly Span[], offset: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether one of these sorted, disjoint spans contains the offset. */
export function coversOffset(spans: readonly Span[], offset: number): boolean {
  const it = spans[indexFrom(spans, offset)]
  return it !== undefined && it.start <= offset
}
