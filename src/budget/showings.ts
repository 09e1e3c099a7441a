/**
 * The ways to show a chunk, from most to least: all of it, all but most of a long comment, the
 * lines that match, its head, its title alone. Likely secrets are blanked out in all of them; apart from that, what is shown is the
 * chunk's own text, character by character. Knows nothing of how a pack looks.
 */
import { replaceSecrets, type SecretRange } from '../base/secrets.ts'
import type { Showing } from '../model/candidate.ts'
import type { StoredChunk } from '../model/code-index.ts'
import type { DetailLevel } from '../model/context-pack.ts'
import { chunkHead } from './chunk-head.ts'
import {
  type ChunkLines,
  chunkLines,
  GAP,
  type Stretch,
  shownStretches,
  utf8Length,
  withinBytes,
} from './chunk-lines.ts'
import { secretsOf } from './chunk-secrets.ts'
import { excerptStretches, joined, matchingLines } from './excerpt-lines.ts'

export interface ShowingOptions {
  /** How well a line answers the query; 0 for not at all. */
  matches(line: string): number
  /** Of the text in UTF-8, at every level. */
  readonly maxBytes: number
}

/** A shorter chunk is shown whole or by its head. */
const LEAST_LINES = 26
/** Of the chunk's lines, for the larger excerpt. */
const EXCERPT_SHARE = 0.4
const LINES_PER_WINDOW = 7

/** Each is smaller than the one before it; the last is the title. */
export function showingsOf(chunk: StoredChunk, options: ShowingOptions): readonly Showing[] {
  const lines = chunkLines(chunk)
  const whole = wholeOf(lines, options.maxBytes)
  const head = chunkHead(lines)
  const bytes = Math.min(options.maxBytes, utf8Length(whole.text) - 1)
  const signatures = head?.signatures ?? []
  const doc = head?.doc === undefined ? [] : [head.doc]
  const showings = [
    whole,
    ...withoutLongComment(lines, options, head),
    ...excerptsOf(lines, { ...options, maxBytes: bytes }, signatures),
  ]
  if (head?.saysMore === true) {
    // Without its comment, should there be no room for that.
    for (const heads of [[...doc, ...signatures], signatures]) {
      showings.push(shown(lines, 'signature', joined(lines, heads)))
    }
  }
  const secrets = secretsOf(chunk)
  const kept: Showing[] = []
  for (const showing of showings.map((it) => blanked(it, chunk, secrets))) {
    const size = utf8Length(showing.text)
    const limit = Math.min(options.maxBytes, sizeOf(kept.at(-1)) - 1)
    const isKnown = showing.level === 'signature' && kept.at(-1)?.level === 'signature'
    if (size > 0 && size <= limit && !isKnown) kept.push(showing)
  }
  return [...kept, TITLE]
}

/** Lines around one that refers to something: enough to see what is done with it. */
const AROUND_SITE = 1

/** The lines that refer to something, and its title: where all of them are to be found, bodies are in the way. */
export function siteShowings(
  chunk: StoredChunk,
  sites: readonly number[],
  maxBytes: number,
): readonly Showing[] {
  const lines = chunkLines(chunk)
  const stretches = joined(
    lines,
    sites.map((site) => {
      const line = site - chunk.startLine + 1
      return {
        first: Math.max(1, line - AROUND_SITE),
        last: Math.min(lines.count, line + AROUND_SITE),
      }
    }),
  )
  if (stretches.length === 0) return [TITLE]
  const showing = blanked(shown(lines, 'excerpt', stretches), chunk, secretsOf(chunk))
  return utf8Length(showing.text) > maxBytes ? [TITLE] : [showing, TITLE]
}

/** The first of these that fits: all of it, its head, its first lines, its title. */
export function briefShowing(chunk: StoredChunk, maxBytes: number): Showing {
  const lines = chunkLines(chunk)
  const whole = wholeOf(lines, maxBytes)
  const { doc, signatures = [] } = chunkHead(lines) ?? {}
  const heads = [[...(doc === undefined ? [] : [doc]), ...signatures], signatures]
    .filter((it) => it.length > 0)
    .map((it) => shown(lines, 'signature', joined(lines, it)))
  const secrets = secretsOf(chunk)
  const showings = (whole.isTruncated ? [...heads, whole] : [whole, ...heads]).map((it) =>
    blanked(it, chunk, secrets),
  )
  const fits = ({ text }: Showing): boolean => text !== '' && utf8Length(text) <= maxBytes
  return showings.find(fits) ?? TITLE
}

export const TITLE: Showing = {
  level: 'title',
  text: '',
  parts: [],
  isTruncated: false,
  redacted: 0,
}

