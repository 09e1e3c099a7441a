/**
 * Blocks that have an id and so can be link targets. The id is at the end of a paragraph or item,
 * or alone below its block:
 *
 *     - an item ^one                 | a | table |
 *
 *                                    ^two
 *
 * Their text also stays in the page.
 */
import { ascending, descending, inOrder } from '../../../base/order.ts'
import { type Block, childBlocks, endOffset, startOffset } from '../../markdown/blocks.ts'
import { coversOffset, type Span } from './page-draft.ts'
import type { FoundNote, NoteRegion, StructureBuilder } from './page-structure.ts'
import {
  indentColumns,
  isBlank,
  lineStart,
  listLines,
  nextLineStart,
  removeIndent,
} from './spans.ts'

const BLOCK_ID = /(?<=^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$/gm

/**
 * The region includes the id and starts at the previous block if the id is on its own line, else at
 * the enclosing item.
 */
interface NamedBlock {
  readonly block: Block
  readonly id: string
}

const NOWHERE: Block = { type: 'none' }

export function addNamedBlocks(building: StructureBuilder): void {
  const { page, hidden } = building
  const { body, blocks, marks } = page
  if (!body.includes('^')) return
  const found: NamedBlock[] = []
  let at = 0
  for (const match of body.matchAll(BLOCK_ID)) {
    if (coversOffset(marks.literal, match.index)) continue
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
  addBlockNotes(building, found)
}

function innermostItem(top: Block, at: number): Block {
  let result = top
  for (let it: Block | undefined = top; it !== undefined; ) {
    if (it.type === 'listItem') result = it
    const inner: Block | undefined = firstEndingAfter(childBlocks(it), at)
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

/** Items nested deeper than this are not notes: each would contain all deeper ones. */
const MAX_ITEM_DEPTH = 50

function addBlockNotes(building: StructureBuilder, found: readonly NamedBlock[]): void {
  const { page, notes, regions, claimId: claim } = building
  const sections = regions.slice()
  let section = 0
  const sorted = found.toSorted(
    inOrder(
      ascending((it) => startOffset(it.block)),
      descending((it) => endOffset(it.block)),
      ascending((it) => it.id),
    ),
  )
  const open: NoteRegion[] = []
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
        : isSame || open.length >= MAX_ITEM_DEPTH
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
      parent: above?.note ?? noteOfRegion(sections[section]),
      start,
      ...splitBlockText(page.body, block),
      fields: [],
      blockIds: [id],
    })
  }
}

function noteOfRegion(region: NoteRegion | undefined): number {
  return region?.note ?? 0
}

/** The parser does not support tables; the delimiter row identifies them. */
const TABLE = /^.*\|.*\n[ \t]*\|?[ \t]*:?-+:?[ \t]*\|/

/**
 * A paragraph is entirely the name. For other blocks the first line is the name, and the rest or
 * all is the content.
 */
function splitBlockText(body: string, block: Block): Pick<FoundNote, 'name' | 'content'> {
  const span = { start: startOffset(block), end: endOffset(block) }
  const isTable = TABLE.test(body.slice(span.start, span.end))
  if (block.type === 'paragraph' && !isTable) return { name: listLines(body, span), content: [] }
  const whole = listLines(body, { start: lineStart(body, span.start), end: span.end })
  if (block.type === 'listItem') {
    const first = childBlocks(block)[0]
    if (first?.type !== 'paragraph') return { name: whole.slice(0, 1), content: whole }
    const name = { start: startOffset(first), end: endOffset(first) }
    const below = listLines(body, { start: nextLineStart(body, name.end), end: span.end })
    const margin = Math.min(
      ...below.filter((it) => !isBlank(body, it)).map((it) => indentColumns(body, it)),
    )
    return {
      name: listLines(body, name),
      content: below.map((it) => removeIndent(body, it, margin)),
    }
  }
  const first = block.type === 'code' && whole.length > 2 ? whole[1] : whole[0]
  return { name: first === undefined ? [] : [skipQuoteMarks(body, first)], content: whole }
}

function skipQuoteMarks(body: string, line: Span): Span {
  const marks = /^[>\s]*/.exec(body.slice(line.start, line.end))?.[0].length ?? 0
  return { start: line.start + marks, end: line.end }
}
