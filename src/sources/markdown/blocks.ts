/**
 * Parses the block structure of a Markdown text with a CommonMark parser. The rest of the chunker
 * only uses these types, so that the parser can be replaced here. The objects are the nodes of the
 * parser: converting them took as long as parsing.
 */
import { markdownToMdast } from 'satteri'

export interface Block {
  readonly type: string
  /** Lines are 1-based; offsets begin after any indentation or container marker. */
  readonly position?: { readonly start: BlockPosition; readonly end: BlockPosition } | undefined
  readonly children?: readonly Block[]
  /** 1–6 for a heading. */
  readonly depth?: number
}

interface BlockPosition {
  readonly line: number
  readonly offset?: number | undefined
}

/** GFM stays off: a table changes no heading, and the boundaries are CommonMark's. */
const OPTIONS = { features: { gfm: false, frontmatter: false } } as const

export function parseBlocks(text: string): readonly Block[] {
  const blocks = childBlocks(markdownToMdast(text, OPTIONS))
  if (!blocks.some(isTightDefinition) || !EMPTY_ITEM.test(text)) return blocks
  const definitions = blocks.filter((it) => it.type === 'definition')
  return childBlocks(markdownToMdast(replaceDefinitions(text, definitions), OPTIONS))
}

/** A definition with another kind of block on the very next line. */
function isTightDefinition(block: Block, at: number, blocks: readonly Block[]): boolean {
  if (block.type !== 'definition') return false
  const next = blocks[at + 1]
  return next !== undefined && next.type !== 'definition' && startLine(next) === endLine(block) + 1
}

/** A list marker with nothing after it. */
const EMPTY_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]*$/m

/**
 * The parser takes a definition for a paragraph that is still open, and such a paragraph is not
 * interrupted by an empty list item: the item's heading then stands outside of it. A thematic
 * break in the definition's place leaves every other block as it was, and right.
 */
function replaceDefinitions(text: string, definitions: readonly Block[]): string {
  let result = ''
  let from = 0
  for (const definition of definitions) {
    const start = startOffset(definition)
    const rest = text.slice(start + BREAK.length, endOffset(definition))
    result += text.slice(from, start) + BREAK + rest.replace(/[^\r\n]/g, ' ')
    from = endOffset(definition)
  }
  return result + text.slice(from)
}

const BREAK = '***'

const CONTAINERS: ReadonlySet<string> = new Set(['root', 'list', 'listItem', 'blockquote'])

/** The blocks inside a container; the children of a paragraph are not blocks. */
export function childBlocks(block: Block): readonly Block[] {
  return CONTAINERS.has(block.type) ? (block.children ?? []) : []
}

export function startLine(block: Block): number {
  return block.position?.start.line ?? 0
}

export function endLine(block: Block): number {
  return block.position?.end.line ?? 0
}

export function startOffset(block: Block): number {
  return block.position?.start.offset ?? 0
}

export function endOffset(block: Block): number {
  return block.position?.end.offset ?? 0
}
