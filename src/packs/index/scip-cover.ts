/**
 * Where SCIP documents take the place of our own guesses: symbols as a file is read, edges as it is
 * resolved. A file whose text is no longer what the indexer saw is left as we understand it.
 */
import { join } from 'node:path'
import type { IndexLookup } from '../../model/code-index.ts'
import {
  type EdgeKind,
  type FileRecord,
  type ResolvedFile,
  SKIPPED,
} from '../../model/index-record.ts'
import { parseSymbol } from '../../model/scip-symbol.ts'
import { sha256 } from '../../platform/hash.ts'
import { Memo } from '../../platform/memo.ts'
import type { World } from '../../platform/world.ts'
import { classify } from '../../sources/classify.ts'
import {
  coverRecord,
  type FreshDocument,
  formatSymbolId,
  isCovered,
  stripDecoration,
  unpackFacts,
} from '../../sources/scip/cover-record.ts'
import { isStale } from '../../sources/scip/staleness.ts'
import { scipEdges } from './scip-edges.ts'
import type { ScipIndex } from './scip-index.ts'

export interface CoverParts {
  readonly world: World
  readonly top: string
  readonly lookup: IndexLookup
  readonly indexes: readonly ScipIndex[]
  readonly maxFileBytes?: number | undefined
}

/** What SCIP says nothing of: these edges stay as we find them. */
const OURS: ReadonlySet<EdgeKind> = new Set(['mention', 'test', 'dataflow', 'export'])

export class ScipCover {
  readonly #parts: CoverParts
  readonly #ids: Memo<string, ReadonlySet<string>>
  #covered = 0
  readonly #stale: string[] = []

  constructor(parts: CoverParts) {
    this.#parts = parts
    this.#ids = new Memo<string, ReadonlySet<string>>(
      (path) => new Set(parts.lookup.symbolsInFile(path).map((it) => it.id)),
      {
        limit: MOST_FILES,
      },
    )
  }

  /** The record with SCIP's symbols, where there is a document that fits it. */
  read(record: FileRecord): FileRecord {
    if (record.language === SKIPPED) return record
    const fresh = this.#fresh(record.path, record.sha256)
    if (fresh === undefined) return record
    if (fresh === 'stale') {
      this.#stale.push(record.path)
      return record
    }
    this.#covered += 1
    return coverRecord(record, fresh)
  }

  /** To be asked after all has been read: edges rest on the symbols of other files. */
  resolved(file: ResolvedFile): ResolvedFile {
    const { lookup, indexes } = this.#parts
    if (indexes.length === 0) return file
    const { path } = file
    const [state] = lookup.files([path])
    if (state === undefined || !isCovered(state.surface)) return file
    const fresh = this.#fresh(path, state.sha256)
    // It has just been changed: it will be read and resolved again in a moment.
    if (fresh === undefined || fresh === 'stale') return file
    const asked = new Set(file.asked)
    const found = scipEdges({
      ...fresh,
      facts: unpackFacts(lookup.facts(path)),
      symbols: lookup.symbolsInFile(path),
      targetOf: (symbol) => this.#target(symbol, path, asked),
    })
    const exported = new Set(found.filter((it) => it.kind === 'export').map((it) => it.start))
    const ours = file.edges.filter(
      (it) => OURS.has(it.kind) && !(it.kind === 'export' && exported.has(it.start)),
    )
    return {
      path,
      edges: [...ours, ...found],
      unresolved: file.unresolved.filter((it) => OURS.has(it.kind)),
      asked: [...asked].toSorted(),
      failure: file.failure,
    }
  }

  /** What came of it, for whoever waits for the index. */
  report(): void {
    if (this.#covered + this.#stale.length === 0) return
    const { indexes, world } = this.#parts
    const names = indexes.map((it) => it.path).join(', ')
    const [first, ...more] = this.#stale
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    const stale =
      first === undefined ? '' : `; changed since, and read without it: ${first}${others}`
    world.notice(`${names} covers ${this.#covered} of the files that were read${stale}`)
  }

  /** Undefined: no document is about the file, or the file is not as it is known any more. */
  #fresh(path: string, hash: string): FreshDocument | 'stale' | undefined {
    const { world, top, indexes, maxFileBytes } = this.#parts
    const documents = indexes.flatMap((it) => it.document(path) ?? [])
    if (documents.length === 0) return undefined
    const bytes = bytesOf(world, join(top, path))
    if (bytes === undefined || sha256(bytes) !== hash) return undefined
    const limit = maxFileBytes === undefined ? {} : { maxFileBytes }
    const found = classify(path, bytes, limit)
    if (found.kind === 'skipped') return undefined
    const { text } = found
    const document = documents.find((it) => !isStale(it, text))
    return document === undefined ? 'stale' : { document, text }
  }

  /**
   * The id of a symbol, if anything in the repository defines it. What it says rests on the symbols
   * of the files that define it by SCIP, and that is what is asked.
   */
  #target(symbol: string, own: string, asked: Set<string>): string | undefined {
    const id = formatSymbolId(symbol)
    if (this.#ids.get(own).has(id)) return id
    const paths = this.#parts.indexes.flatMap((it) => it.definedIn(symbol))
    for (const path of paths) {
      asked.add(`facts:${path}`)
      asked.add(`path:${path}`)
      if (this.#ids.get(path).has(id)) return id
    }
    for (const path of paths) {
      const now = this.#sameName(symbol, path, asked)
      if (now !== undefined) return now
    }
    return undefined
  }

  /** In a file that changed since, what has the same name in the same surroundings. */
  #sameName(symbol: string, path: string, asked: Set<string>): string | undefined {
    const wanted = namesIn(symbol)
    if (wanted === undefined) return undefined
    if (wanted.length > 0) asked.add(`symbol:${wanted.at(-1)}`)
    return this.#parts.lookup
      .symbolsInFile(path)
      .find(
        (it) => namesIn(it.id.slice(formatSymbolId('').length))?.join('\n') === wanted.join('\n'),
      )?.id
  }
}

/** Files whose symbol ids are remembered. */
const MOST_FILES = 4096

/** From the file inwards; none for the file itself. Some indexers name it by `__init__`. */
function namesIn(symbol: string): readonly string[] | undefined {
  const descriptors = parseSymbol(symbol)?.descriptors
  if (descriptors === undefined) return undefined
  const file = descriptors.findLastIndex((it) => it.kind === 'namespace')
  return descriptors
    .slice(file + 1)
    .filter((it) => it.kind !== 'meta' || it.name !== '__init__')
    .map((it) => stripDecoration(it.name))
}

function bytesOf(world: World, path: string): Uint8Array | undefined {
  try {
    return world.files.read(path)
  } catch {
    return undefined
  }
}
