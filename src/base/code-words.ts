/**
 * Remembers what tokens stand for, from file to file. The same few thousand names make up most of
 * a project, and finding one again by its place takes a fraction of making a string of it. What
 * is remembered changes how fast a file is counted, never what comes out.
 */
import { codeForms, eachToken, proseForms, type TokenScanner, type Units } from './code-tokens.ts'
import { copyString } from './text.ts'

/** The words of a text of code, in order: what an index holds of it, and what to ask it for. */
export function codeWords(text: string): readonly string[] {
  const found: string[] = []
  eachToken(text, { start: 0, end: text.length, isCode: true }, (start, end) => {
    for (const word of codeForms(text.slice(start, end))) found.push(word)
  })
  return found
}

export function wordForms(): WordForms {
  return new WordForms()
}

/** Beyond so many tokens all is forgotten: a large project has millions. */
const MOST_TOKENS = 100_000

export class WordForms {
  readonly words: string[] = []
  /** The words of all tokens one after the other, by number. */
  meanings = new Int32Array(1 << 13)
  /** By token: where its words begin, which is where those of the one before it end. */
  meaningStarts = new Int32Array(1 << 12)
  tokens = 0
  code = new TokenTable(codeForms, this)
  prose = new TokenTable(proseForms, this)
  /** Room to count in, which a file leaves as it found it: all zero. */
  locals = new Int32Array(1 << 14)
  counts = new Uint32Array(1 << 14)
  tokenCounts = new Uint32Array(1 << 14)
  /** Room to gather in. */
  entries = new Uint32Array(1 << 14)
  /** Room for the text at hand, and for names beside it. */
  units: Units = new Uint16Array(1 << 14)
  nameUnits: Units = new Uint16Array(1 << 8)
  private readonly numbers = new Map<string, number>()

  /** To be called between files: numbers of tokens and words hold for one file alone. */
  begin(): void {
    if (this.tokens < MOST_TOKENS) return
    this.words.length = 0
    this.tokens = 0
    this.numbers.clear()
    this.code = new TokenTable(codeForms, this)
    this.prose = new TokenTable(proseForms, this)
  }

  /** The number of a new token with these words. */
  learn(words: readonly string[]): number {
    const token = this.tokens
    const start = this.meaningStarts[token] ?? 0
    if (token + 2 > this.meaningStarts.length) this.meaningStarts = wider(this.meaningStarts)
    while (start + words.length > this.meanings.length) this.meanings = wider(this.meanings)
    for (let at = 0; at < words.length; at += 1)
      this.meanings[start + at] = this.numberOf(words[at] ?? '')
    this.meaningStarts[token + 1] = start + words.length
    this.tokens = token + 1
    return token
  }

  private numberOf(word: string): number {
    const known = this.numbers.get(word)
    if (known !== undefined) return known
    this.words.push(word)
    this.numbers.set(word, this.words.length - 1)
    return this.words.length - 1
  }
}

/**
 * From the units of a token to its number. Nearly all that a look-up costs is waiting for memory:
 * a token is told from others by the hash beside its place, and all else of it stands together.
 */
class TokenTable {
  /** For each token how many units it has, its number, and its units, two to a word. */
  private records = new Int32Array(1 << 14)
  private used = 0
  private count = 0
  /** Hash and record by turns, the latter counted from 1; 0 is free. At most half are taken. */
  private places = new Int32Array(1 << 13)
  private readonly forms: (token: string) => readonly string[]
  private readonly memory: WordForms

  constructor(forms: (token: string) => readonly string[], memory: WordForms) {
    this.forms = forms
    this.memory = memory
  }

  /** The number of the token that was found last. */
  find(token: TokenScanner): number {
    const { start, end, hash, units } = token
    const { places, records } = this
    const mask = places.length - 1
    const length = end - start
    let place = slot(hash) & mask
    for (;;) {
      const record = (places[place + 1] as number) - 1
      if (record < 0) return this.learn(token, place)
      if (places[place] === hash && records[record] === length) {
        let word = record + 2
        let at = start
        while (at < end && records[word] === pairAt(units, at, end)) {
          word += 1
          at += 2
        }
        if (at >= end) return records[record + 1] as number
      }
      place = (place + 2) & mask
    }
  }

  private learn({ text, units, start, end, hash }: TokenScanner, place: number): number {
    const token = this.memory.learn(this.forms(copyString(text.slice(start, end))))
    const record = this.used
    this.used += 2 + ((end - start + 1) >> 1)
    while (this.used > this.records.length) this.records = wider(this.records)
    const { records } = this
    records[record] = end - start
    records[record + 1] = token
    for (let at = start, word = record + 2; at < end; at += 2, word += 1)
      records[word] = pairAt(units, at, end)
    this.places[place] = hash
    this.places[place + 1] = record + 1
    this.count += 1
    if (this.count * 4 >= this.places.length) this.grow()
    return token
  }

  private grow(): void {
    const old = this.places
    this.places = new Int32Array(old.length * 2)
    const mask = this.places.length - 1
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue
      const hash = old[from] as number
      let place = slot(hash) & mask
      while (this.places[place + 1] !== 0) place = (place + 2) & mask
      this.places[place] = hash
      this.places[place + 1] = old[from + 1] as number
    }
  }
}

/** Two units in one number; what follows the last is no part of it. */
function pairAt(units: Uint16Array, at: number, end: number): number {
  const first = units[at] as number
  return at + 1 < end ? first | ((units[at + 1] as number) << 16) : first
}

/** Even, for two numbers to a place. Low bits of a product know little of the first characters. */
function slot(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1
}

function wider(from: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(from.length * 2)
  next.set(from)
  return next
}
