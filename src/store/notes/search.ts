/**
 * Full-text search of notes. The whole name comes first, then names with all of the words, then
 * notes with all of them, then notes with some, each by BM25 over the parts of a note. Words are
 * taken from the rarest to the most common, and what the common ones alone would bring in is
 * bounded by how common they are, never by how notes happen to be numbered.
 */
import { ascending, inOrder } from '../../base/order.ts'
import type { NoteHit, NotesQuery } from '../../model/notes-index.ts'
import { BestNotes } from './best-notes.ts'
import { TAGGED, VISIBLE } from './columns.ts'
import { LENGTH_OF_CODE } from './lengths.ts'
import { IN_NAME, WEIGHT_OF_BITS } from './posting-bits.ts'
import type { PostingList } from './postings.ts'
import type { NotesState } from './state.ts'
import { hashName, parseQueryTerms } from './terms.ts'

/** Score bonus per class of match; word scores never reach the next class. */
const WHOLE_NAME = 4000
const WHOLE_NAME_TAGGED = 1000
const ALL_IN_NAME = 2000
const ALL_WORDS = 1000
const TAGGED_FACTOR = 1.2
/**
 * Notes with some of the words: where the rarer ones have brought in as many as are wanted, a more
 * common one brings in others only as long as there are no more than this.
 */
const MAX_COMMON_CANDIDATES = 5000
/** BM25: how soon more of the same word stops counting, and how much long notes lose. */
const K1 = 1.2
const B = 0.75

interface QueryWord extends PostingList {
  readonly term: string
  readonly isRequired: boolean
  readonly idf: number
}

export class NotesSearch {
  readonly #state: NotesState
  /** BM25 length norm by length code. */
  readonly #norms: Float64Array
  readonly #noteCount: number
  readonly #lengths: Uint8Array

  constructor(state: NotesState) {
    this.#state = state
    this.#lengths = state.column('lengths')
    const counts = countLengthCodes(state)
    this.#noteCount = counts.reduce((sum, it) => sum + it, 0)
    const words = counts.reduce((sum, it, code) => sum + it * (LENGTH_OF_CODE[code] ?? 0), 0)
    const average = words / this.#noteCount || 1
    this.#norms = LENGTH_OF_CODE.map((length) => K1 * (1 - B + (B * length) / average))
  }

