/** Markdown becomes chunks by its headings, as the docs product has it, by exact places. */
import type { LineTable } from '../../base/line-table.ts'
import { parseFrontMatter } from '../markdown/front-matter.ts'
import { chunkMarkdown } from '../markdown/read-document.ts'
import { codePointLimit } from '../markdown/split.ts'
import type { Chunk } from './chunks.ts'
import { type LineRange, type SourceLines, sourceLines, trimmedLines } from './source-lines.ts'
import { paragraphCost, splitLines } from './split-lines.ts'
import { lineTitle, shortened } from './titles.ts'

const LIMIT = { characters: 4000, lines: Number.POSITIVE_INFINITY } as const

export function cutMarkdown(text: string, table?: LineTable): readonly Chunk[] {
  const lines = sourceLines(text, table)
  const matterEnd = parseFrontMatter(text)?.end ?? 0
  const firstLine = matterEnd === 0 ? 1 : lines.lineAt(matterEnd - 1) + 1
  const chunks: Chunk[] = []
  add({ first: 1, last: firstLine - 1 }, 'front-matter', 'front matter')
  let next = firstLine
  for (const run of runs(text)) {
    // Whatever no section claims stands by itself.
    add({ first: next, last: run.first - 1 }, 'section', '')
    add(run, 'section', run.title)
    next = Math.max(next, run.last + 1)
  }
  add({ first: next, last: lines.count }, 'section', '')
  return chunks

  function add(range: LineRange, kind: string, title: string): void {
    for (const it of stretches(lines, range)) {
      const own = title === '' ? lineTitle(text, it.start, it.end) : title
      chunks.push({ kind, name: '', title: own, ...it, definition: -1 })
    }
  }
}

interface Run extends LineRange {
  readonly title: string
}

/** By lines. Parts of a section that share a line become one: their lines are cut again below. */
function runs(text: string): readonly Run[] {
  const found: Run[] = []
  for (const it of chunkMarkdown(text, codePointLimit(LIMIT.characters))) {
    const part = it.part === undefined || it.part === 1 ? '' : ` (part ${it.part})`
    const title = it.titlePath.length === 0 ? '' : shortened(it.titlePath.join(' > ')) + part
    const before = found.at(-1)
    if (before !== undefined && it.startLine <= before.last) {
      found[found.length - 1] = { ...before, last: Math.max(before.last, it.endLine) }
    } else {
      found.push({ first: it.startLine, last: it.endLine, title })
    }
  }
  return found
}

function stretches(
  lines: SourceLines,
  range: LineRange,
): readonly { readonly start: number; readonly end: number }[] {
  const rest = trimmedLines(lines, range)
  if (rest === undefined) return []
  return splitLines(lines, rest, { limit: LIMIT, cost: paragraphCost(lines) })
}
