/** The rows as a table for people, and the claims that the rows bear out. */
import type { Counts } from './measure.ts'

export interface Row extends Counts {
  readonly name: string
  readonly isOurs: boolean
  readonly megabytesPerSecond: number
  /** Throughput as a multiple of llamaindex's Markdown parser. */
  readonly timesLlamaindex: number
}

export function table(rows: readonly Row[]): string {
  const columns = [
    '',
    'pieces',
    'broken fences',
    'over limit',
    'lost text',
    'path kept',
    'MB/s',
    '×',
  ]
  const cells = rows.map((row) => [
    row.name,
    String(row.pieces),
    String(row.brokenFences),
    String(row.oversized),
    lostShare(row),
    pathShare(row),
    row.megabytesPerSecond.toFixed(2),
    row.timesLlamaindex.toFixed(2),
  ])
  const widths = columns.map((head, at) =>
    Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)),
  )
  const aligned = (line: readonly string[]) =>
    line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
  return [columns, ...cells].map((line) => aligned(line).join('  ').trimEnd()).join('\n')
}

/** `broken fences: ours, 512 tokens 0; …`: one line per claim. */
export function claims(rows: readonly Row[]): readonly string[] {
  const claim = (title: string, value: (row: Row) => string) =>
    `${title}: ${rows.map((row) => `${row.name} ${value(row)}`).join('; ')}`
  return [
    claim('broken fences', (row) => String(row.brokenFences)),
    claim('over limit', (row) => String(row.oversized)),
    claim('lost text', lostShare),
    claim('heading path kept', pathShare),
    claim('throughput', (row) => `${row.megabytesPerSecond.toFixed(2)} MB/s`),
  ]
}

/** What a reader has to know to be fair to the others. */
export const NOTES: readonly string[] = [
  "llamaindex's MarkdownNodeParser has no limit to set; the row below it adds one behind.",
  'It also drops the marks of headings, which is nearly all of the text it loses.',
  'All count tokens with the same tokenizer; the rows without a token limit count none.',
]

export function isPerfect(row: Row): boolean {
  return (
    row.brokenFences === 0 &&
    row.oversized === 0 &&
    row.lost === 0 &&
    row.pathKept === row.underHeading
  )
}

/** Nothing lost is `0 %`; a trace is not rounded down to it. */
function lostShare(row: Row): string {
  if (row.lost === 0) return '0 %'
  const share = (100 * row.lost) / row.characters
  return share < 0.001 ? '<0.001 %' : `${share.toFixed(3)} %`
}

/** Rounded down, so that only all is `100 %`. */
function pathShare(row: Row): string {
  if (row.underHeading === 0) return '–'
  const share = Math.floor((1000 * row.pathKept) / row.underHeading) / 10
  return `${share} %`
}
