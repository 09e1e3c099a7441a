/**
 * From a question to a context pack, in the order of the steps: understand, find seeds, walk the
 * graph, score, choose what fits, say what it is. Same index and same request, same pack.
 */
import { lineAt } from '../../base/text.ts'
import type { Candidate, Relation, Seed } from '../../model/candidate.ts'
import type { CodeIndexReader, StoredChunk } from '../../model/code-index.ts'
import type { ContextPack } from '../../model/context-pack.ts'
import type { EdgeKind } from '../../model/index-record.ts'
import type { Focus, PackRequest } from '../../model/pack-request.ts'
import type { World } from '../../platform/world.ts'
import { catalogueOf } from '../../retrieve/catalogue.ts'
import type { FileRoles } from '../../retrieve/file-roles.ts'
import { findSeeds } from '../../retrieve/seeds.ts'
import { type Understood, understood } from '../../retrieve/understand.ts'
import { likelihoods } from '../../score/calibration.ts'
import { confidenceIn } from '../../score/confidence.ts'
import { candidateOrder, neighbourCandidate, seedCandidate } from '../../score/context-score.ts'
import { isBareImport } from '../../score/import-lines.ts'
import { relateSeeds } from '../../score/relate-seeds.ts'
import { findRelations } from '../../traverse/relations.ts'
import { collectSameFileChunks } from '../../traverse/same-file.ts'
import { WALK_CAPS, type Walk, walk } from '../../traverse/walk.ts'
import { StopWatch } from '../stop-watch.ts'
import { focusChunks } from './focus-chunks.ts'
import { isHidden } from './hidden-files.ts'
import { dropListed, findImpact, fitImpact } from './impact-list.ts'
import { INTENT_PLANS, type IntentPlan, seedSection } from './intents.ts'
import { assemblePack } from './pack-assembly.ts'
import { resolvedBudgets } from './pack-request.ts'
import type { Question } from './query-vector.ts'

/** How many of the best lead on to others. */
const MOST_STARTS = 10
/** Seeds that are looked at closely: more than can be shown, but not many more. */
const LEAST_SEEDS = 80
const MOST_SEEDS = 300
const TOKENS_PER_SEED = 80
/** More neighbours than items would be read for nothing; some of them are seeds or duplicates. */
const SPARE_NEIGHBOURS = 40
/** Fewer neighbours than this is a graph that knows little, and the same file may help. */
const FEW_NEIGHBOURS = 5

export async function createContextPack(
  world: World,
  index: CodeIndexReader,
  request: PackRequest,
): Promise<ContextPack> {
  const watch = new StopWatch(world.clock)
  const tokens = begun(world.tokens())
  const limits = resolvedBudgets(request)
  const query = understood(request.query)
  const focus = await focusChunks(index, request.focus)
  const question = { text: request.query, understood: query }
  const vector = request.seedProvider === 'ann' ? await vectorOf(world, index, question) : undefined
  const seeds = await watch.time('seeds', () =>
    findSeeds(index, {
      query,
      ...(vector === undefined ? {} : { vector }),
      mode: request.seedMode,
      provider: request.seedProvider,
      limit: seedLimit(limits.budgets.maxTotalTokens),
    }),
  )
  const { roles } = await catalogueOf(index)
  const plan = INTENT_PLANS[request.intent]
  const found = collectFinds(seeds, { request, query, focus, roles })
  const starts = startsOf(found, plan, focus.length)
  const relations = plan.isGraphFirst ? [] : await relationsBetween(index, request, found)
  const meant = plan.isGraphFirst ? await meantSymbols(index, request.focus, focus) : undefined
  const walked = await watch.time('walk', () =>
    neighbourhood(index, request, { starts, limits, meant }),
  )
  const countTokens = await watch.time('tokenizer', () => tokens)
  const isShown = (path: string): boolean => !isHidden({ request, focus }, path)
  const impact =
    meant === undefined
      ? undefined
      : await watch.time('impact', async () =>
          fitImpact(
            await findImpact(index, { meant, maxHops: limits.maxHops, isShown, roles }),
            limits.budgets,
            countTokens,
          ),
        )
  const placed = plan.isGraphFirst ? found : relateSeeds(found, relations, roles)
  const ranked = united(placed, walked, { plan, roles }).toSorted(candidateOrder(request.ordering))
  const all = impact === undefined || request.fill ? ranked : dropListed(ranked)
  const candidates = withTests(request.fill ? all : dropChangeLogs(all, query, roles))
  const confidence = confidenceIn(candidates, query.names)
  const languageOf = await findLanguages(index, [...seeds, ...candidates])
  return watch.time('assembly', async () =>
    assemblePack(
      {
        request,
        ...limits,
        query,
        seeds,
        candidates,
        relations,
        walked,
        focus,
        confidence,
        impact,
        languageOf,
      },
      {
        countTokens,
        plan,
        createdAt: new Date(world.clock.recorded(world.clock.now())).toISOString(),
        watch,
      },
    ),
  )
}

