/** Writes vectors of notes, and lists notes without vectors. */
import { dirname } from 'node:path'
import { assert } from '../../base/assert.ts'
import { scaleToBytes } from '../../base/byte-vectors.ts'
import type { VectorInfo } from '../../model/embedder.ts'
import type { Files } from '../../platform/files.ts'
import { acquireLock, type Waiting } from '../../platform/lock.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { loadColumn, VISIBLE } from './columns.ts'
import { openConnection } from './connection.ts'
import { saveMeta } from './meta.ts'
import { asNotesError } from './store-errors.ts'
import { readVectorInfo } from './vectors.ts'
import { lockPath } from './writer.ts'

export interface NotesFile extends Waiting {
  readonly files: Files
  /** Native and absolute. */
  readonly path: string
}

/** A note and its version when it was read. */
export interface NoteVersion {
  readonly id: string
  readonly version: number
}

export interface NoteVector extends NoteVersion {
  readonly vector: Float32Array
}

/** Visible notes without a vector of this embedder, by id. */
export function findNotesWithoutVectors(
  { files, path }: NotesFile,
  info: VectorInfo,
): readonly NoteVersion[] {
  const connection = openConnection(files, path, 'read')
  try {
    const flags = loadColumn(connection, 'flags')
    const digests = loadColumn(connection, 'digests')
    const isKept = isSameEmbedder(readVectorInfo(connection), info)
    const statement = connection.prepare(
      isKept
        ? 'SELECT n, id FROM notes WHERE n NOT IN (SELECT n FROM vectors)'
        : 'SELECT n, id FROM notes',
    )
    statement.setReturnArrays(true)
    const found = new Map<string, number>()
    for (const [number, id] of statement.iterate() as unknown as Iterable<[number, string]>) {
      if (((flags[number] ?? 0) & VISIBLE) !== 0) found.set(id, digests[number] ?? 0)
    }
    return [...found.keys()].toSorted().map((id) => ({ id, version: found.get(id) ?? 0 }))
  } catch (error) {
    throw asNotesError(error, path)
  } finally {
    connection.close()
  }
}

/**
 * Writes atomically. Vectors of another embedder are dropped; vectors of notes that have changed
 * since are skipped. Returns how many were written.
 */
export async function putVectors(
  place: NotesFile,
  info: VectorInfo,
  entries: Iterable<NoteVector>,
): Promise<number> {
  place.files.makePrivateFolder(dirname(place.path))
  const lock = await acquireLock(lockPath(place.path), place)
  try {
    return writeVectors(place, info, entries)
  } catch (error) {
    throw asWriteError(asNotesError(error, place.path), place.path)
  } finally {
    lock.release()
  }
}

function writeVectors(
  { files, path }: NotesFile,
  info: VectorInfo,
  entries: Iterable<NoteVector>,
): number {
  const connection = openConnection(files, path, 'write')
  try {
    connection.exec('BEGIN IMMEDIATE')
    if (!isSameEmbedder(readVectorInfo(connection), info)) connection.exec('DELETE FROM vectors')
    saveMeta(connection, 'vectors', info)
    const digests = loadColumn(connection, 'digests')
    const numberOf = connection.prepare('SELECT n FROM notes WHERE id = ?')
    const put = connection.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?)')
    let count = 0
    for (const { id, version, vector } of entries) {
      assert(vector.length === info.dimensions, 'as many numbers as the embedder has dimensions')
      const number = Number(numberOf.get(id)?.['n'] ?? 0)
      if (number === 0 || digests[number] !== version) continue
      const { bytes } = scaleToBytes(vector, info.dimensions)
      put.run(number, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
      count += 1
    }
    connection.exec('COMMIT')
    return count
  } finally {
    connection.close()
  }
}

function isSameEmbedder(a: VectorInfo | undefined, b: VectorInfo): boolean {
  return a?.name === b.name && a.model === b.model && a.dimensions === b.dimensions
}
