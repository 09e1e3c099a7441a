/** The full-text search of SQLite over our own words. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { assert } from '../../base/assert.ts'
import type { FullTextQuery } from '../../model/code-index.ts'
import { WORD_FIELDS, type WordTable } from '../../model/index-record.ts'

const FIELDS = WORD_FIELDS.length
/** Where FTS5 keeps the number of rows and the sum of their sizes; they are what bm25 divides by. */
const AVERAGES = 1

export function hasFullText(connection: DatabaseSync): boolean {
  const row = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'chunk_words'`).get()
  return row !== undefined
}

export class FullTextWriter {
  readonly #connection: DatabaseSync
  readonly #insert: StatementSync
  readonly #delete: StatementSync
  readonly #sizes: StatementSync
  /** Rows and sizes that were deleted since the last flush. */
  readonly #gone = [0, ...WORD_FIELDS.map(() => 0)]

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.#insert = connection.prepare(
      `INSERT INTO chunk_words(rowid, ${WORD_FIELDS.join(', ')}) VALUES (?${', ?'.repeat(FIELDS)})`,
    )
    this.#delete = connection.prepare('DELETE FROM chunk_words WHERE rowid = ?')
    this.#sizes = connection.prepare('SELECT sz FROM chunk_words_docsize WHERE id BETWEEN ? AND ?')
  }

  put(firstChunk: number, chunkCount: number, words: WordTable): void {
    const texts = fieldTexts(words, chunkCount)
    for (let at = 0; at < chunkCount; at += 1) {
      this.#insert.run(firstChunk + at, ...texts.slice(at * FIELDS, (at + 1) * FIELDS))
    }
  }

  remove(first: number, last: number): void {
    for (const row of this.#sizes.iterate(first, last)) {
      const sizes = varints(row['sz'] as Uint8Array)
      for (const [at, size] of [1, ...sizes].entries()) {
        this.#gone[at] = (this.#gone[at] ?? 0) + size
      }
    }
    // One by one: a range makes FTS5 start over for each of them, at a hundred times the cost.
    for (let chunk = first; chunk <= last; chunk += 1) this.#delete.run(chunk)
  }

  /**
   * Deleting from a table without content leaves FTS5's averages as they were, and scores would
   * depend on the history of the index. So what is gone is taken out of them here. A savepoint is
   * what makes FTS5 write them first, and forget them.
   */
  flush(): void {
    if (this.#gone.every((it) => it === 0)) return
    this.#connection.exec('SAVEPOINT averages')
    const row = this.#connection
      .prepare(`SELECT block FROM chunk_words_data WHERE id = ${AVERAGES}`)
      .get()
    const sums = varints((row?.['block'] ?? new Uint8Array()) as Uint8Array)
    assert(sums.length === FIELDS + 1, 'as many averages as fields')
    const block = encodeVarints(sums.map((sum, at) => sum - (this.#gone[at] ?? 0)))
    this.#connection.enableDefensive(false)
    try {
      this.#connection
        .prepare(`UPDATE chunk_words_data SET block = ? WHERE id = ${AVERAGES}`)
        .run(block)
    } finally {
      this.#connection.enableDefensive(true)
    }
    this.#connection.exec('RELEASE averages')
    this.#gone.fill(0)
  }
}

/** Makes one segment of many, without what was deleted. */
export function compactFullText(connection: DatabaseSync): void {
  connection.exec(`INSERT INTO chunk_words(chunk_words) VALUES('optimize')`)
}

export interface RankedRow {
  readonly chunk: number
  readonly score: number
}

/** The best, and all that are as good as the last of them: who of these is in is not ours to say. */
export function bestRows(connection: DatabaseSync, query: FullTextQuery): readonly RankedRow[] {
  if (query.words.length === 0 || query.limit <= 0) return []
  const weights = WORD_FIELDS.map((_, at) => query.weights[at] ?? 1)
  const statement = connection.prepare(
    `SELECT rowid, bm25(chunk_words${', ?'.repeat(FIELDS)}) AS rank FROM chunk_words
       WHERE chunk_words MATCH ? ORDER BY 2 LIMIT ?`,
  )
  statement.setReturnArrays(true)
  for (let limit = query.limit + 32; ; limit *= 2) {
    const rows = statement.all(...weights, anyOf(query.words), limit) as unknown as RankRow[]
    const bar = rows[query.limit - 1]?.[1] ?? Number.POSITIVE_INFINITY
    if (rows.length < limit || (rows.at(-1)?.[1] ?? 0) > bar) {
      return rows.filter((it) => it[1] <= bar).map(([chunk, rank]) => ({ chunk, score: -rank }))
    }
  }
}

type RankRow = [number, number]

/** Quoted, every text is a phrase and nothing in it is syntax. */
function anyOf(words: readonly string[]): string {
  return words.map((it) => `"${asToken(it).replaceAll('"', '""')}"`).join(' OR ')
}

/** The words of each field of each chunk, each as often as it stands there. */
function fieldTexts(words: WordTable, chunkCount: number): readonly string[] {
  const tokens = words.words.map((it) => `${asToken(it)} `)
  const texts = Array.from({ length: chunkCount * FIELDS }, () => '')
  const { counts } = words
  for (let at = 0; at < counts.length; at += 4) {
    const token = tokens[counts[at] ?? 0] ?? ''
    const text = (counts[at + 1] ?? 0) * FIELDS + (counts[at + 2] ?? 0)
    for (let left = counts[at + 3] ?? 0; left > 0; left -= 1) texts[text] += token
  }
  return texts
}

/** What the tokenizer would split at or fold is spelled out, so that a word is always one token. */
const SPLITTING = /[^!-$&-@[-~\u0080-\uffff]/g

function asToken(word: string): string {
  return word.replace(SPLITTING, (it) => `%${it.charCodeAt(0).toString(16)};`)
}

/** FTS5's own variable-length numbers: seven bits each, the highest first. */
function varints(bytes: Uint8Array): readonly number[] {
  const values: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 127)
    if (byte >= 128) continue
    values.push(value)
    value = 0
  }
  return values
}

function encodeVarints(values: readonly number[]): Uint8Array {
  return Uint8Array.from(
    values.flatMap((value) => {
      const bytes = [value % 128]
      for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
        bytes.unshift((rest % 128) | 128)
      }
      return bytes
    }),
  )
}
