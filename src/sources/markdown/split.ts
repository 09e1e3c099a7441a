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
import { type Block, childBlocks, endLine, endOffset, startLine, startOffset } from './blocks.ts'

export interface SizeLimit {
  readonly max: number
  /** Size of a text: code points in a pack, tokens where a model's window is what counts. */
  size(text: string): number
}

/** So many code points. Where the code units are few enough, nobody needs to count the points. */
export function codePointLimit(max: number): SizeLimit {
  return { max, size: (text) => (text.length <= max ? text.length : codePointLength(text)) }
}

export interface SectionPart {
  readonly text: string
  readonly startLine: number
  readonly endLine: number
}

export interface OversizedSection {
  readonly text: string
  readonly lines: LineTable
  readonly startLine: number
  readonly endLine: number
  readonly blocks: readonly Block[]
}

export function splitSection(section: OversizedSection, limit: SizeLimit): readonly SectionPart[] {
  return packAtoms(section, collectAtoms(section, section, limit), limit)
}

/** A span of text that is not split further. */
interface Atom {
  readonly start: number
  readonly end: number
  readonly size: number
  /** Shared by the atoms of one split fence. */
  readonly fence?: Fence
}

interface Fence {
  /** Added before or after a part that lacks the original first or last line of the fence. */
  readonly open: string
  readonly close: string
  /** Offsets of the original fence lines. */
  readonly start: number
  readonly end: number
}

interface BlockRange {
  /** Number of enclosing quotes and lists. */
  readonly depth?: number
  readonly startLine: number
  readonly endLine: number
  readonly blocks: readonly Block[]
}

/** Quotes and lists nested deeper than this are split by lines. */
const MAX_DEPTH = 100

/** Covers every line: the blocks and the lines between them. */
function collectAtoms(
  section: OversizedSection,
  stretch: BlockRange,
  limit: SizeLimit,
): readonly Atom[] {
  const atoms: Atom[] = []
  let next = stretch.startLine
  for (const [at, block] of stretch.blocks.entries()) {
    const first = startLine(block)
    // A parser may let a fence that nobody closed end a line too late, inside the next block.
    const following = stretch.blocks[at + 1]
    const limitLine = following === undefined ? stretch.endLine : startLine(following) - 1
    const last = Math.min(endLine(block), stretch.endLine, Math.max(first, limitLine))
    if (first < next || last < first) continue
    appendAll(atoms, splitLines(section, { startLine: next, endLine: first - 1 }, limit))
    appendAll(
      atoms,
      refineAtom(
        section,
        { startLine: first, endLine: last, block, depth: stretch.depth ?? 0 },
        limit,
      ),
    )
    next = last + 1
  }
  appendAll(atoms, splitLines(section, { startLine: next, endLine: stretch.endLine }, limit))
  return atoms
}

interface LineRange {
  readonly startLine: number
  readonly endLine: number
}

function refineAtom(
  section: OversizedSection,
  range: LineRange & { readonly block: Block; readonly depth: number },
  limit: SizeLimit,
): readonly Atom[] {
  const lines = dropBlankEnd(section.lines, range)
  const start = section.lines.start(lines.startLine)
  const end = section.lines.end(lines.endLine)
  const size = limit.size(section.text.slice(start, end))
  if (size <= limit.max) return [{ start, end, size }]
  const blocks = childBlocks(range.block)
  if (blocks.length > 0 && range.depth < MAX_DEPTH)
    return collectAtoms(section, { ...lines, blocks, depth: range.depth + 1 }, limit)
  const fence = findFence(section, { ...lines, block: range.block }, limit)
  return fence === undefined
    ? splitLines(section, lines, limit)
    : splitFencedLines(section, lines, { fence, limit })
}

/** A parser may count the blank lines after a list to the list. */
function dropBlankEnd(lines: LineTable, range: LineRange): LineRange {
  let { endLine: last } = range
  while (last > range.startLine && lines.isBlank(last)) last -= 1
  return { startLine: range.startLine, endLine: last }
}

function splitFencedLines(
  section: OversizedSection,
  range: LineRange,
  { fence, limit }: { readonly fence: Fence; readonly limit: SizeLimit },
): readonly Atom[] {
  const atoms: Atom[] = []
  for (let line = range.startLine; line <= range.endLine; line += 1) {
    if (section.lines.isBlank(line)) continue
    const start = section.lines.start(line)
    const end = section.lines.end(line)
    const text = section.text.slice(start, end)
    // Measured with its frame: tokens do not add up, so a frame's own size says too little.
    const size = limit.size(wrapInFence(fence, text))
    if (size <= limit.max) atoms.push({ start, end, size, fence })
    else appendAll(atoms, splitInsideFencedLine(section.text, { start, end }, { fence, limit }))
  }
  return atoms
}

/**
 * A piece of a line has lost the quote marks before it, and may look like a closing fence when the
 * line does not. It stands in a frame of its own: at the margin, and longer than any run inside.
 */
