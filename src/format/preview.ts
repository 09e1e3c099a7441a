import { collapseSpaces, offsetAfter } from '../base/text.ts'

const PREVIEW_CHARS = 180

/** The beginning of a text on one line. */
export function preview(text: string, maxChars: number = PREVIEW_CHARS): string {
  const trimmed = text.trim()
  // Twice as much as is shown usually fills it; the rest may be megabytes and is not looked at.
  for (let reach = maxChars * 2; ; reach *= 4) {
    const line = collapseSpaces(trimmed.slice(0, reach))
    const end = offsetAfter(line, 0, maxChars)
    if (end < line.length) return `${line.slice(0, end)}…`
    if (reach >= trimmed.length) return line
  }
}
