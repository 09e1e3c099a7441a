/**
 * The packs that are kept beside an index, one per line. A line that is not what the manifest says
 * is an error for who asks for it and for nobody else.
 */
import { join } from 'node:path'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { parsePack } from './pack-schema.ts'
import {
  type KeptPack,
  type Piece,
  pieceNames,
  readManifest,
  type ShelfState,
} from './shelf-manifest.ts'
import { keptTrouble } from './trouble.ts'

/** What is on the shelf, by the manifest or, without one, by the pieces themselves. */
export function shelfState(files: Files, folder: string): ShelfState {
  const manifest = readManifest(files, folder)
  if (manifest !== undefined) return manifest
  const scanned = pieceNames(files, folder).map((name) => scanPiece(files, { folder, name }))
  return {
    pieces: scanned.map((it) => it.piece),
    packs: scanned.flatMap((it) => it.packs),
  }
}

/** The pack of an entry. Throws where its line is damaged or gone. */
export function readKept(files: Files, folder: string, kept: KeptPack): ContextPack {
  const line = lineOf(files, folder, kept)
  const where = `the record of ${kept.packId} in ${join(folder, kept.piece)}`
  if (line === undefined) throw keptTrouble('corrupt', `${where} is damaged`)
  return parsePack(line, where)
}

export interface ScannedPiece {
  readonly piece: Piece
  readonly packs: readonly KeptPack[]
  readonly damaged: number
  readonly bytes: Uint8Array
}

interface PieceToScan {
  readonly folder: string
  readonly name: string
  /** What the manifest knows of its lines. */
  readonly known?: readonly KeptPack[]
}

/** A piece as it is: known lines by their hash, others where they are packs. */
export function scanPiece(files: Files, { folder, name, known = [] }: PieceToScan): ScannedPiece {
  const bytes = bytesOf(files, join(folder, name)) ?? new Uint8Array()
  const byHash = new Map(known.map((it) => [it.sha256, it]))
  const intact = new Map(known.filter((it) => isAt(bytes, it)).map((it) => [it.offset, it]))
  const packs: KeptPack[] = []
  let damaged = 0
  let records = 0
  for (const { offset, line } of linesOf(bytes)) {
    records += 1
    const place = { piece: name, offset, bytes: line.length, sha256: sha256(line) }
    const before = byHash.get(place.sha256) ?? adopted(line, name)
    // A whole record may stand at the head of a line that ran into the next.
    const there = before === undefined ? intact.get(offset) : { ...before, ...place }
    if (there === undefined || there.bytes !== line.length) damaged += 1
    if (there !== undefined) packs.push(there)
  }
  const piece = { name, records, bytes: bytes.length, sha256: sha256(bytes) }
  return { piece, packs, damaged, bytes }
}

/** A line that no manifest vouches for, made by nobody knows whom. */
function adopted(
  line: Uint8Array,
  where: string,
): Pick<KeptPack, 'packId' | 'indexSignature' | 'generator'> | undefined {
  try {
    const { packId, indexSignature } = parsePack(new TextDecoder().decode(line), where)
    return { packId, indexSignature, generator: '' }
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

function lineOf(files: Files, folder: string, kept: KeptPack): string | undefined {
  const bytes = bytesOf(files, join(folder, kept.piece))
  if (bytes === undefined) return undefined
  if (isAt(bytes, kept))
    return new TextDecoder().decode(bytes.subarray(kept.offset, kept.offset + kept.bytes))
  // Damage before it may have moved it.
  for (const { line } of linesOf(bytes)) {
    if (line.length === kept.bytes && sha256(line) === kept.sha256)
      return new TextDecoder().decode(line)
  }
  return undefined
}

function isAt(bytes: Uint8Array, { offset, bytes: length, sha256: digest }: KeptPack): boolean {
  return sha256(bytes.subarray(offset, offset + length)) === digest
}

const NEWLINE = 10

function* linesOf(
  bytes: Uint8Array,
): Generator<{ readonly offset: number; readonly line: Uint8Array }> {
  for (let offset = 0; offset < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, offset)
    const end = found === -1 ? bytes.length : found
    if (end > offset) yield { offset, line: bytes.subarray(offset, end) }
    offset = end + 1
  }
}

function bytesOf(files: Files, path: string): Uint8Array | undefined {
  try {
    return files.read(path)
  } catch {
    return undefined
  }
}
