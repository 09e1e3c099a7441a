/**
 * Lists of numbers under text keys: in which chunks a word stands, which files asked a question.
 * There are millions of entries, so there is no row for each. What a batch adds is one segment: a
 * row per key, with all entries of that key in one blob. Nothing is taken out of a segment; the
 * numbers of what is gone are never given out again, and who reads leaves them out.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ByteLists, resized } from './byte-lists.ts'
import { BY_BYTES } from './byte-order.ts'
import { RowInserter } from './row-inserter.ts'
import { ByteReader, ByteWriter } from './varint.ts'
import { WordKeys } from './word-keys.ts'

export type ListName = 'postings' | 'askers'

/** A tag below 8 and a count come with each number: the field, and how often. */
export interface Entries {
  readonly numbers: Uint32Array
  readonly tags: Uint8Array
  readonly counts: Uint32Array
}

const TAG_BITS = 3
/** Of the first byte of an entry: the tag, and whether a count follows. */
const LOW_BITS = 15
/** What is held in memory before it becomes a segment. */
const MOST_BYTES = 24 * 1024 * 1024
const MOST_KEYS = 400_000
const FIRST_CAPACITY = 1 << 12
/** What is gathered of a segment before it is written. */
const BYTES_AT_ONCE = 1 << 16

/** Gathers entries, with numbers that never fall, and writes them as segments. */
export class ListWriter {
  readonly #connection: DatabaseSync
  readonly #list: ListName
  readonly #nextSegment: () => number
  readonly #keys = new WordKeys()
  readonly #entries = new ByteLists()
  /** By key: the number of the last entry, and how many different ones there are. */
  #last = new Uint32Array(FIRST_CAPACITY)
  #numbers = new Uint32Array(FIRST_CAPACITY)

  constructor(connection: DatabaseSync, list: ListName, nextSegment: () => number) {
    this.#connection = connection
    this.#list = list
    this.#nextSegment = nextSegment
  }

  /** For `add`, until the next flush. Text that is not well formed would come back as another. */
  key(text: string): number {
    const known = this.#keys.find(text)
    if (known !== undefined) return known
    const wellFormed = text.toWellFormed()
    return this.#keys.find(wellFormed) ?? this.#begin(wellFormed)
  }

