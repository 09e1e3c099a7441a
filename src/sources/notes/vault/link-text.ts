/** The visible text of links, and texts with links replaced by it. */
import { ascending } from '../../../base/order.ts'
import { lastPart } from '../../../base/paths.ts'
import { collapseSpaces } from '../../../base/text.ts'
import { indexFrom, type Span } from './page-draft.ts'

/** The parts of `Page#Heading#Sub|words`. */
export interface WikiParts {
  /** Empty for the page that the link is on. */
  readonly page: string
  readonly path: readonly string[]
  readonly block?: string
  readonly alias?: string
}

/** In a table the bar is written `\|`. */
export function parseWikiLink(text: string): WikiParts {
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

export interface WikiLinkStyle {
  readonly isEmbed: boolean
  /** Whether a slash is part of a page's name, as in an outline program, or of its path. */
  readonly keepsPath: boolean
}

export function formatWikiLink(parts: WikiParts, look: WikiLinkStyle): string {
  // The words of an embedded picture are its width.
  const isSize = look.isEmbed && /^\d+(?:x\d+)?$/.test(parts.alias ?? '')
  if (parts.alias !== undefined && !isSize) return parts.alias
  const page = parts.page.replace(/\.(?:md|markdown)$/i, '')
  const name = look.keepsPath ? page : lastPart(page)
  const words = [name, ...parts.path].filter((it) => it !== '').join(' > ')
  return words === '' ? (parts.block ?? '') : words
}

/** A replacement of a span of text. */
export interface TextEdit extends Span {
  readonly words: string
}

/** Sorted and disjoint: of two overlapping edits the first is kept. */
export function sortEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
  let end = 0
  return edits.toSorted(ascending((it) => it.start)).filter((it) => {
    if (it.start < end) return false
    end = it.end
    return true
  })
}

/** The spans as lines, edited. */
export function renderLines(
  text: string,
  spans: readonly Span[],
  edits: readonly TextEdit[],
): string {
  const lines = spans.map((it) => applyEdits(text, it, edits))
  // Indentation of the first line can be what makes it code.
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}

export function renderName(
  text: string,
  spans: readonly Span[],
  edits: readonly TextEdit[],
): string {
  return collapseSpaces(spans.map((it) => applyEdits(text, it, edits)).join(' '))
}

function applyEdits(text: string, span: Span, edits: readonly TextEdit[]): string {
  let at = span.start
  let result = ''
  for (let next = indexFrom(edits, span.start); next < edits.length; next += 1) {
    const edit = edits[next]
    if (edit === undefined || edit.start >= span.end) break
    if (edit.start < at || edit.end > span.end) continue
    result += text.slice(at, edit.start) + edit.words
    at = edit.end
  }
  return at === span.start ? text.slice(span.start, span.end) : result + text.slice(at, span.end)
}

/** The comparison key of a heading: ignores case, punctuation and slug characters. */
export function headingKey(text: string): string {
  const folded = text.normalize('NFC').toLowerCase()
  return folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || folded.trim()
}
