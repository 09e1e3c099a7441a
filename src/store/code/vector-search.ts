/**
 * sqlite-vec, an extension of SQLite: loaded where vectors are written or searched and nowhere
 * else, so that an index without vectors works where there is none of it for the machine.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Counters } from './counters.ts'

export async function loadVectorSearch(connection: DatabaseSync): Promise<void> {
  if (isLoaded(connection)) return
  try {
    const { load } = await import('sqlite-vec')
    load(connection)
  } catch (error) {
    throw new EngineError('POC_E_NOT_SUPPORTED', 'vector search cannot be loaded here', {
      hint: 'sqlite-vec has no build for this machine: index with --without-embed, ask without ann',
      cause: error,
    })
  }
}

function isLoaded(connection: DatabaseSync): boolean {
  try {
    return connection.prepare('SELECT vec_version()').get() !== undefined
  } catch {
    return false
  }
}

export interface StoredVectors extends VectorInfo {
  /** The chunks that they are of: numbers are never given out again, so these two tell. */
  readonly lastChunk: number
  readonly chunks: number
}

/** Needs nothing but SQLite. */
export function storedVectors(connection: DatabaseSync): StoredVectors | undefined {
  const table = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'vector_info'`).get()
  if (table === undefined) return undefined
  const row = connection.prepare('SELECT info FROM vector_info').get()
  return row === undefined ? undefined : (JSON.parse(String(row['info'])) as StoredVectors)
}

export function isOf(stored: StoredVectors, counters: Counters): boolean {
  return stored.lastChunk === counters.chunk && stored.chunks === counters.chunks
}

/** SQLite takes bytes without a sign; what they mean is sqlite-vec's. */
export function asBlob(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.length)
}

export function fromBlob(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
