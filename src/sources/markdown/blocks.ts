/**
 * The block structure of a Markdown text, by a CommonMark parser. The rest of the chunker sees
 * these shapes alone, so that the parser can be changed here and nowhere else. They are the
 * parser's own nodes: making other objects of them took as long as parsing.
 */
import { markdownToMdast } from 'satteri'

export interface Block {
  readonly type: string
  /** Lines are 1-based; offsets begin after any indentation or container marker. */
  readonly position?: { readonly start: Place; readonly end: Place } | undefined
  readonly children?: readonly Block[]
  /** 1–6 for a heading. */
  readonly depth?: number
}

interface Place {
  readonly line: number
  readonly offset?: number | undefined
}

/** GFM stays off: a table changes no heading, and the boundaries are CommonMark's. */
const OPTIONS = { features: { gfm: false, frontmatter: false } } as const

export function parseBlocks(text: string): readonly Block[] {
  return blocksOf(markdownToMdast(text, OPTIONS))
}

const CONTAINERS: ReadonlySet<string> = new Set(['root', 'list', 'listItem', 'blockquote'])

/** The blocks inside a container; a paragraph's children are no blocks. */
export function blocksOf(block: Block): readonly Block[] {
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
