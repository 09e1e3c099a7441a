/**
 * Ranks chunks by everything that is known of them and of the question. A score is a sum of named
 * terms: how likely the file is meant, and how likely the chunk is among those of its file.
 */
import { ascending, descending, inOrder } from '../base/order.ts'
import type { Seed } from '../model/candidate.ts'
import type { CodeIndexReader, StoredChunk } from '../model/code-index.ts'
import type { ScoreTerm } from '../model/search.ts'
import { type Catalogue, inOrderOfPlaces } from './catalogue.ts'
import { findNamedDefinitions, type NamedDefinition } from './exact-names.ts'
import { feedbackWords } from './feedback.ts'
import { fusedRanks } from './fused-ranks.ts'
import { isHeadingSaid } from './headings.ts'
import { type Hit, type LinkGains, linkGains } from './links.ts'
import { Look, type Wanted } from './look.ts'
import { findBindingLine } from './name-bindings.ts'
import { findNearNames } from './near-names.ts'
import { correctLines, holdsLine, type NamedLine, type NamedPlaces, namedPlaces } from './places.ts'
import { type AskedWords, findReasons, prepareReasons } from './reasons.ts'
import { chunkScores, wordScores } from './sparse.ts'
import { CHUNK_TERMS, FILE_TERMS, sum, term } from './terms.ts'
import type { Understood } from './understand.ts'

/** How much it counts against a chunk that others of its file are as likely. */
const CROWDING = -0.6

/** How many spread what they gained, and how many are learned from. */
const SPREADING = 40
const LEARNED_FROM = 5
/** A chunk that no word found must gain at least this much from the hits. */
const LEAST_GAIN = 0.3

export interface HybridRequest extends Wanted {
  readonly query: Understood
  readonly limit: number
}

export async function hybridSeeds(
  index: CodeIndexReader,
  catalogue: Catalogue,
  request: HybridRequest,
): Promise<readonly Seed[]> {
  const words = await wordScores(index, catalogue, request.query.words)
  const { query } = request
  const places = await correctLines(
    index,
    catalogue,
    namedPlaces(catalogue, query.places, query.frames),
  )
  const look = new Look({ catalogue, request, words, places, query })
  const [spreading, learnedFrom] = await Promise.all([
    chunksOf(index, look.byWords(SPREADING)),
    chunksOf(index, look.likeliest(LEARNED_FROM)),
  ])
  const links = await linkGains(index, hitsOf(spreading, catalogue, look))
  const more = await feedbackWords(
    index,
    learnedFrom.map(({ chunk, handle }) => ({ chunk, score: look.textScore(handle) })),
    request.query.words,
  )
  look.learned = await chunkScores(index, catalogue, more)
  const isAside = (path: string): boolean => look.standsBack(catalogue.byPath().get(path) ?? 0)
  const defined = await findNamedDefinitions(index, request.query.names, isAside)
  const close = await withLinked(index, {
    defined,
    handles: look.likeliest(request.limit),
    sections: look.answering.map(({ handle }) => handle),
    links,
    catalogue,
    request,
    places,
  })
  const [only] = request.query.names
  return close.length === 0 && only?.kind === 'alone'
    ? findNearNames(index, catalogue, {
        name: only.name,
        isWanted: (file) => request.isWanted(file),
        isAside: (file) => look.standsBack(file),
      })
    : ranked(close, { look, links, request, defined })
}

interface Located {
  readonly handle: number
  readonly chunk: StoredChunk
}

/** In the order of the handles. */
async function chunksOf(
  index: CodeIndexReader,
  handles: readonly number[],
): Promise<readonly Located[]> {
  const chunks = await index.chunksByHandle(Uint32Array.from(handles))
  return chunks.map((chunk, at) => ({ handle: handles[at] ?? 0, chunk }))
}

function hitsOf(
  found: readonly Located[],
  { fileOf, roleOf }: Catalogue,
  look: Look,
): readonly Hit[] {
  return found.map(({ chunk, handle }) => ({
    chunk,
    score: look.textScore(handle),
    isTest: roleOf(fileOf[handle] ?? 0) === 'test',
  }))
}

