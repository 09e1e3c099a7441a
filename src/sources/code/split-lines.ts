/**
 * Cuts a stretch of lines that is over a limit, where the syntax tree is least deep: between
 * statements rather than inside one, after a blank line rather than after a comment. A line that is
 * over the limit by itself is cut inside, but never inside a character.
 */
import { type LineRange, type SourceLines, sizeOf, trimmedLines } from './source-lines.ts'
import type { Syntax } from './syntax.ts'

export interface SizeLimit {
  readonly characters: number
  readonly lines: number
}

/** Offsets, half-open. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** How bad it is to cut before a line; only compared within one stretch. */
type Cost = (line: number) => number

export function fits(lines: SourceLines, range: LineRange, limit: SizeLimit): boolean {
  return range.last - range.first < limit.lines && sizeOf(lines, range) <= limit.characters
}

/** Every line that is not blank lies in one of the stretches, and no stretch is over the limit. */
export function splitLines(
  lines: SourceLines,
  range: LineRange,
  { limit, cost }: { readonly limit: SizeLimit; readonly cost: Cost },
): readonly Stretch[] {
  const stretches: Stretch[] = []
  let rest = trimmedLines(lines, range)
  while (rest !== undefined) {
    const { first, last } = rest
    let end = last
    if (isGiant(lines, first, limit)) {
      insideLine(lines, first, { limit, into: stretches })
      end = first
    } else {
      if (!fits(lines, rest, limit)) end = bestCut(lines, rest, { limit, cost }) - 1
      const piece = trimmedLines(lines, { first, last: end }) ?? { first, last: end }
      stretches.push({ start: lines.start(piece.first), end: lines.end(piece.last) })
    }
    rest = trimmedLines(lines, { first: end + 1, last })
  }
  return stretches
}

/**
 * By how many nodes a cut would go through. Nodes that begin before the stretch go through all of
 * its lines alike, and are left out.
 */
export function depthCost(
  lines: SourceLines,
  range: LineRange,
  { syntax, leads }: { readonly syntax: Syntax; readonly leads: Uint8Array },
): Cost {
  const { starts, ends, count } = syntax
  const steps = new Int32Array(range.last - range.first + 3)
  const end = lines.end(range.last)
  let line = range.first
  for (let node = firstFrom(syntax, lines.start(line)); node < count; node += 1) {
    const start = starts[node] ?? 0
    if (start >= end) break
    while (line < range.last && start >= lines.start(line + 1)) line += 1
    const until = ends[node] ?? 0
    if (line === range.last || until <= lines.start(line + 1)) continue
    const last = Math.min(range.last, lines.lineAt(until - 1))
    steps[line + 1 - range.first] = (steps[line + 1 - range.first] ?? 0) + 1
    steps[last + 1 - range.first] = (steps[last + 1 - range.first] ?? 0) - 1
  }
  for (let at = 1; at < steps.length; at += 1) steps[at] = (steps[at] ?? 0) + (steps[at - 1] ?? 0)
  return (before) => {
    const afterLead = leads[before - 1] === 1 ? 2 : 0
    return 4 * (steps[before - range.first] ?? 0) + afterLead - (lines.blanks[before - 1] ?? 0)
  }
}

/** Text without a syntax: paragraphs stay whole where they can. */
export function paragraphCost(lines: SourceLines): Cost {
  return (before) => 1 - (lines.blanks[before - 1] ?? 0)
}

/** The first node that begins at an offset or after it: nodes are in the order of their starts. */
export function firstFrom(syntax: Syntax, offset: number): number {
  let low = 0
  let high = syntax.count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((syntax.starts[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}

function isGiant(lines: SourceLines, line: number, limit: SizeLimit): boolean {
  return lines.end(line) - lines.start(line) > limit.characters
}

/** The line before which to cut: the cheapest one in reach, the last of equals. */
function bestCut(
  lines: SourceLines,
  { first, last }: LineRange,
  { limit, cost }: { readonly limit: SizeLimit; readonly cost: Cost },
): number {
  const start = lines.start(first)
  // Neither the piece nor what is left should be a scrap.
  const scrap = limit.characters >> 2
  const reach = Math.max(limit.characters >> 1, lines.end(last) - start - scrap)
  let best = first + 1
  let lowest = Number.POSITIVE_INFINITY
  for (let before = first + 1; before <= last; before += 1) {
    const size = lines.end(before - 1) - start
    if (before - first > limit.lines || size > limit.characters) break
    if (best > first + 1 && size > reach) break
    if (lines.blanks[before] === 1) continue
    const isScrap = size < scrap && before - first < limit.lines >> 2
    const price = cost(before) + (isScrap ? SCRAP_COST : 0)
    if (price > lowest) continue
    lowest = price
    best = before
  }
  return best
}

/** More than any depth. */
const SCRAP_COST = 1_000_000

function insideLine(
  lines: SourceLines,
  line: number,
  { limit, into }: { readonly limit: SizeLimit; readonly into: Stretch[] },
): void {
  const { text } = lines
  const end = lines.end(line)
  for (let start = lines.start(line); start < end; ) {
    let to = Math.min(end, start + limit.characters)
    if (to < end) to = afterMark(text, start, to)
    if (text.slice(start, to).trim() !== '') into.push({ start, end: to })
    start = to
  }
}

/** After the last mark of the second half that ends something; else where the limit is. */
function afterMark(text: string, start: number, end: number): number {
  for (let at = end; at > start + ((end - start) >> 1); at -= 1) {
    const unit = text.charCodeAt(at - 1)
    // White space, a comma, a semicolon or a closing brace.
    if (unit === 32 || unit === 9 || unit === 44 || unit === 59 || unit === 125) return at
  }
  const unit = text.charCodeAt(end)
  const isInside = unit >= 0xdc00 && unit <= 0xdfff && isHighSurrogate(text.charCodeAt(end - 1))
  return isInside ? end - 1 : end
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
