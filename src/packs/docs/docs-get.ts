/** Returns chunks of a docs pack by id, within a budget of real tokens. */
import { nearest } from '../../base/nearest.ts'
import { fill } from '../../budget/fill.ts'
import { largest } from '../../budget/largest.ts'
import { chunkBlock } from '../../format/chunk-block.ts'
import { excerpt } from '../../format/excerpt.ts'
import { skeleton } from '../../format/skeleton.ts'
import type { DocsIndex, StoredChunk } from '../../model/docs-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { CountTokens } from '../../model/tokens.ts'
import type { Viewer } from '../redact-output.ts'
import { redactChunk } from './redact-chunk.ts'

export type DetailMode = 'raw' | 'excerpt' | 'skeleton'

export interface GetRequest extends Viewer {
  readonly ids: readonly string[]
  readonly mode: DetailMode
  /** Maximum tokens of the whole answer. */
  readonly budget: number
}

export interface GetResult {
  /** Never over the budget. */
  readonly text: string
  readonly tokens: number
  readonly items: readonly FetchedItem[]
  readonly leftOut: readonly { readonly id: string; readonly tokens: number }[]
  readonly unknown: readonly { readonly id: string; readonly nearest: readonly string[] }[]
}

export interface FetchedItem {
  readonly chunk: StoredChunk
  readonly text: string
  readonly isCut: boolean
  /** Number of redacted secrets. */
  readonly redacted: number
}

export async function getDocs(
  index: DocsIndex,
  request: GetRequest,
  count: CountTokens,
): Promise<GetResult> {
  const ids = [...new Set(await separateIds(index, request.ids))]
  const chunks = await index.chunks(ids)
  const items = chunks.map((chunk) => buildItem(chunk, request))
  const filling = fitItems(items, request.budget, count)
  return {
    text: filling.text,
    tokens: filling.tokens,
    items: filling.kept,
    leftOut: filling.left.map((it) => ({ id: it.chunk.id, tokens: count(renderItem(it)) })),
    unknown: await suggestIds(index, ids, chunks),
  }
}

/**
 * `unknown,known` may be one id or two, because document names may contain commas. Known ids are
 * extracted first, longest first; each remaining piece between commas is a separate id.
 */
async function separateIds(index: DocsIndex, given: readonly string[]): Promise<readonly string[]> {
  const joined = given.filter((id) => id.includes(','))
  if (joined.length === 0) return given
  const known = new Set((await index.chunks(joined.flatMap(listRuns))).map((it) => it.id))
  return given.flatMap((id) => (id.includes(',') ? splitUnknownPieces(id, known) : [id]))
}

/** Document names with more commas than this are not searched inside a list. */
const MAX_COMMAS = 15

function listRuns(id: string): readonly string[] {
  const pieces = id.split(',')
  return pieces.flatMap((_, from) =>
    pieces
      .slice(from, from + MAX_COMMAS + 1)
      .map((__, at) => joinPieces(pieces, from, from + at + 1)),
  )
}

function splitUnknownPieces(id: string, known: ReadonlySet<string>): readonly string[] {
  const pieces = id.split(',')
  const found: string[] = []
  for (let from = 0; from < pieces.length; ) {
    let to = Math.min(pieces.length, from + MAX_COMMAS + 1)
    while (to > from + 1 && !known.has(joinPieces(pieces, from, to))) to -= 1
    found.push(joinPieces(pieces, from, to))
    from = to
  }
  const named = found.filter((it) => it !== '')
  return named.length === 0 ? [id] : named
}

function joinPieces(pieces: readonly string[], from: number, to: number): string {
  return pieces.slice(from, to).join(',').trim()
}

/** Redacted before it is shortened: a part of a secret may not be recognized. */
function buildItem(stored: StoredChunk, request: GetRequest): FetchedItem {
  const shown = redactChunk(request, stored)
  const { text } = shown.chunk
  if (request.mode === 'raw') return { ...shown, text, isCut: false }
  if (request.mode === 'excerpt') return { ...shown, ...excerpt(text) }
  return { ...shown, text: skeleton(text), isCut: true }
}

interface FitResult {
  readonly text: string
  readonly tokens: number
  readonly kept: readonly FetchedItem[]
  readonly left: readonly FetchedItem[]
}

/**
 * If no chunk fits, returns as many lines of the first as fit. If not even one line fits, it is an
 * error.
 */
function fitItems(items: readonly FetchedItem[], budget: number, count: CountTokens): FitResult {
  const render = (kept: readonly FetchedItem[], left: readonly FetchedItem[]): string => {
    const blocks = kept.map(renderItem).join('\n')
    return left.length === 0
      ? blocks
      : `${blocks}${blocks === '' ? '' : '\n'}${renderLeftOut(left, count)}`
  }
  const whole = fill({ items, budget, count, render })
  const first = items[0]
  if (first === undefined || whole.kept.length > 0) return whole
  const lines = first.text.split('\n').length
  const cutAt = (most: number): FitResult => {
    const cut = { ...first, text: excerpt(first.text, most).text, isCut: true }
    const left = items.slice(1)
    const text = render([cut], left)
    return { text, tokens: count(text), kept: [cut], left }
  }
  const fitting = largest(lines, (most) => most === 0 || cutAt(most).tokens <= budget) ?? 0
  if (fitting > 0) return cutAt(fitting)
  const alone = items.map((it) =>
    count(
      render(
        [it],
        items.filter((other) => other !== it),
      ),
    ),
  )
  const smallest = Math.min(cutAt(1).tokens, ...alone)
  throw new EngineError(
    'POC_E_BUDGET_EXCEEDED',
    `a budget of ${budget} tokens is too small for any requested chunk`,
    { hint: `the smallest answer takes ${smallest}: raise --budget` },
  )
}

function renderItem(item: FetchedItem): string {
  return chunkBlock(item.chunk, item.text, item.isCut)
}

function renderLeftOut(left: readonly FetchedItem[], count: CountTokens): string {
  const named = left.map((it) => `${it.chunk.id} (${count(renderItem(it))} tokens)`)
  return `Not shown (over the budget): ${named.join(', ')}\n`
}

const MAX_SUGGESTIONS = 3

async function suggestIds(
  index: DocsIndex,
  ids: readonly string[],
  found: readonly StoredChunk[],
): Promise<GetResult['unknown']> {
  const known = new Set(found.map((it) => it.id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return []
  const all = (await index.index()).map((entry) => entry.id)
  return unknown.map((id) => ({ id, nearest: nearest(id, all, MAX_SUGGESTIONS) }))
}
