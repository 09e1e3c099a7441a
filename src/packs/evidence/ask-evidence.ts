/** Questions about evidence, answered without a language model: what covers, what is missing, what repeats. */
import { holdsFiller } from '../../base/secrets.ts'
import { longestShared, type Overlap, overlapsIn } from '../../base/shingles.ts'
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
import { type AddOutcome, addEvidence } from './evidence-add.ts'
import { type EvidencePlace, evidenceLines, evidencePlace } from './evidence-lines.ts'
import { type LoadedPart, loadPart } from './prompt.ts'

export interface AskWish {
  readonly question: string
  /** If absent, the question says it. */
  readonly kind?: QuestionKind | undefined
  /** How many to name. */
  readonly limit: number
  /** Of what is missing, how many to add at once. */
  readonly add?: number | undefined
}

export type AskAnswer =
  | (EvidenceQuestion & {
      readonly kind: 'covers'
      readonly covers: readonly Covering[]
      /** In how many of the quoted lines likely secrets are redacted. */
      readonly redacted: number
    })
  | (EvidenceQuestion & {
      readonly kind: 'missing'
      readonly missing: readonly Missing[]
      readonly added?: AddOutcome
    })
  | (EvidenceQuestion & { readonly kind: 'redundant'; readonly redundant: readonly Redundancy[] })

export interface Covering {
  readonly name: string
  readonly path: string
  readonly title: string
  readonly state: LoadedPart['state']
  readonly score: number
  /** Numbers of lines of the evidence file. */
  readonly lines: readonly MatchingLine[]
}

export interface Missing {
  /** To be given to `evidence add`. */
  readonly selector: string
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  /** What is defined there. */
  readonly name: string
  readonly score: number
  readonly reasons: readonly string[]
}

export interface Redundancy {
  /** The smaller one, which the other one makes superfluous. */
  readonly name: string
  readonly of: string
  /** How much of it the other one has: 0 to 1. */
  readonly share: number
  /** The longest run of lines that both have, as lines of the evidence files. */
  readonly lines?: { readonly first: number; readonly second: number; readonly count: number }
}

