/** In which chunks words stand, and how often: what `sparse` and `fts` rank by. */
import type { DatabaseSync } from 'node:sqlite'
import { descending, inOrder } from '../../base/order.ts'
import type {
  ChunkRange,
  Corpus,
  FullTextHit,
  FullTextQuery,
  IndexLayout,
  WordPostings,
} from '../../model/code-index.ts'
import { UnknownHandle } from '../../model/code-index.ts'
import { Memo } from '../../platform/memo.ts'
import { ChunkPages } from './chunk-pages.ts'
import { loadCounters } from './counters.ts'
import { loadDead } from './dead.ts'
import { bestRows } from './full-text.ts'
import { decode, distinctIn, keysAfter, readCounts, readLists } from './lists.ts'
import { byPlace, type Query, queryOf } from './rows.ts'

/** Some 8 MB. */
const MOST_PLACES = 30_000
/** Entries of postings, some 20 MB. Every query has a few very common words, and decoding those takes most of its time. */
const MOST_ENTRIES = 2_000_000
/** A list without entries takes room too. */
const COST_OF_LIST = 100

export class WordQueries {
  readonly #connection: DatabaseSync
  readonly #lengths: ChunkPages
  readonly #postings: Memo<string, WordPostings>
  readonly #count: (word: string, most: number) => number
  readonly #places: Memo<number, ChunkRange>
  #corpus: Corpus | undefined
  #layout: IndexLayout | undefined
  #languages: readonly string[] | undefined

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.#lengths = new ChunkPages(connection, 'field_words')
    const entries = wordEntries(connection)
    this.#postings = rememberPostings(entries)
    this.#count = countersIn(connection, entries)
    this.#places = rememberPlaces(connection)
  }

  matching(words: readonly string[]): readonly WordPostings[] {
    return words.map((word) => this.#postings.get(word))
  }

  frequencies(words: readonly string[], most: number): readonly number[] {
    return words.map((word) => {
      const known = this.#postings.peek(word)
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

  languages(): readonly string[] {
    this.#languages ??= columnsOfFiles(this.#connection, ['language'])[0] as string[]
    return this.#languages
  }

  located(handles: Uint32Array): readonly ChunkRange[] {
    return Array.from(handles, (handle) => this.#places.get(handle))
  }

  fullText(query: FullTextQuery): readonly FullTextHit[] {
    const statistics = {
      corpus: this.corpus(),
      postings: (word: string) => this.#postings.get(word),
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

/** Told at once where no chunk is gone; else they must be counted, up to `most`. */
function countersIn(
  connection: DatabaseSync,
  { of, isAlive }: WordEntries,
): (word: string, most: number) => number {
  if (isAlive !== undefined) return (word, most) => distinctIn(of(word), { most, isAlive })
  const countOf = readCounts(connection, 'postings')
  return (word, most) => Math.min(most, countOf(word))
}

function rememberPostings(entries: WordEntries): Memo<string, WordPostings> {
  const read = (word: string): WordPostings => {
    const { numbers, tags, counts, distinct } = decode(entries.of(word), entries.isAlive)
    return { word, handles: numbers, fields: tags, counts, frequency: distinct }
  }
  return new Memo(read, {
    limit: MOST_ENTRIES,
    costOf: ({ handles }) => handles.length + COST_OF_LIST,
  })
}

function rememberPlaces(connection: DatabaseSync): Memo<number, ChunkRange> {
  const place: Query<ChunkRange> = queryOf<PlaceRow, ChunkRange>(
    connection,
    `SELECT c.uid, f.path, c.start, c.end FROM chunks c JOIN files f ON f.n = c.file WHERE c.n = ?`,
    ([uid, path, start, end]) => ({ uid, path, start, end }),
  )
  const read = (handle: number): ChunkRange => {
    const [found] = place(handle)
    if (found === undefined) throw new UnknownHandle(handle)
    return found
  }
  return new Memo(read, { limit: MOST_PLACES })
}

function loadLayout(connection: DatabaseSync): IndexLayout {
  const columns = ['path', 'first_chunk', 'chunk_count', 'words']
  const [paths = [], firsts = [], counts = [], words = []] = columnsOfFiles(connection, columns)
  const firstHandles = new Uint32Array(firsts as number[])
  const chunkCounts = new Uint32Array(counts as number[])
  const past = (firstHandles.at(-1) ?? 0) + (chunkCounts.at(-1) ?? 0)
  return {
    paths: paths as string[],
    firstHandles,
    chunkCounts,
    fileWords: new Uint32Array(words as number[]),
    chunkWords: new ChunkPages(connection, 'chunk_words').all(past),
  }
}

/**
 * Each as one text, which the engine takes apart by itself: row by row it takes twice as long.
 * Files are numbered as they come, and so are their chunks.
 */
function columnsOfFiles(
  connection: DatabaseSync,
  names: readonly string[],
): readonly (readonly unknown[])[] {
  const lists = names.map((it) => `json_group_array(${it})`)
  const statement = connection.prepare(
    `SELECT ${lists.join()} FROM (SELECT ${names.join()} FROM files ORDER BY n)`,
  )
  statement.setReturnArrays(true)
  const row = statement.get() as unknown as readonly string[]
  return row.map((list) => JSON.parse(list) as unknown[])
}

type PlaceRow = [string, string, number, number]
