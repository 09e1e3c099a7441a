/** The two normal forms that ids and hashes are made from, as the seeds define them. */
import { collapseSpaces } from '../../base/text.ts'

/** LF line ends, no blank ends, at most one blank line in a row, one final newline. */
export function normalizeMarkdown(text: string): string {
  const trimmed = text
    .replaceAll('\r\n', '\n')
    .trim()
    .replace(/\n{3,}/g, '\n\n')
  return trimmed === '' ? '' : `${trimmed}\n`
}

const UNIT_SEPARATOR = '\x1f'

/** Case and white space of a title make no difference to an id. */
export function normalizeTitlePath(path: readonly string[]): string {
  return path.map((title) => collapseSpaces(title).toLowerCase()).join(UNIT_SEPARATOR)
}
