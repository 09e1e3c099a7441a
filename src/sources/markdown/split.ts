/**
 * Cuts a section that is over the limit: between blocks, then between the items of a list or the
 * blocks of a quote, then between lines, at last inside a line. No part is over the limit, nothing
 * is lost, and a fence that has to be cut is closed and opened again, so that every part is whole
 * Markdown on its own.
 *
 *     ```ts          ```ts          ```ts
 *     one            one            two
 *     two      ->    ```     and    ```
 *     ```
 */
import type { LineTable } from '../../base/line-table.ts'
import { codePointLength, offsetAfter } from '../../base/text.ts'
import { type Block, blocksOf, endLine, endOffset, startLine, startOffset } from './blocks.ts'

export interface Limit {
  readonly max: number
  /** Size of a text: code points in a pack, tokens where a model's window is what counts. */
  size(text: string): number
}

/** So many code points. Where the code units are few enough, nobody needs to count the points. */
export function codePointLimit(max: number): Limit {
  return { max, size: (text) => (text.length <= max ? text.length : codePointLength(text)) }
}

export interface Part {
  readonly text: string
  readonly startLine: number
  readonly endLine: number
}

export interface Oversized {
  readonly text: string
  readonly lines: LineTable
  readonly startLine: number
  readonly endLine: number
  readonly blocks: readonly Block[]
}

export function split(section: Oversized, limit: Limit): readonly Part[] {
  return pack(section, atomsOf(section, section, limit), limit)
}

/** A stretch of text that stays whole. */
interface Atom {
  readonly start: number
  readonly end: number
  readonly size: number
  /** Shared by the atoms of one fence that had to be cut. */
  readonly fence?: Fence
}

interface Fence {
  /** Stand before and after a part that does not hold the fence's own first or last line. */
  readonly open: string
  readonly close: string
  /** Offsets that tell those own lines. */
  readonly start: number
  readonly end: number
}

interface Stretch {
  /** How many quotes and lists it lies in. */
  readonly depth?: number
  readonly startLine: number
  readonly endLine: number
  readonly blocks: readonly Block[]
}

/** Quotes and lists that go deeper than anybody reads are cut by their lines. */
const DEEPEST = 100

/** Covers every line: the blocks and, between them, whatever lines no block claims. */
function atomsOf(section: Oversized, stretch: Stretch, limit: Limit): readonly Atom[] {
  const atoms: Atom[] = []
  let next = stretch.startLine
  for (const [at, block] of stretch.blocks.entries()) {
    const first = startLine(block)
    // A parser may let a fence that nobody closed end a line too late, inside the next block.
    const following = stretch.blocks[at + 1]
    const limitLine = following === undefined ? stretch.endLine : startLine(following) - 1
    const last = Math.min(endLine(block), stretch.endLine, Math.max(first, limitLine))
    if (first < next || last < first) continue
    append(atoms, byLine(section, { startLine: next, endLine: first - 1 }, limit))
    append(
      atoms,
      refine(section, { startLine: first, endLine: last, block, depth: stretch.depth ?? 0 }, limit),
    )
    next = last + 1
  }
  append(atoms, byLine(section, { startLine: next, endLine: stretch.endLine }, limit))
  return atoms
}

interface Lines {
  readonly startLine: number
  readonly endLine: number
}

function refine(
  section: Oversized,
  range: Lines & { readonly block: Block; readonly depth: number },
  limit: Limit,
): readonly Atom[] {
  const lines = withoutBlankEnd(section.lines, range)
  const start = section.lines.start(lines.startLine)
  const end = section.lines.end(lines.endLine)
  const size = limit.size(section.text.slice(start, end))
  if (size <= limit.max) return [{ start, end, size }]
  const blocks = blocksOf(range.block)
  if (blocks.length > 0 && range.depth < DEEPEST)
    return atomsOf(section, { ...lines, blocks, depth: range.depth + 1 }, limit)
  const fence = fenceOf(section, { ...lines, block: range.block }, limit)
  return fence === undefined
    ? byLine(section, lines, limit)
    : byFencedLine(section, lines, { fence, limit })
}

