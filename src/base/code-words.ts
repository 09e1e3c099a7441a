/**
 * Remembers what tokens stand for, from file to file. The same few thousand names make up most of
 * a project, and finding one again by its place takes a fraction of making a string of it. What
 * is remembered changes how fast a file is counted, never what comes out.
 */
import { codeForms, eachToken, proseForms } from './code-tokens.ts'
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
  code = new TokenTable(codeForms, this)
  prose = new TokenTable(proseForms, this)
  /** Room to count in, which a file leaves as it found it: all zero. */
  locals = new Int32Array(1 << 14)
  counts = new Uint32Array(1 << 14)
  /** Room to gather in. */
  entries = new Uint32Array(1 << 14)
  private readonly numbers = new Map<string, number>()

  /** To be called between files: numbers of words hold for one file alone. */
  begin(): void {
    if (this.code.size + this.prose.size < MOST_TOKENS) return
    this.words.length = 0
    this.numbers.clear()
    this.code = new TokenTable(codeForms, this)
    this.prose = new TokenTable(proseForms, this)
  }

  numberOf(word: string): number {
    const known = this.numbers.get(word)
    if (known !== undefined) return known
    this.words.push(word)
    this.numbers.set(word, this.words.length - 1)
    return this.words.length - 1
  }
}

/** From the text of a token to the numbers of its words. */
class TokenTable {
  private text = ''
  private readonly tokens: string[] = []
  private readonly meanings: (readonly number[])[] = []
  private hashes = new Int32Array(1 << 11)
  /** Tokens by their hash, counted from 1; 0 is free. At most half full. */
  private places = new Int32Array(1 << 12)
  private readonly forms: (token: string) => readonly string[]
  private readonly memory: WordForms

  constructor(forms: (token: string) => readonly string[], memory: WordForms) {
    this.forms = forms
    this.memory = memory
  }

  get size(): number {
    return this.tokens.length
  }

  /** The text that `find` looks at. */
  read(text: string): void {
    this.text = text
  }

  find(start: number, end: number, hash: number): readonly number[] {
    const mask = this.places.length - 1
    let place = slot(hash) & mask
    for (;;) {
      const token = (this.places[place] ?? 0) - 1
      if (token < 0) return this.learn(detached(this.text.slice(start, end)), hash, place)
      if (this.hashes[token] === hash && this.isAt(token, start, end)) {
        return this.meanings[token] ?? NONE
      }
      place = (place + 1) & mask
    }
  }

  private isAt(number: number, start: number, end: number): boolean {
    const token = this.tokens[number] ?? ''
    if (token.length !== end - start) return false
    for (let at = 0; at < token.length; at += 1) {
      if (token.charCodeAt(at) !== this.text.charCodeAt(start + at)) return false
    }
    return true
  }

  private learn(token: string, hash: number, place: number): readonly number[] {
    const numbers = this.forms(token).map((word) => this.memory.numberOf(word))
    const number = this.tokens.length
    this.tokens.push(token)
    this.meanings.push(numbers)
    this.hashes[number] = hash
    this.places[place] = number + 1
    if (number + 1 >= this.hashes.length) this.grow()
    return numbers
  }

  private grow(): void {
    const hashes = new Int32Array(this.hashes.length * 2)
    hashes.set(this.hashes)
    this.hashes = hashes
    this.places = new Int32Array(this.places.length * 2)
    const mask = this.places.length - 1
    for (let token = 0; token < this.tokens.length; token += 1) {
      let place = slot(hashes[token] ?? 0) & mask
      while (this.places[place] !== 0) place = (place + 1) & mask
      this.places[place] = token + 1
    }
  }
}

const NONE: readonly number[] = []

/** Low bits of a product know little of the first characters; high bits know all. */
function slot(hash: number): number {
  return hash ^ (hash >>> 15)
}
