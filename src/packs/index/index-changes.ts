/**
 * Which questions have other answers than before, when files come, go and change. Whoever asked one
 * of them is resolved again; nobody else needs to be.
 */
import { folderOf } from '../../base/paths.ts'
import type { IndexLookup } from '../../model/code-index.ts'
import type { Facts } from '../../model/facts.ts'
import { factsIn } from '../../model/facts-codec.ts'
import type { FileRecord, SymbolRecord } from '../../model/index-record.ts'
import { IncludeChanges } from './include-changes.ts'

export class IndexChanges {
  readonly #lookup: IndexLookup
  readonly #keys = new Set<string>()
  readonly #paths = new Set<string>()
  readonly #includes: IncludeChanges

  constructor(lookup: IndexLookup) {
    this.#lookup = lookup
    this.#includes = new IncludeChanges(lookup)
  }

  /** To be told before the record is put. */
  put(record: FileRecord): void {
    const { path } = record
    this.#paths.add(path)
    const [before] = this.#lookup.files([path])
    const facts = { before: factsIn(this.#lookup.facts(path)), now: factsIn(record.facts) }
    if (before === undefined) this.#cameOrWent(path)
    if (before?.language !== record.language)
      this.#includes.cameOrWent(path, [...(facts.before?.provides ?? []), ...record.provides])
    this.#includes.put(path, facts.before, facts.now)
    if (before?.surface !== record.surface || before.language !== record.language)
      this.#keys.add(`facts:${path}`)
    this.#names(path, facts.before, record)
  }

  /** To be told before the file is removed. */
  remove(path: string): void {
    const facts = factsIn(this.#lookup.facts(path))
    this.#cameOrWent(path)
    this.#includes.cameOrWent(path, facts?.provides ?? [])
    this.#keys.add(`facts:${path}`)
    this.#names(path, facts, undefined)
  }

  /** Paths of the files to resolve, sorted. To be asked after all has been put. */
  affected(): readonly string[] {
    const dependents = this.#lookup.dependents([...this.#keys].toSorted())
    const includers = this.#includes.includers()
    return [...new Set([...this.#paths, ...dependents, ...includers])].toSorted()
  }

  #cameOrWent(path: string): void {
    this.#keys.add(`path:${path}`)
    this.#keys.add(`folder:${folderOf(path)}`)
  }

  /** A name means something else when the symbols or definitions behind it differ. */
  #names(path: string, facts: Facts | undefined, record: FileRecord | undefined): void {
    const before = this.#lookup.symbolsInFile(path)
    const now = record?.symbols ?? []
    for (const name of different(symbolNames(before), symbolNames(now)))
      this.#keys.add(`symbol:${name}`)
    const provided = facts?.provides ?? []
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