/** A parser may count the blank lines after a list to the list. */
function withoutBlankEnd(lines: LineTable, range: Lines): Lines {
  let { endLine: last } = range
  while (last > range.startLine && lines.isBlank(last)) last -= 1
  return { startLine: range.startLine, endLine: last }
}

function byFencedLine(
  section: Oversized,
  range: Lines,
  { fence, limit }: { readonly fence: Fence; readonly limit: Limit },
): readonly Atom[] {
  const atoms: Atom[] = []
  for (let line = range.startLine; line <= range.endLine; line += 1) {
    if (section.lines.isBlank(line)) continue
    const start = section.lines.start(line)
    const end = section.lines.end(line)
    const text = section.text.slice(start, end)
    // Measured with its frame: tokens do not add up, so a frame's own size says too little.
    const size = limit.size(inFrame(fence, text))
    if (size <= limit.max) atoms.push({ start, end, size, fence })
    else append(atoms, insideFencedLine(section.text, { start, end }, { fence, limit }))
  }
  return atoms
}

/**
 * A piece of a line has lost the quote marks before it, and may look like a closing fence when the
 * line does not. It stands in a frame of its own: at the margin, and longer than any run inside.
 */
function insideFencedLine(
  text: string,
  line: { readonly start: number; readonly end: number },
  { fence, limit }: { readonly fence: Fence; readonly limit: Limit },
): readonly Atom[] {
  const own = clearMarker(text.slice(line.start, line.end), fence.close.includes('`') ? '`~' : '~`')
  const frame = { open: own, close: own, start: Number.NaN, end: Number.NaN }
  if (limit.size(inFrame(frame, '')) > limit.max / 2) return insideLine(text, line, limit)
  const framed = { max: limit.max, size: (piece: string) => limit.size(inFrame(frame, piece)) }
  return insideLine(text, line, framed).map((atom) => ({ ...atom, fence: frame }))
}

