/**
 * Remembers what tokens stand for, from file to file. The same few thousand names make up most of
 * a project, and finding one again by its place takes a fraction of making a string of it. What
 * is remembered changes how fast a file is counted, never what comes out.
 */
import { codeForms, eachToken, proseForms, type TokenScanner, type Units } from './code-tokens.ts'
import { detached } from './text.ts'

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
const MOST_TOKENS = 200_000

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

/** From the units of a token to its number. */
class TokenTable {
  /** The units of all tokens one after the other. */
  private spelled = new Uint16Array(1 << 14)
  private spelledLength = 0
  /** By place in this table: hash, where the units begin, how many there are, number of the token. */
  private records = new Int32Array(RECORD << 11)
  private count = 0
  /** Records by their hash, counted from 1; 0 is free. At most half full. */
  private places = new Int32Array(1 << 12)
  private readonly forms: (token: string) => readonly string[]
  private readonly memory: WordForms

  constructor(forms: (token: string) => readonly string[], memory: WordForms) {
    this.forms = forms
    this.memory = memory
  }

  /** The number of the token that was found last. */
  find(token: TokenScanner): number {
    const { start, end, hash, units } = token
    const { places, records, spelled } = this
    const mask = places.length - 1
    const length = end - start
    let place = slot(hash) & mask
    for (;;) {
      const record = ((places[place] as number) - 1) * RECORD
      if (record < 0) return this.learn(token, place)
      if (records[record] === hash && records[record + 2] === length) {
        const from = records[record + 1] as number
        let at = 0
        while (at < length && spelled[from + at] === units[start + at]) at += 1
        if (at === length) return records[record + 3] as number
      }
      place = (place + 1) & mask
    }
  }

  private learn({ text, units, start, end, hash }: TokenScanner, place: number): number {
    const token = this.memory.learn(this.forms(detached(text.slice(start, end))))
    const length = end - start
    const from = this.spelledLength
    while (from + length > this.spelled.length) this.spelled = wideUnits(this.spelled)
    for (let at = 0; at < length; at += 1) this.spelled[from + at] = units[start + at] as number
    this.spelledLength += length
    const record = this.count * RECORD
    this.records[record] = hash
    this.records[record + 1] = from
    this.records[record + 2] = length
    this.records[record + 3] = token
    this.count += 1
    this.places[place] = this.count
    if (this.count * RECORD >= this.records.length) this.grow()
    return token
  }

  private grow(): void {
    this.records = wider(this.records)
    this.places = new Int32Array(this.places.length * 2)
    const mask = this.places.length - 1
    for (let token = 0; token < this.count; token += 1) {
      let place = slot(this.records[token * RECORD] ?? 0) & mask
      while (this.places[place] !== 0) place = (place + 1) & mask
      this.places[place] = token + 1
    }
  }
}

const RECORD = 4

/** Low bits of a product know little of the first characters; high bits know all. */
function slot(hash: number): number {
  return hash ^ (hash >>> 15)
}

function wider(from: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(from.length * 2)
  next.set(from)
  return next
}

function wideUnits(from: Uint16Array): Uint16Array<ArrayBuffer> {
  const next = new Uint16Array(from.length * 2)
  next.set(from)
  return next
}
