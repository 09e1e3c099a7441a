/**
 * What resolving gave, for handing between threads: each text once, all else as numbers. There are
 * hundreds of thousands of edges, and copying them object by object takes longer than finding them.
 */
import {
  EDGE_KINDS,
  type EdgeRecord,
  EVIDENCE_KINDS,
  type ResolvedFile,
  type UnresolvedRecord,
} from './index-record.ts'

export interface EncodedResolved {
  readonly texts: readonly string[]
  readonly numbers: Int32Array
}

/** Confidences have three decimals. */
const GRAIN = 1000
const NO_FAILURE = -1

export function encodeResolved(files: readonly ResolvedFile[]): EncodedResolved {
  const out = new Encoder()
  for (const file of files) out.file(file)
  return out.encoded()
}

const KIND_NUMBERS = new Map(EDGE_KINDS.map((kind, at) => [kind, at]))
const EVIDENCE_NUMBERS = new Map(EVIDENCE_KINDS.map((kind, at) => [kind, at]))

class Encoder {
  readonly #texts = new Map<string, number>()
  readonly #numbers: number[] = []

  file(file: ResolvedFile): void {
    const { path, edges, unresolved, asked, failure } = file
    this.#numbers.push(this.#text(path), edges.length, unresolved.length, asked.length)
    this.#numbers.push(failure === undefined ? NO_FAILURE : this.#text(failure))
    for (const it of edges) this.#edge(it)
    for (const it of unresolved) this.#unresolved(it)
    for (const key of asked) this.#numbers.push(this.#text(key))
  }

  encoded(): EncodedResolved {
    return { texts: [...this.#texts.keys()], numbers: Int32Array.from(this.#numbers) }
  }

  #edge(it: EdgeRecord): void {
    this.#numbers.push(
      KIND_NUMBERS.get(it.kind) ?? 0,
      this.#text(it.from),
      this.#text(it.to),
      EVIDENCE_NUMBERS.get(it.evidence) ?? 0,
      it.start,
      it.end,
      Math.round(it.confidence * GRAIN),
    )
  }

  #unresolved(it: UnresolvedRecord): void {
    this.#numbers.push(
      KIND_NUMBERS.get(it.kind) ?? 0,
      this.#text(it.from),
      this.#text(it.name),
      it.start,
      it.end,
      Math.round(it.confidence * GRAIN),
      it.candidates.length,
    )
    for (const candidate of it.candidates) this.#numbers.push(this.#text(candidate))
  }

  #text(value: string): number {
    const known = this.#texts.get(value)
    if (known !== undefined) return known
    this.#texts.set(value, this.#texts.size)
    return this.#texts.size - 1
  }
}

export function decodeResolved({ texts, numbers }: EncodedResolved): readonly ResolvedFile[] {
  let at = 0
  const next = (): number => {
    at += 1
    return numbers[at - 1] ?? 0
  }
  const text = (): string => texts[next()] ?? ''
  const edge = (): EdgeRecord => ({
    kind: EDGE_KINDS[next()] ?? 'usage',
    from: text(),
    to: text(),
    evidence: EVIDENCE_KINDS[next()] ?? 'span',
    start: next(),
    end: next(),
    confidence: next() / GRAIN,
  })
  const unresolved = (): UnresolvedRecord => {
    const kind = EDGE_KINDS[next()] ?? 'usage'
    const from = text()
    const name = text()
    const start = next()
    const end = next()
    const confidence = next() / GRAIN
    return { kind, from, name, start, end, candidates: list(next(), text), confidence }
  }
  const files: ResolvedFile[] = []
  while (at < numbers.length) {
    const path = text()
    const [edges, open, asked, failure] = [next(), next(), next(), next()]
    const file = {
      path,
      edges: list(edges, edge),
      unresolved: list(open, unresolved),
      asked: list(asked, text),
    }
    files.push(failure === NO_FAILURE ? file : { ...file, failure: texts[failure] ?? '' })
  }
  return files
}

function list<T>(count: number, read: () => T): readonly T[] {
  return Array.from({ length: count }, read)
}
