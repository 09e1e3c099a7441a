/**
 * Headings as an outside parser sees them. The chunker parses with another one, so that the two
 * can disagree: mdast-util-from-markdown follows the CommonMark specification line by line.
 */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { frontmatter } from 'micromark-extension-frontmatter'
import { collapseSpaces } from '../../src/base/text.ts'
import type { DocChunk } from '../../src/model/doc-chunk.ts'

export interface Heading {
  readonly depth: number
  readonly line: number
  readonly title: string
}

interface Node {
  readonly type: string
  readonly position?: { readonly start: Point; readonly end: Point } | undefined
  readonly children?: readonly Node[]
}

interface Point {
  readonly line: number
  readonly offset?: number | undefined
}

export interface TruthOptions {
  /** Whether the text is known to open with front matter. */
  readonly hasFrontMatter: boolean
}

export function parseOutside(text: string, options: TruthOptions): Node {
  const kinds = ['yaml', 'toml'] as const
  return options.hasFrontMatter
    ? fromMarkdown(text, {
        extensions: [frontmatter([...kinds])],
        mdastExtensions: [frontmatterFromMarkdown([...kinds])],
      })
    : fromMarkdown(text)
}

/** The headings of the document itself, not those inside quotes and list items. */
export function trueHeadings(text: string, options: TruthOptions): readonly Heading[] {
  return (parseOutside(text, options).children ?? [])
    .filter((node) => node.type === 'heading')
    .map((node) => ({
      depth: 'depth' in node ? Number(node.depth) : 0,
      line: node.position?.start.line ?? 0,
      title: sourceOf(text, node.children ?? []),
    }))
}

function sourceOf(text: string, children: readonly Node[]): string {
  const from = children[0]?.position?.start.offset ?? 0
  const to = children.at(-1)?.position?.end.offset ?? from
  return collapseSpaces(text.slice(from, to))
}

/** What the chunks say of the headings: one for each section, parts after the first left out. */
export function chunkHeadings(chunks: readonly Omit<DocChunk, 'id'>[]): readonly Heading[] {
  return chunks
    .filter((chunk) => chunk.headingLevel > 0 && (chunk.part ?? 1) === 1)
    .map((chunk) => ({
      depth: chunk.headingLevel,
      line: chunk.startLine,
      title: chunk.titlePath.at(-1) ?? '',
    }))
}

/** Fences whose last line is not the end of a fence, by the outside parser. */
export function openFences(text: string): readonly string[] {
  return fencesOf(parseOutside(text, { hasFrontMatter: false }))
    .map((node) => text.slice(node.position?.start.offset, node.position?.end.offset))
    .filter((source) => !isClosed(source))
}

function fencesOf(node: Node): readonly Node[] {
  return node.type === 'code' ? [node] : (node.children ?? []).flatMap(fencesOf)
}

function isClosed(source: string): boolean {
  const marker = /^(?:`{3,}|~{3,})/.exec(source)?.[0]
  if (marker === undefined) return true
  const lines = source.split(/\r\n|\r|\n/)
  const last = (lines.at(-1) ?? '').replace(/^[>\s]*/, '').trimEnd()
  return lines.length > 1 && last.startsWith(marker) && /^(?:`+|~+)$/.test(last)
}
