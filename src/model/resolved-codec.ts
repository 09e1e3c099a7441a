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
  const texts = new Map<string, number>()
  const numbers: number[] = []
  const text = (value: string): number => {
    const known = texts.get(value)
    if (known !== undefined) return known
    texts.set(value, texts.size)
    return texts.size - 1
  }
  for (const file of files) {
    numbers.push(text(file.path), file.edges.length, file.unresolved.length, file.asked.length)
    numbers.push(file.failure === undefined ? NO_FAILURE : text(file.failure))
    for (const it of file.edges) {
      numbers.push(EDGE_KINDS.indexOf(it.kind), text(it.from), text(it.to))
      numbers.push(EVIDENCE_KINDS.indexOf(it.evidence), it.start, it.end)
      numbers.push(Math.round(it.confidence * GRAIN))
    }
    for (const it of file.unresolved) {
      numbers.push(EDGE_KINDS.indexOf(it.kind), text(it.from), text(it.name), it.start, it.end)
      numbers.push(Math.round(it.confidence * GRAIN), it.candidates.length)
      for (const candidate of it.candidates) numbers.push(text(candidate))
    }
    for (const key of file.asked) numbers.push(text(key))
  }
  return { texts: [...texts.keys()], numbers: Int32Array.from(numbers) }
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