  add(key: number, number: number, entry: number): void {
    const step = number - (this.#last[key] as number)
    // Numbers are counted from 1.
    if (step > 0) this.#numbers[key] = (this.#numbers[key] as number) + 1
    this.#last[key] = number
    const count = entry >>> TAG_BITS
    this.#entries.put(key, headOf(step, entry))
    if (count !== 1) this.#entries.put(key, count)
  }

  /** To be told between one file and the next: what is held becomes a segment when it is much. */
  settle(): void {
    if (this.#entries.bytes >= MOST_BYTES || this.#keys.size >= MOST_KEYS) this.flush()
  }

  flush(): void {
    if (this.#keys.size === 0) return
    const segment = this.#nextSegment()
    const rows = new RowInserter(this.#connection, this.#list, 4)
    const words = this.#keys.words()
    const bytes = new ByteWriter()
    for (const word of words.toSorted()) {
      const start = bytes.length
      const key = this.#keys.find(word) ?? 0
      this.#entries.copy(key, bytes)
      rows.add(segment, word, this.#numbers[key] as number, bytes.from(start))
      if (bytes.length < BYTES_AT_ONCE) continue
      rows.flush()
      bytes.length = 0
    }
    rows.flush()
    noteSegment(this.#connection, this.#list, { segment, keys: words.length })
    this.#keys.clear()
    this.#entries.clear()
    this.#last = resized(this.#last, FIRST_CAPACITY)
    this.#numbers = resized(this.#numbers, FIRST_CAPACITY)
  }

  #begin(text: string): number {
    const number = this.#keys.add(text)
    this.#entries.begin(number)
    if (number >= this.#last.length) {
      this.#last = resized(this.#last, 2 * number)
      this.#numbers = resized(this.#numbers, 2 * number)
    }
    this.#last[number] = 0
    this.#numbers[number] = 0
    return number
  }
}

/** The tag in the lowest bits, the count above. */
export function tagged(tag: number, count: number): number {
  return (count << TAG_BITS) | tag
}

/** The entries of a key in all segments, those of the dead included, by number and tag. */
export function readLists(
  connection: DatabaseSync,
  list: ListName,
): (key: string) => readonly Uint8Array[] {
  const statement = prepareByKey(connection, list, 'entries')
  return (key) => (statement.all(key) as unknown as [Uint8Array][]).map(([entries]) => entries)
}

/** How many different numbers a key has in all segments, those of the dead included. */
export function readCounts(connection: DatabaseSync, list: ListName): (key: string) => number {
  const statement = prepareByKey(connection, list, 'numbers')
  return (key) => {
    let sum = 0
    // A number is in one segment: one only becomes full between one file and the next.
    for (const [numbers] of statement.all(key) as unknown as [number][]) sum += numbers
    return sum
  }
}

function prepareByKey(
  connection: DatabaseSync,
  list: ListName,
  column: 'entries' | 'numbers',
): StatementSync {
  const statement = connection.prepare(
    `SELECT ${list}.${column} FROM segments CROSS JOIN ${list}
       ON ${list}.segment = segments.n AND ${list}.key = ?
       WHERE segments.list = '${list}' ORDER BY segments.n`,
  )
  statement.setReturnArrays(true)
  return statement
}

interface Decoded extends Entries {
  /** How many different numbers there are. */
  readonly distinct: number
}

/**
 * All, or those of the living. One question decodes hundreds of thousands, so that the few lines of
 * `ByteReader` stand here once more: a call for each byte takes three times as long.
 */
export function decode(
  blobs: readonly Uint8Array[],
  isAlive?: (number: number) => boolean,
): Decoded {
  const room = blobs.reduce((sum, it) => sum + it.length, 0)
  const numbers = new Uint32Array(room)
  const tags = new Uint8Array(room)
  const counts = new Uint32Array(room)
  let size = 0
  let distinct = 0
  let last = -1
  for (const blob of blobs) {
    let number = 0
    for (let at = 0; at < blob.length; ) {
      let byte = blob[at++] ?? 0
      const low = byte & LOW_BITS
      // A step is what is left of the first byte, and whole bytes after it.
      number += (byte & 127) >> 4
      for (let factor = 8; byte >= 128; factor *= 128) {
        byte = blob[at++] ?? 0
        number += (byte & 127) * factor
      }
      let count = 1
      if ((low & 1) === 1) {
        byte = blob[at++] ?? 0
        count = byte & 127
        for (let factor = 128; byte >= 128; factor *= 128) {
          byte = blob[at++] ?? 0
          count += (byte & 127) * factor
        }
      }
      if (isAlive !== undefined && !isAlive(number)) continue
      numbers[size] = number
      tags[size] = low >> 1
      counts[size] = count
      size += 1
      if (number !== last) distinct += 1
      last = number
    }
  }
  return {
    distinct,
    numbers: numbers.slice(0, size),
    tags: tags.slice(0, size),
    counts: counts.slice(0, size),
  }
}

/** How many different numbers there are, of the living if told; counted up to `most`, no further. */
export function distinctIn(
  blobs: readonly Uint8Array[],
  { most, isAlive }: { readonly most: number; isAlive?: (number: number) => boolean },
): number {
  let count = 0
  let last = -1
  for (const blob of blobs) {
    let number = 0
    for (let at = 0; at < blob.length && count < most; ) {
      let byte = blob[at++] ?? 0
      const hasCount = (byte & 1) === 1
      number += (byte & 127) >> 4
      for (let factor = 8; byte >= 128; factor *= 128) {
        byte = blob[at++] ?? 0
        number += (byte & 127) * factor
      }
      if (hasCount) while ((blob[at++] ?? 0) >= 128);
      if (number === last || (isAlive !== undefined && !isAlive(number))) continue
      last = number
      count += 1
    }
  }
  return count
}

/** As one blob, for stores that write each key once; `bytes` is used over and over. */
export function encode({ numbers, tags, counts }: Entries, bytes: ByteWriter): Uint8Array {
  bytes.length = 0
  let last = 0
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0
    putEntry(bytes, number - last, tagged(tags[at] ?? 0, counts[at] ?? 0))
    last = number
  }
  return bytes.from(0).slice()
}

/** Keys after a given one, of all segments. Each segment has its keys in order, and gives a page. */
export function keysAfter(
  connection: DatabaseSync,
  list: ListName,
  { after, limit }: { readonly after: string; readonly limit: number },
): readonly string[] {
  const page = connection.prepare(
    `SELECT key FROM ${list} WHERE segment = ? AND key > ? ORDER BY key LIMIT ?`,
  )
  page.setReturnArrays(true)
  const segments = connection.prepare('SELECT n FROM segments WHERE list = ?').all(list)
  const keys = new Set<string>()
  for (const { n } of segments) {
    for (const [key] of page.all(n ?? 0, after, limit) as unknown as [string][]) keys.add(key)
  }
  return [...keys].toSorted(BY_BYTES).slice(0, limit)
}

/** All keys in order, each with its entries in all segments, those of the dead included. */
export function* allLists(
  connection: DatabaseSync,
  list: ListName,
): Generator<{ readonly key: string; readonly blobs: readonly Uint8Array[] }> {
  const statement = connection.prepare(`SELECT key, entries FROM ${list} ORDER BY key, segment`)
  statement.setReturnArrays(true)
  let key: string | undefined
  let blobs: Uint8Array[] = []
  for (const row of statement.iterate() as unknown as Iterable<[string, Uint8Array]>) {
    if (key !== undefined && row[0] !== key) {
      yield { key, blobs }
      blobs = []
    }
    key = row[0]
    blobs.push(row[1])
  }
  if (key !== undefined) yield { key, blobs }
}

export function segmentCount(connection: DatabaseSync, list: ListName): number {
  const row = connection.prepare('SELECT count(*) AS n FROM segments WHERE list = ?').get(list)
  return Number(row?.['n'])
}

/** Makes all segments one, without the dead. */
export function mergeSegments(
  connection: DatabaseSync,
  list: ListName,
  options: { readonly segment: number; isAlive(number: number): boolean },
): void {
  const insert = insertInto(connection, list)
  const bytes = new ByteWriter()
  let current: string | undefined
  let last = 0
  let numbers = 0
  let keys = 0
  const finish = (): void => {
    if (current === undefined || bytes.length === 0) return
    insert.run(options.segment, current, numbers, bytes.from(0))
    keys += 1
  }
  // All at once: rows are written to the table that is being read.
  connection.exec(`CREATE TEMP TABLE merging AS
    SELECT key, segment, entries FROM ${list} ORDER BY key, segment; DELETE FROM ${list}`)
  const sorted = connection.prepare('SELECT key, entries FROM merging ORDER BY rowid')
  sorted.setReturnArrays(true)
  for (const row of sorted.iterate() as unknown as Iterable<[string, Uint8Array]>) {
    if (row[0] !== current) {
      finish()
      current = row[0]
      bytes.length = 0
      last = 0
      numbers = 0
    }
    eachEntry(row[1], (number, tag, count) => {
      if (!options.isAlive(number)) return
      putEntry(bytes, number - last, tagged(tag, count))
      if (number > last) numbers += 1
      last = number
    })
  }
  finish()
  connection.exec('DROP TABLE merging')
  connection.prepare('DELETE FROM segments WHERE list = ?').run(list)
  noteSegment(connection, list, { segment: options.segment, keys })
}

function putEntry(bytes: ByteWriter, step: number, entry: number): void {
  const count = entry >>> TAG_BITS
  bytes.put(headOf(step, entry))
  if (count !== 1) bytes.put(count)
}

/** Most counts are 1, which one bit says. */
function headOf(step: number, entry: number): number {
  const tag = entry & ((1 << TAG_BITS) - 1)
  return step * 16 + tag * 2 + (entry >>> TAG_BITS === 1 ? 0 : 1)
}

function eachEntry(
  blob: Uint8Array,
  action: (number: number, tag: number, count: number) => void,
): void {
  const bytes = new ByteReader(blob)
  let number = 0
  while (!bytes.isAtEnd) {
    const head = bytes.next()
    const low = head % 16
    number += (head - low) / 16
    action(number, low >> 1, low & 1 ? bytes.next() : 1)
  }
}

function insertInto(connection: DatabaseSync, list: ListName): StatementSync {
  return connection.prepare(`INSERT INTO ${list} VALUES (?, ?, ?, ?)`)
}

function noteSegment(
  connection: DatabaseSync,
  list: ListName,
  it: { readonly segment: number; readonly keys: number },
): void {
  connection.prepare('INSERT INTO segments VALUES (?, ?, ?)').run(list, it.segment, it.keys)
}
