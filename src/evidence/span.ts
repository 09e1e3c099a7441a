/** Cuts the excerpt that a range selects out of a file, and reads and writes spans. */
import { counted } from '../base/text.ts'
import { EngineError } from '../model/engine-error.ts'
import type { Span } from '../model/evidence.ts'
import type { RequestedRange } from './selector.ts'

export interface Excerpt {
  readonly text: string
  readonly span: Span
  /** Whether a byte range was extended to character boundaries. */
  readonly isWidened: boolean
}

const NEWLINE = 10
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export function cutExcerpt(source: SourceFile, range: RequestedRange | undefined): Excerpt {
  if (range === undefined)
    return { text: requireText(source, source.bytes), span: { unit: 'full' }, isWidened: false }
  return range.unit === 'lines' ? cutLines(source, range) : cutBytes(source, range)
}

function cutLines(source: SourceFile, { start, end }: RequestedRange): Excerpt {
  const { bytes } = source
  const starts = lineStarts(bytes)
  const size = `${source.path} has ${counted(starts.length, 'line')}`
  const last = end ?? starts.length
  refuseInvalidRange(source, { start, end, first: 1, last: starts.length, size })
  const text = requireText(
    source,
    bytes.subarray(starts[start - 1] ?? 0, starts[last] ?? bytes.length),
  )
  return { text, span: { unit: 'lines', start, end: end ?? 'EOF' }, isWidened: false }
}

function cutBytes(source: SourceFile, { start, end }: RequestedRange): Excerpt {
  const { bytes } = source
  const size = `${source.path} has ${counted(bytes.length, 'byte')}`
  refuseInvalidRange(source, { start, end, first: 0, last: bytes.length, size })
  const stop = end ?? bytes.length
  if (start >= stop) throw createRangeError(source, `is empty: ${size}`)
  let from = start
  while (from > 0 && isContinuationByte(bytes, from)) from -= 1
  let to = stop
  while (to < bytes.length && isContinuationByte(bytes, to)) to += 1
  return {
    text: requireText(source, bytes.subarray(from, to)),
    span: { unit: 'bytes', start: from, end: end === undefined ? 'EOF' : to },
    isWidened: from !== start || to !== stop,
  }
}

/** Whether this is the second or a later byte of a UTF-8 character. */
function isContinuationByte(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80
}

interface RangeCheck {
  readonly start: number
  readonly end: number | undefined
  readonly first: number
  readonly last: number
  readonly size: string
}

function refuseInvalidRange(
  source: SourceFile,
  { start, end, first, last, size }: RangeCheck,
): void {
  if (last === 0) throw createRangeError(source, `is empty: ${size}`)
  if (end !== undefined && end < start)
    throw createRangeError(source, `ends before it starts: ${size}`)
  if (start < first) throw createRangeError(source, `starts before ${first}: ${size}`)
  if (start > last || (end ?? last) > last)
    throw createRangeError(source, `exceeds the file: ${size}`)
}

function createRangeError(source: SourceFile, what: string): EngineError {
  return new EngineError('POC_E_SELECTOR_INVALID', `the range ${what}`, {
    hint: `give a range inside ${source.path}`,
  })
}

/** Offsets of the first byte of each line. A final newline does not start another line. */
function lineStarts(bytes: Uint8Array): readonly number[] {
  if (bytes.length === 0) return []
  const starts = [0]
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (at + 1 < bytes.length) starts.push(at + 1)
  }
  return starts
}

/** Whether the bytes can be evidence: valid UTF-8 without NUL bytes. */
export function isText(bytes: Uint8Array): boolean {
  return decodeText(bytes) !== undefined
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return bytes.includes(0) ? undefined : decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function requireText({ path }: SourceFile, bytes: Uint8Array): string {
  const text = decodeText(bytes)
  if (text !== undefined) return text
  throw new EngineError('POC_E_SELECTOR_INVALID', `${path} is not UTF-8 text`, {
    hint: 'evidence must be text; convert the file first',
  })
}

/** `full`, `lines=100:200`, `lines=100:EOF`, `bytes=100:500`. */
export function formatSpan(span: Span): string {
  return span.unit === 'full' ? 'full' : `${span.unit}=${span.start}:${span.end}`
}

const SPAN = /^(lines|bytes)=(\d+):(\d+|EOF)$/

/** Undefined if the text is not a span. */
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

/** The range that selects this span. */
export function spanToRange(span: Span): RequestedRange | undefined {
  if (span.unit === 'full') return undefined
  const { unit, start, end } = span
  return { unit, start, ...(end === 'EOF' ? {} : { end }) }
}
