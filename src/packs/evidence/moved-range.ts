/** Finds a range of lines after its file has changed. */
import { counted } from '../../base/text.ts'
import type { RequestedRange } from '../../evidence/selector.ts'
import { hashLines, readSourceLines, splitLines } from '../../evidence/source-lines.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow, Provenance, Span } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { followLines } from './follow-lines.ts'
import { formatSourceTitle } from './prompt.ts'

export interface SourceLocation {
  readonly flow: Flow
  /** Path of the source: native and absolute. */
  readonly path: string
}

export interface StoredPiece {
  readonly provenance: Provenance
  /** The lines as they were picked. */
  readonly body: string
}

/** Undefined if the position cannot be determined; the caller then uses the old line numbers. */
export function findMovedRange(
  world: World,
  { flow, path }: SourceLocation,
  stored: StoredPiece,
): RequestedRange | undefined {
  const { span, cid } = stored.provenance
  if (span.unit !== 'lines') return undefined
  const text = new TextDecoder().decode(world.files.read(path))
  const before = readSourceLines(world.files, flow, cid)
  if (before === undefined) return findUniqueBlock(splitLines(text), stored.body, span)
  const end = span.end === 'EOF' ? before.length : span.end
  const after = hashLines(text)
  const range = followLines(before, after, { start: span.start, end })
  if (range === undefined) return findUniqueBlock(splitLines(text), stored.body, span)
  if (range.end < range.start && !(span.end === 'EOF' && range.start <= after.length)) {
    const title = formatSourceTitle(flow, path)
    const size = counted(after.length, 'line')
    throw createLostSourceError(
      `lines ${span.start}–${end} of ${title} have been removed: it has ${size}`,
    )
  }
  return { unit: 'lines', start: range.start, ...(span.end === 'EOF' ? {} : { end: range.end }) }
}

/** Without line hashes: the only position where all of the lines occur unchanged. */
function findUniqueBlock(
  lines: readonly string[],
  body: string,
  span: Span & { readonly unit: 'lines' | 'bytes' },
): RequestedRange | undefined {
  if (span.end === 'EOF') return undefined
  const wanted = splitLines(body)
  const length = span.end - span.start + 1
  if (wanted.length !== length || wanted.every((it) => it.trim() === '')) return undefined
  const places = lines.flatMap((_, at) =>
    wanted.every((it, nth) => lines[at + nth] === it) ? [at + 1] : [],
  )
  const [start] = places
  // Several matches, or no move: the old line numbers are used.
  if (start === undefined || places.length > 1) return undefined
  return { unit: 'lines', start, end: start + length - 1 }
}

export function createLostSourceError(message: string, cause?: unknown): EngineError {
  return new EngineError('POC_E_READ_FAILED', message, {
    hint: 'remove the evidence, or restore its source',
    cause,
  })
}
