/** Computes the cost of each note in the requested format: whole, cut, or only its name. */
import { NOTES_FILL, type NotePricing, type PricedNode } from '../../budget/notes-fill.ts'
import { jsonLine, jsonNode } from '../../format/context-document-json.ts'
import {
  type MarkdownView,
  markdownLine,
  markdownNode,
} from '../../format/context-document-markdown.ts'
import { contentExcerpt } from '../../format/note-outline.ts'
import { shortened } from '../../format/note-text.ts'
import type { ContextFormat, ContextNode, OverflowSummary } from '../../model/context-document.ts'
import type { NoteCandidate } from '../../model/note-candidate.ts'
import type { CountTokens } from '../../model/tokens.ts'

export interface PriceParts {
  readonly format: ContextFormat
  readonly view: MarkdownView
  readonly count: CountTokens
  /** No note may cost more, so that none that is far longer need be counted. */
  readonly most: number
}

/** Counted once, however often it is asked. */
export function createNotePricing(parts: PriceParts): NotePricing {
  const { format, view, count, most } = parts
  const price = (node: ContextNode): number =>
    node.content.length > most * MAX_TOKEN_LENGTH
      ? Infinity
      : count(format === 'json' ? `${jsonNode(node)},\n` : markdownNode(node, view))
  const wholes = new Map<string, PricedNode>()
  const cuts = new Map<string, PricedNode | undefined>()
  const lines = new Map<string, number>()
  return {
    whole: ({ node }) => getOrCompute(wholes, node.id, () => ({ node, tokens: price(node) })),
    cut: (candidate, tokens) =>
      getOrCompute(cuts, `${tokens} ${candidate.node.id}`, () => cutTo(candidate, tokens, price)),
    line: (candidate) =>
      getOrCompute(lines, candidate.node.id, () => {
        const summary = createSummary(candidate)
        return count(format === 'json' ? `${jsonLine(summary)},\n` : markdownLine(summary))
      }),
  }
}

export function createSummary({ node }: NoteCandidate): OverflowSummary {
  const { id, name, tags, score } = node
  return { id, name, tags, score }
}

function getOrCompute<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined || known.has(key)) return found as T
  const made = make()
  known.set(key, made)
  return made
}

/** Characters of one token, seldom more. */
const MAX_TOKEN_LENGTH = 16
/** Characters of most tokens. */
const USUAL_TOKEN = 4
/** Guesses at the right length, and those of them that are made by what the one before cost. */
const TRIES = 12
const PROPORTIONAL_TRIES = 3
/** Of the tokens that there are: less is not worth another guess. */
const NEAR_ENOUGH = 0.01
/** Fewer characters of a text than this tell nothing. */
const MIN_CHARS = 40

/** The longest beginning that costs no more, with as much of the fields as leaves room for it. */
function cutTo(
  { node, content }: NoteCandidate,
  tokens: number,
  price: (node: ContextNode) => number,
): PricedNode | undefined {
  if (tokens < NOTES_FILL.leastPerNote) return undefined
  for (const limits of FIELD_LIMITS) {
    const short = shortenFields(node, limits)
    const cut =
      node.content.length <= MIN_CHARS
        ? pricedWithin(short, tokens, price)
        : cutContent({ node: short, content }, tokens, price)
    if (cut !== undefined) return cut
  }
  return undefined
}

function pricedWithin(
  node: ContextNode,
  tokens: number,
  price: (node: ContextNode) => number,
): PricedNode | undefined {
  const cost = price(node)
  return cost <= tokens ? { node, tokens: cost } : undefined
}

function cutContent(
  { node, content }: Pick<NoteCandidate, 'node' | 'content'>,
  tokens: number,
  price: (node: ContextNode) => number,
): PricedNode | undefined {
  let best: PricedNode | undefined
  let low = MIN_CHARS
  let high = Math.min(node.content.length - 1, tokens * MAX_TOKEN_LENGTH)
  let chars = tokens * USUAL_TOKEN
  for (let attempt = 0; attempt < TRIES && low <= high; attempt += 1) {
    chars = Math.max(low, Math.min(high, chars))
    const made = { ...node, content: contentExcerpt(content, chars) }
    const cost = price(made)
    const isWithin = cost <= tokens
    if (isWithin && (best === undefined || cost > best.tokens)) best = { node: made, tokens: cost }
    if (isWithin) low = chars + 1
    else high = chars - 1
    // In proportion first: it is near at once, and counting a text takes as long as it is.
    chars =
      attempt < PROPORTIONAL_TRIES
        ? Math.floor((chars * tokens) / Math.max(1, cost))
        : Math.floor((low + high) / 2)
    if (isWithin && tokens - cost <= tokens * NEAR_ENOUGH) break
  }
  return best !== undefined && best.tokens >= NOTES_FILL.leastPerNote ? best : undefined
}

interface FieldLimits {
  readonly chars: number
  readonly values: number
  readonly fields: number
}

/** The second where the first leaves no room for anything else. */
const FIELD_LIMITS: readonly FieldLimits[] = [
  { chars: 120, values: 6, fields: 12 },
  { chars: 40, values: 2, fields: 4 },
]

/** Those of the lens are the first. */
function shortenFields(node: ContextNode, limits: FieldLimits): ContextNode {
  const all = Object.entries(node.fields ?? {})
  if (all.length === 0) return node
  const fields = all.slice(0, limits.fields).map(([name, value]) => {
    if (typeof value === 'string') return [name, shortened(value, limits.chars)]
    const kept = value.slice(0, limits.values).map((it) => shortened(it, limits.chars))
    const rest = value.length - kept.length
    return [name, rest === 0 ? kept : [...kept, `… (${rest} more)`]]
  })
  const rest = all.length - fields.length
  const more = rest === 0 ? [] : [['…', `(${rest} more fields)`]]
  return { ...node, fields: Object.fromEntries([...fields, ...more]) }
}
