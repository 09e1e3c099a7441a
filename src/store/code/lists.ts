/**
 * Lists of numbers under text keys: in which chunks a word stands, which files asked a question.
 * There are millions of entries, so there is no row for each. What a batch adds is one segment: a
 * row per key, with all entries of that key in one blob. Nothing is taken out of a segment; the
 * numbers of what is gone are never given out again, and who reads leaves them out.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { detached } from '../../base/text.ts'
import { BY_BYTES } from './byte-order.ts'
import { ByteReader, ByteWriter } from './varint.ts'

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
/** Entries that are held in memory before they become a segment. */
const MOST_ENTRIES = 2_000_000
const FIRST_CAPACITY = 1 << 16

/** Gathers entries, with numbers that never fall, and writes them as segments. */
export class ListWriter {
  readonly #connection: DatabaseSync
  readonly #list: ListName
  readonly #nextSegment: () => number
  readonly #keys = new Map<string, number>()
  #keyOf = new Uint32Array(FIRST_CAPACITY)
  #numbers = new Uint32Array(FIRST_CAPACITY)
  #tagged = new Uint32Array(FIRST_CAPACITY)
  #size = 0

  constructor(connection: DatabaseSync, list: ListName, nextSegment: () => number) {
    this.#connection = connection
    this.#list = list
    this.#nextSegment = nextSegment
  }

  /** For `add`, until the next flush. Text that is not well formed would come back as another. */
  key(text: string): number {
    const known = this.#keys.get(text)
    if (known !== undefined) return known
    const wellFormed = text.toWellFormed()
    const number = this.#keys.get(wellFormed) ?? this.#keys.size
    this.#keys.set(detached(wellFormed), number)
    return number
  }

  /** Room for this many more, before they are added one by one. */
  reserve(count: number): void {
    if (this.#size > 0 && this.#size + count > MOST_ENTRIES) this.flush()
    const needed = this.#size + count
    if (needed <= this.#keyOf.length) return
    const capacity = Math.max(needed, Math.min(MOST_ENTRIES, this.#keyOf.length * 2))
    this.#keyOf = enlarged(this.#keyOf, capacity)
    this.#numbers = enlarged(this.#numbers, capacity)
    this.#tagged = enlarged(this.#tagged, capacity)
  }

  add(key: number, number: number, entry: number): void {
    const at = this.#size++
    this.#keyOf[at] = key
    this.#numbers[at] = number
    this.#tagged[at] = entry
  }

  flush(): void {
    if (this.#size === 0) return
    const segment = this.#nextSegment()
    const { order, ends } = this.#byKey()
    const insert = insertInto(this.#connection, this.#list)
    const bytes = new ByteWriter()
    const keys = [...this.#keys.keys()].toSorted()
    for (const text of keys) {
      const key = this.#keys.get(text) ?? 0
      const start = key === 0 ? 0 : (ends[key - 1] ?? 0)
      bytes.length = 0
      this.#encode(bytes, order.subarray(start, ends[key]))
      insert.run(segment, text, bytes.from(0))
    }
    noteSegment(this.#connection, this.#list, { segment, keys: keys.length })
    this.#keys.clear()
    this.#size = 0
    // Most often this was the last time, and much is done after it.
    this.#keyOf = new Uint32Array(FIRST_CAPACITY)
    this.#numbers = new Uint32Array(FIRST_CAPACITY)
    this.#tagged = new Uint32Array(FIRST_CAPACITY)
  }

  /** Counting sort: stable, so the entries of a key stay in the order of their numbers. */
  #byKey(): { readonly order: Uint32Array; readonly ends: Uint32Array } {
    const ends = new Uint32Array(this.#keys.size)
    for (let at = 0; at < this.#size; at += 1) bump(ends, this.#keyOf[at] ?? 0)
    let sum = 0
    for (let key = 0; key < ends.length; key += 1) {
      const count = ends[key] ?? 0
      ends[key] = sum
      sum += count
    }
    const order = new Uint32Array(this.#size)
    for (let at = 0; at < this.#size; at += 1) order[bump(ends, this.#keyOf[at] ?? 0)] = at
    return { order, ends }
  }

  #encode(bytes: ByteWriter, order: Uint32Array): void {
    let last = 0
    for (const at of order) {
      const number = this.#numbers[at] ?? 0
      putEntry(bytes, number - last, this.#tagged[at] ?? 0)
      last = number
    }
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
  const statement = connection.prepare(
    `SELECT ${list}.entries FROM segments CROSS JOIN ${list}
       ON ${list}.segment = segments.n AND ${list}.key = ?
       WHERE segments.list = '${list}' ORDER BY segments.n`,
  )
  statement.setReturnArrays(true)
  return (key) => (statement.all(key) as unknown as [Uint8Array][]).map(([entries]) => entries)
}

/**
 * All, or those of the living. One question decodes hundreds of thousands, so that the few lines of
 * `ByteReader` stand here once more: a call for each byte takes three times as long.
 */
export function decode(
  blobs: readonly Uint8Array[],
  isAlive?: (number: number) => boolean,
): Entries {
  const room = blobs.reduce((sum, it) => sum + it.length, 0)
  const numbers = new Uint32Array(room)
  const tags = new Uint8Array(room)
  const counts = new Uint32Array(room)
  let size = 0
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
    }
  }
  return {
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
  let keys = 0
  const finish = (): void => {
    if (current === undefined || bytes.length === 0) return
    insert.run(options.segment, current, bytes.from(0))
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
    }
    eachEntry(row[1], (number, tag, count) => {
      if (!options.isAlive(number)) return
      putEntry(bytes, number - last, tagged(tag, count))
      last = number
    })
  }
  finish()
  connection.exec('DROP TABLE merging')
  connection.prepare('DELETE FROM segments WHERE list = ?').run(list)
  noteSegment(connection, list, { segment: options.segment, keys })
}

/** Most counts are 1, which one bit says. */
function putEntry(bytes: ByteWriter, step: number, tagAndCount: number): void {
  const tag = tagAndCount & ((1 << TAG_BITS) - 1)
  const count = tagAndCount >>> TAG_BITS
  bytes.put(step * 16 + tag * 2 + (count === 1 ? 0 : 1))
  if (count !== 1) bytes.put(count)
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
  return connection.prepare(`INSERT INTO ${list} VALUES (?, ?, ?)`)
}

function noteSegment(
  connection: DatabaseSync,
  list: ListName,
  it: { readonly segment: number; readonly keys: number },
): void {
  connection.prepare('INSERT INTO segments VALUES (?, ?, ?)').run(list, it.segment, it.keys)
}

/** Counts up, and says what it was. */
function bump(counts: Uint32Array, at: number): number {
  const was = counts[at] ?? 0
  counts[at] = was + 1
  return was
}

function enlarged(array: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity)
  larger.set(array)
  return larger
}
