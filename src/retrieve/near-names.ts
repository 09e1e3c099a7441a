/**
 * Seeds for a question that is one word which the index does not hold: chunks and files whose names
 * contain it, or are spelled nearly so. Every reason says that it is only near.
 */
import { rateSpelling } from '../base/nearest.ts'
import { ascending, descending, inOrder } from '../base/order.ts'
import type { Seed } from '../model/candidate.ts'
import type { CodeIndexReader } from '../model/code-index.ts'
import { WORD_FIELDS, type WordField } from '../model/index-record.ts'
import type { Catalogue } from './catalogue.ts'
import { spellerOf } from './spelled.ts'

/** Words that are read at a time, and how many of the nearest are looked up. */
const PAGE = 20_000
const MOST_WORDS = 40
/** Enough to recognise the one that was meant. */
const MOST_SEEDS = 8
/** Below this a name is shown only for want of a better one. */
const LEAST_LIKENESS = 0.5
const FEWEST_SEEDS = 3

interface NearWord {
  readonly word: string
  readonly likeness: number
}

interface NearRequest {
  readonly name: string
  isWanted(file: number): boolean
  /** Whether a file comes after those that are as near. */
  isAside(file: number): boolean
}

interface NearHit extends NearWord {
  readonly handle: number
  readonly field: WordField
  readonly isAside: boolean
}

/** Best first; none in an empty index. */
export async function findNearNames(
  index: CodeIndexReader,
  catalogue: Catalogue,
  request: NearRequest,
): Promise<readonly Seed[]> {
  const hits = await findNearHits(index, catalogue, request)
  const likely = hits.filter((it) => it.likeness >= LEAST_LIKENESS)
  const chosen = likely.length > 0 ? likely.slice(0, MOST_SEEDS) : hits.slice(0, FEWEST_SEEDS)
  const chunks = await index.chunksByHandle(Uint32Array.from(chosen, ({ handle }) => handle))
  return chosen.flatMap(({ word, field, likeness }, at): readonly Seed[] => {
    const chunk = chunks[at]
    if (chunk === undefined) return []
    const called = field === 'path' ? chunk.path : chunk.name || spellerOf(chunk)(word, field)
    return [
      {
        chunk,
        // Cubed: what is half as near is much less likely to be meant.
        score: likeness ** 3,
        vector: { near: likeness },
        terms: [{ name: 'spelled nearly so', value: likeness ** 3 }],
        reasons: [`nothing is called \`${request.name}\`; near: \`${called}\``],
      },
    ]
  })
}

/** Each chunk once, by the nearest word in its names; of a path, the first chunk of the file. */
async function findNearHits(
  index: CodeIndexReader,
  { fileOf, layout }: Catalogue,
  { name, isWanted, isAside }: NearRequest,
): Promise<readonly NearHit[]> {
  const near = await findNearWords(index, name.toLowerCase())
  const postings = await index.postings(near.map((it) => it.word))
  const found = new Map<number, NearHit>()
  for (const [at, word] of near.entries()) {
    const { handles = [], fields = [] } = postings[at] ?? {}
    for (const [place, handle] of handles.entries()) {
      const file = fileOf[handle] ?? 0
      const field = WORD_FIELDS[fields[place] ?? 0] ?? 'body'
      const isFirst = field === 'path' && layout.firstHandles[file] === handle
      if ((field !== 'name' && !isFirst) || found.has(handle) || !isWanted(file)) continue
      found.set(handle, { ...word, handle, field, isAside: isAside(file) })
    }
  }
  return [...found.values()].toSorted(NEAREST_HIT)
}

/** Of all words of the index, nearest first. */
async function findNearWords(index: CodeIndexReader, wanted: string): Promise<readonly NearWord[]> {
  let near: readonly NearWord[] = []
  for (let after = ''; ; ) {
    const page = await index.vocabulary(after, PAGE)
    const words = page.filter((word) => word.length >= LEAST_PART)
    const rated = words.map((word) => ({ word, likeness: rateLikeness(wanted, word) }))
    near = [...near, ...rated.filter((it) => it.likeness > 0)]
      .toSorted(NEAREST)
      .slice(0, MOST_WORDS)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return near
    after = last
  }
}

/** What contains the other is as near as it is long; anything else by its letters. */
function rateLikeness(wanted: string, word: string): number {
  const [short, long] = wanted.length < word.length ? [wanted, word] : [word, wanted]
  const contained = long.includes(short) ? short.length / long.length : 0
  return Math.max(contained, rateSpelling(wanted, word))
}

const LEAST_PART = 3

const NEAREST = inOrder<NearWord>(
  descending((it) => it.likeness),
  ascending((it) => it.word),
)

const NEAREST_HIT = inOrder<NearHit>(
  descending((it) => it.likeness),
  ascending((it) => (it.isAside ? 1 : 0)),
  ascending((it) => it.handle),
)
