/** The lines of a source text, with what cutting asks of them again and again. Knows no language. */
import { type LineTable, lineTable } from '../../base/line-table.ts'

export interface SourceLines extends LineTable {
  readonly text: string
  /** By number: 1 where a line holds nothing but white space. */
  readonly blanks: Uint8Array
}

/** A stretch of whole lines, both ends included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** The table may be handed over where it is known: to make it takes a pass over the text. */
export function sourceLines(text: string, table: LineTable = lineTable(text)): SourceLines {
  const blanks = new Uint8Array(table.count + 2)
  for (let line = 1; line <= table.count; line += 1) {
    if (isBlank(text, table.start(line), table.start(line + 1))) blanks[line] = 1
  }
  return { ...table, text, blanks }
}

/** From the first line of the stretch that is not blank to the last, if there is one. */
export function trimmedLines(
  lines: SourceLines,
  { first, last }: LineRange,
): LineRange | undefined {
  let from = first
  let to = last
  while (from <= to && lines.blanks[from] === 1) from += 1
  while (to >= from && lines.blanks[to] === 1) to -= 1
  return from > to ? undefined : { first: from, last: to }
}

export function sizeOf(lines: SourceLines, { first, last }: LineRange): number {
  return lines.end(last) - lines.start(first)
}

/** Whether there is nothing but white space between two offsets. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 32 || (unit >= 9 && unit <= 13)) continue
    return unit > 127 && text.slice(at, end).trim() === ''
  }
  return true
}
