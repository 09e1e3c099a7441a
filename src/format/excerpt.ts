/** The beginning of a text, as whole lines: indentation stays, and a fence that is cut is closed. */
import { closed } from './fences.ts'

export const EXCERPT_LINES = 25
const LONGEST_LINE = 400

export interface Excerpt {
  readonly text: string
  readonly isCut: boolean
}

export function excerpt(text: string, mostLines: number = EXCERPT_LINES): Excerpt {
  const lines = text.split(/\r\n|\r|\n/)
  const kept = lines.slice(0, mostLines)
  while (kept.length > 1 && kept.length < lines.length && kept.at(-1)?.trim() === '') kept.pop()
  const short = kept.map(shortened)
  const isCut = kept.length < lines.length || short.some((line, at) => line !== kept[at])
  return { text: closed(short).join('\n'), isCut }
}

/** A line may be megabytes long; an excerpt of it is not. */
function shortened(line: string): string {
  if (line.length <= LONGEST_LINE) return line
  const unit = line.charCodeAt(LONGEST_LINE)
  const end = unit >= 0xdc00 && unit <= 0xdfff ? LONGEST_LINE - 1 : LONGEST_LINE
  return `${line.slice(0, end)}…`
}
