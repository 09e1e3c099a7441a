/**
 * Reads a workspace of notes. Each question is answered from one state of the file, the newest that
 * is committed; what was read of it is kept for the next question until the file changes.
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
import { NotesAround } from './around.ts'
import { breadcrumbs } from './breadcrumbs.ts'
import { openConnection } from './connection.ts'
import { wellFormed } from './ledger.ts'
import { loadMeta } from './meta.ts'
import { fromRow, NOTE_COLUMNS, type NoteRow } from './rows.ts'
import { NotesSearch } from './search.ts'
import { NotesState } from './state.ts'
import { asReadError, troubleWith } from './trouble.ts'
import { NotesVectors, vectorInfo } from './vectors.ts'

/** `path` is native and absolute. */
export function openNotes(files: Files, path: string): NotesReader {
  return new DatabaseReader(openConnection(files, path, 'read'), path)
}

interface Questions {
  readonly state: NotesState
  readonly search: NotesSearch
  readonly around: NotesAround
  readonly vectors: NotesVectors
}

class DatabaseReader implements NotesReader {
  readonly backend = 'sqlite'
  readonly #connection: DatabaseSync
  readonly #path: string
  #questions: Questions | undefined
  #version: number | undefined

  constructor(connection: DatabaseSync, path: string) {
    this.#connection = connection
    this.#path = path
  }

  async status(): Promise<NotesStatus> {
    return this.#ask(({ state }) => {
      const status = loadMeta(state.connection, 'status')
      if (status === undefined) throw troubleWith('corrupt', `${this.#path} says nothing of itself`)
      const vectors = vectorInfo(state.connection)
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
        const row = statement.get(wellFormed(id)) as unknown as NoteRow | undefined
        return row === undefined ? [] : [fromRow(row)]
      })
    })
  }

  async breadcrumbs(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#ask(({ state }) => breadcrumbs(state, ids))
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

  #ask<T>(question: (questions: Questions) => T): T {
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

  /** Whatever was wrong with the file can be wrong here as well, and has been said. */
  #leave(): void {
    try {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
    } catch {
      this.#questions = undefined
    }
  }

  #current(): Questions {
    // The transaction begins with its first look at the file.
    this.#connection.prepare('SELECT 1 FROM meta').get()
    const version = this.#connection.prepare('PRAGMA data_version').get()?.['data_version']
    if (this.#questions === undefined || this.#version !== version) {
      this.#version = Number(version)
      this.#questions = questionsOf(new NotesState(this.#connection))
    }
    return this.#questions
  }
}

/** Each prepares what it needs when it is first asked. */
function questionsOf(state: NotesState): Questions {
  let search: NotesSearch | undefined
  let vectors: NotesVectors | undefined
  return {
    state,
    around: new NotesAround(state),
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
