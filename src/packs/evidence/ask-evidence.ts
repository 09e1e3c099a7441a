/**
 * Answers questions about evidence without a language model: what covers a topic, what is missing,
 * what is redundant.
 */
import { containsRedaction } from '../../base/secrets.ts'
import { findLongestSharedLines, findOverlaps, type Overlap } from '../../base/shingles.ts'
import { parseEvidence } from '../../evidence/evidence-text.ts'
import { finishInterruptedChange } from '../../evidence/history.ts'
import { listParts } from '../../evidence/parts.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import {
  type EvidenceQuestion,
  type QuestionKind,
  questionIn,
} from '../../retrieve/evidence-question.ts'
import { type MatchingLine, matchesOf, matchingLines } from '../../retrieve/evidence-search.ts'
import { findSeeds } from '../../retrieve/seeds.ts'
import { understood } from '../../retrieve/understand.ts'
import { isHidden } from '../context/hidden-files.ts'
import { titleOf } from '../context/pack-item.ts'
import { withCodeIndex } from '../index/with-code-index.ts'
import { type AddResult, addEvidence } from './evidence-add.ts'
import { collectEvidenceLines, type EvidenceRange, findEvidenceRange } from './evidence-lines.ts'
import { type LoadedPart, loadPart } from './prompt.ts'

export interface AskRequest {
  readonly question: string
  /** If absent, it is derived from the question. */
  readonly kind?: QuestionKind | undefined
  /** Maximum number of results. */
  readonly limit: number
  /** How many of the missing chunks to add as evidence. */
  readonly add?: number | undefined
}

export type AskAnswer =
  | (EvidenceQuestion & {
      readonly kind: 'covers'
      readonly covers: readonly CoveringPart[]
      /** In how many of the quoted lines likely secrets are redacted. */
      readonly redacted: number
    })
  | (EvidenceQuestion & {
      readonly kind: 'missing'
      readonly missing: readonly MissingChunk[]
      readonly added?: AddResult
    })
  | (EvidenceQuestion & {
      readonly kind: 'redundant'
      readonly redundant: readonly RedundantPart[]
    })

export interface CoveringPart {
  readonly name: string
  readonly path: string
  readonly title: string
  readonly state: LoadedPart['state']
  readonly score: number
  /** Numbers of lines of the evidence file. */
  readonly lines: readonly MatchingLine[]
}

export interface MissingChunk {
  /** The argument for `evidence add`. */
  readonly selector: string
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  /** The name of the definition at these lines. */
  readonly name: string
  readonly score: number
  readonly reasons: readonly string[]
}

export interface RedundantPart {
  /** The smaller part, which the other one makes redundant. */
  readonly name: string
  readonly of: string
  /** Share of its text that the other part contains: 0 to 1. */
  readonly share: number
  /** The longest run of lines that both have, as line numbers of the evidence files. */
  readonly lines?: { readonly first: number; readonly second: number; readonly count: number }
}

export async function askEvidence(
  world: World,
  flow: Flow,
  request: AskRequest,
): Promise<AskAnswer> {
  await finishInterruptedChange(world, flow)
  const asked = questionIn(request.question)
  const kind = request.kind ?? asked.kind
  if (asked.topic === '' && kind !== 'redundant') {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the question is empty', {
      hint: 'ask, for example, "what covers error handling"',
    })
  }
  if (request.add !== undefined && kind !== 'missing') {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      'add works only with the question what is missing',
      {
        hint: 'write `dossier ask --missing "topic" --add 3`',
      },
    )
  }
  const parts = listParts(world.files, flow)
    .parts.filter((it) => it.role === 'evidence')
    .map((part) => loadPart(world, flow, part))
  switch (kind) {
    case 'covers': {
      const covers = findCoveringParts(parts, asked.topic, request.limit)
      return { kind, topic: asked.topic, covers, redacted: countRedactedLines(parts, covers) }
    }
    case 'redundant':
      return { kind, topic: asked.topic, redundant: findRedundantParts(parts, request.limit) }
    case 'missing': {
      const missing = await findMissingChunks(world, flow, {
        parts,
        topic: asked.topic,
        limit: request.limit,
      })
      if (request.add === undefined) return { kind, topic: asked.topic, missing }
      const selectors = missing.slice(0, request.add).map((it) => it.selector)
      const added =
        selectors.length === 0
          ? { added: [], updated: [], present: [], diagnostics: [] }
          : await addEvidence({ ...world, workingFolder: flow.root }, flow, {
              selectors,
              isLinked: false,
            })
      return { kind, topic: asked.topic, missing, added }
    }
  }
}

function findCoveringParts(
  parts: readonly LoadedPart[],
  topic: string,
  limit: number,
): readonly CoveringPart[] {
  return rankPartsByTopic(parts, topic)
    .slice(0, limit)
    .map(({ part, score }) => {
      const { name, path, title, state, linesBefore } = part
      const lines = matchingLines(topic, removeProvenanceComment(part)).map((it) => ({
        ...it,
        line: it.line + linesBefore,
      }))
      return { name, path, title, state, score: Math.round(score * 1000) / 1000, lines }
    })
}

