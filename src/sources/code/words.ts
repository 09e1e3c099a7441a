/** Counts the words of a file by chunk and field, for a full-text index. */
import { eachToken } from '../../base/code-tokens.ts'
import { type WordForms, wordForms } from '../../base/code-words.ts'
import { ascending, inOrder } from '../../base/order.ts'
import { type Facts, TRAIT } from '../../model/facts.ts'
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
  const tally = new Tally(chunks.length, memory)
  const pathWords = tally.wordsOf(path)
  const comments = sortedComments(facts)
  const names = namesInOrder(facts)
  let comment = 0
  let name = 0
  for (const [number, chunk] of chunks.entries()) {
    tally.addAll(pathWords, FIELD.path)
    tally.add(chunk.name, FIELD.name)
    for (; name < names.length && (names[name]?.start ?? 0) < chunk.end; name += 1) {
      const it = names[name]
      if (it === undefined || it.start < chunk.start || it.definition === chunk.definition) continue
      tally.add(it.name, FIELD.name)
    }
    tally.add(chunk.title.replace(PART, ''), FIELD.signature)
    let at = chunk.start
    // A comment may begin in one chunk and go on in the next, when it had to be cut.
    for (; comment < comments.length; comment += 1) {
      const start = Math.max(at, comments[comment]?.start ?? 0)
      const end = Math.min(chunk.end, comments[comment]?.end ?? 0)
      if (start >= chunk.end) break
      if (end <= start) continue
      tally.addRange(text, { start: at, end: start, isCode: true }, FIELD.body)
      tally.addRange(text, { start, end, isCode: false }, FIELD.comment)
      at = end
      if ((comments[comment]?.end ?? 0) > chunk.end) break
    }
    tally.addRange(text, { start: at, end: chunk.end, isCode: facts !== undefined }, FIELD.body)
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

interface Stretch {
  readonly start: number
  readonly end: number
}

function sortedComments(facts: Facts | undefined): readonly Stretch[] {
  const found: Stretch[] = []
  const flat = facts?.comments ?? []
  for (let at = 0; at + 1 < flat.length; at += 2) {
    found.push({ start: flat[at] ?? 0, end: flat[at + 1] ?? 0 })
  }
  return found.toSorted(
    inOrder(
      ascending((it) => it.start),
      ascending((it) => it.end),
    ),
  )
}

interface NamePlace {
  readonly name: string
  readonly start: number
  readonly definition: number
}

/** Definitions that somebody may look for by name. */
function namesInOrder(facts: Facts | undefined): readonly NamePlace[] {
  const found: NamePlace[] = []
  for (const [definition, it] of (facts?.definitions ?? []).entries()) {
    if (it.name === '' || it.kind === 'import' || it.kind === 'file') continue
    if (it.kind === 'parameter' || it.kind === 'type-parameter') continue
    const isValue = it.kind === 'variable' || it.kind === 'field'
    if (isValue && (it.traits & TRAIT.local) !== 0) continue
    found.push({ name: it.name, start: it.start, definition })
  }
  return found.toSorted(
    inOrder(
      ascending((it) => it.start),
      ascending((it) => it.definition),
    ),
  )
}

class Tally {
  private readonly words: string[] = []
  private readonly memory: WordForms
  /** The memory's numbers of the words. */
  private readonly known: number[] = []
  /** From the memory's numbers of words to those of this file, counted from 1. */
  private locals: Int32Array<ArrayBuffer>
  /** Of the chunk at hand, by word and field. */
  private counts: Uint32Array<ArrayBuffer>
  private readonly touched: number[] = []
  private readonly sizes = new Uint32Array(FIELDS)
  /** Word, chunk, field and count by turns, in the order of chunks. */
  private entries: Uint32Array<ArrayBuffer>
  private used = 0
  private readonly lengths: Uint32Array

  constructor(chunks: number, memory: WordForms) {
    this.memory = memory
    memory.begin()
    this.locals = memory.locals
    this.counts = memory.counts
    this.entries = memory.entries
    this.lengths = new Uint32Array(chunks * FIELDS)
  }

  add(text: string, field: number): void {
    this.addRange(text, { start: 0, end: text.length, isCode: true }, field)
  }

  addRange(text: string, range: Stretch & { readonly isCode: boolean }, field: number): void {
    const tokens = range.isCode ? this.memory.code : this.memory.prose
    tokens.read(text)
    eachToken(text, range, (start, end, hash) => {
      this.addAll(tokens.find(start, end, hash), field)
    })
  }

  wordsOf(text: string): readonly number[] {
    const found: number[] = []
    const tokens = this.memory.code
    tokens.read(text)
    eachToken(text, { start: 0, end: text.length, isCode: true }, (start, end, hash) => {
      for (const word of tokens.find(start, end, hash)) found.push(word)
    })
    return found
  }

  /** Words by their numbers in the memory. */
  addAll(words: readonly number[], field: number): void {
    for (let at = 0; at < words.length; at += 1) {
      const known = words[at] ?? 0
      let local = this.locals[known] ?? 0
      if (local === 0) local = this.take(known)
      const slot = (local - 1) * FIELDS + field
      const count = this.counts[slot] ?? 0
      if (count === 0) this.touched.push(local - 1)
      this.counts[slot] = count + 1
    }
    this.sizes[field] = (this.sizes[field] ?? 0) + words.length
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
      this.counts = wideArray(this.counts)
      this.memory.counts = this.counts
    }
    return local
  }

  close(chunk: number): void {
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
    this.lengths.set(this.sizes, chunk * FIELDS)
    this.sizes.fill(0)
  }

  private widen(): void {
    const least = this.used + this.touched.length * FIELDS * 4
    while (this.entries.length < least) this.entries = wideArray(this.entries)
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

function wideArray(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(from.length * 2)
  wider.set(from)
  return wider
}
