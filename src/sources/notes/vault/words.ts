/** The words that a reader sees where a link stands, and texts with them in their places. */
import { ascending } from '../../../base/order.ts'
import { lastPart } from '../../../base/paths.ts'
import { collapseSpaces } from '../../../base/text.ts'
import { firstFrom, type Span } from './draft.ts'

/** `Page#Heading#Sub|words` taken apart. */
export interface WikiParts {
  /** Empty for the page that the link is on. */
  readonly page: string
  readonly path: readonly string[]
  readonly block?: string
  readonly alias?: string
}

/** In a table the bar is written `\|`. */
export function wikiParts(text: string): WikiParts {
  const bar = text.indexOf('|')
  const target = (bar < 0 ? text : text.slice(0, bar)).replace(/\\$/, '').trim()
  const alias = bar < 0 ? '' : text.slice(bar + 1).trim()
  const [page = '', ...rest] = target.split('#')
  const path = rest.map((it) => it.trim()).filter((it) => it !== '')
  const last = path.at(-1)
  return {
    page: page.trim(),
    path: path.filter((it) => !it.startsWith('^')),
    ...(last?.startsWith('^') === true ? { block: last.slice(1) } : {}),
    ...(alias === '' ? {} : { alias }),
  }
}

export interface WikiLook {
  readonly isEmbed: boolean
  /** Whether a slash is part of a page's name, as in an outline program, or of its path. */
  readonly keepsPath: boolean
}

export function wikiWords(parts: WikiParts, look: WikiLook): string {
  // The words of an embedded picture are its width.
  const isSize = look.isEmbed && /^\d+(?:x\d+)?$/.test(parts.alias ?? '')
  if (parts.alias !== undefined && !isSize) return parts.alias
  const page = parts.page.replace(/\.(?:md|markdown)$/i, '')
  const name = look.keepsPath ? page : lastPart(page)
  const words = [name, ...parts.path].filter((it) => it !== '').join(' > ')
  return words === '' ? (parts.block ?? '') : words
}

/** Something else in the place of a stretch of text. */
export interface Edit extends Span {
  readonly words: string
}

/** In order and apart: of two that overlap the one that begins first counts. */
export function inSequence(edits: readonly Edit[]): readonly Edit[] {
  let end = 0
  return edits.toSorted(ascending((it) => it.start)).filter((it) => {
    if (it.start < end) return false
    end = it.end
    return true
  })
}

/** The spans as lines, edited. */
export function rendered(text: string, spans: readonly Span[], edits: readonly Edit[]): string {
  const lines = spans.map((it) => edited(text, it, edits))
  // Indentation of the first line can be what makes it code.
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}

export function renderedName(text: string, spans: readonly Span[], edits: readonly Edit[]): string {
  return collapseSpaces(spans.map((it) => edited(text, it, edits)).join(' '))
}

function edited(text: string, span: Span, edits: readonly Edit[]): string {
  let at = span.start
  let result = ''
  for (let next = firstFrom(edits, span.start); next < edits.length; next += 1) {
    const edit = edits[next]
    if (edit === undefined || edit.start >= span.end) break
    if (edit.start < at || edit.end > span.end) continue
    result += text.slice(at, edit.start) + edit.words
    at = edit.end
  }
  return at === span.start ? text.slice(span.start, span.end) : result + text.slice(at, span.end)
}

/** What headings are compared by: neither case nor punctuation counts, nor what a slug does to it. */
export function headingKey(text: string): string {
  const folded = text.normalize('NFC').toLowerCase()
  return folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || folded.trim()
}