/** Those that were found by words, and what hangs on the hits without sharing a word. */
async function withLinked(
  index: CodeIndexReader,
  from: {
    readonly handles: readonly number[]
    readonly sections: readonly number[]
    readonly links: LinkGains
    readonly catalogue: Catalogue
    readonly request: HybridRequest
    readonly places: NamedPlaces
    readonly defined: readonly NamedDefinition[]
  },
): Promise<readonly Located[]> {
  const found = await chunksOf(index, from.handles)
  const known = new Set(found.map(({ chunk }) => chunk.uid))
  const gained = [...from.links.used, ...from.links.using]
    .filter(([, gain]) => gain > LEAST_GAIN)
    .map(([uid]) => uid)
  const pointedAt = await chunksOnLines(index, from.catalogue, from.places)
  const more = new Set([
    ...gained,
    ...pointedAt.map((chunk) => chunk.uid),
    ...from.defined.map(({ chunk }) => chunk.uid),
  ])
  const handles = inOrderOfPlaces(
    from.catalogue,
    await index.chunkHandles([...more].filter((uid) => !known.has(uid))),
  )
  const others = new Set([...handles, ...from.sections].filter((it) => !from.handles.includes(it)))
  const wanted = [...others].filter((handle) =>
    from.request.isWanted(from.catalogue.fileOf[handle] ?? 0),
  )
  return [...found, ...(await chunksOf(index, wanted))]
}

/** Where a stack trace points, whether or not the words of the question stand there. */
async function chunksOnLines(
  index: CodeIndexReader,
  { layout }: Catalogue,
  { lines }: NamedPlaces,
): Promise<readonly StoredChunk[]> {
  const wanted = new Map([...lines].map(([file, list]) => [layout.paths[file] ?? '', list]))
  const chunks = wanted.size === 0 ? [] : await index.chunksInFiles([...wanted.keys()])
  return chunks.filter((it) => wanted.get(it.path)?.some(({ line }) => holdsLine(it, line)))
}

interface Ranking {
  readonly look: Look
  readonly links: LinkGains
  readonly request: HybridRequest
  readonly defined: readonly NamedDefinition[]
}

function ranked(found: readonly Located[], ranking: Ranking): readonly Seed[] {
  const { look, request } = ranking
  const named = promoteDefinitions(withFiles(found, ranking), ranking.defined)
  const scored = lifted(promoteSections(promoteBindings(named, ranking), look), look)
  const order = scored.toSorted(
    inOrder(
      descending((it) => it.score),
      ascending((it) => it.chunk.path),
      ascending((it) => it.chunk.start),
      ascending((it) => it.chunk.uid),
    ),
  )
  const most = order[0]?.score ?? 0
  const asked = prepareReasons(request.query.words, look.parts.words.worths)
  return order.slice(0, request.limit).map((it) => ({
    chunk: it.chunk,
    score: Math.exp(it.score - most),
    vector: vectorOf(it, look),
    terms: [...it.terms, { name: 'the best of all', value: -most }].filter(
      (own) => own.value !== 0,
    ),
    reasons: listReasons(it, asked),
  }))
}

/** Lines, definitions and words. */
function listReasons(it: Scored, asked: AskedWords): readonly string[] {
  return [
    ...(it.pointedAt ?? []).map(({ line, name, isByName }) =>
      isByName === true
        ? `the question names \`${name}\` (line ${line})`
        : `the question names line ${line}`,
    ),
    ...(it.defines ?? []).map(({ name, line }) => `defines \`${name}\` (line ${line})`),
    ...(it.binds === undefined ? [] : [`binds \`${it.binds.name}\` (line ${it.binds.line})`]),
    ...findReasons(it.chunk, asked),
  ]
}

/**
 * A chunk that the question points at by file and line stands before all others of its file. What
 * its first line points at is what it is about; further down, as in a trace, each is close to the best.
 */
const LEAD_OF_FIRST = 0.5
const LEAD_OF_LATER = -0.5

function lifted(scored: readonly Scored[], { parts }: Look): readonly Scored[] {
  const { lines } = parts.places
  if (lines.size === 0) return scored
  const file = (it: Located): number => parts.catalogue.fileOf[it.handle] ?? 0
  const bestOf = new Map<number, number>()
  for (const it of scored) raise(bestOf, file(it), it.score)
  const best = Math.max(...bestOf.values())
  return scored.map((it) => {
    const named = lines.get(file(it))?.filter(({ line }) => holdsLine(it.chunk, line)) ?? []
    if (named.length === 0) return it
    const lead = named.some(({ isFirst }) => isFirst) ? LEAD_OF_FIRST : LEAD_OF_LATER
    const score = Math.max(best + lead, bestOf.get(file(it)) ?? 0)
    const terms = [...it.terms, { name: 'is pointed at', value: score - it.score }]
    return { ...it, pointedAt: named, score, terms }
  })
}

/**
 * In log-odds, of a name that is all that the question says. It falls with the number of other
 * words: chosen so that commits and issues of the open tasks are found as well as without it.
 */
