/** Counts the words of a file by chunk and field, for a full-text index. */
import { readUnits, type TokenRange, TokenScanner, type TokenText } from '../../base/code-tokens.ts'
import { type WordForms, wordForms } from '../../base/code-words.ts'
import { ascending, inOrder } from '../../base/order.ts'
import { type Definition, type Facts, TRAIT } from '../../model/facts.ts'
import { WORD_FIELDS, type WordField, type WordTable } from '../../model/index-record.ts'
import type { Chunk } from './chunks.ts'

interface WordSource {
  readonly path: string
  readonly text: string
  /** None for prose and for text of no known language. */
  readonly facts?: Facts
  readonly chunks: readonly Chunk[]
}

/** Hand over the same memory for many files: what is remembered makes the next file faster. */
export function wordTable(file: WordSource, memory: WordForms = wordForms()): WordTable {
  const { path, text, facts, chunks } = file
  const tally = new Tally(text, { chunks: chunks.length, memory })
  const pathTokens = tally.tokensOf(path)
  const comments = sortedComments(facts)
  const names = namesInOrder(facts)
  let comment = 0
  let name = 0
  for (const [number, chunk] of chunks.entries()) {
    for (const token of pathTokens) tally.count(token, FIELD.path)
    tally.add(chunk.name, FIELD.name)
    for (; name < names.length; name += 1) {
      const definition = names[name] ?? 0
      const it = facts?.definitions[definition]
      if (it === undefined || it.start >= chunk.end) break
      if (it.start >= chunk.start && definition !== chunk.definition) tally.add(it.name, FIELD.name)
    }
    const { title } = chunk
    tally.add(title.endsWith(')') ? title.replace(PART, '') : title, FIELD.signature)
    let at = chunk.start
    // A comment may begin in one chunk and go on in the next, when it had to be cut.
    for (; comment < comments.length; comment += 2) {
      const commentEnd = comments[comment + 1] ?? 0
      const start = Math.max(at, comments[comment] ?? 0)
      const end = Math.min(chunk.end, commentEnd)
      if (start >= chunk.end) break
      if (end <= start) continue
      tally.addRange({ start: at, end: start, isCode: true }, FIELD.body)
      tally.addRange({ start, end, isCode: false }, FIELD.comment)
      at = end
      if (commentEnd > chunk.end) break
    }
    tally.addRange({ start: at, end: chunk.end, isCode: facts !== undefined }, FIELD.body)
    tally.close(number)
  }
  return tally.table()
}

/** Ours, not the author's. */
const PART = / \(part \d+\)$/
const FIELDS = WORD_FIELDS.length
const FIELD: Readonly<Record<WordField, number>> = {
  path: WORD_FIELDS.indexOf('path'),
  name: WORD_FIELDS.indexOf('name'),
  signature: WORD_FIELDS.indexOf('signature'),
  comment: WORD_FIELDS.indexOf('comment'),
  body: WORD_FIELDS.indexOf('body'),
}

/** Starts and ends by turns, as in the facts, in the order of starts and then of ends. */
function sortedComments(facts: Facts | undefined): readonly number[] {
  const flat = facts?.comments ?? []
  if (areInOrder(flat)) return flat
  return flat
    .flatMap((start, at) => (at % 2 === 0 ? [{ start, end: flat[at + 1] ?? 0 }] : []))
    .toSorted(
      inOrder(
        ascending((it) => it.start),
        ascending((it) => it.end),
      ),
    )
    .flatMap(({ start, end }) => [start, end])
}

function areInOrder(flat: readonly number[]): boolean {
  for (let at = 2; at < flat.length; at += 2) {
    const step = (flat[at] ?? 0) - (flat[at - 2] ?? 0)
    if (step < 0 || (step === 0 && (flat[at + 1] ?? 0) < (flat[at - 1] ?? 0))) return false
  }
  return true
}

/** Definitions that somebody may look for by name. */
function namesInOrder(facts: Facts | undefined): readonly number[] {
  const definitions = facts?.definitions ?? []
  const found: number[] = []
  let last = 0
  let isSorted = true
  for (let definition = 0; definition < definitions.length; definition += 1) {
    const it = definitions[definition]
    if (it === undefined || !isLookedFor(it)) continue
    found.push(definition)
    if (it.start < last) isSorted = false
    last = it.start
  }
  if (isSorted) return found
  return found.toSorted(
    inOrder(
      ascending((it) => definitions[it]?.start ?? 0),
      ascending((it) => it),
    ),
  )
}

function isLookedFor({ name, kind, traits }: Definition): boolean {
  if (name === '') return false
  switch (kind) {
    case 'import':
    case 'file':
    case 'parameter':
    case 'type-parameter':
      return false
    case 'variable':
    case 'field':
      return (traits & TRAIT.local) === 0
    default:
      return true
  }
}

class Tally {
  private readonly words: string[] = []
  private readonly memory: WordForms
  private readonly text: TokenText
  /** The memory's numbers of the words. */
  private readonly known: number[] = []
  /** From the memory's numbers of words to those of this file, counted from 1. */
  private locals: Int32Array<ArrayBuffer>
  /** Of the chunk at hand, by token and field. */
  private tokenCounts: Uint32Array<ArrayBuffer>
  private readonly touchedTokens: number[] = []
  /** The same by word and field. */
  private counts: Uint32Array<ArrayBuffer>
  private readonly touched: number[] = []
  /** Word, chunk, field and count by turns, in the order of chunks. */
  private entries: Uint32Array<ArrayBuffer>
  private used = 0
  private readonly lengths: Uint32Array

