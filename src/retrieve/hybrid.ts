/**
 * Ranks chunks by everything that is known of them and of the question. A score is a sum of named
 * terms: how likely the file is meant, and how likely the chunk is among those of its file.
 * The weights are log-odds: they were fitted on what later commits and fixes of public projects
 * changed, given their messages, and checked on projects that were left out of the fitting.
 */
import type { PathRole } from '../base/path-roles.ts'
import { bestPlaces } from '../base/best.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import type { Seed } from '../model/candidate.ts'
import type { CodeIndexReader, StoredChunk } from '../model/code-index.ts'
import type { ScoreTerm } from '../model/search.ts'
import type { Catalogue } from './catalogue.ts'
import { feedbackWords } from './feedback.ts'
import { type Hit, type LinkGains, linkGains } from './links.ts'
import { type NamedPlaces, namedPlaces } from './places.ts'
import { reasonsFor } from './reasons.ts'
import { type WordScores, wordScores } from './sparse.ts'
import type { Understood } from './understand.ts'

/** Of a file. */
export const FILE_TERMS = {
  'words in file': 1.24,
  'best chunk of file': 1.72,
  'next chunks of file': 0.41,
  'words in path': 0.49,
  'words in a name': 1.67,
  'a name as asked': 0.79,
  'much of the question at once': 0.76,
  'file is named': 0.86,
  'used by hits': 0.66,
  'uses a hit': 0.69,
  'tested by hits': 0.39,
  'like the first hits': 0.71,
  'long file': -0.65,
  'deep path': -0.19,
} as const

/** Of a chunk among those of its file. */
export const CHUNK_TERMS = {
  'words in chunk': 2.67,
  'share of the question': 2.1,
  'in its names': 1.14,
  'in its signature': 0.43,
  'is named so': 0.69,
  'beside a hit': 0.64,
  'first of its file': 0.51,
  'long chunk': 1.57,
  'line is named': 0.92,
  'chunk used by hits': 0.73,
  'chunk uses a hit': 0.8,
  imports: -0.91,
  'chunk like the first hits': 0.51,
} as const

/** What stands back when the question does not speak of it. */
export const ROLE_TERMS: Readonly<Record<PathRole, number>> = {
  source: 0,
  types: -1.8,
  test: -3.2,
  docs: -2.15,
  log: -2.2,
  support: -1.5,
  settings: -0.85,
  vendored: -2.5,
}

/** How many spread what they gained, and how many are learned from. */
const SPREADING = 40
const LEARNED_FROM = 5
/** A chunk that no word found must gain at least this much from the hits. */
const LEAST_GAIN = 0.3

export interface HybridRequest {
  readonly query: Understood
  readonly limit: number
  /** Whether a file may be among the seeds. */
  isWanted(file: number): boolean
  /** Kinds of files that do not stand back. */
  readonly roles: ReadonlySet<PathRole>
}

export async function hybridSeeds(
  index: CodeIndexReader,
  catalogue: Catalogue,
  request: HybridRequest,
): Promise<readonly Seed[]> {
  const words = await wordScores(index, catalogue, request.query.words)
  const places = namedPlaces(catalogue, request.query.places)
  const look = new Look({ catalogue, request, words, places })
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
  look.learn(await wordScores(index, catalogue, more))
  const close = await withLinked(index, { handles: look.likeliest(request.limit), links, catalogue, request })
  return ranked(close, { look, links, request })
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
  const places = await index.located(Uint32Array.from(handles))
  const chunks = await index.chunks(places.map((it) => it.uid))
  const byPlace = new Map(chunks.map((chunk) => [placeKey(chunk), chunk]))
  return handles.flatMap((handle, at) => {
    const place = places[at]
    const chunk = place === undefined ? undefined : byPlace.get(placeKey(place))
    return chunk === undefined ? [] : [{ handle, chunk }]
  })
}

function placeKey(it: { readonly path: string; readonly start: number; readonly end: number }) {
  return `${it.path}\n${it.start}\n${it.end}`
}

function hitsOf(
  found: readonly Located[],
  { fileOf, roles }: Catalogue,
  look: Look,
): readonly Hit[] {
  return found.map(({ chunk, handle }) => ({
    chunk,
    score: look.textScore(handle),
    isTest: roles[fileOf[handle] ?? 0] === 'test',
  }))
}

