/**
 * Which questions have other answers than before, when files come, go and change. Whoever asked one
 * of them is resolved again; nobody else needs to be.
 */
import { folderOf } from '../../base/paths.ts'
import type { IndexLookup } from '../../model/code-index.ts'
import { decodeFacts } from '../../model/facts-codec.ts'
import type { FileRecord, SymbolRecord } from '../../model/index-record.ts'

export class IndexChanges {
  readonly #lookup: IndexLookup
  readonly #keys = new Set<string>()
  readonly #paths = new Set<string>()

  constructor(lookup: IndexLookup) {
    this.#lookup = lookup
  }

  /** To be told before the record is put. */
  put(record: FileRecord): void {
    const { path } = record
    this.#paths.add(path)
    const [before] = this.#lookup.files([path])
    if (before === undefined) this.#cameOrWent(path)
    if (before?.surface !== record.surface || before.language !== record.language)
      this.#keys.add(`facts:${path}`)
    this.#names(path, record)
  }

  /** To be told before the file is removed. */
  remove(path: string): void {
    this.#cameOrWent(path)
    this.#keys.add(`facts:${path}`)
    this.#names(path, undefined)
  }

  /** Paths of the files to resolve, sorted. To be asked after all has been put. */
  affected(): readonly string[] {
    const dependents = this.#lookup.dependents([...this.#keys].toSorted())
    return [...new Set([...this.#paths, ...dependents])].toSorted()
  }

  #cameOrWent(path: string): void {
    this.#keys.add(`path:${path}`)
    this.#keys.add(`folder:${folderOf(path)}`)
  }

  /** A name means something else when the symbols or definitions behind it differ. */
  #names(path: string, record: FileRecord | undefined): void {
    const before = this.#lookup.symbolsOf(path)
    const now = record?.symbols ?? []
    for (const name of different(symbolNames(before), symbolNames(now)))
      this.#keys.add(`symbol:${name}`)
    const facts = this.#lookup.facts(path)
    const provided = facts === undefined || facts.length === 0 ? [] : decodeFacts(facts).provides
    const provides = record?.provides ?? []
    for (const name of different(providedNames(provided), providedNames(provides)))
      this.#keys.add(`name:${name}`)
  }
}

type Named = readonly (readonly [string, string])[]

function symbolNames(symbols: readonly SymbolRecord[]): Named {
  return symbols.map((it) => [it.name, `${it.id} ${it.kind}`] as const)
}

function providedNames(provides: FileRecord['provides']): Named {
  return provides.map((it) => [it.name, String(it.definition)] as const)
}

/** Names that do not stand for the same on both sides. */
function different(before: Named, now: Named): ReadonlySet<string> {
  const old = new Set(before.map((it) => it.join('\0')))
  const fresh = new Set(now.map((it) => it.join('\0')))
  const changed = [
    ...before.filter((it) => !fresh.has(it.join('\0'))),
    ...now.filter((it) => !old.has(it.join('\0'))),
  ]
  return new Set(changed.map(([name]) => name))
}
