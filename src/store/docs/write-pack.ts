/**
 * Replaces both files of a pack together. Until `publish`, readers see no change; a crash leaves
 * the existing pack.
 */
import { basename, dirname, join } from 'node:path'
import type { ChunksIn } from '../../model/docs-pack.ts'
import { type FileStat, type Files, type Replacement, TEMPORARY } from '../../platform/files.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { DocsDatabase, type FileTimes } from './database.ts'
import type { EncodedDocument, PieceBytes } from './encode.ts'
import type { PackPaths } from './open-index.ts'
import { type ArrayStarts, type ExistingPackFile, type PackFrame, writePack } from './pack-file.ts'
import { OUTPUT_HINT } from './pack-lock.ts'

/** The interface of a pack writer, which may run in another thread. */
export interface DocsWriter {
  put(documents: readonly PutDocument[]): Promise<void>
  /** The files have other times but the same content. */
  touch(files: readonly TouchedFile[]): Promise<void>
  remove(paths: readonly string[]): Promise<void>
  /**
   * All paths of the pack in order; documents that were not put are copied from the existing pack.
   */
  publish(frame: PackFrame, order: readonly string[]): Promise<void>
  /** Discards everything that was not published. */
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
  /** Start offsets of the arrays in the pack that is updated; absent for a full build. */
  readonly existingStarts: ArrayStarts | undefined
  readonly chunksIn: ChunksIn
  /** Number of files found, including unreadable ones. */
  readonly found: number
  /** The segment as a path below the root that its source paths are relative to. */
  readonly prefix: string
}

/** The pack must be locked, and stay so until the writer is closed. */
export function openPackWriter(files: Files, paths: PackPaths, options: WriterOptions): DocsWriter {
  try {
    return new PackWriter({ files, paths, options })
  } catch (error) {
    throw asWriteError(error, paths.database, OUTPUT_HINT)
  }
}

interface WriterInput {
  readonly files: Files
  readonly paths: PackPaths
  readonly options: WriterOptions
}

/**
 * Gives a file a time of whole milliseconds. What the system writes has a finer one, so whoever
 * changes the file afterwards gives it another time, even within one tick of the clock.
 */
function roundFileTime(files: Files, path: string): FileStat {
  files.setModified(path, Math.floor(files.stat(path).mtimeMs))
  return files.stat(path)
}

/** The same time as the file: the database cannot hold its own, and a later change shows. */
function copyFileTime(files: Files, path: string, mtimeMs: number): void {
  try {
    files.setModified(path, mtimeMs)
  } catch {
    // Only its owner may set it. Without it, the next sync makes a database that is the caller's.
    return
  }
}

class PackWriter implements DocsWriter {
  readonly #parts: WriterInput
  readonly #database: DocsDatabase
  /** The database's own path, or that of the new one that will replace it. */
  readonly #databasePath: string
  /** Where the pieces of the pack that is built upon stand, before any of them is changed. */
  readonly #existingPack: ExistingPackFile | undefined
  /** The new pieces of the pack file, by document. */
  readonly #pieces = new Map<string, PieceBytes>()
  #replacement: Replacement | undefined

  constructor(parts: WriterInput) {
    this.#parts = parts
    const { database } = parts.paths
    if (parts.options.existingStarts === undefined) {
      this.#databasePath = join(dirname(database), `${TEMPORARY}${basename(database)}`)
      parts.files.remove(this.#databasePath)
      this.#database = DocsDatabase.create(this.#databasePath)
    } else {
      this.#databasePath = database
      this.#database = DocsDatabase.open(database, 'write')
      this.#database.begin()
      const starts = parts.options.existingStarts
      this.#existingPack = { file: parts.paths.pack, starts, pieces: this.#database.pieces() }
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
      const starts = writePack(out, frame, { pieces, existing: this.#existingPack })
      out.flush()
      const { size, mtimeMs } = roundFileTime(files, out.path)
      const { header, chunking } = frame
      const json = { size, mtimeMs, starts }
      const { chunksIn, found, prefix } = options
      this.#database.setMeta({ header, chunking, chunksIn, found, prefix, json })
      this.#database.commit()
      this.#database.close()
      copyFileTime(files, this.#databasePath, mtimeMs)
      // First the file that a reader can do with alone: whoever comes between the two finds a pack.
      if (options.chunksIn === 'json') out.commit()
      if (options.existingStarts === undefined) {
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
      throw asWriteError(error, this.#parts.paths.pack, OUTPUT_HINT)
    }
  }
}
