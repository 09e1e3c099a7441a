/** The two normal forms that ids and hashes are made from, as the seeds define them. */
import { collapseSpaces } from '../../base/text.ts'

/** LF line ends, no blank ends, at most one blank line in a row, one final newline. */
export function normalizeMarkdown(text: string): string {
  // Asked first: most texts have neither, and looking is cheaper than replacing nothing.
  const unix = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
  const trimmed = unix.trim()
  const closed = trimmed.includes('\n\n\n') ? trimmed.replace(/\n{3,}/g, '\n\n') : trimmed
  return closed === '' ? '' : `${closed}\n`
}

const UNIT_SEPARATOR = '\x1f'

/** Case and white space of a title make no difference to an id. */
export function normalizeTitlePath(path: readonly string[]): string {
  return path.map((title) => collapseSpaces(title).toLowerCase()).join(UNIT_SEPARATOR)
}