const NAMED_LEAD: Readonly<Record<NamedDefinition['kind'], number>> = {
  alone: 20,
  code: 10,
  word: 10,
}
/** Of what binds the name that the question is, where only files that stand back define it. */
const BOUND_LEAD = 10

function promoteDefinitions(
  scored: readonly Scored[],
  defined: readonly NamedDefinition[],
): readonly Scored[] {
  if (defined.length === 0) return scored
  const byUid = Map.groupBy(defined, ({ chunk }) => chunk.uid)
  return scored.map((it) => {
    const own = byUid.get(it.chunk.uid)
    if (own === undefined) return it
    const value = Math.max(...own.map(({ kind, weight }) => NAMED_LEAD[kind] * weight))
    const terms = [...it.terms, { name: 'is spelled in the question', value }]
    return { ...it, score: it.score + value, terms, defines: own }
  })
}

/** Of a question that is one name: what imports, exports or assigns it, if no source defines it. */
function promoteBindings(scored: readonly Scored[], { look, request, defined }: Ranking) {
  const [only] = request.query.names
  const isAside = (it: Located): boolean =>
    look.standsBack(look.parts.catalogue.fileOf[it.handle] ?? 0)
  if (only?.kind !== 'alone' || defined.some((it) => !it.isAside)) return scored
  return scored.map((it) => {
    const line = isAside(it) ? undefined : findBindingLine(it.chunk, only.name)
    if (line === undefined) return it
    const terms = [...it.terms, { name: 'binds the name', value: BOUND_LEAD }]
    return { ...it, score: it.score + BOUND_LEAD, terms, binds: { name: only.name, line } }
  })
}

/** Against the best of all, of a section whose heading says all that the question asks. */
const LEAD_OF_SECTION = -0.1
/** Of how far it was behind: what tells apart sections whose headings say the same. */
const BEHIND_OTHERS = 0.05

/** A section of a document whose heading the question says is close to the best. */
function promoteSections(scored: readonly Scored[], look: Look): readonly Scored[] {
  if (look.answering.length === 0) return scored
  const shares = new Map(look.answering.map(({ handle, share }) => [handle, share]))
  const best = Math.max(...scored.map((it) => it.score))
  return scored.map((it) => {
    const share = shares.get(it.handle)
    if (share === undefined || !isHeadingSaid(it.chunk.title, look.said)) return it
    const behind = best - it.score
    const value = LEAD_OF_SECTION + Math.log(share) + (1 - BEHIND_OTHERS) * behind
    if (value <= 0) return it
    const terms = [...it.terms, { name: 'its heading is asked for', value }]
    return { ...it, score: it.score + value, terms }
  })
}

function raise(best: Map<number, number>, key: number, value: number): void {
  if (value > (best.get(key) ?? Number.NEGATIVE_INFINITY)) best.set(key, value)
}

interface Scored extends Located {
  readonly score: number
  readonly terms: readonly ScoreTerm[]
  /** Lines of it that the question names. */
  readonly pointedAt?: readonly NamedLine[]
  readonly defines?: readonly NamedDefinition[]
  readonly binds?: { readonly name: string; readonly line: number }
}

