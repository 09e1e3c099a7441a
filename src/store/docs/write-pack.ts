/**
 * Both files of a pack, replaced together or not at all. Until `publish` nothing that a reader can
 * see has changed; a crash at any moment leaves the pack that was there before.
 */
import { basename, dirname, join } from 'node:path'
import type { ChunksIn } from '../../model/docs-pack.ts'
import { type FileStat, type Files, type Replacement, TEMPORARY } from '../../platform/files.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { DocsDatabase, type FileTimes } from './database.ts'
import type { EncodedDocument, PieceBytes } from './encode.ts'
import type { PackPaths } from './open-index.ts'
import { type ArrayStarts, type FormerPack, type PackFrame, writePack } from './pack-file.ts'
import { ELSEWHERE } from './pack-lock.ts'

/** What a build asks of a writer, which may live in another thread. */
export interface DocsWriter {
  put(documents: readonly PutDocument[]): Promise<void>
  /** The files have other times but the same content. */
  touch(files: readonly TouchedFile[]): Promise<void>
  remove(paths: readonly string[]): Promise<void>
  /** All paths of the pack in their order; what was not put stands in the former pack. */
  publish(frame: PackFrame, order: readonly string[]): Promise<void>
  /** Throws away all that was done and not published. */
  close(): Promise<void>
}

export interface PutDocument extends TouchedFile {
  readonly document: EncodedDocument
}

export interface TouchedFile {
  readonly path: string
  readonly times: FileTimes
}

export interface WriterOptions {
  /** Where the arrays of the pack that is built upon begin; all is written anew without it. */
  readonly upon: ArrayStarts | undefined
  readonly chunksIn: ChunksIn
  /** How many files were found, those that could not be read included. */
  readonly found: number
  /** The segment as a path below the root that its source paths are relative to. */
  readonly prefix: string
}

/** The pack must be locked, and stay so until the writer is closed. */
export function openWriter(files: Files, paths: PackPaths, options: WriterOptions): DocsWriter {
  try {
    return new PackWriter({ files, paths, options })
  } catch (error) {
    throw asWriteError(error, paths.database, ELSEWHERE)
  }
}

interface Parts {
  readonly files: Files
  readonly paths: PackPaths
  readonly options: WriterOptions
}

/**
 * Gives a file a time of whole milliseconds. What the system writes has a finer one, so whoever
 * changes the file afterwards gives it another time, even within one tick of the clock.
 */
function stampFile(files: Files, path: string): FileStat {
  files.setModified(path, Math.floor(files.stat(path).mtimeMs))
  return files.stat(path)
}

/** The same time as the file: the database cannot hold its own, and a later change shows. */
function stampDatabase(files: Files, path: string, mtimeMs: number): void {
  try {
    files.setModified(path, mtimeMs)
  } catch {
    // Only its owner may set it. Without it, the next sync makes a database that is the caller's.
    return
  }
}

class PackWriter implements DocsWriter {
  readonly #parts: Parts
  readonly #database: DocsDatabase
  /** The database's own path, or that of the new one that will replace it. */
  readonly #databasePath: string
  /** Where the pieces of the pack that is built upon stand, before any of them is changed. */
  readonly #formerPack: FormerPack | undefined
  /** The new pieces of the pack file, by document. */
  readonly #pieces = new Map<string, PieceBytes>()
  #replacement: Replacement | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    const { database } = parts.paths
    if (parts.options.upon === undefined) {
      this.#databasePath = join(dirname(database), `${TEMPORARY}${basename(database)}`)
      parts.files.remove(this.#databasePath)
      this.#database = DocsDatabase.create(this.#databasePath)
    } else {
      this.#databasePath = database
      this.#database = DocsDatabase.open(database, 'write')
      this.#database.begin()
      const starts = parts.options.upon
      this.#formerPack = { file: parts.paths.pack, starts, pieces: this.#database.pieces() }
    }
  }

  async put(documents: readonly PutDocument[]): Promise<void> {
    this.#guarded(() => {
      for (const { path, document, times } of documents) {
        this.#database.put(path, document, times)
        this.#pieces.set(path, document.bytes)
      }
    })
  }

  async touch(files: readonly TouchedFile[]): Promise<void> {
    this.#guarded(() => files.forEach((it) => this.#database.touch(it.path, it.times)))
  }

  async remove(paths: readonly string[]): Promise<void> {
    this.#guarded(() => paths.forEach((path) => this.#database.remove(path)))
  }

  /**
   * The JSON file is made durable first, then the database, then both take their places. Between
   * the last two steps the database does not belong to the file, and readers see that.
   */
  async publish(frame: PackFrame, order: readonly string[]): Promise<void> {
    const { files, paths, options } = this.#parts
    this.#guarded(() => {
      const out = files.replace(paths.pack)
      this.#replacement = out
      const pieces = order.map((path) => ({ path, bytes: this.#pieces.get(path) }))
      const starts = writePack(out, frame, { pieces, former: this.#formerPack })
      out.flush()
      const { size, mtimeMs } = stampFile(files, out.path)
      const { header, chunking } = frame
      const json = { size, mtimeMs, starts }
      const { chunksIn, found, prefix } = options
      this.#database.setMeta({ header, chunking, chunksIn, found, prefix, json })
      this.#database.commit()
      this.#database.close()
      stampDatabase(files, this.#databasePath, mtimeMs)
      // First the file that a reader can do with alone: whoever comes between the two finds a pack.
      if (options.chunksIn === 'json') out.commit()
      if (options.upon === undefined) {
        // A journal of the old database must not be played back into the new one.
        files.remove(`${paths.database}-journal`)
        files.rename(this.#databasePath, paths.database)
      }
      if (options.chunksIn === 'sqlite') out.commit()
      this.#replacement = undefined
    })
  }

  async close(): Promise<void> {
    this.#database.close()
    this.#replacement?.discard()
    if (this.#databasePath !== this.#parts.paths.database)
      this.#parts.files.remove(this.#databasePath)
  }

  #guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      throw asWriteError(error, this.#parts.paths.pack, ELSEWHERE)
    }
  }
}