/** Those that were found by words, and what hangs on the hits without sharing a word. */
async function withLinked(
  index: CodeIndexReader,
  from: {
    readonly handles: readonly number[]
    readonly links: LinkGains
    readonly catalogue: Catalogue
    readonly request: HybridRequest
  },
): Promise<readonly Located[]> {
  const found = await chunksOf(index, from.handles)
  const known = new Set(found.map(({ chunk }) => chunk.uid))
  const gained = [...from.links.used, ...from.links.using]
    .filter(([uid, gain]) => gain > LEAST_GAIN && !known.has(uid))
    .map(([uid]) => uid)
  const chunks = await index.chunks([...new Set(gained)])
  const files = new Map(from.catalogue.layout.paths.map((path, file) => [path, file]))
  const linked = chunks.flatMap((chunk) => {
    const file = files.get(chunk.path)
    if (file === undefined || !from.request.isWanted(file)) return []
    const first = from.catalogue.layout.firstHandles[file] ?? 0
    return [{ handle: first, chunk, file }]
  })
  const numbered = await handlesOf(index, from.catalogue, linked)
  return [...found, ...numbered]
}

/** A chunk's handle is among those of its file. */
async function handlesOf(
  index: CodeIndexReader,
  { layout }: Catalogue,
  linked: readonly { readonly chunk: StoredChunk; readonly file: number }[],
): Promise<readonly Located[]> {
  const files = [...new Set(linked.map((it) => it.file))]
  const handles = files.flatMap((file) =>
    Array.from(
      { length: layout.chunkCounts[file] ?? 0 },
      (_, at) => (layout.firstHandles[file] ?? 0) + at,
    ),
  )
  const places = await index.located(Uint32Array.from(handles))
  const byPlace = new Map(places.map((place, at) => [placeKey(place), handles[at] ?? 0]))
  return linked.flatMap(({ chunk }) => {
    const handle = byPlace.get(placeKey(chunk))
    return handle === undefined ? [] : [{ handle, chunk }]
  })
}

interface LookParts {
  readonly catalogue: Catalogue
  readonly request: HybridRequest
  readonly words: WordScores
  readonly places: NamedPlaces
}

/** Everything that is known without reading a chunk, by handle and by file. */
class Look {
  readonly parts: LookParts
  /** Of each file: the best, the second and the third chunk, and what any of its chunks has most of. */
  readonly best: Float64Array
  readonly next: Float64Array
  readonly named: Float64Array
  readonly covered: Float64Array
  learned: WordScores | undefined
  readonly #third: Float64Array