/** What can only be told with the chunks at hand: their names, their lines, who leads to them. */
function withFiles(
  found: readonly Located[],
  { look, links, request }: Ranking,
): readonly Scored[] {
  const { words, catalogue } = look.parts
  const names = new Set(request.query.identifiers.map((it) => it.toLowerCase()))
  const asked = new Set(request.query.words.map((it) => it.word))
  const byFile = Map.groupBy(found, (it) => catalogue.fileOf[it.handle] ?? 0)
  const ranks = ranksOf(found, { look, links })
  return [...byFile].flatMap(([file, inFile]) => {
    const path = catalogue.layout.paths[file] ?? ''
    const likeNames = inFile.map(({ chunk }) => likeName(chunk.name, names, asked))
    const using = inFile.map(({ chunk }) => links.using.get(chunk.uid) ?? 0)
    const rankOf = inFile.map((it) => ranks.get(it) ?? 0)
    const ofFile = [
      ...look.fileTerms(file),
      term(FILE_TERMS, 'ranks of file, fused', Math.max(...rankOf)),
      term(FILE_TERMS, 'a name as asked', Math.max(...likeNames)),
      term(FILE_TERMS, 'used by hits', links.usedFiles.get(path) ?? 0),
      term(FILE_TERMS, 'uses a hit', Math.max(...using)),
      term(FILE_TERMS, 'tested by hits', links.testedFiles.get(path) ?? 0),
    ]
    const lines = look.parts.places.lines.get(file) ?? []
    const places = placesIn(inFile, (it) => words.chunks[it.handle] ?? 0)
    const own = inFile.map((it, at) => [
      ...look.chunkTerms(it.handle),
      term(CHUNK_TERMS, 'ranks, fused', rankOf[at] ?? 0),
      term(CHUNK_TERMS, 'is named so', likeNames[at] ?? 0),
      term(CHUNK_TERMS, 'first of its file', places[at] ?? 0),
      term(CHUNK_TERMS, 'long chunk', Math.log1p(it.chunk.endLine - it.chunk.startLine) / 5),
      term(
        CHUNK_TERMS,
        'line is named',
        lines.some(({ line }) => holdsLine(it.chunk, line)) ? 1 : 0,
      ),
      term(CHUNK_TERMS, 'chunk used by hits', links.used.get(it.chunk.uid) ?? 0),
      term(CHUNK_TERMS, 'chunk uses a hit', using[at] ?? 0),
      term(CHUNK_TERMS, 'imports', it.chunk.kind === 'imports' ? 1 : 0),
    ])
    // The best of a file stands where the file does. The others stand behind it, the further the
    // more there are that are as good: then each of them is less likely to be the one.
    const sums = own.map(sum)
    const top = Math.max(...sums)
    const rivals = Math.log(sums.reduce((total, it) => total + Math.exp(it - top), 0))
    return inFile.map((it, at) => {
      const terms = own[at] ?? []
      const behind = (sums[at] ?? 0) - top
      const crowd = behind < 0 ? CROWDING * rivals : 0
      const beside = [
        { name: 'the best of its file', value: -top },
        { name: 'others of its file', value: crowd },
      ]
      return { ...it, score: sum(ofFile) + behind + crowd, terms: [...ofFile, ...terms, ...beside] }
    })
  })
}

/** What stands back counts for so much less here as well. */
const STANDING_BACK = 0.3

function ranksOf(
  found: readonly Located[],
  { look, links }: Pick<Ranking, 'look' | 'links'>,
): ReadonlyMap<Located, number> {
  const { words, catalogue } = look.parts
  const file = (it: Located): number => catalogue.fileOf[it.handle] ?? 0
  const signals: readonly ((it: Located) => number)[] = [
    (it) => words.chunks[it.handle] ?? 0,
    (it) => words.files[file(it)] ?? 0,
    (it) => look.named[file(it)] ?? 0,
    (it) => words.inPath[file(it)] ?? 0,
    (it) => links.used.get(it.chunk.uid) ?? 0,
    (it) => links.using.get(it.chunk.uid) ?? 0,
    (it) => look.learned?.(it.handle) ?? 0,
  ]
  const fused = fusedRanks(
    signals.map((signal) => found.map(signal)),
    found.length,
  )
  const held = found.map((it, at) => {
    return (fused[at] ?? 0) * (look.standsBack(file(it)) ? STANDING_BACK : 1)
  })
  const most = Math.max(...held) || 1
  return new Map(found.map((it, at) => [it, (held[at] ?? 0) / most]))
}

/** 1 for the name of something that the question names, half for one of its words. */
function likeName(
  name: string,
  identifiers: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): number {
  const simple = (name.split(/[.#:/]+/).at(-1) ?? '').toLowerCase()
  if (simple === '') return 0
  return identifiers.has(simple) ? 1 : asked.has(simple) ? 0.5 : 0
}

/** 1 for the best, a half for the second, a third … ; 0 for what has no score. */
function placesIn<T>(items: readonly T[], score: (item: T) => number): readonly number[] {
  const order = items.map((_, at) => at).toSorted((a, b) => scoreAt(b) - scoreAt(a) || a - b)
  const places = Array.from<number>({ length: items.length }).fill(0)
  for (const [place, at] of order.entries()) if (scoreAt(at) > 0) places[at] = 1 / (place + 1)
  return places

  function scoreAt(at: number): number {
    const item = items[at]
    return item === undefined ? 0 : score(item)
  }
}

function vectorOf(it: Scored, look: Look): Seed['vector'] {
  const { words, catalogue } = look.parts
  const file = catalogue.fileOf[it.handle] ?? 0
  const value = (name: string): number => it.terms.find((own) => own.name === name)?.value ?? 0
  return {
    sparse: words.chunks[it.handle] ?? 0,
    file: words.files[file] ?? 0,
    path: words.inPath[file] ?? 0,
    names: words.named[it.handle] ?? 0,
    graph: value('chunk used by hits') + value('chunk uses a hit'),
    feedback: look.learned?.(it.handle) ?? 0,
  }
}
