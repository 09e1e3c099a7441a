/**
 * The block structure of a Markdown text, by a CommonMark parser. The rest of the chunker sees
 * these blocks alone, so that the parser can be changed here and nowhere else.
 */
import { type MdastNode, markdownToMdast } from 'satteri'

export interface Block {
  readonly type: string
  readonly startLine: number
  readonly endLine: number
  /** Offset of the first character, after any indentation or container marker. */
  readonly start: number
  readonly end: number
  readonly children: readonly Block[]
  /** 1–6 for a heading. */
  readonly depth?: number
}

/** GFM stays off: a table changes no heading, and the boundaries are CommonMark's. */
const FEATURES = { gfm: false, frontmatter: false } as const

export function parseBlocks(text: string): readonly Block[] {
  return childBlocks(markdownToMdast(text, { features: FEATURES }))
}

const CONTAINERS: ReadonlySet<string> = new Set(['root', 'list', 'listItem', 'blockquote'])

function childBlocks(node: MdastNode): readonly Block[] {
  if (!CONTAINERS.has(node.type) || !('children' in node)) return []
  return node.children.flatMap((child) => {
    const position = child.position
    if (position === undefined) return []
    return [
      {
        type: child.type,
        startLine: position.start.line,
        endLine: position.end.line,
        start: position.start.offset ?? 0,
        end: position.end.offset ?? 0,
        // Inner blocks are only wanted where a block is too large, so they are made on demand.
        get children() {
          return childBlocks(child)
        },
        ...(child.type === 'heading' ? { depth: child.depth } : {}),
      },
    ]
  })
}
