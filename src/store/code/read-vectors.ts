/** Which chunks lie in the direction of a vector, and what words mean as vectors. */
import type { DatabaseSync } from 'node:sqlite'
import { computeCosine } from '../../base/byte-vectors.ts'
import { descending, inOrder } from '../../base/order.ts'
import type { VectorHit } from '../../model/code-index.ts'
import type { VectorInfo, WordVector } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import { loadCounters } from './counters.ts'
import type { WordQueries } from './read-words.ts'
import { byPlace } from './rows.ts'
import { asBlob, fromBlob, isOf, loadVectorSearch, storedVectors } from './vector-search.ts'

/** More than sqlite-vec gives at once. */
const MOST_AT_ONCE = 4096
/** It computes with few bits and in another order on each kind of machine. */
const BLUR = 1e-5

interface NearRow {
  readonly chunk: number
  readonly score: number
}

export class VectorQueries {
  readonly #connection: DatabaseSync
  readonly #words: WordQueries

  constructor(connection: DatabaseSync, words: WordQueries) {
    this.#connection = connection
    this.#words = words
  }

  /** Those of an earlier state of the chunks are none. */
  info(): VectorInfo | undefined {
    const stored = storedVectors(this.#connection)
    if (stored === undefined || !isOf(stored, loadCounters(this.#connection))) return undefined
    const { name, model, dimensions, url } = stored
    return { name, model, dimensions, url }
  }

  /** Loads what `nearest` needs. */
  async load(): Promise<void> {
    if (this.info() === undefined) {
      throw new EngineError('POC_E_NOT_SUPPORTED', 'this index has no vectors', {
        hint: 'make them with `dossier index --embed self`, or ask without ann',
      })
    }
    await loadVectorSearch(this.#connection)
  }

  nearest(vector: Int8Array, limit: number): readonly VectorHit[] {
    this.#refuseOther(vector)
    if (limit <= 0 || vector.every((it) => it === 0)) return []
    const rows = this.#candidates(vector, limit)
    const bar = rows.map((it) => it.score).toSorted((a, b) => b - a)[limit - 1] ?? -1
    const best = rows.filter((it) => it.score >= bar)
    return this.#words
      .located(Uint32Array.from(best, (it) => it.chunk))
      .map((place, at) => ({ ...place, score: best[at]?.score ?? 0 }))
      .toSorted(
        inOrder(
          descending((it) => it.score),
          byPlace((it) => it.uid),
        ),
      )
      .slice(0, limit)
  }

  wordVectors(words: readonly string[]): readonly (WordVector | undefined)[] {
    if (this.info() === undefined) return words.map(() => undefined)
    const statement = this.#connection.prepare(
      'SELECT worth, bytes FROM word_vectors WHERE word = ?',
    )
    return words.map((word) => {
      const row = statement.get(word)
      if (row === undefined) return undefined
      return { worth: Number(row['worth']), values: fromBlob(row['bytes'] as Uint8Array) }
    })
  }

  #refuseOther(vector: Int8Array): void {
    const dimensions = this.info()?.dimensions ?? 0
    if (vector.length === dimensions) return
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      `the question has ${vector.length} dimensions, the index ${dimensions}`,
      { hint: 'index again with the model that is in use now' },
    )
  }

  /**
   * All that may be among the nearest: as sqlite-vec finds them, with the score computed here, where
   * it is the same on every machine. Who of equals is in must not depend on how they are numbered.
   */
  #candidates(vector: Int8Array, limit: number): readonly NearRow[] {
    const statement = this.#connection.prepare(`SELECT chunk, embedding, distance
      FROM chunk_vectors WHERE embedding MATCH vec_int8(?) AND k = ?`)
    statement.setReturnArrays(true)
    for (let wanted = limit + 32; wanted <= MOST_AT_ONCE; wanted *= 2) {
      const rows = statement.all(asBlob(vector), wanted) as unknown as [
        number,
        Uint8Array,
        number,
      ][]
      const bar = rows[limit - 1]?.[2] ?? Number.POSITIVE_INFINITY
      if (rows.length < wanted || (rows.at(-1)?.[2] ?? 0) > bar + BLUR) return scored(rows, vector)
    }
    const all = this.#connection.prepare('SELECT chunk, embedding FROM chunk_vectors')
    all.setReturnArrays(true)
    return scored(all.iterate() as unknown as Iterable<[number, Uint8Array]>, vector)
  }
}

function scored(
  rows: Iterable<readonly [number, Uint8Array, ...unknown[]]>,
  vector: Int8Array,
): readonly NearRow[] {
  return Array.from(rows, ([chunk, bytes]) => ({
    chunk,
    score: computeCosine(vector, fromBlob(bytes)),
  }))
}