export async function askEvidence(world: World, flow: Flow, wish: AskWish): Promise<AskAnswer> {
  await finishInterruptedChange(world, flow)
  const asked = questionIn(wish.question)
  const kind = wish.kind ?? asked.kind
  if (asked.topic === '' && kind !== 'redundant') {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the question is empty', {
      hint: 'ask for example "what covers error handling"',
    })
  }
  if (wish.add !== undefined && kind !== 'missing') {
    throw new EngineError('POC_E_REQUEST_INVALID', 'only what is missing can be added', {
      hint: 'write `dossier ask --missing "topic" --add 3`',
    })
  }
  const parts = listParts(world.files, flow)
    .parts.filter((it) => it.role === 'evidence')
    .map((part) => loadPart(world, flow, part))
  switch (kind) {
    case 'covers': {
      const covers = coveringOf(parts, asked.topic, wish.limit)
      return { kind, topic: asked.topic, covers, redacted: redactedLines(parts, covers) }
    }
    case 'redundant':
      return { kind, topic: asked.topic, redundant: redundantOf(parts, wish.limit) }
    case 'missing': {
      const missing = await missingFor(world, flow, {
        parts,
        topic: asked.topic,
        limit: wish.limit,
      })
      if (wish.add === undefined) return { kind, topic: asked.topic, missing }
      const selectors = missing.slice(0, wish.add).map((it) => it.selector)
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

function coveringOf(
  parts: readonly LoadedPart[],
  topic: string,
  limit: number,
): readonly Covering[] {
  return partsAbout(parts, topic)
    .slice(0, limit)
    .map(({ part, score }) => {
      const { name, path, title, state, linesBefore } = part
      const lines = matchingLines(topic, searched(part)).map((it) => ({
        ...it,
        line: it.line + linesBefore,
      }))
      return { name, path, title, state, score: Math.round(score * 1000) / 1000, lines }
    })
}

function redactedLines(parts: readonly LoadedPart[], covers: readonly Covering[]): number {
  const redacted = new Set(parts.filter((it) => it.redacted > 0).map((it) => it.path))
  return covers
    .filter((it) => redacted.has(it.path))
    .flatMap((it) => it.lines)
    .filter((it) => holdsFiller(it.text)).length
}

/** The parts that speak of something, the best first. */
export function partsAbout(
  parts: readonly LoadedPart[],
  topic: string,
): readonly { readonly part: LoadedPart; readonly score: number }[] {
  const texts = parts.map((it) => ({
    id: it.path,
    title: `${it.title} ${it.kind}`,
    text: searched(it),
  }))
  const byPath = new Map(parts.map((it) => [it.path, it]))
  return matchesOf(topic, texts).flatMap(({ id, score }) => {
    const part = byPath.get(id)
    return part === undefined ? [] : [{ part, score }]
  })
}

/** The comment repeats the title; its line stays, so that the others keep their numbers. */
function searched({ text }: LoadedPart): string {
  return text.replace(/^<!-- source_uri=.*$/m, '')
}

const LEAST_OVERLAP = 0.5

function redundantOf(parts: readonly LoadedPart[], limit: number): readonly Redundancy[] {
  const shown = parts.filter((it) => it.state !== 'skipped')
  const bodies = shown.map(bodyOf)
  const texts = bodies.map((it) => it.text)
  return [...overlapsIn(texts, LEAST_OVERLAP), ...linesInside(shown)]
    .filter(isFirstOfPair)
    .slice(0, limit)
    .flatMap(({ inner, outer, share }) => {
      const [one, other] = [bodies[inner], bodies[outer]]
      if (one === undefined || other === undefined) return []
      const lines = longestShared(one.text, other.text)
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

/** What a part says, without heading, comment and fence, and the lines of its file before that. */
function bodyOf({ name, state, text, linesBefore }: LoadedPart) {
  const { body, rest } = parseEvidence(text)
  const content = body ?? rest
  const above = text.slice(0, text.indexOf(content)).split('\n').length - 1
  return { name, text: content, linesBefore: state === 'linked' ? 0 : linesBefore + above }
}

/** Lines of a file that are inside more lines of it, few as they may be. */
function linesInside(parts: readonly LoadedPart[]): readonly Overlap[] {
  const places = parts.map((part) => evidencePlace(part))
  return places.flatMap((own, inner) => {
    if (own === undefined) return []
    const outer = places.findIndex((it) => it !== undefined && isInside(own, it))
    return outer < 0 ? [] : [{ inner, outer, share: 1 }]
  })
}

/** The cid is that of the file: another one means other lines under the same numbers. */
function isInside(inner: EvidencePlace, outer: EvidencePlace): boolean {
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

interface MissingWish {
  readonly parts: readonly LoadedPart[]
  readonly topic: string
  readonly limit: number
}

/** Looked at before those that are in evidence are taken out. */
const SEEDS_PER_ANSWER = 8

/** What the code index has about the topic and the evidence has not. */
function missingFor(
  world: World,
  flow: Flow,
  { parts, topic, limit }: MissingWish,
): Promise<readonly Missing[]> {
  const covered = evidenceLines(parts)
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
      .filter(({ chunk }) => !covered.has(chunk.path, chunk.startLine, chunk.endLine))
      .slice(0, limit)
      .map(({ chunk, score, reasons }) => ({
        selector: selectorFor(chunk.path, chunk.startLine, chunk.endLine),
        path: chunk.path,
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        name: chunk.name === '' ? titleOf(chunk) : chunk.name,
        score: Math.round(score * 1000) / 1000,
        reasons,
      }))
  })
}

/** In quotes of its own where the path has signs that mean something. */
function selectorFor(path: string, start: number, end: number): string {
  const name = /["#\\]|::/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path
  return `${name}::${start},${end}`
}
