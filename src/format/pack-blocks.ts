/**
 * Items that touch in their file are read as one piece, and shown as one: under one heading, with
 * the blank lines that stand between them. Each is still an item of its own in the pack.
 */
import { touches } from '../base/extents.ts'
import { ascending, inOrder } from '../base/order.ts'
import type { ContextItem, LineRange } from '../model/context-pack.ts'

/** In the order of the file. */
export type Block = readonly ContextItem[]

/** Each block stands where the first of its items does. */
export function blocksOf(items: readonly ContextItem[]): readonly Block[] {
  const blocks = new Map<ContextItem, Block>()
  for (const inFile of Map.groupBy(items, (it) => it.fileRelPath).values()) {
    for (const block of chained(inFile)) for (const item of block) blocks.set(item, block)
  }
  return [...new Set(items.flatMap((it) => [blocks.get(it) ?? [it]]))]
}

/** The lines of the file that a block shows. */
export function blockLines(block: Block): readonly LineRange[] {
  const [first] = block
  const last = block.at(-1)
  if (first === undefined || last === undefined) return []
  if (first === last) return first.excerpt.parts.map((it) => it.lines)
  return [{ start: first.lines.start, end: last.lines.end }]
}

/** The items' texts with the line breaks between them. */
export function blockText(block: Block): string {
  return block
    .map((item, at) => {
      const before = block[at - 1]
      const breaks = before === undefined ? 0 : item.lines.start - before.lines.end
      return '\n'.repeat(breaks) + item.excerpt.text
    })
    .join('')
}

function chained(inFile: readonly ContextItem[]): readonly Block[] {
  const blocks: ContextItem[][] = []
  for (const item of inFile.length === 1 ? inFile : inFile.toSorted(IN_FILE)) {
    const block = blocks.at(-1)
    const before = block?.at(-1)
    if (before !== undefined && isWhole(before) && isWhole(item) && touches(before, item))
      block?.push(item)
    else blocks.push([item])
  }
  return blocks
}

const IN_FILE = inOrder<ContextItem>(
  ascending((it) => it.range.start),
  ascending((it) => it.range.end),
)

/** What a diff changes is marked line by line, and stands alone. */
function isWhole({ excerpt, changes }: ContextItem): boolean {
  return excerpt.level === 'whole' && !excerpt.truncated && changes === undefined
}
