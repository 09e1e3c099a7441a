/**
 * Takes the words of notes in and writes them out by word. What is gathered has a bound; a flush
 * may come at any time within the transaction.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Note } from '../../model/note.ts'
import { CONTENT, countOnce, FIELDS, NAME, TAGS, type TextPart } from './posting-bits.ts'
import { decodedPiece, NONE, PAGE_BITS, PieceWriter } from './postings.ts'
import { WordTable } from './word-table.ts'

const MOST_ENTRIES = 4_000_000
const FIRST_CAPACITY = 1 << 14

export type NoteTexts = Pick<Note, 'name' | 'content' | 'tags' | 'fields'>

export class PostingWriter {
  readonly #words = new WordTable()
  /** By term: whose words were counted last, and in which entry. */
  #lastNote = new Uint32Array(FIRST_CAPACITY)
  #lastEntry = new Uint32Array(FIRST_CAPACITY)
  /** An entry is a term in a note; without bits, it is there no longer. */
  #entryTerms = new Uint32Array(FIRST_CAPACITY)
  #entryNumbers = new Uint32Array(FIRST_CAPACITY)
  #entryBits = new Uint8Array(FIRST_CAPACITY)
  #count = 0
  /** Counts notes, those that are removed too. */
  #note = 0
  readonly #pieces: Pieces

  constructor(connection: DatabaseSync) {
    this.#pieces = new Pieces(connection)
  }

  /** Returns the number of words, those of tags not counted: a tag must not make a note less. */
  add(number: number, note: NoteTexts): number {
    if (this.#count > MOST_ENTRIES) this.flush()
    return this.#gather(number, note)
  }

  /** The words that were added for it before. What is added for it afterwards stays. */
  remove(number: number, note: NoteTexts): void {
    if (this.#count > MOST_ENTRIES) this.flush()
    const first = this.#count
    this.#gather(number, note)
    this.#entryBits.fill(0, first, this.#count)
  }

  flush(): void {
    this.#write()
    this.#words.clear()
    this.#lastNote.fill(0)
    this.#count = 0
  }

  #gather(number: number, note: NoteTexts): number {
    this.#note += 1
    this.#take(number, note.tags.join('\n'), TAGS)
    let count = this.#take(number, note.name, NAME) + this.#take(number, note.content, CONTENT)
    for (const field of note.fields) {
      count += this.#take(number, field.name, FIELDS)
      for (const value of field.values) count += this.#take(number, value.text, FIELDS)
    }
    return count
  }

  #take(number: number, text: string, part: TextPart): number {
    const found = this.#words.take(text)
    while (this.#words.terms.length > this.#lastNote.length) {
      this.#lastNote = larger(this.#lastNote)
      this.#lastEntry = larger(this.#lastEntry)
    }
    while (this.#count + found > this.#entryTerms.length) this.#growEntries()
    const [terms, lastNote, lastEntry] = [this.#words.found, this.#lastNote, this.#lastEntry]
    for (let at = 0; at < found; at += 1) {
      const term = terms[at] ?? 0
      if (lastNote[term] === this.#note) {
        const entry = lastEntry[term] ?? 0
        this.#entryBits[entry] = countOnce(this.#entryBits[entry] ?? 0, part)
        continue
      }
      lastNote[term] = this.#note
      lastEntry[term] = this.#count
      this.#entryTerms[this.#count] = term
      this.#entryNumbers[this.#count] = number
      this.#entryBits[this.#count] = 1 << part.shift
      this.#count += 1
    }
    return found
  }

  #growEntries(): void {
    this.#entryTerms = larger(this.#entryTerms)
    this.#entryNumbers = larger(this.#entryNumbers)
    const bits = new Uint8Array(2 * this.#entryBits.length)
    bits.set(this.#entryBits)
    this.#entryBits = bits
  }

  /** By piece, and in a piece by term, so that rows are written in the order of their keys. */
  #write(): void {
    const sorted = this.#words.terms.toSorted()
    const places = new Uint32Array(sorted.length)
    for (const [at, term] of sorted.entries()) places[this.#words.termNumber(term)] = at
    const [terms, numbers, bits] = [this.#entryTerms, this.#entryNumbers, this.#entryBits]
    const order = new Uint32Array(this.#count)
    const keys = new Uint32Array(this.#count)
    let pages = 0
    for (let entry = 0; entry < order.length; entry += 1) {
      order[entry] = entry
      keys[entry] = places[terms[entry] ?? 0] ?? 0
      pages = Math.max(pages, ((numbers[entry] ?? 0) >>> PAGE_BITS) + 1)
    }
    const byTerm = sortByKey(order, keys, sorted.length)
    for (let entry = 0; entry < keys.length; entry += 1) {
      keys[entry] = (numbers[entry] ?? 0) >>> PAGE_BITS
    }
    const byPage = sortByKey(byTerm, keys, pages)
    for (let from = 0; from < byPage.length; ) {
      const first = byPage[from] ?? 0
      const [term = 0, page = 0] = [terms[first], keys[first]]
      let past = from + 1
      while (past < byPage.length) {
        const entry = byPage[past] ?? 0
        if (terms[entry] !== term || keys[entry] !== page) break
        past += 1
      }
      const entries = byPage.subarray(from, past)
      this.#pieces.write(page, this.#words.terms[term] ?? '', { entries, numbers, bits })
      from = past
    }
    this.#pieces.finish(pages)
  }
}

interface Changes {
  /** Places in the other two. */
  readonly entries: Uint32Array
  readonly numbers: Uint32Array
  readonly bits: Uint8Array
}

class Pieces {
  readonly #select: StatementSync
  readonly #put: StatementSync
  readonly #remove: StatementSync
  readonly #writer = new PieceWriter()
  /** From here on nothing is stored yet. */
  #firstFresh: number

  constructor(connection: DatabaseSync) {
    const last = connection.prepare('SELECT max(page) AS page FROM postings').get()?.['page']
    this.#firstFresh = last === null || last === undefined ? 0 : Number(last) + 1
    this.#select = connection.prepare('SELECT bytes FROM postings WHERE page = ? AND term = ?')
    this.#put = connection.prepare('INSERT OR REPLACE INTO postings VALUES (?, ?, ?)')
    this.#remove = connection.prepare('DELETE FROM postings WHERE page = ? AND term = ?')
  }

  finish(pages: number): void {
    this.#firstFresh = Math.max(this.#firstFresh, pages)
  }

  write(page: number, term: string, changes: Changes): void {
    const isFresh = page >= this.#firstFresh
    if (isFresh && isAscending(changes)) this.#append(page, term, changes)
    else this.#merge(page, term, changes)
  }

  #append(page: number, term: string, { entries, numbers, bits }: Changes): void {
    this.#writer.start(page * 2 ** PAGE_BITS, entries.length)
    for (const entry of entries) this.#writer.put(numbers[entry] ?? 0, bits[entry] ?? 0)
    this.#put.run(page, term, this.#writer.finish())
  }

  /** What is stored, with the changes in its place. Both are in the order of the numbers. */
  #merge(page: number, term: string, changes: Changes): void {
    const start = page * 2 ** PAGE_BITS
    const bytes = this.#select.get(page, term)?.['bytes'] as Uint8Array | undefined
    const stored = bytes === undefined ? NONE : decodedPiece(bytes, start)
    const latest = selectLatest(changes)
    const numbers: number[] = []
    const bits: number[] = []
    let at = 0
    for (const entry of latest) {
      const number = changes.numbers[entry] ?? 0
      for (; at < stored.numbers.length && (stored.numbers[at] ?? 0) <= number; at += 1) {
        if (stored.numbers[at] === number) continue
        numbers.push(stored.numbers[at] ?? 0)
        bits.push(stored.bits[at] ?? 0)
      }
      if (changes.bits[entry] === 0) continue
      numbers.push(number)
      bits.push(changes.bits[entry] ?? 0)
    }
    const count = numbers.length + stored.numbers.length - at
    if (count === 0) {
      if (bytes !== undefined) this.#remove.run(page, term)
      return
    }
    this.#writer.start(start, count)
    for (const [place, number] of numbers.entries()) this.#writer.put(number, bits[place] ?? 0)
    for (; at < stored.numbers.length; at += 1) {
      this.#writer.put(stored.numbers[at] ?? 0, stored.bits[at] ?? 0)
    }
    this.#put.run(page, term, this.#writer.finish())
  }
}

/** The last entry of each number, in the order of the numbers: what came last counts. */
function selectLatest({ entries, numbers }: Changes): Uint32Array {
  const sorted = entries.toSorted((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b)
  return sorted.filter((entry, at) => {
    const next = sorted[at + 1]
    return next === undefined || numbers[next] !== numbers[entry]
  })
}

function isAscending({ entries, numbers, bits }: Changes): boolean {
  let before = -1
  for (const entry of entries) {
    const number = numbers[entry] ?? 0
    if (number <= before || bits[entry] === 0) return false
    before = number
  }
  return true
}

/** Sorted by the keys that the items have; the order within one key stays. */
function sortByKey(items: Uint32Array, keys: Uint32Array, keyCount: number): Uint32Array {
  const starts = new Uint32Array(keyCount + 1)
  for (let at = 0; at < items.length; at += 1) {
    const after = (keys[items[at] ?? 0] ?? 0) + 1
    starts[after] = (starts[after] ?? 0) + 1
  }
  for (let at = 1; at < starts.length; at += 1) {
    starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
  }
  const sorted = new Uint32Array(items.length)
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at] ?? 0
    const key = keys[item] ?? 0
    const place = starts[key] ?? 0
    sorted[place] = item
    starts[key] = place + 1
  }
  return sorted
}

function larger(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(2 * values.length)
  copy.set(values)
  return copy
}
