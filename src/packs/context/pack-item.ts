/** Candidates in the shape of the pack's JSON. */
import { secretsOf } from '../../budget/chunk-secrets.ts'
import { briefShowing } from '../../budget/showings.ts'
import type { Candidate, Seed, Showing, Step } from '../../model/candidate.ts'
import type { StoredChunk } from '../../model/code-index.ts'
import type {
  ContextItem,
  Excerpt,
  SectionType,
  SeedEntry,
  TruncationReason,
  Why,
} from '../../model/context-pack.ts'
import { linkReasons } from '../../retrieve/reasons.ts'
import { rounded, seedCandidate } from '../../score/context-score.ts'
import { isBareImport } from '../../score/import-lines.ts'

/** A candidate at the level of detail that was chosen, in its section. */
export interface Shown {
  readonly candidate: Candidate
  readonly section: SectionType
  readonly item: ContextItem
}

export interface ItemOptions {
  readonly languageOf: (path: string) => string
  readonly maxBytes: number
}

export function itemOf(
  candidate: Candidate,
  showing: Showing,
  { languageOf, maxBytes }: ItemOptions,
): ContextItem {
  const reason = showing.isTruncated
    ? 'maxBytesPerItem'
    : isBareImport(candidate)
      ? 'importLines'
      : 'maxTotalTokens'
  return itemWith(candidate, excerptOf(showing, { maxBytes, reason }), languageOf)
}

/** Where the whole would have had the tokens that it takes, it was the characters that it lacked. */
export function cutForChars(item: ContextItem): ContextItem {
  const { excerpt } = item
  if (excerpt.truncation?.reason !== 'maxTotalTokens') return item
  const truncation = { ...excerpt.truncation, reason: 'maxTotalChars' as const }
  return { ...item, excerpt: { ...excerpt, truncation } }
}

/** So much of a seed's text stands in the list of seeds. */
const SEED_BYTES = 500

export function seedEntry(seed: Seed, { languageOf, maxBytes }: ItemOptions): SeedEntry {
  const vector = Object.fromEntries(
    Object.entries(seed.vector).map(([name, value]) => [name, rounded(value)]),
  )
  const most = Math.min(maxBytes, SEED_BYTES)
  const excerpt = excerptOf(briefShowing(seed.chunk, most), { maxBytes: most, reason: 'seedList' })
  return { ...itemWith(seedCandidate(seed, 'seed'), excerpt, languageOf), vector }
}

function excerptOf(
  { text, level, parts, isTruncated, redacted }: Showing,
  truncation: { readonly maxBytes: number; readonly reason: TruncationReason },
): Excerpt {
  const truncated = isTruncated || level !== 'whole'
  return {
    text,
    level,
    parts,
    truncated,
    ...(truncated ? { truncation } : {}),
    ...(redacted > 0 ? { redacted } : {}),
  }
}

function itemWith(
  candidate: Candidate,
  excerpt: Excerpt,
  languageOf: ItemOptions['languageOf'],
): ContextItem {
  const { chunk, scores } = candidate
  return {
    kind: chunk.symbol === '' ? ('chunk' as const) : ('symbol' as const),
    ...(chunk.symbol === '' ? {} : { symbolId: chunk.symbol }),
    chunkUid: chunk.uid,
    fileRelPath: chunk.path,
    range: { start: chunk.start, end: chunk.end },
    lines: { start: chunk.startLine, end: chunk.endLine },
    languageId: languageOf(chunk.path),
    title: titleOf(chunk),
    excerpt,
    scores,
    why: whyOf(candidate),
    ...(candidate.changes === undefined ? {} : { changes: candidate.changes }),
  }
}

const titles = new WeakMap<StoredChunk, string>()
/** So much of a secret tells it apart from other words. */
const TELLING = 8

/** A title is often a line of the text, and may be cut: no beginning of a secret stands in it. */
export function titleOf(chunk: StoredChunk): string {
  const known = titles.get(chunk)
  if (known !== undefined) return known
  let { title } = chunk
  for (const { start, end } of secretsOf(chunk)) {
    const secret = chunk.text.slice(start, end)
    const at = title.indexOf(secret.slice(0, TELLING))
    if (at < 0) continue
    let past = at
    while (past < title.length && title[past] === secret[past - at]) past += 1
    title = `${title.slice(0, at)}[redacted]${title.slice(past)}`
  }
  titles.set(chunk, title)
  return title
}

function whyOf({ rule, steps, reasons, seedTerms, changes }: Candidate): Why {
  const isExplained = steps.length > 0 || reasons.length > 0
  return {
    rule: changes === undefined ? rule : 'changed',
    path: steps.map(({ edge, evidence }) => ({
      edgeType: edge.kind,
      from: edge.from,
      to: edge.to,
      evidenceId: evidence.id,
    })),
    evidence: steps.map(evidenceRef),
    // What holds no word of the question and is no neighbour was found because of its links.
    reasons: isExplained ? reasons : linkReasons(seedTerms),
  }
}

function evidenceRef({ edge, evidence }: Step): Why['evidence'][number] {
  return {
    kind: evidence.kind,
    evidenceId: evidence.id,
    confidence: rounded(edge.confidence),
    fileRelPath: evidence.path,
    line: evidence.startLine,
  }
}
