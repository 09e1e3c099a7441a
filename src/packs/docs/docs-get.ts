/** Chunks of a docs pack by id, as much of them as a budget of real tokens allows. */
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
import { shownChunk } from './shown-chunk.ts'

export type DetailMode = 'raw' | 'excerpt' | 'skeleton'

export interface GetRequest extends Viewer {
  readonly ids: readonly string[]
  readonly mode: DetailMode
  /** Real tokens of the whole answer. */
  readonly budget: number
}

export interface GetAnswer {
  /** Never over the budget. */
  readonly text: string
  readonly tokens: number
  readonly items: readonly GotItem[]
  readonly leftOut: readonly { readonly id: string; readonly tokens: number }[]
  readonly unknown: readonly { readonly id: string; readonly nearest: readonly string[] }[]
}

export interface GotItem {
  readonly chunk: StoredChunk
  readonly text: string
  readonly isCut: boolean
  /** How many likely secrets are redacted in it. */
  readonly redacted: number
}

export async function getDocs(
  index: DocsIndex,
  request: GetRequest,
  count: CountTokens,
): Promise<GetAnswer> {
  const ids = [...new Set(await separateIds(index, request.ids))]
  const chunks = await index.chunks(ids)
  const items = chunks.map((chunk) => itemFor(chunk, request))
  const filling = fit(items, request.budget, count)
  return {
    text: filling.text,
    tokens: filling.tokens,
    items: filling.kept,
    leftOut: filling.left.map((it) => ({ id: it.chunk.id, tokens: count(blockOf(it)) })),
    unknown: await unknownIds(index, ids, chunks),
  }
}

/**
 * `unknown,known` may be two ids or one, for a document's name may hold commas: known ids are taken
 * out of it, the longest first, and each piece between commas that is left is an id of its own.
 */
async function separateIds(index: DocsIndex, given: readonly string[]): Promise<readonly string[]> {
  const joined = given.filter((id) => id.includes(','))
  if (joined.length === 0) return given
  const known = new Set((await index.chunks(joined.flatMap(runsOf))).map((it) => it.id))
  return given.flatMap((id) => (id.includes(',') ? piecesOf(id, known) : [id]))
}

/** A document's name with more commas than this is not looked for inside of a list. */
const MOST_COMMAS = 15

function runsOf(id: string): readonly string[] {
  const pieces = id.split(',')
  return pieces.flatMap((_, from) =>
    pieces
      .slice(from, from + MOST_COMMAS + 1)
      .map((__, at) => trimmedRun(pieces, from, from + at + 1)),
  )
}

function piecesOf(id: string, known: ReadonlySet<string>): readonly string[] {
  const pieces = id.split(',')
  const found: string[] = []
  for (let from = 0; from < pieces.length; ) {
    let to = Math.min(pieces.length, from + MOST_COMMAS + 1)
    while (to > from + 1 && !known.has(trimmedRun(pieces, from, to))) to -= 1
    found.push(trimmedRun(pieces, from, to))
    from = to
  }
  const named = found.filter((it) => it !== '')
  return named.length === 0 ? [id] : named
}

function trimmedRun(pieces: readonly string[], from: number, to: number): string {
  return pieces.slice(from, to).join(',').trim()
}

/** Redacted before it is shortened: a part of a secret may not look like one. */
function itemFor(stored: StoredChunk, request: GetRequest): GotItem {
  const shown = shownChunk(request, stored)
  const { text } = shown.chunk
  if (request.mode === 'raw') return { ...shown, text, isCut: false }
  if (request.mode === 'excerpt') return { ...shown, ...excerpt(text) }
  return { ...shown, text: skeleton(text), isCut: true }
}

interface Fit {
  readonly text: string
  readonly tokens: number
  readonly kept: readonly GotItem[]
  readonly left: readonly GotItem[]
}

/**
 * When no chunk fits, as many lines of the first as do are better than nothing. Not even one line
 * is an error: a list of what was left out is no answer.
 */
function fit(items: readonly GotItem[], budget: number, count: CountTokens): Fit {
  const render = (kept: readonly GotItem[], left: readonly GotItem[]): string => {
    const blocks = kept.map(blockOf).join('\n')
    return left.length === 0
      ? blocks
      : `${blocks}${blocks === '' ? '' : '\n'}${leftOutNote(left, count)}`
  }
  const whole = fill({ items, budget, count, render })
  const first = items[0]
  if (first === undefined || whole.kept.length > 0) return whole
  const lines = first.text.split('\n').length
  const cutAt = (most: number): Fit => {
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

function blockOf(item: GotItem): string {
  return chunkBlock(item.chunk, item.text, item.isCut)
}

function leftOutNote(left: readonly GotItem[], count: CountTokens): string {
  const named = left.map((it) => `${it.chunk.id} (${count(blockOf(it))} tokens)`)
  return `Left out, over the budget: ${named.join(', ')}\n`
}

const NEAREST = 3

async function unknownIds(
  index: DocsIndex,
  ids: readonly string[],
  found: readonly StoredChunk[],
): Promise<GetAnswer['unknown']> {
  const known = new Set(found.map((it) => it.id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return []
  const all = (await index.index()).map((entry) => entry.id)
  return unknown.map((id) => ({ id, nearest: nearest(id, all, NEAREST) }))
}
