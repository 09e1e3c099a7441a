/** Lines of a text as spans of it. */
import { indexFrom, type Span } from './page-draft.ts'

/** Where the line begins that holds the position. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** Where the line ends that holds the position, its line feed not included. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The lines of a span, clipped to it. */
export function listLines(text: string, span: Span): readonly Span[] {
  const lines: Span[] = []
  for (let at = span.start; at < span.end; ) {
    const end = Math.min(lineEnd(text, at), span.end)
    lines.push({ start: at, end })
    at = end + 1
  }
  return lines
}

const TAB = 4

/** Indentation of a line in columns. */
export function indentColumns(text: string, line: Span): number {
  let width = 0
  for (let at = line.start; at < line.end; at += 1) {
    const unit = text.charAt(at)
    if (unit === ' ') width += 1
    else if (unit === '\t') width += TAB - (width % TAB)
    else break
  }
  return width
}

/** The line without up to this many columns of indentation. */
export function removeIndent(text: string, line: Span, most: number): Span {
  let width = 0
  let at = line.start
  for (; at < line.end && width < most; at += 1) {
    const unit = text.charAt(at)
    if (unit !== ' ' && unit !== '\t') break
    width += unit === '\t' ? TAB - (width % TAB) : 1
  }
  return { start: at, end: line.end }
}

/** The rest of a span after removing some whole lines, which are sorted. */
export function subtractLines(span: Span, gone: readonly Span[]): readonly Span[] {
  const left: Span[] = []
  let at = span.start
  for (let next = indexFrom(gone, span.start); next < gone.length; next += 1) {
    const it = gone[next]
    if (it === undefined || it.end > span.end) break
    if (it.start > at) left.push({ start: at, end: it.start - 1 })
    at = it.end + 1
  }
  if (at < span.end) left.push({ start: at, end: span.end })
  return left
}

export function isBlank(text: string, line: Span): boolean {
  return text.slice(line.start, line.end).trim() === ''
}

/** Where the line after the one that holds the position begins, or the end of the text. */
export function nextLineStart(text: string, at: number): number {
  return Math.min(text.length, lineEnd(text, at) + 1)
}
