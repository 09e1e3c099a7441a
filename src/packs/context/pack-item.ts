/** Candidates in the shape of the pack's JSON. */
import { secretsOf } from '../../budget/chunk-secrets.ts'
import type { Candidate, Seed, Showing, Step } from '../../model/candidate.ts'
import type { StoredChunk } from '../../model/code-index.ts'
import type { ContextItem, SeedEntry, Why } from '../../model/context-pack.ts'
import { rounded, seedCandidate } from '../../score/context-score.ts'

export interface ItemOptions {
  readonly languageOf: (path: string) => string
  readonly maxBytes: number
}

export function itemOf(
  candidate: Candidate,
  showing: Showing,
  { languageOf, maxBytes }: ItemOptions,
): ContextItem {
  const { text, level, parts, isTruncated, redacted } = showing
  return {
    ...headOf(candidate, languageOf),
    excerpt: {
      text,
      level,
      parts,
      truncated: isTruncated || level !== 'whole',
      ...(isTruncated ? { truncation: { maxBytes, reason: 'maxBytesPerItem' } } : {}),
      ...(redacted > 0 ? { redacted } : {}),
    },
    why: whyOf(candidate),
  }
}

export function seedEntry(seed: Seed, languageOf: ItemOptions['languageOf']): SeedEntry {
  const vector = Object.fromEntries(
    Object.entries(seed.vector).map(([name, value]) => [name, rounded(value)]),
  )
  return { ...headOf(seedCandidate(seed, 'seed'), languageOf), vector }
}

function headOf({ chunk, scores }: Candidate, languageOf: ItemOptions['languageOf']) {
  return {
    kind: chunk.symbol === '' ? ('chunk' as const) : ('symbol' as const),
    ...(chunk.symbol === '' ? {} : { symbolId: chunk.symbol }),
    chunkUid: chunk.uid,
    fileRelPath: chunk.path,
    range: { start: chunk.start, end: chunk.end },
    lines: { start: chunk.startLine, end: chunk.endLine },
    languageId: languageOf(chunk.path),
    title: titleOf(chunk),
    scores,
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

function whyOf({ rule, steps, reasons }: Candidate): Why {
  return {
    rule,
    path: steps.map(({ edge, evidence }) => ({
      edgeType: edge.kind,
      from: edge.from,
      to: edge.to,
      evidenceId: evidence.id,
    })),
    evidence: steps.map(evidenceRef),
    reasons,
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
