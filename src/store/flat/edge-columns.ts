/**
 * Stores edges as columns of numbers: hundreds of thousands of objects would take too much memory.
 */
import type { StoredEdge } from '../../model/code-index.ts'
import { EDGE_KINDS, type EdgeRecord, EVIDENCE_KINDS } from '../../model/index-record.ts'

/** An edge whose file and symbols are numbers. */
export interface NumberedEdge extends Omit<EdgeRecord, 'from' | 'to'> {
  readonly file: number
  readonly from: number
  readonly to: number
}

export function toStoredEdge({ file, ...edge }: NumberedEdge, names: EdgeNames): StoredEdge {
  return {
    ...edge,
    path: names.getPath(file),
    from: names.getText(edge.from),
    to: names.getText(edge.to),
  }
}

export interface EdgeNames {
  getPath(file: number): string
  getText(symbol: number): string
}

export class EdgeColumns {
  readonly texts: TextNumbers
  readonly #files: number[] = []
  readonly #kinds: number[] = []
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #evidence: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #confidences: number[] = []

  constructor(texts: TextNumbers) {
    this.texts = texts
  }

  get size(): number {
    return this.#files.length
  }

  add(file: number, edge: EdgeRecord): void {
    this.#files.push(file)
    this.#kinds.push(EDGE_KINDS.indexOf(edge.kind))
    this.#from.push(this.texts.intern(edge.from))
    this.#to.push(this.texts.intern(edge.to))
    this.#evidence.push(EVIDENCE_KINDS.indexOf(edge.evidence))
    this.#starts.push(edge.start)
    this.#ends.push(edge.end)
    this.#confidences.push(edge.confidence)
  }

  numbered(edge: number): NumberedEdge {
    return {
      file: this.#files[edge] ?? 0,
      kind: EDGE_KINDS[this.#kinds[edge] ?? 0] ?? 'usage',
      from: this.#from[edge] ?? 0,
      to: this.#to[edge] ?? 0,
      evidence: EVIDENCE_KINDS[this.#evidence[edge] ?? 0] ?? 'span',
      start: this.#starts[edge] ?? 0,
      end: this.#ends[edge] ?? 0,
      confidence: this.#confidences[edge] ?? 0,
    }
  }

  byFile(files: number): NumberGroups {
    return new NumberGroups(this.#files, files)
  }

  byFrom(): NumberGroups {
    return new NumberGroups(this.#from, this.texts.size)
  }

  byTo(): NumberGroups {
    return new NumberGroups(this.#to, this.texts.size)
  }
}

/** Which items have each number, in the order of the items: two arrays for all of them. */
export class NumberGroups {
  readonly #ends: Uint32Array
  readonly #items: Uint32Array

  constructor(numbers: ArrayLike<number>, groups: number) {
    this.#ends = new Uint32Array(groups + 1)
    this.#items = new Uint32Array(numbers.length)
    // Each slot is first the size of the group before it, then its start, and at last its end.
    for (let at = 0; at < numbers.length; at += 1) this.#bump((numbers[at] ?? 0) + 1)
    for (let at = 1; at <= groups; at += 1)
      this.#ends[at] = (this.#ends[at] ?? 0) + (this.#ends[at - 1] ?? 0)
    for (let at = 0; at < numbers.length; at += 1) this.#items[this.#bump(numbers[at] ?? 0)] = at
  }

  of(group: number): Uint32Array {
    const start = group === 0 ? 0 : (this.#ends[group - 1] ?? 0)
    return this.#items.subarray(start, Math.max(start, this.#ends[group] ?? start))
  }

  #bump(at: number): number {
    const was = this.#ends[at] ?? 0
    this.#ends[at] = was + 1
    return was
  }
}

/** Each text once. */
export class TextNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []

  get size(): number {
    return this.#texts.length
  }

  intern(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#texts.length)
    this.#texts.push(text)
    return this.#texts.length - 1
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text)
  }

  text(number: number): string {
    return this.#texts[number] ?? ''
  }
}
