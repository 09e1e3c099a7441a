/**
 * Reads the packs that are stored beside an index, one per line. A damaged line is an error only
 * when its pack is requested.
 */
import { join } from 'node:path'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Files } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { parseContextPack } from './pack-schema.ts'
import { createPackStoreError } from './pack-store-errors.ts'
import {
  listPackStoreFiles,
  type PackStoreFile,
  type PackStoreState,
  readManifest,
  type StoredPackEntry,
} from './pack-store-manifest.ts'

/** The stored packs, from the manifest or, without one, from the files. */
export function readPackStore(files: Files, folder: string): PackStoreState {
  const manifest = readManifest(files, folder)
  if (manifest !== undefined) return manifest
  const scanned = listPackStoreFiles(files, folder).map((name) =>
    scanPiece(files, { folder, name }),
  )
  return {
    pieces: scanned.map((it) => it.piece),
    packs: scanned.flatMap((it) => it.packs),
  }
}

/** Throws if the line of the entry is damaged or missing. */
export function readStoredPack(files: Files, folder: string, entry: StoredPackEntry): ContextPack {
  const line = readLine(files, folder, entry)
  const where = `the record of ${entry.packId} in ${join(folder, entry.piece)}`
  if (line === undefined) throw createPackStoreError('corrupt', `${where} is damaged`)
  return parseContextPack(line, where)
}

export interface ScannedPiece {
  readonly piece: PackStoreFile
  readonly packs: readonly StoredPackEntry[]
  readonly damaged: number
  readonly bytes: Uint8Array
}

interface PieceToScan {
  readonly folder: string
  readonly name: string
  /** Its lines according to the manifest. */
  readonly known?: readonly StoredPackEntry[]
}

/** Scans a file: known lines by their hash, other lines if they are packs. */
export function scanPiece(files: Files, { folder, name, known = [] }: PieceToScan): ScannedPiece {
  const bytes = readIfExists(files, join(folder, name)) ?? new Uint8Array()
  const byHash = new Map(known.map((it) => [it.sha256, it]))
  const intact = new Map(known.filter((it) => matchesAt(bytes, it)).map((it) => [it.offset, it]))
  const packs: StoredPackEntry[] = []
  let damaged = 0
  let records = 0
  for (const { offset, line } of splitLines(bytes)) {
    records += 1
    const place = { piece: name, offset, bytes: line.length, sha256: sha256(line) }
    const before = byHash.get(place.sha256) ?? recognizeLine(line, name)
    // A line that ran into the next one may start with a complete record.
    const there = before === undefined ? intact.get(offset) : { ...before, ...place }
    if (there === undefined || there.bytes !== line.length) damaged += 1
    if (there !== undefined) packs.push(there)
  }
  const piece = { name, records, bytes: bytes.length, sha256: sha256(bytes) }
  return { piece, packs, damaged, bytes }
}

/** Parses a line that is not in the manifest. */
function recognizeLine(
  line: Uint8Array,
  where: string,
): Pick<StoredPackEntry, 'packId' | 'indexSignature' | 'generator'> | undefined {
  try {
    const { packId, indexSignature } = parseContextPack(new TextDecoder().decode(line), where)
    return { packId, indexSignature, generator: '' }
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

function readLine(files: Files, folder: string, entry: StoredPackEntry): string | undefined {
  const bytes = readIfExists(files, join(folder, entry.piece))
  if (bytes === undefined) return undefined
  if (matchesAt(bytes, entry))
    return new TextDecoder().decode(bytes.subarray(entry.offset, entry.offset + entry.bytes))
  // Damage before the line may have moved it.
  for (const { line } of splitLines(bytes)) {
    if (line.length === entry.bytes && sha256(line) === entry.sha256)
      return new TextDecoder().decode(line)
  }
  return undefined
}

function matchesAt(
  bytes: Uint8Array,
  { offset, bytes: length, sha256: digest }: StoredPackEntry,
): boolean {
  return sha256(bytes.subarray(offset, offset + length)) === digest
}

const NEWLINE = 10

function* splitLines(
  bytes: Uint8Array,
): Generator<{ readonly offset: number; readonly line: Uint8Array }> {
  for (let offset = 0; offset < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, offset)
    const end = found === -1 ? bytes.length : found
    if (end > offset) yield { offset, line: bytes.subarray(offset, end) }
    offset = end + 1
  }
}

function readIfExists(files: Files, path: string): Uint8Array | undefined {
  try {
    return files.read(path)
  } catch {
    return undefined
  }
}
