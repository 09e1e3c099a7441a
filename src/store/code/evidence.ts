/** The text that an edge rests on, and an id that names the exact place. */

import type { EdgeEvidence, StoredChunk, StoredEdge } from '../../model/code-index.ts'
import { sha256 } from '../../platform/hash.ts'

type Piece = Pick<StoredChunk, 'start' | 'end' | 'startLine' | 'text'>

/** From the chunks of the edge's file, in order. Of those that `touches` tells, no others matter. */
export function evidenceOf(edge: StoredEdge, chunks: readonly Piece[]): EdgeEvidence {
  const { path, start, end } = edge
  const around = chunks.filter((it) => touches(it, edge))
  const first = around.find((it) => it.start <= start && it.end >= end)
  const text = first === undefined ? pieced(edge, around) : slice(first, start, end)
  const startLine = lineIn(first ?? around[0], start)
  return {
    id: evidenceId(edge, text),
    kind: edge.evidence,
    path,
    start,
    end,
    startLine,
    endLine: first === undefined ? lineIn(around.at(-1), end) : startLine + breaks(text),
    text,
  }
}

export function touches(
  chunk: Pick<Piece, 'start' | 'end'>,
  edge: Pick<StoredEdge, 'start' | 'end'>,
): boolean {
  return chunk.start < edge.end && chunk.end > edge.start
}

function evidenceId({ evidence, path, start, end }: StoredEdge, text: string): string {
  return `ev:${sha256(JSON.stringify([evidence, path, start, end, text])).slice(0, 16)}`
}

/** A place that no single chunk holds, as far as chunks hold it. */
function pieced(edge: StoredEdge, chunks: readonly Piece[]): string {
  let text = ''
  let at = edge.start
  for (const chunk of chunks) {
    if (chunk.end <= at) continue
    text += slice(chunk, Math.max(at, chunk.start), edge.end)
    at = chunk.end
  }
  return text
}

function slice(chunk: Piece, start: number, end: number): string {
  return chunk.text.slice(start - chunk.start, end - chunk.start)
}

/** 0 when there is no chunk. */
function lineIn(chunk: Piece | undefined, offset: number): number {
  if (chunk === undefined) return 0
  return chunk.startLine + breaks(chunk.text.slice(0, Math.max(0, offset - chunk.start)))
}

function breaks(text: string): number {
  return text.split(/\r\n|[\r\n]/).length - 1
}