function sizeOf(showing: Showing | undefined): number {
  return showing === undefined ? Number.POSITIVE_INFINITY : utf8Length(showing.text)
}

function shown(lines: ChunkLines, level: DetailLevel, stretches: readonly Stretch[]): Showing {
  return { level, ...shownStretches(lines, stretches), isTruncated: false, redacted: 0 }
}

/** As many whole lines as fit; of a first line that is too long, as many characters. */
function wholeOf(lines: ChunkLines, maxBytes: number): Showing {
  const { chunk, count } = lines
  if (count === 0) return TITLE
  let last = count
  while (last > 0 && lines.bytes(1, last) > maxBytes) last -= 1
  const isTruncated = last < count
  while (last > 1 && lines.isBlank(last)) last -= 1
  if (last > 0) return { ...shown(lines, 'whole', [{ first: 1, last }]), isTruncated }
  const text = withinBytes(lines.line(1), maxBytes)
  const range = { start: chunk.start, end: chunk.start + text.length }
  const parts = [{ range, lines: { start: chunk.startLine, end: chunk.startLine } }]
  return { level: 'whole', text, parts, isTruncated: true, redacted: 0 }
}

/** Fewer lines of a comment are not worth the sign that they are missing. */
const LEAST_COMMENT = 8
/** Lines of a long comment that match the question, beside its first paragraph. */
const MOST_COMMENT_LINES = 3

/** All of the code; of the comment that documents it, its first paragraph and what matches best. */
function withoutLongComment(
  lines: ChunkLines,
  { matches }: ShowingOptions,
  head: ReturnType<typeof chunkHead>,
): readonly Showing[] {
  const { doc, comment } = head ?? {}
  if (doc === undefined || comment === undefined) return []
  const hidden = comment.last - doc.last - 1
  if (hidden < LEAST_COMMENT) return []
  const best = matchingLines(lines, matches)
    .filter((line) => doc.last < line && line < comment.last)
    .slice(0, MOST_COMMENT_LINES)
  const stretches = joined(lines, [
    { first: 1, last: doc.last },
    ...best.map((line) => ({ first: line, last: line })),
    { first: comment.last, last: lines.count },
  ])
  const code = lines.count - hidden
  const worth = code / (code + hidden * COMMENT_WORTH)
  return [{ ...shown(lines, 'excerpt', stretches), worth }]
}

/**
 * Of a line of code. In no task of the open set were lines of such a comment all that changed in
 * its chunk.
 */
const COMMENT_WORTH = 0.003

/** One with room for several windows and one with the best alone. */
function excerptsOf(
  lines: ChunkLines,
  options: ShowingOptions,
  head: readonly Stretch[],
): readonly Showing[] {
  if (lines.count < LEAST_LINES) return []
  const best = matchingLines(lines, options.matches)
  const limits = [
    { lines: Math.floor(lines.count * EXCERPT_SHARE), windows: Number.POSITIVE_INFINITY },
    { lines: LINES_PER_WINDOW + 2, windows: 1 },
  ]
  return limits.flatMap((limit) => {
    const choice = { head, best }
    const stretches = excerptStretches(lines, choice, { ...limit, bytes: options.maxBytes })
    return stretches.length === 0 ? [] : [shown(lines, 'excerpt', stretches)]
  })
}

/** Secrets are looked for in the whole chunk: a part alone may not show what it is part of. */
function blanked(showing: Showing, chunk: StoredChunk, secrets: readonly SecretRange[]): Showing {
  if (secrets.length === 0) return showing
  let count = 0
  const texts = showing.parts.map(({ range }) => {
    const start = range.start - chunk.start
    const end = range.end - chunk.start
    const inside = secrets.filter((it) => it.start < end && it.end > start)
    count += inside.length
    const clipped = inside.map((it) => ({
      start: Math.max(it.start, start) - start,
      end: Math.min(it.end, end) - start,
    }))
    return replaceSecrets(chunk.text.slice(start, end), clipped)
  })
  return { ...showing, text: texts.join(`\n${GAP}\n`), redacted: count }
}

/** These lines of a chunk, numbered from 1; undefined where they are none, or too many bytes. */
export function lineShowing(
  chunk: StoredChunk,
  stretches: readonly Stretch[],
  maxBytes: number,
): Showing | undefined {
  const lines = chunkLines(chunk)
  const parts = joined(lines, stretches)
  if (parts.length === 0) return undefined
  const showing = blanked(shown(lines, 'excerpt', parts), chunk, secretsOf(chunk))
  return utf8Length(showing.text) > maxBytes ? undefined : showing
}
