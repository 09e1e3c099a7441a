/**
 * Writes index.db. A first build goes to a file of its own that takes its place when it is whole;
 * a later one is a transaction, so readers see the former state until it is committed. Whatever
 * kills the writer, the last committed state stays.
 */
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { assert } from '../../base/assert.ts'
import type {
  CodeIndexMeta,
  CodeIndexWriter,
  FileTimes,
  FolderSnapshot,
  IndexLookup,
  TransactionStart,
  VectorWriter,
} from '../../model/code-index.ts'
import type { FileRecord, ResolvedFile } from '../../model/index-record.ts'
import { type Files, TEMPORARY } from '../../platform/files.ts'
import { acquireLock, type Lock, type Waiting } from '../../platform/lock.ts'
import { makeOwnFolder } from '../../platform/own-folder.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { compactTables, isWorthCompacting } from './compact.ts'
import {
  createConnection,
  isOutdated,
  kindOf,
  openConnection,
  refuseDamaged,
  refuseIrreplaceable,
} from './connection.ts'
import { type Counters, loadCounters, saveCounters } from './counters.ts'
import { FileRows } from './file-rows.ts'
import { dropLook, saveLook } from './look.ts'
import { DatabaseLookup } from './lookup.ts'
import { loadMeta, saveMeta } from './meta.ts'
import { ResolvedRows } from './resolved-rows.ts'
import { storedSignature, updateBuckets } from './signature.ts'
import { Strings } from './strings.ts'
import { CREATE_DEFINITION_INDEXES, CREATE_EDGE_INDEXES } from './tables.ts'
import { asIndexError } from './trouble.ts'
import { VectorTables } from './vectors.ts'

export interface WriterOptions extends Waiting {
  readonly files: Files
  /** Native and absolute. */
  readonly path: string
}

const LOCK_NAME = '.index.lock'
/** One name is enough: who holds the lock is the only one who builds. */
const TEMPORARY_NAME = `${TEMPORARY}index`
/** A commit of fewer new chunks never stops to tidy up. */
const LARGE_COMMIT = 2000

export class DatabaseWriter implements CodeIndexWriter {
  readonly #options: WriterOptions
  /** Kept from one transaction to the next: to close it would write the log back each time. */
  #connection: DatabaseSync | undefined
  /** Of the file that the connection is to. */
  #inode: number | undefined
  #transaction: Transaction | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  get lookup(): IndexLookup {
    return this.#open().lookup()
  }

  async begin(from: TransactionStart = 'present'): Promise<void> {
    assert(this.#transaction === undefined, 'one transaction at a time')
    const { files, path } = this.#options
    const folder = dirname(path)
    let lock: Lock | undefined
    try {
      makeOwnFolder(files, folder)
      lock = await acquireLock(join(folder, LOCK_NAME), this.#options)
      removeLeftovers(files, folder)
      this.#transaction = this.#isFirst(from) ? this.#first(lock) : this.#further(lock)
      if (from === 'checked') refuseDamaged(this.#transaction.connection, path)
    } catch (error) {
      if (this.#transaction === undefined) lock?.release()
      else await this.rollback()
      throw this.#asError(error)
    }
  }

  async put(files: readonly FileRecord[]): Promise<void> {
    this.#try((it) => {
      dropLook(it.connection)
      it.files.put(files)
    })
  }

  async touch(files: readonly FileTimes[]): Promise<void> {
    this.#try(({ connection }) => {
      dropLook(connection)
      const touch = connection.prepare('UPDATE files SET size = ?, mtime_ms = ? WHERE path = ?')
      for (const it of files) touch.run(it.size, it.mtimeMs, it.path)
    })
  }

  async remove(paths: readonly string[]): Promise<void> {
    this.#try((it) => {
      dropLook(it.connection)
      for (const path of paths) it.files.remove(path)
    })
  }

  async putResolved(files: readonly ResolvedFile[]): Promise<void> {
    this.#try((it) => it.resolved.put(files))
  }

  async share(): Promise<string | undefined> {
    return this.#try((it) => {
      if (it.temporary !== undefined) it.makeReadable()
      return it.temporary
    })
  }

  vectors(): VectorWriter {
    return this.#try((it) => it.vectors())
  }

  async setMeta(meta: Partial<CodeIndexMeta>): Promise<void> {
    this.#try(({ connection }) => {
      dropLook(connection)
      saveMeta(connection, meta)
    })
  }

  async setSnapshot(look: FolderSnapshot): Promise<void> {
    this.#try((it) => {
      it.files.flush()
      saveLook(it.connection, look)
    })
  }

  async commit(): Promise<string> {
    return this.#try((it) => {
      const signature = it.finish()
      if (it.temporary === undefined) it.connection.exec('COMMIT')
      else this.#publish(it.connection, it.temporary)
      this.#transaction = undefined
      it.lock.release()
      return signature
    })
  }

  async rollback(): Promise<void> {
    const transaction = this.#transaction
    if (transaction === undefined) return
    this.#transaction = undefined
    try {
      const { connection, temporary } = transaction
      if (temporary === undefined) {
        if (connection.isTransaction) connection.exec('ROLLBACK')
      } else {
        if (connection.isOpen) connection.close()
        this.#options.files.remove(temporary)
      }
    } finally {
      transaction.lock.release()
    }
  }

  async compact(when: 'needed' | 'always' = 'needed'): Promise<void> {
    await this.begin()
    const isDone = this.#try((it) => it.compact(when))
    await (isDone ? this.commit() : this.rollback())
  }

  async close(): Promise<void> {
    await this.rollback()
    this.#disconnect()
  }

  #disconnect(): void {
    this.#connection?.close()
    this.#connection = undefined
  }

  #isFirst(from: TransactionStart): boolean {
    const { files, path } = this.#options
    if (from === 'nothing') refuseIrreplaceable(files, path)
    return from === 'nothing' || kindOf(files, path) === undefined || isOutdated(files, path)
  }

  #first(lock: Lock): Transaction {
    this.#disconnect()
    const temporary = join(dirname(this.#options.path), TEMPORARY_NAME)
    return new Transaction({
      lock,
      temporary,
      connection: createConnection(temporary),
    })
  }

  #further(lock: Lock): Transaction {
    const { files, path } = this.#options
    // What another process has put in its place is the index now; ours would be seen by nobody.
    const inode = files.mark(path)?.ino
    if (inode !== this.#inode) this.#disconnect()
    this.#connection ??= openConnection(files, path, 'write')
    this.#inode = inode
    this.#connection.exec('BEGIN IMMEDIATE')
    return new Transaction({ lock, temporary: undefined, connection: this.#connection })
  }

  #publish(connection: DatabaseSync, temporary: string): void {
    // The file alone is moved: what is still in a log must be in it by then.
    connection.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)')
    connection.close()
    const { files, path } = this.#options
    // Left from an index that is there no longer, they would be taken for parts of the new one.
    for (const suffix of ['-wal', '-shm']) files.remove(path + suffix)
    files.rename(temporary, path)
  }

  #open(): Transaction {
    assert(this.#transaction !== undefined, 'begin() before this')
    return this.#transaction
  }

  #try<T>(action: (transaction: Transaction) => T): T {
    const transaction = this.#open()
    try {
      return action(transaction)
    } catch (error) {
      throw this.#asError(error)
    }
  }

  #asError(error: unknown): unknown {
    const { path } = this.#options
    return asWriteError(asIndexError(error, path), path, 'name another folder with --index-dir')
  }
}

