/**
 * Stores packs, one writer at a time. Lines are only appended, so that a reader with the previous
 * manifest still finds its lines. A killed writer leaves at most one line that the next writer
 * recognizes.
 */
import { join } from 'node:path'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import { type Files, TEMPORARY } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { acquireLock, type Waiting } from '../../platform/lock.ts'
import { makeOwnFolder } from '../../platform/own-folder.ts'
import { asWriteError } from '../../platform/trouble.ts'
import {
  formatManifest,
  formatMeta,
  type PackStoreFile,
  type PackStoreState,
} from './pack-store-manifest.ts'
import { formatPartName, MANIFEST_NAME, META_NAME, WHOLE_NAME } from './pack-store-names.ts'
import { readPackStore, readStoredPack, type ScannedPiece, scanPiece } from './read-pack-store.ts'

export interface PackStoreTarget extends Waiting {
  readonly files: Files
  /** The folder of the index. */
  readonly folder: string
  readonly generator: string
  readonly maxShardBytes?: number
  notice(text: string): void
}

const MAX_SHARD_BYTES = 16 * 1024 * 1024
/** Not in the folder itself: an index build removes temporary files there. */
const SCRATCH_FOLDER = '.packs'

/** A valid record with the same id and version is kept. */
export async function storePack(target: PackStoreTarget, pack: ContextPack): Promise<void> {
  const { files, folder } = target
  const scratch = join(folder, SCRATCH_FOLDER)
  try {
    makeOwnFolder(files, folder)
    files.makeFolder(scratch)
    const lock = await acquireLock(join(scratch, 'lock'), target)
    try {
      removeLeftovers(files, scratch)
      const { state, last } = checkStore(target)
      if (!hasValidEntry(target, state, pack)) appendPack(target, { state, last, pack })
    } finally {
      lock.release()
    }
  } catch (error) {
    throw asWriteError(error, join(folder, WHOLE_NAME))
  }
}

function removeLeftovers(files: Files, scratch: string): void {
  for (const entry of files.list(scratch)) {
    const isOurs = entry.name.startsWith(TEMPORARY) || entry.name.startsWith('context_packs.')
    if (entry.isFile() && isOurs) files.remove(join(scratch, entry.name))
  }
}

interface CheckedStore {
  readonly state: PackStoreState
  readonly last: ScannedPiece | undefined
}

/** Lines are appended to the last file, so it is scanned if it changed. */
function checkStore({ files, folder, notice }: PackStoreTarget): CheckedStore {
  const state = readPackStore(files, folder)
  const name = state.pieces.at(-1)?.name
  if (name === undefined) return { state, last: undefined }
  const known = state.packs.filter((it) => it.piece === name)
  const last = scanPiece(files, { folder, name, known })
  if (last.damaged > 0) {
    notice(`${join(folder, name)} has ${last.damaged} damaged lines, which are left unchanged`)
  }
  return {
    state: {
      pieces: [...state.pieces.slice(0, -1), last.piece],
      packs: [...state.packs.filter((it) => it.piece !== name), ...last.packs],
    },
    last,
  }
}

function hasValidEntry(
  target: PackStoreTarget,
  { packs }: PackStoreState,
  { packId }: ContextPack,
): boolean {
  const kept = packs.findLast((it) => it.packId === packId && it.generator === target.generator)
  if (kept === undefined) return false
  try {
    return readStoredPack(target.files, target.folder, kept).packId === packId
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

const NEWLINE = Buffer.from('\n')

function appendPack(
  target: PackStoreTarget,
  { state, last, pack }: CheckedStore & { pack: ContextPack },
): void {
  const { files, folder, generator, maxShardBytes = MAX_SHARD_BYTES } = target
  const line = Buffer.from(JSON.stringify(pack))
  const before = Buffer.from(last?.bytes ?? [])
  // A truncated line must not run into the next one.
  const whole = before.length === 0 || before.at(-1) === NEWLINE[0]
  const upon = whole ? before : Buffer.concat([before, NEWLINE])
  const isFull = upon.length > 0 && upon.length + line.length + 1 > maxShardBytes
  const sharded =
    isFull && last?.piece.name === WHOLE_NAME ? moveToFirstPart(target, state, last) : state
  const name = isFull ? formatPartName(sharded.pieces.length) : (last?.piece.name ?? WHOLE_NAME)
  const start = isFull ? Buffer.alloc(0) : upon
  const bytes = Buffer.concat([start, line, NEWLINE])
  const records = isFull ? 1 : (last?.piece.records ?? 0) + 1
  const piece = { name, records, bytes: bytes.length, sha256: sha256(bytes) }
  const { packId, indexSignature } = pack
  const where = { piece: name, offset: start.length, bytes: line.length, sha256: sha256(line) }
  const next: PackStoreState = {
    pieces: [...sharded.pieces.filter((it) => it.name !== name), piece],
    packs: [...sharded.packs, { packId, indexSignature, generator, ...where }],
  }
  writeDurably(target, name, bytes)
  if (name !== WHOLE_NAME)
    writeDurably(target, META_NAME, Buffer.from(formatMeta(next, maxShardBytes)))
  writeDurably(target, MANIFEST_NAME, Buffer.from(formatManifest(next)))
  if (name !== WHOLE_NAME) files.remove(join(folder, WHOLE_NAME))
}

/** Copies under another name: the previous manifest stays valid until it is replaced. */
function moveToFirstPart(
  target: PackStoreTarget,
  { packs }: PackStoreState,
  last: ScannedPiece,
): PackStoreState {
  const name = formatPartName(0)
  writeDurably(target, name, last.bytes)
  const piece: PackStoreFile = { ...last.piece, name }
  return { pieces: [piece], packs: packs.map((it) => ({ ...it, piece: name })) }
}

/** Replaces the file atomically and durably. */
function writeDurably({ files, folder }: PackStoreTarget, name: string, bytes: Uint8Array): void {
  const scratch = join(folder, SCRATCH_FOLDER, name)
  const file = files.replace(scratch)
  try {
    file.write(bytes)
    file.commit()
  } catch (error) {
    file.discard()
    throw error
  }
  files.rename(scratch, join(folder, name))
}
