/**
 * A document cut at its headings. Only headings of the document itself begin a section; one inside
 * a quote or a list item belongs to that quote or item, as it does in an HTML outline.
 */

import type { LineTable } from '../../base/line-table.ts'
import { collapseSpaces } from '../../base/text.ts'
import type { Block } from './blocks.ts'

export interface Section {
  readonly titlePath: readonly string[]
  readonly level: number
  readonly startLine: number
  readonly endLine: number
  /** First line after the heading; equal to `startLine` before the first heading. */
  readonly bodyLine: number
  readonly blocks: readonly Block[]
}

interface Outline {
  readonly text: string
  readonly lines: LineTable
  readonly blocks: readonly Block[]
  /** First line after the front matter. */
  readonly firstLine: number
  /** Stands in for a missing level-1 heading. */
  readonly documentTitle: string | undefined
}

export function sections(outline: Outline): readonly Section[] {
  const { blocks, lines } = outline
  const headings = blocks.flatMap((block, at) => (block.depth === undefined ? [] : [at]))
  const path = titlePaths(rootTitle(outline))
  const found: Section[] = []
  const cut = (from: number, to: number): void => {
    const heading = blocks[from]?.depth === undefined ? undefined : blocks[from]
    const startLine = heading?.startLine ?? outline.firstLine
    const nextLine = blocks[to]?.startLine ?? lines.count + 1
    const titlePath = path(
      heading?.depth ?? 0,
      heading === undefined ? '' : titleOf(outline.text, heading),
    )
    const range = trimmed(lines, startLine, nextLine - 1)
    if (range === undefined) return
    found.push({
      titlePath,
      level: heading?.depth ?? 0,
      ...range,
      bodyLine: heading === undefined ? range.startLine : heading.endLine + 1,
      blocks: blocks.slice(from, to),
    })
  }
  if (headings[0] !== 0) cut(0, headings[0] ?? blocks.length)
  headings.forEach((at, ordinal) => cut(at, headings[ordinal + 1] ?? blocks.length))
  return found
}

/**
 * Site generators show the title of the front matter as the page's first heading. Where the text
 * has no level-1 heading of its own, the title takes its place at the root of every path.
 */
function rootTitle(outline: Outline): string | undefined {
  return outline.blocks.some((block) => block.depth === 1) ? undefined : outline.documentTitle
}

/** A heading ends every open one of its level or deeper, so a skipped level nests no siblings. */
function titlePaths(root: string | undefined): (level: number, title: string) => readonly string[] {
  const open: { readonly level: number; readonly title: string }[] = []
  if (root !== undefined) open.push({ level: 0, title: root })
  return (level, title) => {
    while (level > 0 && (open.at(-1)?.level ?? -1) >= level) open.pop()
    if (level > 0) open.push({ level, title })
    return open.map((it) => it.title)
  }
}

/** The heading as it is written, without its marks: `## Use \`x\` ##` is "Use `x`". */
function titleOf(text: string, heading: Block): string {
  const source = text.slice(heading.start, heading.end)
  const isAtx = heading.startLine === heading.endLine && /^#{1,6}(?:[ \t]|$)/.test(source)
  const title = isAtx
    ? source.replace(/^#+[ \t]*/, '').replace(/(?:^|[ \t]+)#+[ \t]*$/, '')
    : source.replace(/(?:\r\n|\r|\n)[ \t]*(?:=+|-+)[ \t]*$/, '')
  return collapseSpaces(title)
}

function trimmed(
  lines: LineTable,
  first: number,
  last: number,
): { readonly startLine: number; readonly endLine: number } | undefined {
  let startLine = first
  let endLine = last
  while (startLine <= endLine && lines.isBlank(startLine)) startLine += 1
  while (endLine >= startLine && lines.isBlank(endLine)) endLine -= 1
  return startLine > endLine ? undefined : { startLine, endLine }
}