function countRedactedLines(parts: readonly LoadedPart[], covers: readonly CoveringPart[]): number {
  const redacted = new Set(parts.filter((it) => it.redacted > 0).map((it) => it.path))
  return covers
    .filter((it) => redacted.has(it.path))
    .flatMap((it) => it.lines)
    .filter((it) => containsRedaction(it.text)).length
}

/** The parts that match the topic, best first. */
export function rankPartsByTopic(
  parts: readonly LoadedPart[],
  topic: string,
): readonly { readonly part: LoadedPart; readonly score: number }[] {
  const texts = parts.map((it) => ({
    id: it.path,
    title: `${it.title} ${it.kind}`,
    text: removeProvenanceComment(it),
  }))
  const byPath = new Map(parts.map((it) => [it.path, it]))
  return matchesOf(topic, texts).flatMap(({ id, score }) => {
    const part = byPath.get(id)
    return part === undefined ? [] : [{ part, score }]
  })
}

/** The comment repeats the title; its line stays, so that the others keep their numbers. */
function removeProvenanceComment({ text }: LoadedPart): string {
  return text.replace(/^<!-- source_uri=.*$/m, '')
}

const MIN_OVERLAP = 0.5

function findRedundantParts(parts: readonly LoadedPart[], limit: number): readonly RedundantPart[] {
  const shown = parts.filter((it) => it.state !== 'skipped')
  const bodies = shown.map(extractBody)
  const texts = bodies.map((it) => it.text)
  return [...findOverlaps(texts, MIN_OVERLAP), ...findContainedRanges(shown)]
    .filter(isFirstOfPair)
    .slice(0, limit)
    .flatMap(({ inner, outer, share }) => {
      const [one, other] = [bodies[inner], bodies[outer]]
      if (one === undefined || other === undefined) return []
      const lines = findLongestSharedLines(one.text, other.text)
      const place = lines && {
        first: lines.first + one.linesBefore,
        second: lines.second + other.linesBefore,
        count: lines.count,
      }
      return [
        {
          name: one.name,
          of: other.name,
          share: Math.round(share * 100) / 100,
          ...(place === undefined ? {} : { lines: place }),
        },
      ]
    })
}

/**
 * The text of a part without heading, comment and fence, and how many lines come before it in its
 * file.
 */
function extractBody({ name, state, text, linesBefore }: LoadedPart) {
  const { body, rest } = parseEvidence(text)
  const content = body ?? rest
  const above = text.slice(0, text.indexOf(content)).split('\n').length - 1
  return { name, text: content, linesBefore: state === 'linked' ? 0 : linesBefore + above }
}

/** Line ranges inside larger ranges of the same file: overlap by text misses short ones. */
function findContainedRanges(parts: readonly LoadedPart[]): readonly Overlap[] {
  const places = parts.map((part) => findEvidenceRange(part))
  return places.flatMap((own, inner) => {
    if (own === undefined) return []
    const outer = places.findIndex((it) => it !== undefined && isStrictlyInside(own, it))
    return outer < 0 ? [] : [{ inner, outer, share: 1 }]
  })
}

/** With another cid the file had another content, so its line numbers cannot be compared. */
function isStrictlyInside(inner: EvidenceRange, outer: EvidenceRange): boolean {
  return (
    inner.path === outer.path &&
    inner.cid === outer.cid &&
    outer.start <= inner.start &&
    inner.end <= outer.end &&
    (outer.start < inner.start || inner.end < outer.end)
  )
}

function isFirstOfPair(it: Overlap, at: number, all: readonly Overlap[]): boolean {
  return all.findIndex(({ inner, outer }) => inner === it.inner && outer === it.outer) === at
}

interface MissingSearch {
  readonly parts: readonly LoadedPart[]
  readonly topic: string
  readonly limit: number
}

/** Seeds to find per answer, because seeds that are already in evidence are dropped. */
const SEEDS_PER_ANSWER = 8

/** Chunks of the code index that match the topic and are not in evidence. */
function findMissingChunks(
  world: World,
  flow: Flow,
  { parts, topic, limit }: MissingSearch,
): Promise<readonly MissingChunk[]> {
  const covered = collectEvidenceLines(parts)
  const query = understood(topic)
  return withCodeIndex(world, { path: flow.root, isFresh: true }, async ({ index }) => {
    const seeds = await findSeeds(index, {
      query,
      mode: 'mixed',
      provider: 'hybrid',
      limit: (limit + parts.length) * SEEDS_PER_ANSWER,
    })
    return seeds
      .filter(({ chunk }) => !isHidden({ request: { query: topic }, focus: [] }, chunk.path))
      .filter(({ chunk }) => !covered.covers(chunk.path, chunk.startLine, chunk.endLine))
      .slice(0, limit)
      .map(({ chunk, score, reasons }) => ({
        selector: formatSelector(chunk.path, chunk.startLine, chunk.endLine),
        path: chunk.path,
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        name: chunk.name === '' ? titleOf(chunk) : chunk.name,
        score: Math.round(score * 1000) / 1000,
        reasons,
      }))
  })
}

/** Quotes the path if it contains characters with a meaning in selectors. */
function formatSelector(path: string, start: number, end: number): string {
  const name = /["#\\]|::/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path
  return `${name}::${start},${end}`
}
