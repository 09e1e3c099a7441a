/**
 * Writes a workspace of notes. The first import goes to a temporary file that is moved into place
 * when complete; later imports are transactions, so readers see the previous state until the
 * commit. If the writer is killed, the last committed state remains.
 */
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { assert } from '../../base/assert.ts'
import type { NoteRecord } from '../../model/note.ts'
import type { ImportAbout, ImportCounts, NotesWriter } from '../../model/notes-index.ts'
import { type Files, TEMPORARY } from '../../platform/files.ts'
import { loadXxh64 } from '../../platform/hash.ts'
import { acquireLock, type Lock, type Waiting } from '../../platform/lock.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { createConnection, isUsable, openConnection } from './connection.ts'
import { ImportRun } from './import-run.ts'
import { asNotesError } from './store-errors.ts'

/** `path` is native and absolute; its folder is made where there is none. */
export function openNotesWriter(files: Files, path: string, waiting: Waiting): NotesWriter {
  return new DatabaseWriter(files, path, waiting)
}

/** Each workspace has its own lock. */
export function lockPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.lock`)
}

interface ImportTransaction {
  readonly lock: Lock
  readonly connection: DatabaseSync
  /** Where a first import is written. */
  readonly temporary: string | undefined
  readonly run: ImportRun
}

class DatabaseWriter implements NotesWriter {
  readonly #files: Files
  readonly #path: string
  readonly #waiting: Waiting
  #transaction: ImportTransaction | undefined

  constructor(files: Files, path: string, waiting: Waiting) {
    this.#files = files
    this.#path = path
    this.#waiting = waiting
  }

  async begin(): Promise<void> {
    assert(this.#transaction === undefined, 'one transaction at a time')
    let lock: Lock | undefined
    try {
      this.#files.makePrivateFolder(dirname(this.#path))
      const digest = await loadXxh64()
      lock = await acquireLock(lockPath(this.#path), this.#waiting)
      this.#transaction = this.#start(lock, digest)
    } catch (error) {
      lock?.release()
      throw this.#asError(error)
    }
  }

  async put(records: readonly NoteRecord[]): Promise<void> {
    this.#try(({ run }) => {
      for (const record of records) run.put(record)
    })
  }

  async commit(about: ImportAbout): Promise<ImportCounts> {
    return this.#try((it) => {
      const counts = it.run.finish(about)
      if (it.temporary === undefined) it.connection.exec('COMMIT')
      else this.#publish(it.connection, it.temporary)
      this.#transaction = undefined
      if (it.connection.isOpen) it.connection.close()
      it.lock.release()
      return counts
    })
  }

  async close(): Promise<void> {
    const transaction = this.#transaction
    if (transaction === undefined) return
    this.#transaction = undefined
    try {
      const { connection, temporary } = transaction
      if (connection.isOpen) connection.close()
      if (temporary !== undefined) this.#files.remove(temporary)
    } finally {
      transaction.lock.release()
    }
  }

  #start(lock: Lock, digest: (text: string) => string): ImportTransaction {
    // While the lock is held, a file of this name is from a killed import.
    const temporary = join(dirname(this.#path), `${TEMPORARY}${basename(this.#path)}`)
    this.#files.remove(temporary)
    const isFirst = !isUsable(this.#files, this.#path)
    const connection = isFirst
      ? createConnection(temporary)
      : openConnection(this.#files, this.#path, 'write')
    try {
      if (!isFirst) connection.exec('BEGIN IMMEDIATE')
      const run = new ImportRun({ connection, isFirst, digest })
      return { lock, connection, temporary: isFirst ? temporary : undefined, run }
    } catch (error) {
      connection.close()
      throw error
    }
  }

  #publish(connection: DatabaseSync, temporary: string): void {
    // The file alone is moved: what is still in a log must be in it by then.
    connection.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)')
    connection.close()
    // Leftover log files of a removed workspace would be taken for parts of the new one.
    for (const suffix of ['-wal', '-shm']) this.#files.remove(this.#path + suffix)
    this.#files.rename(temporary, this.#path)
  }

  #try<T>(action: (transaction: ImportTransaction) => T): T {
    assert(this.#transaction !== undefined, 'begin() before this')
    try {
      return action(this.#transaction)
    } catch (error) {
      throw this.#asError(error)
    }
  }

  #asError(error: unknown): unknown {
    return asWriteError(asNotesError(error, this.#path), this.#path)
  }
}
