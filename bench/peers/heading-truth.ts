/**
 * The headings above each place of a document, by another parser than ours. Only headings of the
 * document itself count; one in a quote or a list item is no part of the outline.
 */
import { fromMarkdown } from 'mdast-util-from-markdown'

interface Heading {
  readonly at: number
  readonly path: readonly string[]
}

export function headingTruth(text: string): (offset: number) => readonly string[] {
  const headings: Heading[] = []
  const open: { readonly depth: number; readonly title: string }[] = []
  for (const node of fromMarkdown(text).children) {
    if (node.type !== 'heading') continue
    while ((open.at(-1)?.depth ?? 0) >= node.depth) open.pop()
    const from = node.children[0]?.position?.start.offset
    const to = node.children.at(-1)?.position?.end.offset
    open.push({ depth: node.depth, title: text.slice(from ?? 0, from === undefined ? 0 : to) })
    headings.push({ at: node.position?.start.offset ?? 0, path: open.map((it) => it.title) })
  }
  return (offset) => headings.findLast((it) => it.at <= offset)?.path ?? []
}

/** White space and closing marks (`## Title ##`) make no difference. */
export function samePath(left: readonly string[], right: readonly string[]): boolean {
  return (
    left.length === right.length && left.every((it, at) => plain(it) === plain(right[at] ?? ''))
  )
}

function plain(title: string): string {
  return title.replace(/\s+#+\s*$/, '').replace(/\s+/g, '')
}
