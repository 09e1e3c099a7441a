/**
 * The lines of a chunk's text, with what choosing among them asks for: their sizes in UTF-8, and
 * the text and ranges of a choice. Lines are numbered from 1 within the chunk. Knows no language.
 */
import { type LineTable, lineTable } from '../base/line-table.ts'
import type { Showing } from '../model/candidate.ts'
import type { StoredChunk } from '../model/code-index.ts'

export interface ChunkLines {
  readonly chunk: StoredChunk
  /** Blank lines at the end are not counted. */
  readonly count: number
  /** Without its terminator. */
  line(number: number): string
  isBlank(number: number): boolean
  /** Offsets in the chunk's text. */
  start(number: number): number
  end(number: number): number
  /** Of a stretch of lines in UTF-8, without the last terminator. */
  bytes(first: number, last: number): number
}

/** A stretch of whole lines, both ends included. */
export interface Stretch {
  readonly first: number
  readonly last: number
}

/** What stands between two parts that do not touch. */
export const GAP = '⋯'

export function chunkLines(chunk: StoredChunk): ChunkLines {
  const { text } = chunk
  const table = lineTable(text)
  let count = table.count
  while (count > 0 && table.isBlank(count)) count -= 1
  return {
    chunk,
    count,
    line: (number) => text.slice(table.start(number), table.end(number)),
    isBlank: table.isBlank,
    start: table.start,
    end: table.end,
    bytes: byteCounter(text, table),
  }
}

/** Counted once: choosing lines asks for the bytes of very many stretches. */
function byteCounter(text: string, table: LineTable): ChunkLines['bytes'] {
  if (isAscii(text)) return (first, last) => table.end(last) - table.start(first)
  const starts = [0, 0]
  const ends = [0]
  for (let line = 1; line <= table.count; line += 1) {
    const end = (starts[line] ?? 0) + utf8Length(text.slice(table.start(line), table.end(line)))
    ends.push(end)
    starts.push(end + table.start(line + 1) - table.end(line))
  }
  return (first, last) => (ends[last] ?? 0) - (starts[first] ?? 0)
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text)
}

/** The parts as they stand in the chunk; the stretches are in order and do not touch. */
export function shownStretches(
  lines: ChunkLines,
  stretches: readonly Stretch[],
): Pick<Showing, 'text' | 'parts'> {
  const { chunk } = lines
  const ranges = stretches.map(({ first, last }) => ({
    range: { start: lines.start(first), end: lines.end(last) },
    lines: { start: chunk.startLine + first - 1, end: chunk.startLine + last - 1 },
  }))
  return {
    text: ranges.map(({ range }) => chunk.text.slice(range.start, range.end)).join(`\n${GAP}\n`),
    parts: ranges.map((part) => ({
      range: { start: chunk.start + part.range.start, end: chunk.start + part.range.end },
      lines: part.lines,
    })),
  }
}

/** Bytes of the text in UTF-8; half a character counts as the three that take its place. */
export function utf8Length(text: string): number {
  if (isAscii(text)) return text.length
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (isPair(text, at)) {
      bytes += 4
      at += 1
    } else bytes += 3
  }
  return bytes
}

/** The longest beginning of the text within so many bytes that ends between two characters. */
export function withinBytes(text: string, maxBytes: number): string {
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    const units = isPair(text, at) ? 2 : 1
    bytes += utf8Length(text.slice(at, at + units))
    if (bytes > maxBytes) return text.slice(0, at)
    at += units
  }
  return text
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff
}
