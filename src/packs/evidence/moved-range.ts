/** Where a range of lines is, now that its file has changed. */
import { counted } from '../../base/text.ts'
import type { RequestedRange } from '../../evidence/selector.ts'
import { hashLines, readSourceLines, splitLines } from '../../evidence/source-lines.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Flow, Provenance, Span } from '../../model/evidence.ts'
import type { World } from '../../platform/world.ts'
import { followLines } from './follow-lines.ts'
import { titleOf } from './prompt.ts'

export interface SourcePlace {
  readonly flow: Flow
  /** Of the source: native and absolute. */
  readonly path: string
}

export interface FormerPiece {
  readonly provenance: Provenance
  /** The lines as they were. */
  readonly body: string
}

/** Where the lines are now; undefined where that cannot be told, and the numbers have to say it. */
export function movedRange(
  world: World,
  { flow, path }: SourcePlace,
  former: FormerPiece,
): RequestedRange | undefined {
  const { span, cid } = former.provenance
  if (span.unit !== 'lines') return undefined
  const text = new TextDecoder().decode(world.files.read(path))
  const before = readSourceLines(world.files, flow, cid)
  if (before === undefined) return rangeOfBlock(splitLines(text), former.body, span)
  const end = span.end === 'EOF' ? before.length : span.end
  const after = hashLines(text)
  const range = followLines(before, after, { start: span.start, end })
  if (range === undefined) return rangeOfBlock(splitLines(text), former.body, span)
  if (range.end < range.start && !(span.end === 'EOF' && range.start <= after.length)) {
    const title = titleOf(flow, path)
    const size = counted(after.length, 'line')
    throw lostSource(`lines ${span.start}–${end} of ${title} have been removed: it has ${size}`)
  }
  return { unit: 'lines', start: range.start, ...(span.end === 'EOF' ? {} : { end: range.end }) }
}

/** Without hashes of the former file: where all of the lines stand unchanged, in one place only. */
function rangeOfBlock(
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
  // Several places could be meant, or it is where it was: then the lines say it.
  if (start === undefined || places.length > 1) return undefined
  return { unit: 'lines', start, end: start + length - 1 }
}

export function lostSource(message: string, cause?: unknown): EngineError {
  return new EngineError('POC_E_READ_FAILED', message, {
    hint: 'remove the evidence, or bring its source back',
    cause,
  })
}
