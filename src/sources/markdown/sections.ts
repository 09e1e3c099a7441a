/**
 * A document cut at its headings. Only headings of the document itself begin a section; one inside
 * a quote or a list item belongs to that quote or item, as it does in an HTML outline.
 */
import type { LineTable } from '../../base/line-table.ts'
import { collapseSpaces } from '../../base/text.ts'
import { type Block, endLine, endOffset, startLine, startOffset } from './blocks.ts'

export interface Section {
  readonly titlePath: readonly string[]
  readonly level: number
  readonly startLine: number
  readonly endLine: number
  /** First line after the heading; equal to `startLine` before the first heading. */
  readonly bodyLine: number
  readonly blocks: readonly Block[]
}

interface SectionInput {
  readonly text: string
  readonly lines: LineTable
  readonly blocks: readonly Block[]
  /** First line after the front matter. */
  readonly firstLine: number
  /** Replaces a missing level-1 heading. */
  readonly documentTitle: string | undefined
}

export function splitSections(outline: SectionInput): readonly Section[] {
  const { blocks, lines } = outline
  const path = createTitlePaths(chooseRootTitle(outline))
  const found: Section[] = []
  const cut = (from: number, to: number): void => {
    const heading = blocks[from]?.type === 'heading' ? blocks[from] : undefined
    const level = heading?.depth ?? 0
    const first = heading === undefined ? outline.firstLine : startLine(heading)
    const next = blocks[to]
    const titlePath = path(level, heading === undefined ? '' : headingTitle(outline.text, heading))
    const range = trimBlankLines(
      lines,
      first,
      next === undefined ? lines.count : startLine(next) - 1,
    )
    if (range === undefined) return
    const bodyLine = heading === undefined ? range.startLine : endLine(heading) + 1
    found.push({
      titlePath,
      level,
      ...range,
      bodyLine,
      blocks: blocks.slice(Math.max(0, from), to),
    })
  }
  const headings = blocks.flatMap((block, at) => (block.type === 'heading' ? [at] : []))
  // All text before the first heading, even outside of blocks.
  cut(-1, headings[0] ?? blocks.length)
  headings.forEach((at, ordinal) => cut(at, headings[ordinal + 1] ?? blocks.length))
  return found
}

/**
 * Site generators show the title of the front matter as the page's first heading. Where the text
 * has no level-1 heading of its own, the title takes its place at the root of every path.
 */
function chooseRootTitle(outline: SectionInput): string | undefined {
  return outline.blocks.some((block) => block.depth === 1) ? undefined : outline.documentTitle
}

/** A heading ends every open one of its level or deeper, so a skipped level nests no siblings. */
function createTitlePaths(
  root: string | undefined,
): (level: number, title: string) => readonly string[] {
  const open: { readonly level: number; readonly title: string }[] = []
  if (root !== undefined) open.push({ level: 0, title: root })
  return (level, title) => {
    if (level > 0) {
      while ((open.at(-1)?.level ?? -1) >= level) open.pop()
      open.push({ level, title })
    }
    return open.map((it) => it.title)
  }
}

/** The heading as it is written, without its marks: `## Use \`x\` ##` is "Use `x`". */
function headingTitle(text: string, heading: Block): string {
  const first = heading.children?.[0]
  const last = heading.children?.at(-1)
  if (first === undefined || last === undefined) return ''
  return collapseSpaces(text.slice(startOffset(first), endOffset(last)))
}

function trimBlankLines(
  lines: LineTable,
  first: number,
  last: number,
): { readonly startLine: number; readonly endLine: number } | undefined {
  let from = first
  let to = last
  while (from <= to && lines.isBlank(from)) from += 1
  while (to >= from && lines.isBlank(to)) to -= 1
  return from > to ? undefined : { startLine: from, endLine: to }
}
