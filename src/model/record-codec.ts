/**
 * Records of files, for handing between threads: all texts in one, all numbers in one. Copying them
 * object by object took as long as a third of the reading itself.
 */
import type { Diagnostic } from './diagnostic.ts'
import type { ChunkRecord, FileRecord, SymbolRecord } from './index-record.ts'

export interface EncodedRecords {
  /** Ended by NUL, which no text of a record holds. */
  readonly texts: string
  readonly numbers: Float64Array
  readonly facts: readonly Uint8Array[]
  /** Counts and lengths of words by turns. */
  readonly words: readonly Uint32Array[]
  readonly diagnostics: readonly (readonly Diagnostic[])[]
}

const END = '\0'

export function encodeRecords(records: readonly FileRecord[]): EncodedRecords {
  const texts: string[] = []
  const numbers: number[] = []
  for (const it of records) {
    texts.push(it.path, it.sha256, it.language, it.surface)
    numbers.push(it.size, it.mtimeMs, it.lines)
    numbers.push(it.chunks.length, it.symbols.length, it.provides.length, it.words.words.length)
    for (const chunk of it.chunks) {
      texts.push(chunk.uid, chunk.kind, chunk.name, chunk.title, chunk.symbol, chunk.text)
      numbers.push(chunk.start, chunk.end, chunk.startLine, chunk.endLine, chunk.tokens)
    }
    for (const symbol of it.symbols) {
      texts.push(symbol.id, symbol.name, symbol.kind)
      numbers.push(symbol.definition, symbol.start, symbol.end, symbol.isExported ? 1 : 0)
    }
    for (const provided of it.provides) {
      texts.push(provided.name)
      numbers.push(provided.definition)
    }
    for (const word of it.words.words) texts.push(word)
  }
  return {
    texts: texts.join(END),
    numbers: Float64Array.from(numbers),
    facts: records.map((it) => it.facts),
    words: records.flatMap((it) => [it.words.counts, it.words.lengths]),
    diagnostics: records.map((it) => it.diagnostics),
  }
}

export function decodeRecords(encoded: EncodedRecords): readonly FileRecord[] {
  const source = new Source(encoded)
  return encoded.facts.map((facts, at) => {
    const [path, sha256, language, surface] = source.texts(4)
    const [size = 0, mtimeMs = 0, lines = 0] = source.numbers(3)
    const [chunks = 0, symbols = 0, provides = 0, words = 0] = source.numbers(4)
    return {
      path: path ?? '',
      sha256: sha256 ?? '',
      language: language ?? '',
      surface: surface ?? '',
      size,
      mtimeMs,
      lines,
      facts,
      chunks: list(chunks, () => chunkFrom(source)),
      symbols: list(symbols, () => symbolFrom(source)),
      provides: list(provides, () => ({ name: source.text(), definition: source.number() })),
      words: {
        words: source.texts(words),
        counts: encoded.words[at * 2] ?? new Uint32Array(0),
        lengths: encoded.words[at * 2 + 1] ?? new Uint32Array(0),
      },
      diagnostics: encoded.diagnostics[at] ?? [],
    }
  })
}

function chunkFrom(source: Source): ChunkRecord {
  return {
    uid: source.text(),
    kind: source.text(),
    name: source.text(),
    title: source.text(),
    symbol: source.text(),
    text: source.text(),
    start: source.number(),
    end: source.number(),
    startLine: source.number(),
    endLine: source.number(),
    tokens: source.number(),
  }
}

function symbolFrom(source: Source): SymbolRecord {
  return {
    id: source.text(),
    name: source.text(),
    kind: source.text(),
    definition: source.number(),
    start: source.number(),
    end: source.number(),
    isExported: source.number() === 1,
  }
}

/** Texts and numbers in the order in which they were written. */
class Source {
  readonly #texts: readonly string[]
  readonly #numbers: Float64Array
  #text = 0
  #number = 0

  constructor({ texts, numbers }: EncodedRecords) {
    this.#texts = texts.split(END)
    this.#numbers = numbers
  }

  text(): string {
    this.#text += 1
    return this.#texts[this.#text - 1] ?? ''
  }

  number(): number {
    this.#number += 1
    return this.#numbers[this.#number - 1] ?? 0
  }

  texts(count: number): readonly string[] {
    this.#text += count
    return this.#texts.slice(this.#text - count, this.#text)
  }

  numbers(count: number): readonly number[] {
    return list(count, () => this.number())
  }
}

function list<T>(count: number, read: () => T): readonly T[] {
  return Array.from({ length: count }, read)
}
