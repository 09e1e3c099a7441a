/**
 * context_pack.json as a file of per-document pieces. Every entry stands on a line of its own and
 * the entries of one document stand together in each array, so an incremental build copies what
 * did not change byte by byte and writes only the rest. Knows nothing of Markdown or SQLite.
 */
import { assert } from '../../base/assert.ts'
import type { Chunking, DocsPackHeader } from '../../model/docs-pack.ts'
import type { Replacement } from '../../platform/files.ts'
import {
  ARRAY_NAMES,
  type ArrayName,
  type PieceBytes,
  type PieceLengths,
  SEPARATOR,
} from './encode.ts'

/** Byte offset at which each array's first piece begins. */
export type ArrayStarts = Readonly<Record<ArrayName, number>>

/** A document to be written: its new entries, or none where they already stand in the former pack. */
export interface Piece {
  readonly path: string
  readonly bytes: PieceBytes | undefined
}

export interface ExistingPackFile {
  readonly file: string
  readonly starts: ArrayStarts
  /** The pieces of the former pack, in its order. */
  readonly pieces: readonly { readonly path: string; readonly lengths: PieceLengths }[]
}

export interface PackFrame {
  readonly header: DocsPackHeader
  readonly chunking: Chunking
}

/** Writes the whole pack and says where its arrays begin. */
export function writePack(
  out: Replacement,
  frame: PackFrame,
  content: { readonly pieces: readonly Piece[]; readonly existing: ExistingPackFile | undefined },
): ArrayStarts {
  const sink = createSink(out)
  const starts: Record<ArrayName, number> = {
    source_files: 0,
    docs: 0,
    digest: 0,
    index: 0,
    chunks: 0,
  }
  const { header, chunking } = frame
  sink.text(`{\n${encodeFields({ ...header })}`)
  for (const array of ARRAY_NAMES) {
    if (array === 'docs') sink.text(`,\n${encodeFields({ chunking })}`)
    sink.text(`,\n${JSON.stringify(array)}: [\n`)
    starts[array] = sink.written()
    writeArray(sink, array, content)
    sink.text('\n]')
  }
  sink.text('\n}\n')
  sink.flush()
  return starts
}

function encodeFields(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(SEPARATOR)
}

interface ByteSpan {
  readonly start: number
  readonly end: number
}

/** Where each document's piece of one array stands in the former pack. */
function findSpans(existing: ExistingPackFile, array: ArrayName): ReadonlyMap<string, ByteSpan> {
  const spans = new Map<string, ByteSpan>()
  let start = existing.starts[array]
  for (const { path, lengths } of existing.pieces) {
    const end = start + lengths[array]
    spans.set(path, { start, end })
    if (end > start) start = end + SEPARATOR.length
  }
  return spans
}

interface ArrayContent {
  readonly pieces: readonly Piece[]
  readonly existing: ExistingPackFile | undefined
}

/** Neighbours that were neighbours before are copied in one stretch, separators included. */
function writeArray(sink: Sink, array: ArrayName, { pieces, existing }: ArrayContent): void {
  const spans = existing === undefined ? undefined : findSpans(existing, array)
  let pending: ByteSpan | undefined
  let isFirst = true
  const copyPending = (): void => {
    if (pending === undefined || existing === undefined) return
    sink.copy(existing.file, pending.start, pending.end - pending.start)
    pending = undefined
  }
  for (const { path, bytes } of pieces) {
    const span = bytes === undefined ? spans?.get(path) : undefined
    assert(bytes ?? span, 'a kept piece to be in the existing pack')
    if (bytes?.[array].length === 0 || (span !== undefined && span.end === span.start)) continue
    if (pending !== undefined && span?.start === pending.end + SEPARATOR.length) {
      pending = { start: pending.start, end: span.end }
      continue
    }
    copyPending()
    if (!isFirst) sink.text(SEPARATOR)
    isFirst = false
    if (bytes === undefined) pending = span
    else sink.bytes(bytes[array])
  }
  copyPending()
}

interface Sink {
  text(text: string): void
  bytes(bytes: Uint8Array): void
  copy(file: string, start: number, length: number): void
  written(): number
  flush(): void
}

const BUFFER_BYTES = 1024 * 1024

/** Small writes are gathered: a system call for each entry would cost more than the entry. */
function createSink(out: Replacement): Sink {
  let total = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  const flush = (): void => {
    if (waitingBytes > 0) out.write(Buffer.concat(waiting, waitingBytes))
    waiting = []
    waitingBytes = 0
  }
  const bytes = (piece: Uint8Array): void => {
    waiting.push(piece)
    waitingBytes += piece.length
    total += piece.length
    if (waitingBytes >= BUFFER_BYTES) flush()
  }
  return {
    text: (text) => bytes(Buffer.from(text)),
    bytes,
    copy: (file, start, length) => {
      flush()
      out.copy(file, start, length)
      total += length
    },
    written: () => total,
    flush,
  }
}
