/**
 * Lays chunks over the text that they were cut from, by searching for them: an independent way to
 * see that nothing is lost, nothing invented, and that every line number is right.
 */
import type { DocChunk } from '../../src/model/doc-chunk.ts'

export interface Laid {
  readonly chunk: Chunk
  /** Offsets of what is really in the source. */
  readonly start: number
  readonly end: number
  /** Lines before and after that are in the chunk alone. */
  readonly framed: readonly string[]
}

export interface Cover {
  readonly laid: readonly Laid[]
  /** What is wrong, in words: empty when all is well. */
  readonly problems: readonly string[]
}

/** `from` is the offset of the first character after the front matter. */
export function cover(text: string, from: number, chunks: readonly Chunk[]): Cover {
  const way = search(text, from, chunks)
  if ('laid' in way) return { laid: way.laid, problems: [] }
  return { laid: [], problems: [way.trouble] }
}

type Chunk = Omit<DocChunk, 'id'>
type Way = { readonly laid: readonly Laid[] } | { readonly trouble: string; readonly depth: number }

/**
 * A line that was put around a part may happen to be the next line of the source as well, so every
 * way to lay a part is followed until one leads to the end.
 */
function search(text: string, cursor: number, chunks: readonly Chunk[]): Way {
  const [chunk, ...others] = chunks
  if (chunk === undefined) {
    const rest = text.slice(cursor)
    return rest.trim() === '' ? { laid: [] } : { trouble: `lost: ${rest}`, depth: 0 }
  }
  let furthest: Way = { trouble: `not in its place: ${JSON.stringify(chunk)}`, depth: 0 }
  for (const laid of ways(text, cursor, chunk)) {
    const trouble = troubleWith(text, laid)
    const way: Way = trouble === undefined ? search(text, laid.end, others) : { trouble, depth: 0 }
    if ('laid' in way) return { laid: [laid, ...way.laid] }
    if (way.depth + 1 > furthest.depth) furthest = { trouble: way.trouble, depth: way.depth + 1 }
  }
  return furthest
}

/** Nothing but white space may lie between one chunk and the next. */
function ways(text: string, cursor: number, chunk: Chunk): readonly Laid[] {
  const lines = chunk.text.split('\n')
  const choices = chunk.part === undefined ? FRAMES.slice(0, 1) : FRAMES
  return choices.flatMap(([before = 0, after = 0]) => {
    const inner = lines.slice(before, lines.length - after).join('\n')
    const start = text.indexOf(inner, cursor)
    if (inner === '' || start === -1 || text.slice(cursor, start).trim() !== '') return []
    const framed = [...lines.slice(0, before), ...lines.slice(lines.length - after)]
    return [{ chunk, start, end: start + inner.length, framed }]
  })
}

const FRAMES = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
]

function troubleWith(text: string, { chunk, start, end, framed }: Laid): string | undefined {
  const stray = framed.find((line) => !/^[>\s]*(?:`{3,}|~{3,})/.test(line))
  if (stray !== undefined) return `not in the source: ${stray}`
  const lines = naiveLines(text)
  const first = lines.findLastIndex((line) => line.start <= start) + 1
  const last = lines.findIndex((line) => line.end >= end) + 1
  return chunk.startLine === first && chunk.endLine === last
    ? undefined
    : `lines ${chunk.startLine}-${chunk.endLine} are really ${first}-${last}: ${chunk.text}`
}

/** Lines without their terminators, found the simplest way. */
export function naiveLines(
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
  const lines: { readonly start: number; readonly end: number }[] = []
  let start = 0
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: match.index })
    start = match.index + match[0].length
  }
  if (start < text.length || lines.length === 0) lines.push({ start, end: text.length })
  return lines
}
