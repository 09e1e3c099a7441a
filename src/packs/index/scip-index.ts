/** SCIP indexes that a code index rests on: which they are, and what they say of which file. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import type { ScipDocument } from '../../model/scip-document.ts'
import { kindAt } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import type { World } from '../../platform/world.ts'
import { parseProjectFolder, resolvePathInRepository } from '../../sources/scip/project-folder.ts'
import {
  type EncodedDocument,
  findDocuments,
  readScipMetadata,
} from '../../sources/scip/read-scip.ts'
import { type IndexRequest, indexOptions, type ScipInput } from './index-options.ts'

/** One file of SCIP, its documents under the paths of the repository. */
export class ScipIndex implements ScipInput {
  readonly path: string
  readonly sha256: string
  readonly #documents: ReadonlyMap<string, EncodedDocument>
  #defined: ReadonlyMap<string, readonly string[]> | undefined

  constructor({ path, sha256: hash }: ScipInput, documents: ReadonlyMap<string, EncodedDocument>) {
    this.path = path
    this.sha256 = hash
    this.#documents = documents
  }

  document(path: string): ScipDocument | undefined {
    return named(this.path, () => this.#documents.get(path)?.open())
  }

  /** Paths of the documents that define a global symbol, in the order of the index. */
  definedIn(symbol: string): readonly string[] {
    this.#defined ??= named(this.path, () => definitionsOf(this.#documents))
    return this.#defined.get(symbol) ?? []
  }
}

function definitionsOf(
  documents: ReadonlyMap<string, EncodedDocument>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const [path, document] of documents) {
    for (const symbol of document.defined()) {
      found.set(symbol, [...(found.get(symbol) ?? []), path])
    }
  }
  return found
}

/** The indexes in use, kept from one update to the next until somebody says that they changed. */
export class ScipShelf {
  #kept: readonly ScipIndex[] | undefined

  indexes(world: World, asked: AskedScip): readonly ScipIndex[] {
    this.#kept ??= load(world, asked)
    return this.#kept
  }

  forget(): void {
    this.#kept = undefined
  }

  /** Whether a path of the repository is one of the indexes. */
  holds(path: string): boolean {
    return this.#kept?.some((it) => it.path === path) ?? false
  }
}

export interface AskedScip {
  readonly top: string
  readonly request: IndexRequest
  /** Of the index as it is. */
  readonly options: string
}

/** Those of the request; without any, those of the last time that are still there. */
function load(world: World, { top, request, options }: AskedScip): readonly ScipIndex[] {
  if (request.withoutScip === true) return []
  if (request.scip !== undefined) {
    const paths = request.scip.map((it) => resolve(world.workingFolder, it))
    return [...new Set(paths)].map((path) => loadOne(world, top, path))
  }
  return recorded(options).flatMap(({ path }) => {
    const file = isAbsolute(path) ? path : join(top, path)
    if (kindAt(world.files, file) !== 'file') {
      world.notice(`${path} is gone; what it covered is read without it`)
      return []
    }
    world.notice(`using ${path} as the last time; --without-scip leaves it out`)
    return [loadOne(world, top, file)]
  })
}

function recorded(options: string): readonly ScipInput[] {
  return indexOptions(options).scip ?? []
}

function loadOne(world: World, top: string, file: string): ScipIndex {
  const bytes = read(world, file)
  const path = shownPath(top, realPath(world, file))
  return named(path, () => {
    const root = parseProjectFolder(readScipMetadata(bytes).projectRoot)
    const project = root === undefined ? undefined : realPath(world, root).replaceAll('\\', '/')
    const documents = new Map<string, EncodedDocument>()
    for (const it of findDocuments(bytes)) {
      const at = resolvePathInRepository(it.path, project, top)
      if (at !== undefined && !documents.has(at)) documents.set(at, it)
    }
    return new ScipIndex({ path, sha256: sha256(bytes) }, documents)
  })
}

function read(world: World, file: string): Uint8Array {
  try {
    return world.files.read(file)
  } catch (error) {
    throw new EngineError('POC_E_REQUEST_INVALID', `there is no SCIP index ${file}`, {
      hint: 'name a file that a SCIP indexer made, such as index.scip',
      cause: error,
    })
  }
}

/** A project may have been indexed on another machine: its folder need not exist here. */
function realPath(world: World, path: string): string {
  try {
    return world.files.realPath(path)
  } catch {
    return path
  }
}

/** Relative to the repository where it lies in it, so that the repository can be moved. */
function shownPath(top: string, file: string): string {
  const path = relative(top, file)
  return path.startsWith('..') || isAbsolute(path) ? file : path.replaceAll(sep, '/')
}

/** Errors of the reader do not know which file they are about. */
function named<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { code, message, hint } = error
    throw new EngineError(code, `${path}: ${message}`, {
      hint: `${hint} Or leave it out with --without-scip.`,
      cause: error,
    })
  }
}
