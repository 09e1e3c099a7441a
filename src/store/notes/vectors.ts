/**
 * Reads vectors of notes: integers from -127 to 127. Changing or removing a note removes its vector
 * in the same commit.
 */
import type { DatabaseSync } from 'node:sqlite'
import { computeCosine, scaleToBytes } from '../../base/byte-vectors.ts'
import type { VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteHit } from '../../model/notes-index.ts'
import { BestNotes } from './best-notes.ts'
import { loadMeta } from './meta.ts'
import type { NotesState } from './state.ts'

const LARGEST = 127
/** Vectors up to this many bytes are kept in memory by whoever asks again and again. */
const MAX_CACHED_BYTES = 96 * 1024 * 1024

interface CachedVectors {
  readonly numbers: Uint32Array
  readonly bytes: Int8Array
}

export class NotesVectors {
  readonly #state: NotesState
  readonly #info: VectorInfo | undefined
  #remembered: CachedVectors | undefined

  constructor(state: NotesState) {
    this.#state = state
    this.#info = readVectorInfo(state.connection)
  }

  vectors(ids: readonly string[]): ReadonlyMap<string, Float32Array> {
    const found = new Map<string, Float32Array>()
    if (this.#info === undefined) return found
    const statement = this.#state.connection.prepare('SELECT bytes FROM vectors WHERE n = ?')
    for (const id of ids) {
      const bytes = statement.get(this.#state.findNumber(id))?.['bytes'] as Uint8Array | undefined
      if (bytes !== undefined)
        found.set(
          id,
          Float32Array.from(asSigned(bytes), (it) => it / LARGEST),
        )
    }
    return found
  }

  nearest(vector: Float32Array, limit: number): readonly NoteHit[] {
    if (this.#info === undefined || limit <= 0) return []
    const { dimensions } = this.#info
    if (vector.length !== dimensions) throw createDimensionsError(vector.length, dimensions)
    const wanted = scaleToBytes(vector, dimensions).bytes
    if (wanted.every((it) => it === 0)) return []
    const best = new BestNotes(limit, this.#state.column('ranks'))
    for (const { numbers, bytes } of this.#blocks(dimensions)) {
      for (const [at, number] of numbers.entries()) {
        const own = bytes.subarray(at * dimensions, (at + 1) * dimensions)
        best.offer(number, computeCosine(wanted, own))
      }
    }
    return best.inOrder().map(({ number, score }) => ({ id: this.#state.getId(number), score }))
  }

  /** All of them: in one piece where they are few enough to be remembered, else one by one. */
  *#blocks(dimensions: number): Generator<CachedVectors> {
    if (this.#remembered !== undefined) {
      yield this.#remembered
      return
    }
    const { connection } = this.#state
    const count = Number(connection.prepare('SELECT count(*) AS n FROM vectors').get()?.['n'])
    const isKept = count * dimensions <= MAX_CACHED_BYTES
    const all = {
      numbers: new Uint32Array(isKept ? count : 0),
      bytes: new Int8Array(isKept ? count * dimensions : 0),
    }
    const statement = connection.prepare('SELECT n, bytes FROM vectors')
    statement.setReturnArrays(true)
    let at = 0
    for (const [number, bytes] of statement.iterate() as unknown as Iterable<
      [number, Uint8Array]
    >) {
      if (isKept) {
        all.numbers[at] = number
        all.bytes.set(asSigned(bytes), at * dimensions)
        at += 1
      } else yield { numbers: Uint32Array.of(number), bytes: asSigned(bytes) }
    }
    if (!isKept) return
    this.#remembered = all
    yield all
  }
}

/** Undefined where nothing was embedded, or nothing is left of it. */
export function readVectorInfo(connection: DatabaseSync): VectorInfo | undefined {
  if (connection.prepare('SELECT 1 FROM vectors LIMIT 1').get() === undefined) return undefined
  return loadMeta(connection, 'vectors') ?? undefined
}

function asSigned(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

function createDimensionsError(asked: number, stored: number): EngineError {
  return new EngineError(
    'POC_E_REQUEST_INVALID',
    `the query vector has ${asked} dimensions, but the notes have ${stored}`,
    { hint: 'embed the notes again with the current model' },
  )
}