  search({ text, limit }: NotesQuery): readonly NoteHit[] {
    if (limit <= 0) return []
    const { required, optional } = parseQueryTerms(text)
    const best = new BestNotes(limit, this.#state.column('ranks'))
    const whole = hashName(text)
    if (required.length === 0) this.#findByWholeName(whole, best)
    else {
      const words = this.#words(required, true)
      const hasAll = this.#findWithAllWords(words, whole, best)
      if (best.size < limit) {
        this.#findWithSomeWords(
          [...words, ...this.#words(optional, false)].toSorted(BY_RARITY),
          hasAll,
          best,
        )
      }
    }
    return best.inOrder().map(({ number, score }) => ({ id: this.#state.getId(number), score }))
  }

  #words(terms: readonly string[], isRequired: boolean): readonly QueryWord[] {
    return terms
      .map((term) => {
        const list = this.#state.postings.list(term)
        const frequency = list.numbers.length
        const idf = Math.log(1 + (this.#noteCount - frequency + 0.5) / (frequency + 0.5))
        return { ...list, term, isRequired, idf }
      })
      .toSorted(BY_RARITY)
  }

  /** For a query without words, such as an emoji. */
  #findByWholeName(whole: number, best: BestNotes): void {
    const hashes = this.#state.column('nameHashes')
    const flags = this.#state.column('flags')
    for (let number = hashes.indexOf(whole); number >= 0; ) {
      best.offer(
        number,
        WHOLE_NAME + (((flags[number] ?? 0) & TAGGED) === 0 ? 0 : WHOLE_NAME_TAGGED),
      )
      number = hashes.indexOf(whole, number + 1)
    }
  }

  /** Offers notes with all of the words. Returns their numbers, up to the limit. */
  #findWithAllWords(
    words: readonly QueryWord[],
    whole: number,
    best: BestNotes,
  ): ReadonlySet<number> {
    const found = new Set<number>()
    const flags = this.#state.column('flags')
    const hashes = this.#state.column('nameHashes')
    const places = new Uint32Array(words.length)
    const rarest = words[0]?.numbers ?? NO_NUMBERS
    for (let at = 0; at < rarest.length; at += 1) {
      const number = rarest[at] ?? 0
      if (!seekAll(words, number, places)) continue
      let inName = IN_NAME
      let sum = 0
      // By hand: entries() would make an object for each word of each note.
      for (let place = 0; place < words.length; place += 1) {
        const word = words[place]
        const bits = word?.bits[places[place] ?? 0] ?? 0
        if ((bits & IN_NAME) === 0) inName = 0
        if (word !== undefined) sum += this.#scoreWord(word, bits, number)
      }
      if (found.size < best.limit) found.add(number)
      const isTagged = ((flags[number] ?? 0) & TAGGED) !== 0
      const score = isTagged ? sum * TAGGED_FACTOR : sum
      if (inName === 0) best.offer(number, ALL_WORDS + score)
      else if (hashes[number] !== whole) best.offer(number, ALL_IN_NAME + score)
      else best.offer(number, WHOLE_NAME + score + (isTagged ? WHOLE_NAME_TAGGED : 0))
    }
    return found
  }

  /** Notes with some of the words, but for those with all. */
  #findWithSomeWords(
    words: readonly QueryWord[],
    hasAll: ReadonlySet<number>,
    best: BestNotes,
  ): void {
    const flags = this.#state.column('flags')
    for (const number of collectCandidates(words, best.limit)) {
      if (hasAll.has(number)) continue
      let sum = 0
      for (const word of words) {
        const place = seek(word.numbers, number, 0)
        if (word.numbers[place] === number)
          sum += this.#scoreWord(word, word.bits[place] ?? 0, number)
      }
      best.offer(number, ((flags[number] ?? 0) & TAGGED) === 0 ? sum : sum * TAGGED_FACTOR)
    }
  }

  #scoreWord(word: QueryWord, bits: number, number: number): number {
    const weight = WEIGHT_OF_BITS[bits] ?? 0
    const norm = this.#norms[this.#lengths[number] ?? 0] ?? K1
    return (word.idf * weight * (K1 + 1)) / (weight + norm)
  }
}

const NO_NUMBERS = new Uint32Array()

const BY_RARITY = inOrder<QueryWord>(
  ascending((it) => it.numbers.length),
  ascending((it) => it.term),
)

/** How many visible notes there are of each code of a length. */
function countLengthCodes(state: NotesState): Float64Array {
  const flags = state.column('flags')
  const lengths = state.column('lengths')
  const counts = new Float64Array(256)
  for (let number = 0; number < flags.length; number += 1) {
    if (((flags[number] ?? 0) & VISIBLE) === 0) continue
    const code = lengths[number] ?? 0
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}

/** From the rarest word on; see `MAX_COMMON_CANDIDATES`. */
function collectCandidates(words: readonly QueryWord[], limit: number): ReadonlySet<number> {
  const candidates = new Set<number>()
  for (const { numbers } of words) {
    if (candidates.size >= limit && candidates.size + numbers.length > MAX_COMMON_CANDIDATES) break
    for (const number of numbers) candidates.add(number)
  }
  return candidates
}

/** Whether all have the number. Places are where each is, or where its next look begins. */
function seekAll(words: readonly QueryWord[], number: number, places: Uint32Array): boolean {
  for (let word = 0; word < words.length; word += 1) {
    const numbers = words[word]?.numbers ?? NO_NUMBERS
    const place = seek(numbers, number, places[word] ?? 0)
    places[word] = place
    if (numbers[place] !== number) return false
  }
  return true
}

/** The first place from `from` on with this number or a higher one: by strides, then by halves. */
function seek(numbers: Uint32Array, wanted: number, from: number): number {
  let low = from
  if ((numbers[low] ?? wanted) >= wanted) return low
  let stride = 1
  while (low + stride < numbers.length && (numbers[low + stride] ?? 0) < wanted) {
    low += stride
    stride *= 2
  }
  let high = Math.min(numbers.length, low + stride)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