/** The shorter of two markers that the text does not hold; the first where they are the same. */
function clearMarker(text: string, characters: string): string {
  const [first = '', second = ''] = [...characters].map((character) => {
    const runs = text.match(character === '`' ? /`+/g : /~+/g) ?? []
    return character.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3))
  })
  return second.length < first.length ? second : first
}

function inFrame(fence: Fence, text: string): string {
  return `${fence.open}\n${text}\n${fence.close}`
}

function byLine(section: Oversized, range: Lines, limit: Limit): readonly Atom[] {
  const atoms: Atom[] = []
  for (let line = range.startLine; line <= range.endLine; line += 1) {
    if (section.lines.isBlank(line)) continue
    const start = section.lines.start(line)
    const end = section.lines.end(line)
    const size = limit.size(section.text.slice(start, end))
    if (size <= limit.max) atoms.push({ start, end, size })
    else append(atoms, insideLine(section.text, { start, end }, limit))
  }
  return atoms
}

/** None where the fence lines alone would take half of a part: then lines are all there is to keep. */
function fenceOf(
  section: Oversized,
  range: Lines & { readonly block: Block },
  limit: Limit,
): Fence | undefined {
  const { block, startLine: first, endLine: last } = range
  if (block.type !== 'code') return undefined
  const { text, lines } = section
  const marker = /^(?:`{3,}|~{3,})/.exec(text.slice(startOffset(block), endOffset(block)))?.[0]
  if (marker === undefined) return undefined
  const start = lines.start(first)
  // Inside a list item or a quote the marker stands further right. Quote marks go on, bullets do not.
  const indent = text.slice(start, startOffset(block)).replace(/[^>\s]/g, ' ')
  const info = text.slice(startOffset(block), lines.end(first)).trimEnd()
  const lastLine = text.slice(lines.start(last), lines.end(last)).replace(/^[>\s]+/, '')
  const isClosed = last > first && lastLine.startsWith(marker)
  const fence = {
    open: indent + (info.length <= LONGEST_INFO ? info : marker),
    close: indent + marker,
    start,
    end: isClosed ? lines.end(last) : Number.POSITIVE_INFINITY,
  }
  return limit.size(inFrame(fence, '')) > limit.max / 2 ? undefined : fence
}

/** A longer info string than this is no language name, and would crowd out the code. */
const LONGEST_INFO = 120

/** Prefers to cut after white space; within a word, never inside a character. */
function insideLine(
  text: string,
  line: { readonly start: number; readonly end: number },
  limit: Limit,
): readonly Atom[] {
  const atoms: Atom[] = []
  for (let start = line.start; start < line.end; ) {
    let end = Math.min(line.end, offsetAfter(text, start, limit.max))
    while (limit.size(text.slice(start, end)) > limit.max) {
      const half = wholeOffset(text, start + ((end - start) >> 1))
      if (half === end || half <= start) break
      end = half
    }
    if (end < line.end) end = afterSpace(text, start, end)
    atoms.push({ start, end, size: limit.size(text.slice(start, end)) })
    start = end
  }
  return atoms
}

function wholeOffset(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}

/** After the last white space of the second half, if there is one with text before it. */
function afterSpace(text: string, start: number, end: number): number {
  if (text.slice(start, end).trim() === '') return end
  for (let at = end; at > start + ((end - start) >> 1); at -= 1) {
    const unit = text.charCodeAt(at - 1)
    if ((unit === 32 || unit === 9) && text.slice(start, at).trim() !== '') return at
  }
  return end
}

/** Fills each part with as many atoms as fit, in order. */
function pack(section: Oversized, atoms: readonly Atom[], limit: Limit): readonly Part[] {
  const parts: Part[] = []
  for (let from = 0; from < atoms.length; ) {
    const to = furthest(section, { atoms, from }, limit)
    const first = atoms[from]
    const last = atoms[to - 1]
    if (first === undefined || last === undefined) break
    parts.push({
      text: render(section, first, last),
      startLine: section.lines.lineAt(first.start),
      endLine: section.lines.lineAt(Math.max(first.start, last.end - 1)),
    })
    from = to
  }
  return parts
}

/**
 * The end of the longest run of atoms that fits in one part. Sums of sizes decide while they are
 * under the limit, so that a text is measured whole only near it: measuring at every atom made
 * the chunker quadratic in the size of a part. Sums are on the safe side within a fence, where
 * every atom was measured with the frame.
 */
function furthest(
  section: Oversized,
  run: { readonly atoms: readonly Atom[]; readonly from: number },
  limit: Limit,
): number {
  const { atoms, from } = run
  const first = atoms[from]
  if (first === undefined) return from
  let sum = first.size
  let to = from + 1
  for (let last = atoms[to]; last !== undefined && last.fence === first.fence; last = atoms[to]) {
    sum += last.size + (last.start - (atoms[to - 1]?.end ?? last.start))
    if (sum > limit.max) {
      const size = limit.size(render(section, first, last))
      if (size > limit.max) break
      sum = size
    }
    to += 1
  }
  while (to > from + 1 && limit.size(render(section, first, atoms[to - 1] ?? first)) > limit.max)
    to -= 1
  return to
}

function render(section: Oversized, first: Atom, last: Atom): string {
  const text = section.text.slice(first.start, last.end)
  const { fence } = first
  if (fence === undefined) return text
  const open = first.start === fence.start ? '' : `${fence.open}\n`
  const close = last.end === fence.end ? '' : `\n${fence.close}`
  return open + text + close
}

/** Not `push(...)`: a paragraph may have more lines than a call may have arguments. */
function append(atoms: Atom[], more: readonly Atom[]): void {
  for (const atom of more) atoms.push(atom)
}
