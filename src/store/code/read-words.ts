/** In which chunks words stand, and how often: what `sparse` and `fts` rank by. */
import type { DatabaseSync } from 'node:sqlite'
import { descending, inOrder } from '../../base/order.ts'
import type {
  ChunkPlace,
  Corpus,
  FullTextHit,
  FullTextQuery,
  WordPostings,
} from '../../model/code-index.ts'
import { loadCounters } from './counters.ts'
import { loadDead } from './dead.ts'
import { bestRows, hasFullText } from './full-text.ts'
import { LengthPages } from './lengths.ts'
import { decode, keysAfter, readLists } from './lists.ts'
import { byPlace } from './rows.ts'
import { troubleWith } from './trouble.ts'

export class WordQueries {
  readonly #connection: DatabaseSync
  readonly #isDead: (chunk: number) => boolean
  readonly #lengths: LengthPages
  readonly #entriesOf: (word: string) => readonly Uint8Array[]

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.#isDead = loadDead(connection)
    this.#lengths = new LengthPages(connection)
    this.#entriesOf = readLists(connection, 'postings')
  }

  matching(words: readonly string[]): readonly WordPostings[] {
    return words.map((word) => {
      const { numbers, tags, counts } = decode(this.#entriesOf(word), (it) => !this.#isDead(it))
      return { word, handles: numbers, fields: tags, counts, frequency: distinct(numbers) }
    })
  }

  lengths(handles: Uint32Array): Uint32Array {
    return this.#lengths.of(handles)
  }

  corpus(): Corpus {
    const { chunks, lengths } = loadCounters(this.#connection)
    return { chunks, lengths }
  }

  located(handles: Uint32Array): readonly ChunkPlace[] {
    const statement = this.#connection.prepare(
      `SELECT c.uid, f.path, c.start, c.end FROM chunks c JOIN files f ON f.n = c.file WHERE c.n = ?`,
    )
    statement.setReturnArrays(true)
    return Array.from(handles, (handle) => {
      const row = statement.get(handle) as unknown as PlaceRow | undefined
      if (row === undefined) throw new Error(`${handle} is no handle of this state of the index`)
      const [uid, path, start, end] = row
      return { uid, path, start, end }
    })
  }

  fullText(query: FullTextQuery): readonly FullTextHit[] {
    if (!hasFullText(this.#connection)) {
      throw troubleWith('unsupported', 'this index was built without full-text search')
    }
    const rows = bestRows(this.#connection, query)
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

type PlaceRow = [string, string, number, number]

/** Of numbers in rising order. */
function distinct(numbers: Uint32Array): number {
  let count = 0
  for (let at = 0; at < numbers.length; at += 1) {
    if (at === 0 || numbers[at] !== numbers[at - 1]) count += 1
  }
  return count
}