  constructor(text: string, room: { readonly chunks: number; readonly memory: WordForms }) {
    const { chunks, memory } = room
    this.memory = memory
    memory.begin()
    memory.units = readUnits(text, memory.units)
    this.text = { text, units: memory.units }
    this.locals = memory.locals
    this.counts = memory.counts
    this.tokenCounts = memory.tokenCounts
    this.entries = memory.entries
    this.lengths = new Uint32Array(chunks * FIELDS)
  }

  add(name: string, field: number): void {
    const { memory } = this
    memory.nameUnits = readUnits(name, memory.nameUnits)
    const whole = { text: name, units: memory.nameUnits }
    this.addTokens(whole, { start: 0, end: name.length, isCode: true }, field)
  }

  addRange(range: TokenRange, field: number): void {
    if (range.start < range.end) this.addTokens(this.text, range, field)
  }

  private addTokens(text: TokenText, range: TokenRange, field: number): void {
    const table = range.isCode ? this.memory.code : this.memory.prose
    const tokens = new TokenScanner(text, range)
    while (tokens.next()) this.count(table.find(tokens), field)
  }

  tokensOf(name: string): readonly number[] {
    const found: number[] = []
    const whole = { text: name, units: readUnits(name, this.memory.nameUnits) }
    const tokens = new TokenScanner(whole, { start: 0, end: name.length, isCode: true })
    while (tokens.next()) found.push(this.memory.code.find(tokens))
    return found
  }

  count(token: number, field: number): void {
    const place = token * FIELDS + field
    if (place >= this.tokenCounts.length) {
      this.tokenCounts = wideArray(this.tokenCounts, place)
      this.memory.tokenCounts = this.tokenCounts
    }
    const count = this.tokenCounts[place] as number
    if (count === 0) this.touchedTokens.push(place)
    this.tokenCounts[place] = count + 1
  }

  /** From tokens to their words. */
  private spread(chunk: number): void {
    const { touchedTokens, tokenCounts, lengths, touched } = this
    const { meanings, meaningStarts } = this.memory
    for (let each = 0; each < touchedTokens.length; each += 1) {
      const place = touchedTokens[each] as number
      const token = Math.floor(place / FIELDS)
      const field = place - token * FIELDS
      const count = tokenCounts[place] as number
      tokenCounts[place] = 0
      const end = meaningStarts[token + 1] as number
      const start = meaningStarts[token] as number
      for (let at = start; at < end; at += 1) {
        const known = meanings[at] as number
        const local = this.locals[known] || this.take(known)
        const slot = (local - 1) * FIELDS + field
        const before = this.counts[slot] as number
        if (before === 0) touched.push(local - 1)
        this.counts[slot] = before + count
      }
      const length = chunk * FIELDS + field
      lengths[length] = (lengths[length] as number) + (end - start) * count
    }
    touchedTokens.length = 0
  }

  private take(known: number): number {
    this.words.push(this.memory.words[known] ?? '')
    this.known.push(known)
    const local = this.words.length
    if (known >= this.locals.length) {
      const wider = new Int32Array(known * 2)
      wider.set(this.locals)
      this.locals = wider
      this.memory.locals = wider
    }
    this.locals[known] = local
    if (local * FIELDS > this.counts.length) {
      this.counts = wideArray(this.counts, local * FIELDS)
      this.memory.counts = this.counts
    }
    return local
  }

  close(chunk: number): void {
    this.spread(chunk)
    const { touched, counts } = this
    if (this.used + touched.length * FIELDS * 4 > this.entries.length) this.widen()
    const { entries } = this
    let at = this.used
    for (const word of touched) {
      // A word that stands in several fields was touched several times; the first takes them all.
      for (let field = 0; field < FIELDS; field += 1) {
        const slot = word * FIELDS + field
        const count = counts[slot] ?? 0
        if (count === 0) continue
        entries[at] = word
        entries[at + 1] = chunk
        entries[at + 2] = field
        entries[at + 3] = count
        at += 4
        counts[slot] = 0
      }
    }
    this.used = at
    touched.length = 0
  }

  private widen(): void {
    const least = this.used + this.touched.length * FIELDS * 4
    this.entries = wideArray(this.entries, least)
    this.memory.entries = this.entries
  }

  /** Ordered by word with a counting sort, which keeps chunks and fields in their order. */
  table(): WordTable {
    const { entries, used, words, lengths } = this
    for (const known of this.known) this.locals[known] = 0
    const places = new Uint32Array(words.length + 1)
    for (let at = 0; at < used; at += 4) {
      const next = (entries[at] ?? 0) + 1
      places[next] = (places[next] ?? 0) + 4
    }
    for (let at = 1; at < places.length; at += 1) {
      places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0)
    }
    const counts = new Uint32Array(used)
    for (let at = 0; at < used; at += 4) {
      const word = entries[at] ?? 0
      const place = places[word] ?? 0
      counts[place] = word
      counts[place + 1] = entries[at + 1] ?? 0
      counts[place + 2] = entries[at + 2] ?? 0
      counts[place + 3] = entries[at + 3] ?? 0
      places[word] = place + 4
    }
    return { words, counts, lengths }
  }
}

function wideArray(from: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(2 * least)
  wider.set(from)
  return wider
}
