/**
 * context_pack.json as a file of per-document pieces. Every entry stands on a line of its own and
 * the entries of one document stand together in each array, so an incremental build copies what
 * did not change byte by byte and writes only the rest. Knows nothing of Markdown or SQLite.
 */
import { assert } from '../../base/assert.ts'
import type { Chunking, DocsPackHeader } from '../../model/docs-pack.ts'
import type { Replacement } from '../../platform/files.ts'
import { ARRAYS, type ArrayName, type PieceBytes, type PieceLengths, SEPARATOR } from './encode.ts'

/** Byte offset at which each array's first piece begins. */
export type ArrayStarts = Readonly<Record<ArrayName, number>>

/** A document to be written: its new entries, or how long they are where they already stand. */
export type Piece =
  | { readonly kind: 'new'; readonly path: string; readonly bytes: PieceBytes }
  | { readonly kind: 'kept'; readonly path: string; readonly lengths: PieceLengths }

export interface FormerPack {
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
  content: { readonly pieces: readonly Piece[]; readonly former: FormerPack | undefined },
): ArrayStarts {
  const sink = countingSink(out)
  const offsets = content.former === undefined ? undefined : formerOffsets(content.former)
  const starts: Record<ArrayName, number> = {
    source_files: 0,
    docs: 0,
    digest: 0,
    index: 0,
    chunks: 0,
  }
  const { header, chunking } = frame
  sink.text(`{\n${fields({ ...header })}`)
  for (const array of ARRAYS) {
    if (array === 'docs') sink.text(`,\n${fields({ chunking })}`)
    sink.text(`,\n${JSON.stringify(array)}: [\n`)
    starts[array] = sink.written()
    writeArray(sink, array, { ...content, offsets })
    sink.text('\n]')
  }
  sink.text('\n}\n')
  sink.flush()
  return starts
}

function fields(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(SEPARATOR)
}

type Offsets = ReadonlyMap<string, ArrayStarts>

function formerOffsets(former: FormerPack): Offsets {
  const next = { ...former.starts }
  const offsets = new Map<string, ArrayStarts>()
  for (const piece of former.pieces) {
    offsets.set(piece.path, { ...next })
    for (const array of ARRAYS) {
      if (piece.lengths[array] > 0) next[array] += piece.lengths[array] + SEPARATOR.length
    }
  }
  return offsets
}

interface ArrayContent {
  readonly pieces: readonly Piece[]
  readonly former: FormerPack | undefined
  readonly offsets: Offsets | undefined
}

/** Neighbours that were neighbours before are copied in one stretch, separators included. */
function writeArray(sink: Sink, array: ArrayName, content: ArrayContent): void {
  let pending: { readonly start: number; end: number } | undefined
  let isFirst = true
  const copyPending = (): void => {
    if (pending === undefined || content.former === undefined) return
    sink.copy(content.former.file, pending.start, pending.end - pending.start)
    pending = undefined
  }
  for (const piece of content.pieces) {
    const length = piece.kind === 'new' ? piece.bytes[array].length : piece.lengths[array]
    if (length === 0) continue
    const start = piece.kind === 'kept' ? content.offsets?.get(piece.path)?.[array] : undefined
    assert(piece.kind === 'new' || start !== undefined, 'a kept piece to stand in the former pack')
    if (pending !== undefined && start === pending.end + SEPARATOR.length) {
      pending.end = start + length
      continue
    }
    copyPending()
    if (!isFirst) sink.text(SEPARATOR)
    isFirst = false
    if (piece.kind === 'new') sink.bytes(piece.bytes[array])
    else if (start !== undefined) pending = { start, end: start + length }
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

const BUFFERED = 1024 * 1024

/** Small writes are gathered: a system call for each entry would cost more than the entry. */
function countingSink(out: Replacement): Sink {
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
    if (waitingBytes >= BUFFERED) flush()
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
