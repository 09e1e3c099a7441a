/** A question becomes seeds: by one retriever, or by all that is known at once. */
import { bestPlaces } from '../base/best.ts'
import type { PathRole } from '../base/path-roles.ts'
import type { Seed } from '../model/candidate.ts'
import type { ChunkRange, CodeIndexReader, StoredChunk } from '../model/code-index.ts'
import { WORD_FIELDS } from '../model/index-record.ts'
import type { SeedMode, SeedProvider } from '../model/pack-request.ts'
import { nearestChunks } from './ann.ts'
import { type Catalogue, catalogueOf } from './catalogue.ts'
import { CHUNK_FIELDS } from './fields.ts'
import { hybridSeeds } from './hybrid.ts'
import { wordScores } from './sparse.ts'
import type { Understood } from './understand.ts'

export interface SeedRequest {
  readonly query: Understood
  readonly mode: SeedMode
  readonly provider: SeedProvider
  readonly limit: number
  /** The question's, for `ann`. */
  readonly vector?: Int8Array | undefined
}

/** Best first; none where nothing of the question is in the index. */
export async function findSeeds(
  index: CodeIndexReader,
  request: SeedRequest,
): Promise<readonly Seed[]> {
  if (request.limit === 0) return []
  const catalogue = await catalogueOf(index)
  const isWanted = await suitable(index, catalogue, request.mode)
  switch (request.provider) {
    case 'hybrid': {
      const roles = new Set<PathRole>([...request.query.roles, ...PROSE_ROLES[request.mode]])
      return hybridSeeds(index, catalogue, { ...request, isWanted, roles })
    }
    case 'sparse':
      return sparseSeeds(index, catalogue, { ...request, isWanted })
    case 'fts':
      return fullTextSeeds(index, catalogue, { ...request, isWanted })
    case 'ann': {
      const near = await nearestChunks(index, catalogue, { ...request, isWanted })
      return asSeeds(index, near, 'ann')
    }
  }
}

/** Where prose is asked for, it does not stand back. */
const PROSE_ROLES: Readonly<Record<SeedMode, readonly PathRole[]>> = {
  code: [],
  prose: ['docs', 'log'],
  mixed: [],
}

async function suitable(
  index: CodeIndexReader,
  { roleOf }: Catalogue,
  mode: SeedMode,
): Promise<(file: number) => boolean> {
  if (mode === 'mixed') return () => true
  const languages = await index.languages()
  return (file) => {
    const role = roleOf(file)
    const isProse = role === 'docs' || role === 'log' || languages[file] === 'markdown'
    return (mode === 'prose') === isProse
  }
}

interface Wanted extends SeedRequest {
  isWanted(file: number): boolean
}

async function sparseSeeds(
  index: CodeIndexReader,
  catalogue: Catalogue,
  request: Wanted,
): Promise<readonly Seed[]> {
  const words = await wordScores(index, catalogue, request.query.words)
  const wanted = words.touched.filter((handle) => request.isWanted(catalogue.fileOf[handle] ?? 0))
  const scores = Float64Array.from(wanted, (handle) => words.chunks[handle] ?? 0)
  const found = bestPlaces(scores, request.limit).map((at) => wanted[at] ?? 0)
  const places = await index.chunkRanges(found)
  return asSeeds(
    index,
    places.map((place, at) => ({ ...place, score: words.chunks[found[at] ?? 0] ?? 0 })),
    'sparse',
  )
}

/** So many times the wanted number are asked for, since some may be of the wrong kind. */
const MARGIN = 4

async function fullTextSeeds(
  index: CodeIndexReader,
  catalogue: Catalogue,
  request: Wanted,
): Promise<readonly Seed[]> {
  const hits = await index.searchFullText({
    words: request.query.words.map((it) => it.word),
    weights: WORD_FIELDS.map((field) => CHUNK_FIELDS.fields[field]),
    limit: request.limit * (request.mode === 'mixed' ? 1 : MARGIN),
  })
  const wanted = hits.filter((it) => request.isWanted(catalogue.byPath().get(it.path) ?? 0))
  return asSeeds(index, wanted.slice(0, request.limit), 'fts')
}

interface ScoredPlace extends ChunkRange {
  readonly score: number
}

async function asSeeds(
  index: CodeIndexReader,
  places: readonly ScoredPlace[],
  retriever: SeedProvider,
): Promise<readonly Seed[]> {
  const chunks = await index.chunks(places.map((it) => it.uid))
  const byUid = new Map(chunks.map((chunk): readonly [string, StoredChunk] => [chunk.uid, chunk]))
  const most = places[0]?.score ?? 0
  return places.flatMap((place) => {
    const chunk = byUid.get(place.uid)
    if (chunk === undefined) return []
    const score = most === 0 ? 0 : place.score / most
    const terms = [{ name: retriever, value: score }]
    return [{ chunk, score, vector: { [retriever]: place.score }, terms, reasons: [retriever] }]
  })
}
