/**
 * Numbers of the terms in texts. Plain texts are read letter by letter and their words looked up
 * without being cut out: cutting and hashing them was a third of the time of an import.
 */
import { compoundParts } from '../../base/identifiers.ts'
import { copyString } from '../../base/text.ts'
import { normalizeTerm, splitRawWords } from './terms.ts'

const FIRST_CAPACITY = 1 << 12
const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193

const LOWER = 1
const UPPER = 2
const DIGIT = 3
/** What an ASCII character is; 0 for what is in no word. */
const CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  return /[0-9]/.test(character) ? DIGIT : 0
})

export class WordTable {
  /** By number. */
  readonly terms: string[] = []
  /** Of the text that was taken last. */
  found = new Uint32Array(FIRST_CAPACITY)
  readonly #termNumbers = new Map<string, number>()
  /** Words of other texts, as they stand. */
  readonly #others = new Map<string, number>()
  /** A word in lower case and its term, by place; a place is where its hash says or after that. */
  #words: string[] = []
  #wordTerms = new Uint32Array(FIRST_CAPACITY)
  #places = new Int32Array(FIRST_CAPACITY * 2).fill(-1)
  #hashes = new Uint32Array(FIRST_CAPACITY)
  /** Where in its text the word is that is looked up. */
  #from = 0
  #past = 0

  clear(): void {
    this.terms.length = 0
    this.#termNumbers.clear()
    this.#others.clear()
    this.#words = []
    this.#places.fill(-1)
  }

  termNumber(term: string): number {
    return this.#termNumbers.get(term) ?? 0
  }

  /** The terms of a text are in `found` afterwards. Returns how many. */
  take(text: string): number {
    if (text === '') return 0
    if (this.found.length < 2 * text.length) this.found = new Uint32Array(4 * text.length)
    const plain = this.#takePlain(text)
    return plain >= 0 ? plain : this.#put(splitRawWords(text), 0)
  }

  /** -1 where there is more than ASCII. */
  #takePlain(text: string): number {
    let count = 0
    let hash = HASH_START
    let from = 0
    let before = 0
    let isCompound = false
    for (let at = 0; at <= text.length; at += 1) {
      const unit = at < text.length ? text.charCodeAt(at) : 0
      if (unit > 127) return -1
      const kind = CLASSES[unit] ?? 0
      if (kind === 0) {
        this.#from = from
        this.#past = at
        if (before !== 0) this.found[count++] = this.#lookUp(text, hash)
        hash = HASH_START
        from = at + 1
      } else {
        if (before !== 0 && kind !== before && (before !== UPPER || at - from > 1))
          isCompound = true
        hash = Math.imul(hash ^ (kind === UPPER ? unit | 32 : unit), HASH_FACTOR)
      }
      before = kind
    }
    return isCompound ? this.#put(compoundParts(text), count) : count
  }

  /** The term of the word between `#from` and `#past`. */
  #lookUp(text: string, hash: number): number {
    const mask = this.#places.length - 1
    for (let at = (hash ^ (hash >>> 15)) & mask; ; at = (at + 1) & mask) {
      const place = this.#places[at] ?? -1
      if (place < 0) return this.#learn(text, hash, at)
      if (this.#hashes[place] === hash >>> 0 && this.#isWord(text, this.#words[place] ?? '')) {
        return this.#wordTerms[place] ?? 0
      }
    }
  }

  #isWord(text: string, word: string): boolean {
    const from = this.#from
    if (word.length !== this.#past - from) return false
    for (let at = 0; at < word.length; at += 1) {
      const unit = text.charCodeAt(from + at)
      const lower = CLASSES[unit] === UPPER ? unit | 32 : unit
      if (lower !== word.charCodeAt(at)) return false
    }
    return true
  }

  #learn(text: string, hash: number, at: number): number {
    const word = copyString(text.slice(this.#from, this.#past).toLowerCase())
    const place = this.#words.length
    const term = this.#termOf(word)
    if (place === this.#hashes.length) {
      this.#hashes = larger(this.#hashes)
      this.#wordTerms = larger(this.#wordTerms)
    }
    this.#words.push(word)
    this.#hashes[place] = hash
    this.#wordTerms[place] = term
    this.#places[at] = place
    if (this.#words.length * 2 > this.#places.length) this.#spread()
    return term
  }

  #spread(): void {
    const places = new Int32Array(this.#places.length * 2).fill(-1)
    const mask = places.length - 1
    for (let place = 0; place < this.#words.length; place += 1) {
      const hash = this.#hashes[place] ?? 0
      let at = (hash ^ (hash >>> 15)) & mask
      while ((places[at] ?? -1) >= 0) at = (at + 1) & mask
      places[at] = place
    }
    this.#places = places
  }

  /** Words that are cut out already. Returns the count with them. */
  #put(words: readonly string[], count: number): number {
    let past = count
    for (const word of words) {
      let term = this.#others.get(word)
      if (term === undefined) {
        term = this.#termOf(word)
        this.#others.set(copyString(word), term)
      }
      if (past === this.found.length) this.found = larger(this.found)
      this.found[past++] = term
    }
    return past
  }

  #termOf(word: string): number {
    const term = normalizeTerm(word)
    const known = this.#termNumbers.get(term)
    if (known !== undefined) return known
    const own = copyString(term)
    this.terms.push(own)
    this.#termNumbers.set(own, this.terms.length - 1)
    return this.terms.length - 1
  }
}

function larger(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(2 * values.length)
  copy.set(values)
  return copy
}