  constructor(parts: LookParts) {
    const files = parts.catalogue.layout.paths.length
    this.parts = parts
    this.best = new Float64Array(files)
    this.next = new Float64Array(files)
    this.#third = new Float64Array(files)
    this.named = new Float64Array(files)
    this.covered = new Float64Array(files)
    const { words, catalogue } = parts
    for (const handle of words.touched) {
      const file = catalogue.fileOf[handle] ?? 0
      this.#place(file, words.chunks[handle] ?? 0)
      atLeast(this.named, file, words.named[handle] ?? 0)
      atLeast(this.covered, file, words.covered[handle] ?? 0)
    }
    for (let file = 0; file < files; file += 1) {
      this.next[file] = (this.next[file] ?? 0) + (this.#third[file] ?? 0)
    }
  }

  learn(scores: WordScores): void {
    this.learned = scores
  }

  /** By the words of the question alone, tests and docs like everything else. */
  textScore(handle: number): number {
    const { words, catalogue } = this.parts
    const file = catalogue.fileOf[handle] ?? 0
    return (0.3 * (words.files[file] ?? 0) + (words.chunks[handle] ?? 0)) / 1.3
  }

  byWords(limit: number): readonly number[] {
    const { words } = this.parts
    return best(words.touched, limit, (handle) =>
      (words.chunks[handle] ?? 0) > 0 ? this.textScore(handle) : -Infinity,
    )
  }

  /** Of those that are wanted, by all that is known so far. */
  likeliest(limit: number): readonly number[] {
    const { catalogue, request, words } = this.parts
    const files = new Map<number, number>()
    return best(words.touched, limit, (handle) => {
      const file = catalogue.fileOf[handle] ?? 0
      if (!request.isWanted(file)) return -Infinity
      let own = files.get(file)
      if (own === undefined) {
        own = sum(this.fileTerms(file))
        files.set(file, own)
      }
      return own + this.#chunkScore(handle)
    })
  }

  fileTerms(file: number): readonly ScoreTerm[] {
    const { words, places, request, catalogue } = this.parts
    const { layout, roles } = catalogue
    const role = roles[file] ?? 'source'
    const path = layout.paths[file] ?? ''
    return [
      term(FILE_TERMS, 'words in file', words.files[file] ?? 0),
      term(FILE_TERMS, 'best chunk of file', this.best[file] ?? 0),
      term(FILE_TERMS, 'next chunks of file', this.next[file] ?? 0),
      term(FILE_TERMS, 'words in path', words.inPath[file] ?? 0),
      term(FILE_TERMS, 'words in a name', this.named[file] ?? 0),
      term(FILE_TERMS, 'much of the question at once', this.covered[file] ?? 0),
      term(FILE_TERMS, 'file is named', places.files.get(file) ?? 0),
      term(FILE_TERMS, 'like the first hits', this.learned?.files[file] ?? 0),
      term(FILE_TERMS, 'long file', Math.log1p(layout.lines[file] ?? 0) / 7),
      term(FILE_TERMS, 'deep path', path.split('/').length / 5),
      { name: role, value: request.roles.has(role) ? 0 : ROLE_TERMS[role] },
    ]
  }

  chunkTerms(handle: number): readonly ScoreTerm[] {
    const { words } = this.parts
    return [
      term(CHUNK_TERMS, 'words in chunk', words.chunks[handle] ?? 0),
      term(CHUNK_TERMS, 'share of the question', words.covered[handle] ?? 0),
      term(CHUNK_TERMS, 'in its names', words.named[handle] ?? 0),
      term(CHUNK_TERMS, 'in its signature', words.signed[handle] ?? 0),
      term(CHUNK_TERMS, 'beside a hit', this.#beside(handle)),
      term(CHUNK_TERMS, 'chunk like the first hits', this.learned?.chunks[handle] ?? 0),
    ]
  }

  /** The sum of `chunkTerms`, for the many that are not looked at closely. */
  #chunkScore(handle: number): number {
    const { words } = this.parts
    return (
      CHUNK_TERMS['words in chunk'] * (words.chunks[handle] ?? 0) +
      CHUNK_TERMS['share of the question'] * (words.covered[handle] ?? 0) +
      CHUNK_TERMS['in its names'] * (words.named[handle] ?? 0) +
      CHUNK_TERMS['in its signature'] * (words.signed[handle] ?? 0) +
      CHUNK_TERMS['beside a hit'] * this.#beside(handle) +
      CHUNK_TERMS['chunk like the first hits'] * (this.learned?.chunks[handle] ?? 0)
    )
  }

  #beside(handle: number): number {
    const { words, catalogue } = this.parts
    const { fileOf, handles } = catalogue
    const file = fileOf[handle]
    const before = handle > 0 && fileOf[handle - 1] === file ? (words.chunks[handle - 1] ?? 0) : 0
    const after =
      handle + 1 < handles && fileOf[handle + 1] === file ? (words.chunks[handle + 1] ?? 0) : 0
    return Math.max(before, after)
  }

