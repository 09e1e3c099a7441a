/** Writes vectors of notes, and says of which notes there are none. */
import { dirname } from 'node:path'
import { assert } from '../../base/assert.ts'
import { scaledToBytes } from '../../base/byte-vectors.ts'
import type { VectorInfo } from '../../model/embedder.ts'
import type { Files } from '../../platform/files.ts'
import { acquireLock, type Waiting } from '../../platform/lock.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { loadColumn, VISIBLE } from './columns.ts'
import { openConnection } from './connection.ts'
import { saveMeta } from './meta.ts'
import { asNotesError } from './trouble.ts'
import { vectorInfo } from './vectors.ts'
import { lockPath } from './writer.ts'

export interface NotesPlace extends Waiting {
  readonly files: Files
  /** Native and absolute. */
  readonly path: string
}

/** A note as it was when it was looked at. */
export interface NoteEdition {
  readonly id: string
  readonly edition: number
}

export interface NoteVector extends NoteEdition {
  readonly vector: Float32Array
}

/** Notes that can be found and have no vector by this embedder, by id. */
export function notesWithoutVectors(
  { files, path }: NotesPlace,
  info: VectorInfo,
): readonly NoteEdition[] {
  const connection = openConnection(files, path, 'read')
  try {
    const flags = loadColumn(connection, 'flags')
    const digests = loadColumn(connection, 'digests')
    const isKept = isSame(vectorInfo(connection), info)
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
    return [...found.keys()].toSorted().map((id) => ({ id, edition: found.get(id) ?? 0 }))
  } catch (error) {
    throw asNotesError(error, path)
  } finally {
    connection.close()
  }
}

/**
 * All at once or none. Vectors of another embedder are dropped; one of a note that has changed since
 * is left out. Returns how many were written.
 */
export async function putVectors(
  place: NotesPlace,
  info: VectorInfo,
  entries: Iterable<NoteVector>,
): Promise<number> {
  place.files.makePrivateFolder(dirname(place.path))
  const lock = await acquireLock(lockPath(place.path), place)
  try {
    return write(place, info, entries)
  } catch (error) {
    throw asWriteError(asNotesError(error, place.path), place.path)
  } finally {
    lock.release()
  }
}

function write(
  { files, path }: NotesPlace,
  info: VectorInfo,
  entries: Iterable<NoteVector>,
): number {
  const connection = openConnection(files, path, 'write')
  try {
    connection.exec('BEGIN IMMEDIATE')
    if (!isSame(vectorInfo(connection), info)) connection.exec('DELETE FROM vectors')
    saveMeta(connection, 'vectors', info)
    const digests = loadColumn(connection, 'digests')
    const numberOf = connection.prepare('SELECT n FROM notes WHERE id = ?')
    const put = connection.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?)')
    let count = 0
    for (const { id, edition, vector } of entries) {
      assert(vector.length === info.dimensions, 'as many numbers as the embedder has dimensions')
      const number = Number(numberOf.get(id)?.['n'] ?? 0)
      if (number === 0 || digests[number] !== edition) continue
      const { bytes } = scaledToBytes(vector, info.dimensions)
      put.run(number, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
      count += 1
    }
    connection.exec('COMMIT')
    return count
  } finally {
    connection.close()
  }
}

function isSame(a: VectorInfo | undefined, b: VectorInfo): boolean {
  return a?.name === b.name && a.model === b.model && a.dimensions === b.dimensions
}
