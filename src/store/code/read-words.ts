/** In which chunks words stand, and how often: what `sparse` and `fts` rank by. */
import type { DatabaseSync } from 'node:sqlite'
import { descending, inOrder } from '../../base/order.ts'
import type {
  ChunkPlace,
  Corpus,
  FullTextHit,
  FullTextQuery,
  IndexLayout,
  WordPostings,
} from '../../model/code-index.ts'
import { loadCounters } from './counters.ts'
import { loadDead } from './dead.ts'
import { bestRows } from './full-text.ts'
import { LengthPages } from './lengths.ts'
import { decode, distinctIn, keysAfter, readLists } from './lists.ts'
import { PostingCache } from './posting-cache.ts'
import { byPlace, type Query, queryOf } from './rows.ts'

/** Some 8 MB; after that many it starts over, so that memory does not grow. */
const REMEMBERED_PLACES = 30_000

export class WordQueries {
  readonly #connection: DatabaseSync
  readonly #lengths: LengthPages
  readonly #postings: PostingCache
  readonly #count: (word: string, most: number) => number
  readonly #place: Query<ChunkPlace>
  readonly #places = new Map<number, ChunkPlace>()
  #corpus: Corpus | undefined
  #layout: IndexLayout | undefined

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.#lengths = new LengthPages(connection)
    const entries = wordEntries(connection)
    this.#postings = postingsIn(entries)
    this.#count = (word, most) =>
      distinctIn(entries.of(word), { most, ...(entries.isAlive && { isAlive: entries.isAlive }) })
    this.#place = queryOf<PlaceRow, ChunkPlace>(
      connection,
      `SELECT c.uid, f.path, c.start, c.end FROM chunks c JOIN files f ON f.n = c.file WHERE c.n = ?`,
      ([uid, path, start, end]) => ({ uid, path, start, end }),
    )
  }

  matching(words: readonly string[]): readonly WordPostings[] {
    return words.map((word) => this.#postings.of(word))
  }

  frequencies(words: readonly string[], most: number): readonly number[] {
    return words.map((word) => {
      const known = this.#postings.known(word)
      return known === undefined ? this.#count(word, most) : Math.min(most, known.frequency)
    })
  }

  lengths(handles: Uint32Array): Uint32Array {
    return this.#lengths.of(handles)
  }

  corpus(): Corpus {
    if (this.#corpus === undefined) {
      const { chunks, lengths } = loadCounters(this.#connection)
      this.#corpus = { chunks, lengths }
    }
    return this.#corpus
  }

  layout(): IndexLayout {
    this.#layout ??= loadLayout(this.#connection)
    return this.#layout
  }

  located(handles: Uint32Array): readonly ChunkPlace[] {
    return Array.from(handles, (handle) => this.#places.get(handle) ?? this.#located(handle))
  }

  #located(handle: number): ChunkPlace {
    const [place] = this.#place(handle)
    if (place === undefined) throw new Error(`${handle} is no handle of this state of the index`)
    if (this.#places.size >= REMEMBERED_PLACES) this.#places.clear()
    this.#places.set(handle, place)
    return place
  }

  fullText(query: FullTextQuery): readonly FullTextHit[] {
    const statistics = {
      corpus: this.corpus(),
      postings: (word: string) => this.#postings.of(word),
      lengths: (chunks: Uint32Array) => this.#lengths.of(chunks),
    }
    const rows = bestRows(statistics, query)
    return this.located(Uint32Array.from(rows, (it) => it.chunk))
      .map((place, at) => ({ ...place, score: rows[at]?.score ?? 0 }))
      .toSorted(
        inOrder(
          descending((it) => it.score),
          byPlace((it) => it.uid),
        ),
      )
      .slice(0, query.limit)
  }

  vocabulary(after: string, limit: number): readonly string[] {
    return keysAfter(this.#connection, 'postings', { after, limit })
  }
}

interface WordEntries {
  of(word: string): readonly Uint8Array[]
  /** Undefined where all are. */
  readonly isAlive: ((chunk: number) => boolean) | undefined
}

function wordEntries(connection: DatabaseSync): WordEntries {
  const isDead = loadDead(connection)
  const isAlive = isDead === undefined ? undefined : (it: number) => !isDead(it)
  return { of: readLists(connection, 'postings'), isAlive }
}

function postingsIn(entries: WordEntries): PostingCache {
  return new PostingCache((word) => {
    const { numbers, tags, counts } = decode(entries.of(word), entries.isAlive)
    return { word, handles: numbers, fields: tags, counts, frequency: distinct(numbers) }
  })
}

function loadLayout(connection: DatabaseSync): IndexLayout {
  const statement = connection.prepare(
    'SELECT path, language, lines, first_chunk, chunk_count FROM files ORDER BY first_chunk, n',
  )
  statement.setReturnArrays(true)
  const rows = statement.all() as unknown as readonly [string, string, number, number, number][]
  const paths: string[] = []
  const languages: string[] = []
  const lines = new Uint32Array(rows.length)
  const firstHandles = new Uint32Array(rows.length)
  const chunkCounts = new Uint32Array(rows.length)
  // In one pass and without a function for each: there are very many.
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]
    if (row === undefined) break
    paths.push(row[0])
    languages.push(row[1])
    lines[at] = row[2]
    firstHandles[at] = row[3]
    chunkCounts[at] = row[4]
  }
  return { paths, languages, lines, firstHandles, chunkCounts }
}

type PlaceRow = [string, string, number, number]

/** Of numbers in rising order. */
export function distinct(numbers: Uint32Array): number {
  let count = 0
  for (let at = 0; at < numbers.length; at += 1) {
    if (at === 0 || numbers[at] !== numbers[at - 1]) count += 1
  }
  return count
}
