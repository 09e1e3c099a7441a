/**
 * Puts packs on the shelf, one writer at a time. Lines are only ever added: whoever reads by the
 * former manifest still finds what it says. A killed writer leaves at most a line that the next one
 * takes in.
 */
import { join } from 'node:path'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import { type Files, TEMPORARY } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { acquireLock, type Waiting } from '../../platform/lock.ts'
import { makeOwnFolder } from '../../platform/own-folder.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { readKept, type ScannedPiece, scanPiece, shelfState } from './read-shelf.ts'
import { manifestText, metaText, type Piece, type ShelfState } from './shelf-manifest.ts'
import { MANIFEST_NAME, META_NAME, partName, WHOLE_NAME } from './shelf-names.ts'

export interface ShelfPlace extends Waiting {
  readonly files: Files
  /** The folder of the index. */
  readonly folder: string
  readonly generator: string
  readonly maxShardBytes?: number
  notice(text: string): void
}

const MAX_SHARD_BYTES = 16 * 1024 * 1024
/** Not in the folder itself: whoever writes the index there removes temporary files. */
const SCRATCH = '.packs'

/** Where a good record of the same id by the same version is there already, that one stays. */
export async function keepOnShelf(place: ShelfPlace, pack: ContextPack): Promise<void> {
  const { files, folder } = place
  const scratch = join(folder, SCRATCH)
  try {
    makeOwnFolder(files, folder)
    files.makeFolder(scratch)
    const lock = await acquireLock(join(scratch, 'lock'), place)
    try {
      removeLeftovers(files, scratch)
      const { state, last } = checkedState(place)
      if (!hasGood(place, state, pack)) add(place, { state, last, pack })
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

interface Checked {
  readonly state: ShelfState
  readonly last: ScannedPiece | undefined
}

/** The last piece is what will be added to, so it is looked at line by line where it changed. */
function checkedState({ files, folder, notice }: ShelfPlace): Checked {
  const state = shelfState(files, folder)
  const name = state.pieces.at(-1)?.name
  if (name === undefined) return { state, last: undefined }
  const known = state.packs.filter((it) => it.piece === name)
  const last = scanPiece(files, { folder, name, known })
  if (last.damaged > 0) {
    notice(`${join(folder, name)} has ${last.damaged} damaged lines, which stay as they are`)
  }
  return {
    state: {
      pieces: [...state.pieces.slice(0, -1), last.piece],
      packs: [...state.packs.filter((it) => it.piece !== name), ...last.packs],
    },
    last,
  }
}

function hasGood(place: ShelfPlace, { packs }: ShelfState, { packId }: ContextPack): boolean {
  const kept = packs.findLast((it) => it.packId === packId && it.generator === place.generator)
  if (kept === undefined) return false
  try {
    return readKept(place.files, place.folder, kept).packId === packId
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

const NEWLINE = Buffer.from('\n')

function add(place: ShelfPlace, { state, last, pack }: Checked & { pack: ContextPack }): void {
  const { files, folder, generator, maxShardBytes = MAX_SHARD_BYTES } = place
  const line = Buffer.from(JSON.stringify(pack))
  const before = Buffer.from(last?.bytes ?? [])
  // A line that was cut off must not run into the next.
  const whole = before.length === 0 || before.at(-1) === NEWLINE[0]
  const upon = whole ? before : Buffer.concat([before, NEWLINE])
  const isFull = upon.length > 0 && upon.length + line.length + 1 > maxShardBytes
  const sharded =
    isFull && last?.piece.name === WHOLE_NAME ? asFirstPart(place, state, last) : state
  const name = isFull ? partName(sharded.pieces.length) : (last?.piece.name ?? WHOLE_NAME)
  const start = isFull ? Buffer.alloc(0) : upon
  const bytes = Buffer.concat([start, line, NEWLINE])
  const records = isFull ? 1 : (last?.piece.records ?? 0) + 1
  const piece = { name, records, bytes: bytes.length, sha256: sha256(bytes) }
  const { packId, indexSignature } = pack
  const where = { piece: name, offset: start.length, bytes: line.length, sha256: sha256(line) }
  const next: ShelfState = {
    pieces: [...sharded.pieces.filter((it) => it.name !== name), piece],
    packs: [...sharded.packs, { packId, indexSignature, generator, ...where }],
  }
  put(place, name, bytes)
  if (name !== WHOLE_NAME) put(place, META_NAME, Buffer.from(metaText(next, maxShardBytes)))
  put(place, MANIFEST_NAME, Buffer.from(manifestText(next)))
  if (name !== WHOLE_NAME) files.remove(join(folder, WHOLE_NAME))
}

/** A copy under another name: the former manifest holds until the new one is there. */
function asFirstPart(place: ShelfPlace, { packs }: ShelfState, last: ScannedPiece): ShelfState {
  const name = partName(0)
  put(place, name, last.bytes)
  const piece: Piece = { ...last.piece, name }
  return { pieces: [piece], packs: packs.map((it) => ({ ...it, piece: name })) }
}

/** Durable under its name at once, or not at all. */
function put({ files, folder }: ShelfPlace, name: string, bytes: Uint8Array): void {
  const scratch = join(folder, SCRATCH, name)
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