interface TransactionParts {
  readonly lock: Lock
  readonly connection: DatabaseSync
  /** Where a first build is written. */
  readonly temporary: string | undefined
}

class Transaction implements TransactionParts {
  readonly lock: Lock
  readonly connection: DatabaseSync
  readonly temporary: string | undefined
  readonly files: FileRows
  readonly resolved: ResolvedRows
  readonly #counters: Counters
  readonly #chunksBefore: number
  #lookup: DatabaseLookup | undefined

  constructor({ lock, connection, temporary }: TransactionParts) {
    this.lock = lock
    this.connection = connection
    this.temporary = temporary
    this.#counters = loadCounters(connection)
    this.#chunksBefore = this.#counters.chunk
    const strings = new Strings(connection, this.#counters)
    this.resolved = new ResolvedRows(connection, this.#counters, strings)
    this.files = new FileRows(connection, {
      counters: this.#counters,
      strings,
      resolved: this.resolved,
    })
  }

  lookup(): IndexLookup {
    this.#lookup ??= new DatabaseLookup(this.connection, {
      dependents: (keys) => this.resolved.dependents(keys),
      beforeNames: () => this.connection.exec(CREATE_DEFINITION_INDEXES),
    })
    return this.#lookup
  }

  /** Commits to the file that nobody knows of yet, in a way that others can read beside us. */
  makeReadable(): void {
    this.#flush()
    this.connection.exec(`${CREATE_DEFINITION_INDEXES}; COMMIT;
      PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN`)
  }

  vectors(): VectorWriter {
    this.#flush()
    return new VectorTables(this.connection, this.#counters)
  }

  /** Whether there was anything to do. */
  compact(when: 'needed' | 'always'): boolean {
    const isDue = when === 'always' || isWorthCompacting(this.connection, this.#counters)
    if (isDue) compactTables(this.connection, this.#counters)
    return isDue
  }

  /** All but the commit itself. */
  finish(): string {
    this.#flush()
    const isLarge = this.#counters.chunk - this.#chunksBefore >= LARGE_COMMIT
    if (isLarge && isWorthCompacting(this.connection, this.#counters)) {
      compactTables(this.connection, this.#counters)
    }
    this.connection.exec(CREATE_DEFINITION_INDEXES)
    this.connection.exec(CREATE_EDGE_INDEXES)
    updateBuckets(this.connection, this.files.touchedBuckets)
    saveCounters(this.connection, this.#counters)
    return storedSignature(this.connection, loadMeta(this.connection))
  }

  #flush(): void {
    this.files.flush()
    this.resolved.flush()
  }
}

/** With the lock in hand, temporary files are those of builds that were killed. */
function removeLeftovers(files: Files, folder: string): void {
  for (const entry of files.list(folder)) {
    if (entry.isFile() && entry.name.startsWith(TEMPORARY_NAME))
      files.remove(join(folder, entry.name))
  }
}
