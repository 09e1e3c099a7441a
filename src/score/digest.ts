/** Which sections of a document stand for it in the digest: by title and level, not by place. */
import { ascending, descending, inOrder } from '../base/order.ts'
import { codePointLength } from '../base/text.ts'

export const DIGEST_WEIGHTS = {
  relevantTitle: 3,
  highLevel: 2,
  emptyOpening: -2,
} as const

/** Whole words only: `api` is not in "Therapist". */
const RELEVANT = wholeWord([
  'core',
  'rules',
  'workflow',
  'commands',
  'usage',
  'setup',
  'api',
  'architecture',
  'critical',
  'mandatory',
  'protocol',
])
const OPENING = wholeWord(['overview', 'intro', 'introduction'])
const SHORT_OPENING = 300
const MOST_CHUNKS = 2
const MOST_CHARS = 1200

export function scoreChunk(title: string, level: number, text: string): number {
  let score = 0
  if (RELEVANT.test(title)) score += DIGEST_WEIGHTS.relevantTitle
  if (level <= 2) score += DIGEST_WEIGHTS.highLevel
  if (OPENING.test(title) && codePointLength(text) < SHORT_OPENING) {
    score += DIGEST_WEIGHTS.emptyOpening
  }
  return score
}

function wholeWord(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

interface Candidate {
  readonly id: string
  readonly title_path: readonly string[]
  readonly heading_level: number
  readonly char_count: number
  readonly text: string
}

export interface DigestChoice {
  readonly summary: string
  readonly source_chunk_ids: readonly string[]
}

/**
 * The best two of a document's chunks that fit in 1200 characters together. One that does not fit
 * is passed over, not a stop. Where none fits, the summary still names the best, but cites none.
 */
export function chooseDigest(chunks: readonly Candidate[]): DigestChoice {
  const ranked = chunks
    .map((chunk, place) => ({ chunk, place, score: scoreOf(chunk) }))
    .toSorted(
      inOrder(
        descending((it) => it.score),
        ascending((it) => it.place),
      ),
    )
    .map((it) => it.chunk)
  const chosen: Candidate[] = []
  let chars = 0
  for (const chunk of ranked) {
    if (chosen.length === MOST_CHUNKS) break
    if (chars + chunk.char_count > MOST_CHARS) continue
    chosen.push(chunk)
    chars += chunk.char_count
  }
  const named = chosen.length > 0 ? chosen : ranked.slice(0, 1)
  return {
    summary: named.map(titleOf).join(' | ') || 'No content',
    source_chunk_ids: chosen.map((chunk) => chunk.id),
  }
}

function scoreOf(chunk: Candidate): number {
  return scoreChunk(chunk.title_path.at(-1) ?? UNTITLED, chunk.heading_level, chunk.text)
}

const UNTITLED = 'Introduction'

function titleOf(chunk: Candidate): string {
  return chunk.title_path.length === 0 ? UNTITLED : chunk.title_path.join(' → ')
}
