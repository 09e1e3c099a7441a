/**
 * Blocks that have an id, and so can be pointed at. The id stands at the end of a paragraph or an
 * item, or alone below whatever it is the id of:
 *
 *     - an item ^one                 | a | table |
 *
 *                                    ^two
 *
 * They stay in the text that they stand in: a page with holes would be no page.
 */
import { ascending, descending, inOrder } from '../../../base/order.ts'
import { type Block, blocksOf, endOffset, startOffset } from '../../markdown/blocks.ts'
import type { Building, FoundNote, Region } from './building.ts'
import { covers, type Span } from './draft.ts'
import { afterLine, columns, isBlank, lineStart, linesOf, setOut } from './spans.ts'

const BLOCK_ID = /(?<=^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$/gm

/** Looked for with its marks: from the block before, if it stands alone, or the item around it. */
interface NamedBlock {
  readonly block: Block
  readonly id: string
}

const NOWHERE: Block = { type: 'none' }

export function findBlocks(building: Building): void {
  const { page, hidden } = building
  const { body, blocks, marks } = page
  if (!body.includes('^')) return
  const found: NamedBlock[] = []
  let at = 0
  for (const match of body.matchAll(BLOCK_ID)) {
    if (covers(marks.literal, match.index)) continue
    while (at < blocks.length && endOffset(blocks[at] ?? NOWHERE) <= match.index) at += 1
    const top = blocks[at]
    if (top === undefined || startOffset(top) > match.index) continue
    const isAlone = top.type === 'paragraph' && startOffset(top) === match.index
    const block = isAlone ? blocks[at - 1] : innermostItem(top, match.index)
    if (block === undefined) continue
    let start = match.index
    while (body[start - 1] === ' ' || body[start - 1] === '\t') start -= 1
    hidden.push({ start, end: match.index + match[0].length })
    found.push({ block, id: match[1] ?? '' })
  }
  addBlocks(building, found)
}

function innermostItem(top: Block, at: number): Block {
  let result = top
  for (let it: Block | undefined = top; it !== undefined; ) {
    if (it.type === 'listItem') result = it
    const inner: Block | undefined = firstEndingAfter(blocksOf(it), at)
    it = inner !== undefined && startOffset(inner) <= at ? inner : undefined
  }
  return result
}

function firstEndingAfter(blocks: readonly Block[], at: number): Block | undefined {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOffset(blocks[middle] ?? NOWHERE) <= at) low = middle + 1
    else high = middle
  }
  return blocks[low]
}

/** Items within items that go deeper than this are no notes: each would hold all that follow. */
const DEEPEST = 50

function addBlocks(building: Building, found: readonly NamedBlock[]): void {
  const { page, notes, regions, claim } = building
  const sections = regions.slice()
  let section = 0
  const sorted = found.toSorted(
    inOrder(
      ascending((it) => startOffset(it.block)),
      descending((it) => endOffset(it.block)),
      ascending((it) => it.id),
    ),
  )
  const open: Region[] = []
  for (const { block, id } of sorted) {
    const start = startOffset(block)
    const end = endOffset(block)
    while ((open.at(-1)?.end ?? end) < end || (open.at(-1)?.end ?? end) <= start) open.pop()
    const above = open.at(-1)
    while ((sections[section + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) section += 1
    const isSame = above !== undefined && above.start === start && above.end === end
    const known =
      block.type === 'heading'
        ? sections[section]
        : isSame || open.length >= DEEPEST
          ? above
          : undefined
    if (known !== undefined) {
      notes[known.note]?.blockIds.push(id)
      continue
    }
    const region = { start, end, note: notes.length }
    regions.push(region)
    open.push(region)
    notes.push({
      id: claim(`${page.file.id}#^${id}`),
      kind: block.type === 'code' ? 'code' : 'block',
      parent: above?.note ?? noteOf(sections[section]),
      start,
      ...blockText(page.body, block),
      fields: [],
      blockIds: [id],
    })
  }
}

function noteOf(region: Region | undefined): number {
  return region?.note ?? 0
}

/** The parser knows no tables; the line below their heads tells them. */
const TABLE = /^.*\|.*\n[ \t]*\|?[ \t]*:?-+:?[ \t]*\|/

/** A paragraph is all name; of anything else its first line is, and the rest or all is content. */
function blockText(body: string, block: Block): Pick<FoundNote, 'name' | 'content'> {
  const span = { start: startOffset(block), end: endOffset(block) }
  const isTable = TABLE.test(body.slice(span.start, span.end))
  if (block.type === 'paragraph' && !isTable) return { name: linesOf(body, span), content: [] }
  const whole = linesOf(body, { start: lineStart(body, span.start), end: span.end })
  if (block.type === 'listItem') {
    const first = blocksOf(block)[0]
    if (first?.type !== 'paragraph') return { name: whole.slice(0, 1), content: whole }
    const name = { start: startOffset(first), end: endOffset(first) }
    const below = linesOf(body, { start: afterLine(body, name.end), end: span.end })
    const margin = Math.min(
      ...below.filter((it) => !isBlank(body, it)).map((it) => columns(body, it)),
    )
    return { name: linesOf(body, name), content: below.map((it) => setOut(body, it, margin)) }
  }
  const first = block.type === 'code' && whole.length > 2 ? whole[1] : whole[0]
  return { name: first === undefined ? [] : [withoutQuoteMarks(body, first)], content: whole }
}

function withoutQuoteMarks(body: string, line: Span): Span {
  const marks = /^[>\s]*/.exec(body.slice(line.start, line.end))?.[0].length ?? 0
  return { start: line.start + marks, end: line.end }
}
