/**
 * Records of files, for handing between threads: the texts of each file in one, all numbers in one
 * piece of memory, which can be handed over as it is. Copying them object by object took as long as
 * a third of the reading itself.
 */
import type { Diagnostic } from './diagnostic.ts'
import type { ChunkRecord, FileRecord, SymbolRecord } from './index-record.ts'

export interface EncodedRecords {
  /** Of each file, ended by NUL, which no text of a record holds. */
  readonly texts: readonly string[]
  /** Of all files: numbers of eight bytes, counts and lengths of words of four, facts of one. */
  readonly memory: ArrayBuffer
  /** How many there are of eight bytes, and of four. */
  readonly numbers: number
  readonly wordNumbers: number
  readonly diagnostics: readonly (readonly Diagnostic[])[]
}

const END = '\0'

export function encodeRecords(records: readonly FileRecord[]): EncodedRecords {
  const numbers: number[] = []
  const texts = records.map((it) => encodeRecord(it, numbers))
  const words = records.flatMap((it) => [it.words.counts, it.words.lengths])
  const facts = records.map((it) => it.facts)
  const wordNumbers = totalLength(words)
  const memory = new ArrayBuffer(8 * numbers.length + 4 * wordNumbers + totalLength(facts))
  const room = viewsOf({ memory, numbers: numbers.length, wordNumbers })
  room.numbers.set(numbers)
  putAll(words, room.words)
  putAll(facts, room.facts)
  const diagnostics = records.map((it) => it.diagnostics)
  return { texts, memory, numbers: numbers.length, wordNumbers, diagnostics }
}

/** Its texts; its numbers are added to those of the files before it. */
function encodeRecord(it: FileRecord, numbers: number[]): string {
  const { words, counts, lengths } = it.words
  const texts = [it.path, it.sha256, it.language, it.surface]
  numbers.push(it.size, it.mtimeMs, it.lines)
  numbers.push(it.chunks.length, it.symbols.length, it.provides.length)
  numbers.push(words.length, counts.length, lengths.length, it.facts.length)
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
  for (const word of words) texts.push(word)
  return texts.join(END)
}

/** Words and facts stay in the memory that they came in, and are there as long as it is. */
export function decodeRecords(encoded: EncodedRecords): readonly FileRecord[] {
  const source = new Source(encoded)
  return encoded.texts.map((texts, at) => {
    source.begin(texts)
    const [path, sha256, language, surface] = source.texts(4)
    const [size = 0, mtimeMs = 0, lines = 0] = source.numbers(3)
    const [chunks = 0, symbols = 0, provides = 0] = source.numbers(3)
    const [words = 0, counts = 0, lengths = 0, facts = 0] = source.numbers(4)
    return {
      path: path ?? '',
      sha256: sha256 ?? '',
      language: language ?? '',
      surface: surface ?? '',
      size,
      mtimeMs,
      lines,
      facts: source.facts(facts),
      chunks: list(chunks, () => chunkFrom(source)),
      symbols: list(symbols, () => symbolFrom(source)),
      provides: list(provides, () => ({ name: source.text(), definition: source.number() })),
      words: {
        words: source.texts(words),
        counts: source.wordNumbers(counts),
        lengths: source.wordNumbers(lengths),
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
  readonly #views: Views
  #texts: readonly string[] = []
  #text = 0
  #number = 0
  #wordNumber = 0
  #fact = 0

  constructor(encoded: EncodedRecords) {
    this.#views = viewsOf(encoded)
  }

  /** The texts of the next file. */
  begin(texts: string): void {
    this.#texts = texts.split(END)
    this.#text = 0
  }

  text(): string {
    this.#text += 1
    return this.#texts[this.#text - 1] ?? ''
  }

  number(): number {
    this.#number += 1
    return this.#views.numbers[this.#number - 1] ?? 0
  }

  texts(count: number): readonly string[] {
    this.#text += count
    return this.#texts.slice(this.#text - count, this.#text)
  }

  numbers(count: number): readonly number[] {
    return list(count, () => this.number())
  }

  wordNumbers(count: number): Uint32Array {
    this.#wordNumber += count
    return this.#views.words.subarray(this.#wordNumber - count, this.#wordNumber)
  }

  facts(count: number): Uint8Array {
    this.#fact += count
    return this.#views.facts.subarray(this.#fact - count, this.#fact)
  }
}

interface Views {
  readonly numbers: Float64Array
  readonly words: Uint32Array
  readonly facts: Uint8Array
}

/** The widest come first, so that all of them are aligned. */
function viewsOf({
  memory,
  numbers,
  wordNumbers,
}: Pick<EncodedRecords, 'memory' | 'numbers' | 'wordNumbers'>): Views {
  return {
    numbers: new Float64Array(memory, 0, numbers),
    words: new Uint32Array(memory, 8 * numbers, wordNumbers),
    facts: new Uint8Array(memory, 8 * numbers + 4 * wordNumbers),
  }
}

function totalLength(arrays: readonly { readonly length: number }[]): number {
  return arrays.reduce((sum, it) => sum + it.length, 0)
}

function putAll<T extends { readonly length: number }>(
  arrays: readonly T[],
  room: { set(array: T, at: number): void },
): void {
  let at = 0
  for (const it of arrays) {
    room.set(it, at)
    at += it.length
  }
}

function list<T>(count: number, read: () => T): readonly T[] {
  return Array.from({ length: count }, read)
}
