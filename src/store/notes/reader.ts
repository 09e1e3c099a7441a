/**
 * Reads a workspace of notes. Each query sees one committed state of the file; cached data is kept
 * until the file changes.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Note } from '../../model/note.ts'
import type {
  AroundWish,
  NoteHit,
  NotesQuery,
  NotesReader,
  NotesStatus,
  Surroundings,
} from '../../model/notes-index.ts'
import type { Files } from '../../platform/files.ts'
import { readBreadcrumbs } from './breadcrumbs.ts'
import { openConnection } from './connection.ts'
import { loadMeta } from './meta.ts'
import { NotesNeighbours } from './neighbours.ts'
import { toWellFormed } from './note-numbers.ts'
import { fromRow, NOTE_COLUMNS, type NoteRow } from './rows.ts'
import { NotesSearch } from './search.ts'
import { NotesState } from './state.ts'
import { asReadError, createStoreError } from './store-errors.ts'
import { NotesVectors, readVectorInfo } from './vectors.ts'

/** `path` is native and absolute. */
export function openNotes(files: Files, path: string): NotesReader {
  return new DatabaseReader(openConnection(files, path, 'read'), path)
}

interface QueryHandlers {
  readonly state: NotesState
  readonly search: NotesSearch
  readonly around: NotesNeighbours
  readonly vectors: NotesVectors
}

class DatabaseReader implements NotesReader {
  readonly backend = 'sqlite'
  readonly #connection: DatabaseSync
  readonly #path: string
  #questions: QueryHandlers | undefined
  #version: number | undefined

  constructor(connection: DatabaseSync, path: string) {
    this.#connection = connection
    this.#path = path
  }

  async status(): Promise<NotesStatus> {
    return this.#ask(({ state }) => {
      const status = loadMeta(state.connection, 'status')
      if (status === undefined) throw createStoreError('corrupt', `${this.#path} has no metadata`)
      const vectors = readVectorInfo(state.connection)
      return vectors === undefined ? status : { ...status, vectors }
    })
  }

  async search(query: NotesQuery): Promise<readonly NoteHit[]> {
    return this.#ask((it) => it.search.search(query))
  }

  async notes(ids: readonly string[]): Promise<readonly Note[]> {
    return this.#ask(({ state }) => {
      const statement = state.connection.prepare(`SELECT ${NOTE_COLUMNS} FROM notes WHERE id = ?`)
      statement.setReturnArrays(true)
      return ids.flatMap((id) => {
        const row = statement.get(toWellFormed(id)) as unknown as NoteRow | undefined
        return row === undefined ? [] : [fromRow(row)]
      })
    })
  }

  async breadcrumbs(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#ask(({ state }) => readBreadcrumbs(state, ids))
  }

  async around(ids: readonly string[], wish: AroundWish): Promise<readonly Surroundings[]> {
    return this.#ask((it) => it.around.around(ids, wish))
  }

  async vectors(ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    return this.#ask((it) => it.vectors.vectors(ids))
  }

  async nearest(vector: Float32Array, limit: number): Promise<readonly NoteHit[]> {
    return this.#ask((it) => it.vectors.nearest(vector, limit))
  }

  async close(): Promise<void> {
    if (this.#connection.isOpen) this.#connection.close()
  }

  #ask<T>(question: (questions: QueryHandlers) => T): T {
    try {
      this.#connection.exec('BEGIN')
      const answer = question(this.#current())
      this.#connection.exec('COMMIT')
      return answer
    } catch (error) {
      this.#leave()
      throw asReadError(error, this.#path)
    }
  }

  /** Errors of the file were already reported, so errors here are ignored. */
  #leave(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
    } catch {
      this.#questions = undefined
    }
  }

  #current(): QueryHandlers {
    // The transaction starts with its first read of the file.
    this.#connection.prepare('SELECT 1 FROM meta').get()
    const version = this.#connection.prepare('PRAGMA data_version').get()?.['data_version']
    if (this.#questions === undefined || this.#version !== version) {
      this.#version = Number(version)
      this.#questions = createHandlers(new NotesState(this.#connection))
    }
    return this.#questions
  }
}

/** Each prepares what it needs when it is first asked. */
function createHandlers(state: NotesState): QueryHandlers {
  let search: NotesSearch | undefined
  let vectors: NotesVectors | undefined
  return {
    state,
    around: new NotesNeighbours(state),
    get search() {
      search ??= new NotesSearch(state)
      return search
    },
    get vectors() {
      vectors ??= new NotesVectors(state)
      return vectors
    },
  }
}
