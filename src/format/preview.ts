import { codePointLength, offsetAfter } from '../base/text.ts'

const PREVIEW_CHARS = 180

/** The beginning of a text on one line. Looks no further than it must: the text may be megabytes. */
export function preview(text: string, maxChars: number = PREVIEW_CHARS): string {
  let line = ''
  const word = /\S+/g
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    line += line === '' ? match[0] : ` ${match[0]}`
    if (line.length > maxChars && codePointLength(line) > maxChars) {
      return `${line.slice(0, offsetAfter(line, 0, maxChars))}…`
    }
  }
  return line
}