interface FindContext {
  readonly request: PackRequest
  readonly query: Understood
  readonly focus: readonly StoredChunk[]
  readonly roles: FileRoles
}

/** The focus first, then what the question found; around a focus, impact asks for nothing else. */
function collectFinds(
  seeds: readonly Seed[],
  { request, query, focus, roles }: FindContext,
): readonly Candidate[] {
  const plan = INTENT_PLANS[request.intent]
  const focused = new Set(focus.map((chunk) => chunk.uid))
  const likely = likelihoods(seeds)
  const isAnswered = plan.isGraphFirst && focus.length > 0 && !request.fill
  return [
    ...focus.map((chunk) => seedCandidate(focusSeed(chunk), 'focus')),
    ...(isAnswered ? [] : seeds)
      .filter((it) => !focused.has(it.chunk.uid))
      .map((it) => {
        const place = { role: roles(it.chunk.path), query, isFocused: focus.length > 0 }
        const section = seedSection(plan, place)
        return seedCandidate(it, 'seed', { section, likelihood: likely.get(it.chunk.uid) ?? 0 })
      }),
  ]
}

/** Of those that may be shown; of the kinds of edges and evidence that the request allows. */
async function relationsBetween(
  index: CodeIndexReader,
  request: PackRequest,
  found: readonly Candidate[],
): Promise<readonly Relation[]> {
  const { expansion, strictness } = request
  if (expansion.maxHops === 0) return []
  const kinds = new Set(kindsOf(request))
  const relations = await findRelations(
    index,
    found.slice(0, MOST_RELATED).map((it) => it.chunk),
  )
  const isStrict = expansion.requireEvidence && strictness === 'strict'
  return relations.filter(
    ({ edge }) =>
      kinds.has(edge.kind) && (!isStrict || expansion.evidenceKinds.includes(edge.evidence)),
  )
}

const MOST_RELATED = 30

/**
 * A walk starts at the focus where there is one. Else it starts at the best; where the graph comes
 * first, at those of them that are nearly as likely as the first.
 */
function startsOf(
  found: readonly Candidate[],
  { isGraphFirst }: IntentPlan,
  focused: number,
): readonly StoredChunk[] {
  const best = found.slice(0, focused > 0 ? focused : MOST_STARTS)
  const starts =
    isGraphFirst && focused === 0 ? best.filter((it) => it.scores.seedScore >= LEAST_START) : best
  return starts.map((it) => it.chunk)
}

const LEAST_START = 0.5

/** Of a question about what a change breaks: every caller counts. */
const IMPACT_CAPS = { ...WALK_CAPS, fanout: 400, edges: 4_000, nodes: 600 }

/** The symbols that a focus means: what is defined on its line, else what its chunks define. */
async function meantSymbols(
  index: CodeIndexReader,
  focus: Focus,
  chunks: readonly StoredChunk[],
): Promise<ReadonlySet<string> | undefined> {
  if (chunks.length === 0) return undefined
  if (focus.symbolId !== undefined) return new Set([focus.symbolId])
  const { line } = focus
  if (line !== undefined) {
    const symbols = await index.symbolsInChunks(chunks.map((it) => it.uid))
    const onLine = symbols.filter((symbol) => {
      const chunk = chunks.find(
        (it) => it.path === symbol.path && it.start <= symbol.start && symbol.start < it.end,
      )
      return chunk !== undefined && lineAt(chunk, symbol.start) === line
    })
    if (onLine.length > 0) return new Set(onLine.map((it) => it.id))
  }
  const own = chunks.map((it) => it.symbol).filter((it) => it !== '')
  return own.length === 0 || (focus.fileRelPath !== undefined && line === undefined)
    ? undefined
    : new Set(own)
}