function splitInsideFencedLine(
  text: string,
  line: { readonly start: number; readonly end: number },
  { fence, limit }: { readonly fence: Fence; readonly limit: SizeLimit },
): readonly Atom[] {
  const own = chooseFenceMarker(
    text.slice(line.start, line.end),
    fence.close.includes('`') ? '`~' : '~`',
  )
  const frame = { open: own, close: own, start: Number.NaN, end: Number.NaN }
  if (limit.size(wrapInFence(frame, '')) > limit.max / 2) return splitInsideLine(text, line, limit)
  const framed = { max: limit.max, size: (piece: string) => limit.size(wrapInFence(frame, piece)) }
  return splitInsideLine(text, line, framed).map((atom) => ({ ...atom, fence: frame }))
}

/** The shorter of two markers that the text does not hold; the first where they are the same. */
function chooseFenceMarker(text: string, characters: string): string {
  const [first = '', second = ''] = [...characters].map((character) => {
    const runs = text.match(character === '`' ? /`+/g : /~+/g) ?? []
    return character.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3))
  })
  return second.length < first.length ? second : first
}

function wrapInFence(fence: Fence, text: string): string {
  return `${fence.open}\n${text}\n${fence.close}`
}

function splitLines(
  section: OversizedSection,
  range: LineRange,
  limit: SizeLimit,
): readonly Atom[] {
  const atoms: Atom[] = []
  for (let line = range.startLine; line <= range.endLine; line += 1) {
    if (section.lines.isBlank(line)) continue
    const start = section.lines.start(line)
    const end = section.lines.end(line)
    const size = limit.size(section.text.slice(start, end))
    if (size <= limit.max) atoms.push({ start, end, size })
    else appendAll(atoms, splitInsideLine(section.text, { start, end }, limit))
  }
  return atoms
}

/** None where the fence lines alone would take half of a part: then lines are all there is to keep. */
function findFence(
  section: OversizedSection,
  range: LineRange & { readonly block: Block },
  limit: SizeLimit,
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
    open: indent + (info.length <= MAX_INFO_LENGTH ? info : marker),
    close: indent + marker,
    start,
    end: isClosed ? lines.end(last) : Number.POSITIVE_INFINITY,
  }
  return limit.size(wrapInFence(fence, '')) > limit.max / 2 ? undefined : fence
}

/** A longer info string than this is no language name, and would crowd out the code. */
const MAX_INFO_LENGTH = 120

/** Prefers to cut after white space; within a word, never inside a character. */
function splitInsideLine(
  text: string,
  line: { readonly start: number; readonly end: number },
  limit: SizeLimit,
): readonly Atom[] {
  const atoms: Atom[] = []
  for (let start = line.start; start < line.end; ) {
    let end = Math.min(line.end, offsetAfter(text, start, limit.max))
    while (limit.size(text.slice(start, end)) > limit.max) {
      const half = alignToCharacter(text, start + ((end - start) >> 1))
      if (half === end || half <= start) break
      end = half
    }
    if (end < line.end) end = findSpaceBefore(text, start, end)
    atoms.push({ start, end, size: limit.size(text.slice(start, end)) })
    start = end
  }
  return atoms
}

function alignToCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}

/** After the last white space of the second half, if there is one with text before it. */
function findSpaceBefore(text: string, start: number, end: number): number {
  if (text.slice(start, end).trim() === '') return end
  for (let at = end; at > start + ((end - start) >> 1); at -= 1) {
    const unit = text.charCodeAt(at - 1)
    if ((unit === 32 || unit === 9) && text.slice(start, at).trim() !== '') return at
  }
  return end
}

/** Fills each part with as many atoms as fit, in order. */
function packAtoms(
  section: OversizedSection,
  atoms: readonly Atom[],
  limit: SizeLimit,
): readonly SectionPart[] {
  const parts: SectionPart[] = []
  for (let from = 0; from < atoms.length; ) {
    const to = findLongestRun(section, { atoms, from }, limit)
    const first = atoms[from]
    const last = atoms[to - 1]
    if (first === undefined || last === undefined) break
    parts.push({
      text: renderPart(section, first, last),
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
function findLongestRun(
  section: OversizedSection,
  run: { readonly atoms: readonly Atom[]; readonly from: number },
  limit: SizeLimit,
): number {
  const { atoms, from } = run
  const first = atoms[from]
  if (first === undefined) return from
  let sum = first.size
  let to = from + 1
  for (let last = atoms[to]; last !== undefined && last.fence === first.fence; last = atoms[to]) {
    sum += last.size + (last.start - (atoms[to - 1]?.end ?? last.start))
    if (sum > limit.max) {
      const size = limit.size(renderPart(section, first, last))
      if (size > limit.max) break
      sum = size
    }
    to += 1
  }
  while (
    to > from + 1 &&
    limit.size(renderPart(section, first, atoms[to - 1] ?? first)) > limit.max
  )
    to -= 1
  return to
}

function renderPart(section: OversizedSection, first: Atom, last: Atom): string {
  const text = section.text.slice(first.start, last.end)
  const { fence } = first
  if (fence === undefined) return text
  const open = first.start === fence.start ? '' : `${fence.open}\n`
  const close = last.end === fence.end ? '' : `\n${fence.close}`
  return open + text + close
}

/** Not `push(...)`: a paragraph may have more lines than a call may have arguments. */
function appendAll(atoms: Atom[], more: readonly Atom[]): void {
  for (const atom of more) atoms.push(atom)
}