  #place(file: number, score: number): void {
    if (score > (this.best[file] ?? 0)) {
      this.#third[file] = this.next[file] ?? 0
      this.next[file] = this.best[file] ?? 0
      this.best[file] = score
    } else if (score > (this.next[file] ?? 0)) {
      this.#third[file] = this.next[file] ?? 0
      this.next[file] = score
    } else if (score > (this.#third[file] ?? 0)) this.#third[file] = score
  }
}

function term<Terms extends Readonly<Record<string, number>>>(
  weights: Terms,
  name: keyof Terms & string,
  value: number,
): ScoreTerm {
  return { name, value: (weights[name] ?? 0) * value }
}

function sum(terms: readonly ScoreTerm[]): number {
  let total = 0
  for (const it of terms) total += it.value
  return total
}

function atLeast(values: Float64Array, at: number, value: number): void {
  if (value > (values[at] ?? 0)) values[at] = value
}

/** Ties by place in the index: which of two equals is looked at matters little, and is always the same. */
function best(
  handles: Uint32Array,
  limit: number,
  score: (handle: number) => number,
): readonly number[] {
  const scores = Float64Array.from(handles, score)
  return Array.from(bestPlaces(scores, limit), (at) => handles[at] ?? 0)
}

interface Ranking {
  readonly look: Look
  readonly links: LinkGains
  readonly request: HybridRequest
}

function ranked(found: readonly Located[], ranking: Ranking): readonly Seed[] {
  const { look, request } = ranking
  const scored = withFiles(found, ranking)
  const order = scored.toSorted(
    inOrder(
      descending((it) => it.score),
      ascending((it) => it.chunk.path),
      ascending((it) => it.chunk.start),
      ascending((it) => it.chunk.uid),
    ),
  )
  const most = order[0]?.score ?? 0
  return order.slice(0, request.limit).map((it) => ({
    chunk: it.chunk,
    score: Math.exp(it.score - most),
    vector: vectorOf(it, look),
    terms: it.terms.filter((own) => own.value !== 0),
    reasons: reasonsFor(it.handle, { words: look.parts.words, asked: request.query.words }),
  }))
}

interface Scored extends Located {
  readonly score: number
  readonly terms: readonly ScoreTerm[]
}

/** What can only be told with the chunks at hand: their names, their lines, who leads to them. */
function withFiles(found: readonly Located[], { look, links, request }: Ranking): readonly Scored[] {
  const { words, catalogue } = look.parts
  const names = new Set(request.query.identifiers.map((it) => it.toLowerCase()))
  const asked = new Set(request.query.words.map((it) => it.word))
  const byFile = Map.groupBy(found, (it) => catalogue.fileOf[it.handle] ?? 0)
  return [...byFile].flatMap(([file, inFile]) => {
    const path = catalogue.layout.paths[file] ?? ''
    const likeNames = inFile.map(({ chunk }) => likeName(chunk.name, names, asked))
    const using = inFile.map(({ chunk }) => links.using.get(chunk.uid) ?? 0)
    const ofFile = [
      ...look.fileTerms(file),
      term(FILE_TERMS, 'a name as asked', Math.max(...likeNames)),
      term(FILE_TERMS, 'used by hits', links.usedFiles.get(path) ?? 0),
      term(FILE_TERMS, 'uses a hit', Math.max(...using)),
      term(FILE_TERMS, 'tested by hits', links.testedFiles.get(path) ?? 0),
    ]
    const lines = look.parts.places.lines.get(file) ?? []
    const places = placesIn(inFile, (it) => words.chunks[it.handle] ?? 0)
    const own = inFile.map((it, at) => [
      ...look.chunkTerms(it.handle),
      term(CHUNK_TERMS, 'is named so', likeNames[at] ?? 0),
      term(CHUNK_TERMS, 'first of its file', places[at] ?? 0),
      term(CHUNK_TERMS, 'long chunk', Math.log1p(it.chunk.endLine - it.chunk.startLine) / 5),
      term(CHUNK_TERMS, 'line is named', lines.some((line) => holds(it.chunk, line)) ? 1 : 0),
      term(CHUNK_TERMS, 'chunk used by hits', links.used.get(it.chunk.uid) ?? 0),
      term(CHUNK_TERMS, 'chunk uses a hit', using[at] ?? 0),
      term(CHUNK_TERMS, 'imports', it.chunk.kind === 'imports' ? 1 : 0),
    ])
    // The best of a file stands where the file does; the others stand behind it.
    const top = Math.max(...own.map(sum))
    return inFile.map((it, at) => {
      const terms = own[at] ?? []
      return { ...it, score: sum(ofFile) + sum(terms) - top, terms: [...ofFile, ...terms] }
    })
  })
}

function holds(chunk: StoredChunk, line: number): boolean {
  return chunk.startLine <= line && line <= chunk.endLine
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
  const order = items.map((_, at) => at).sort((a, b) => scoreAt(b) - scoreAt(a) || a - b)
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
    feedback: look.learned?.chunks[it.handle] ?? 0,
  }
}