export async function findLanguages(
  index: CodeIndexReader,
  found: readonly { readonly chunk: StoredChunk }[],
): Promise<(path: string) => string> {
  const files = await index.files(found.map((it) => it.chunk.path))
  const known = new Map(files.map((it) => [it.path, it.language]))
  return (path) => known.get(path) ?? 'plain'
}

/** What is asked for later and fails before that is told then, or not at all. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** Embedders are loaded for those who ask for them. */
async function vectorOf(
  world: World,
  index: CodeIndexReader,
  question: Question,
): Promise<Int8Array | undefined> {
  const { queryVector } = await import('./query-vector.ts')
  return queryVector(world, index, question)
}

/** What the query and the graph both have found is a seed, unless the graph comes first. */
function united(
  found: readonly Candidate[],
  { neighbours }: Walk,
  { plan: { isGraphFirst }, roles }: { readonly plan: IntentPlan; readonly roles: FileRoles },
): readonly Candidate[] {
  const seeds = new Map(found.map((it) => [it.chunk.uid, it]))
  const others = neighbours.filter(({ chunk }) => isGraphFirst || !seeds.has(chunk.uid))
  const hung = new Set(others.map(({ chunk }) => chunk.uid))
  return [
    ...found.filter(({ chunk }) => !hung.has(chunk.uid)),
    ...others.map((it) => neighbourCandidate(it, roles(it.chunk.path), seeds.get(it.chunk.uid))),
  ]
}

/** That a change log once mentioned something says nothing of it as it is now. */
function dropChangeLogs(
  candidates: readonly Candidate[],
  query: Understood,
  roles: FileRoles,
): readonly Candidate[] {
  if (query.roles.has('log')) return candidates
  return candidates.filter((it) => it.via === undefined || roles(it.chunk.path) !== 'log')
}

/** That a test file imports something is told where nothing in a test does more, and of a few. */
function withTests(candidates: readonly Candidate[]): readonly Candidate[] {
  const tests = candidates.filter((it) => it.section === 'tests')
  const bare = new Set(tests.filter(isBareImport))
  const kept = bare.size < tests.length ? [] : [...bare].slice(0, FEW_IMPORTS)
  return candidates.filter((it) => !bare.has(it) || kept.includes(it))
}

const FEW_IMPORTS = 3

function seedLimit(tokens: number): number {
  return Math.min(MOST_SEEDS, Math.max(LEAST_SEEDS, Math.ceil(tokens / TOKENS_PER_SEED)))
}

function focusSeed(chunk: StoredChunk) {
  return {
    chunk,
    score: 1,
    vector: { focus: 1 },
    terms: [{ name: 'focus', value: 1 }],
    reasons: [],
  }
}

interface WalkFrom {
  readonly starts: readonly StoredChunk[]
  readonly limits: Limits
  readonly meant: ReadonlySet<string> | undefined
}

type Limits = ReturnType<typeof resolvedBudgets>

async function neighbourhood(
  index: CodeIndexReader,
  request: PackRequest,
  { starts, limits, meant }: WalkFrom,
): Promise<Walk> {
  const { expansion, strictness } = request
  const { maxHops, budgets } = limits
  const { maxItems } = budgets
  const walked = await walk(index, {
    starts,
    maxHops,
    kinds: kindsOf(request),
    direction: expansion.direction,
    evidenceKinds: expansion.evidenceKinds,
    requireEvidence: expansion.requireEvidence,
    strictness,
    meant,
    withSites: meant !== undefined,
    caps:
      meant === undefined
        ? { ...WALK_CAPS, nodes: Math.min(WALK_CAPS.nodes, maxItems + SPARE_NEIGHBOURS) }
        : IMPACT_CAPS,
  })
  const isSparse = walked.neighbours.length < FEW_NEIGHBOURS && maxHops > 0
  if (!expansion.includeSameFileNeighbors && !isSparse) return walked
  const reached = new Set(walked.neighbours.map((it) => it.chunk.uid))
  const beside = await collectSameFileChunks(index, starts, 2)
  const more = beside.filter((it) => !reached.has(it.chunk.uid))
  return { ...walked, neighbours: [...walked.neighbours, ...more] }
}

/** `edgeTypes` limits the walk through code; tests and documents are sections whatever it lists. */
function kindsOf({ expansion: { edgeTypes } }: PackRequest): readonly EdgeKind[] {
  return [...edgeTypes, ...(edgeTypes.includes('usage') ? INHERITANCE : []), 'mention', 'test']
}

const INHERITANCE: readonly EdgeKind[] = ['inherit']
