/** The part of a file that a range means, as text and as it is written down. */
import { EngineError } from '../model/engine-error.ts'
import type { Span } from '../model/evidence.ts'
import type { RangeWish } from './selector.ts'

export interface Cutting {
  readonly text: string
  readonly span: Span
  /** Bytes that lie inside a character are moved outwards to its edges, and that is said. */
  readonly isWidened: boolean
}

const NEWLINE = 10
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface Source {
  readonly path: string
  readonly bytes: Uint8Array
}

export function cut(source: Source, range: RangeWish | undefined): Cutting {
  if (range === undefined)
    return { text: decoded(source, source.bytes), span: { unit: 'full' }, isWidened: false }
  return range.unit === 'lines' ? cutLines(source, range) : cutBytes(source, range)
}

function cutLines(source: Source, { start, end }: RangeWish): Cutting {
  const { bytes } = source
  const starts = lineStarts(bytes)
  const size = `${source.path} has ${plural(starts.length, 'line')}`
  const last = end ?? starts.length
  refuse(source, { start, end, first: 1, last: starts.length, size })
  const text = decoded(source, bytes.subarray(starts[start - 1] ?? 0, starts[last] ?? bytes.length))
  return { text, span: { unit: 'lines', start, end: end ?? 'EOF' }, isWidened: false }
}

function cutBytes(source: Source, { start, end }: RangeWish): Cutting {
  const { bytes } = source
  const size = `${source.path} has ${plural(bytes.length, 'byte')}`
  refuse(source, { start, end, first: 0, last: bytes.length, size })
  const stop = end ?? bytes.length
  if (start >= stop) throw outside(source, `is empty: ${size}`)
  let from = start
  while (from > 0 && isInside(bytes, from)) from -= 1
  let to = stop
  while (to < bytes.length && isInside(bytes, to)) to += 1
  return {
    text: decoded(source, bytes.subarray(from, to)),
    span: { unit: 'bytes', start: from, end: end === undefined ? 'EOF' : to },
    isWidened: from !== start || to !== stop,
  }
}

/** The second or a later byte of a character. */
function isInside(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80
}

interface Bounds {
  readonly start: number
  readonly end: number | undefined
  readonly first: number
  readonly last: number
  readonly size: string
}

function refuse(source: Source, { start, end, first, last, size }: Bounds): void {
  if (last === 0) throw outside(source, `is empty: ${size}`)
  if (end !== undefined && end < start) throw outside(source, `ends before it begins: ${size}`)
  if (start < first) throw outside(source, `begins before ${first}: ${size}`)
  if (start > last || (end ?? last) > last) throw outside(source, `goes beyond the end: ${size}`)
}

function outside(source: Source, what: string): EngineError {
  return new EngineError('POC_E_SELECTOR_INVALID', `the range ${what}`, {
    hint: `give a range inside ${source.path}`,
  })
}

/** Offsets at which lines begin. A newline at the end begins no line. */
function lineStarts(bytes: Uint8Array): readonly number[] {
  if (bytes.length === 0) return []
  const starts = [0]
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (at + 1 < bytes.length) starts.push(at + 1)
  }
  return starts
}

/** Whether it can be evidence at all: UTF-8, and no bytes that no text has. */
export function isText(bytes: Uint8Array): boolean {
  return textOf(bytes) !== undefined
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return bytes.includes(0) ? undefined : decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function decoded({ path }: Source, bytes: Uint8Array): string {
  const text = textOf(bytes)
  if (text !== undefined) return text
  throw new EngineError('POC_E_SELECTOR_INVALID', `${path} is not text in UTF-8`, {
    hint: 'only text can be evidence; convert it first',
  })
}

/** `full`, `lines=100:200`, `lines=100:EOF`, `bytes=100:500`. */
export function spanText(span: Span): string {
  return span.unit === 'full' ? 'full' : `${span.unit}=${span.start}:${span.end}`
}

const SPAN = /^(lines|bytes)=(\d+):(\d+|EOF)$/

/** Undefined for what is none. */
export function parseSpan(text: string): Span | undefined {
  if (text === 'full') return { unit: 'full' }
  const [, unit, start, end] = SPAN.exec(text) ?? []
  if (unit === undefined || end === undefined) return undefined
  return {
    unit: unit === 'lines' ? 'lines' : 'bytes',
    start: Number(start),
    end: end === 'EOF' ? 'EOF' : Number(end),
  }
}

/** The wish that gives this span again. */
export function rangeOf(span: Span): RangeWish | undefined {
  if (span.unit === 'full') return undefined
  const { unit, start, end } = span
  return { unit, start, ...(end === 'EOF' ? {} : { end }) }
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
