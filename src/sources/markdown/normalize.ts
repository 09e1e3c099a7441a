/** The normal forms that ids and hashes are made from, as docs/FORMAT.md describes them. */
import { collapseSpaces } from '../../base/text.ts'

/** LF line ends, no blank ends, at most one blank line in a row, one final newline. */
export function normalizeMarkdown(text: string): string {
  // Asked first: most texts have neither, and looking is cheaper than replacing nothing.
  const unix = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
  const trimmed = unix.trim()
  const closed = trimmed.includes('\n\n\n') ? trimmed.replace(/\n{3,}/g, '\n\n') : trimmed
  return closed === '' ? '' : `${closed}\n`
}

/**
 * What an id hashes of a chunk's body: LF line ends, no blank lines at both ends, at most one empty
 * line in a row, no final newline. White space within a line is content and stays.
 */
export function normalizeBody(body: string): string {
  const unix = body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body
  const textStart = unix.length - unix.trimStart().length
  const textEnd = unix.trimEnd().length
  if (textEnd === 0) return ''
  const start = unix.lastIndexOf('\n', textStart) + 1
  const nextLine = unix.indexOf('\n', textEnd)
  const trimmed = unix.slice(start, nextLine === -1 ? unix.length : nextLine)
  return trimmed.includes('\n\n\n') ? trimmed.replace(/\n{3,}/g, '\n\n') : trimmed
}

const UNIT_SEPARATOR = '\x1f'

/** Case and white space of a title make no difference to an id. */
export function normalizeTitlePath(path: readonly string[]): string {
  return path.map((title) => collapseSpaces(title).toLowerCase()).join(UNIT_SEPARATOR)
}
