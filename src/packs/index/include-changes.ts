/**
 * Whose included files are others than before, when files come, go and change. Each file has asked
 * for what the files lead to that it includes itself; so a change is passed on from each file to
 * those that include it, and on to those that include them.
 */
import type { IndexLookup } from '../../model/code-index.ts'
import type { Facts, Provided } from '../../model/facts.ts'
import { factsIn } from '../../model/facts-codec.ts'
import type { Including, Places } from '../../resolve/linking.ts'
import { LINKINGS } from '../../resolve/linkings.ts'

export class IncludeChanges {
  readonly #lookup: IndexLookup
  /** Files that are put have no questions until they are resolved again. */
  readonly #put = new Set<string>()
  readonly #changed = new Set<string>()
  /** Questions that finding an included file may ask, and that have other answers now. */
  readonly #ways = new Set<string>()

  constructor(lookup: IndexLookup) {
    this.#lookup = lookup
  }

  put(path: string, before: Facts | undefined, now: Facts | undefined): void {
    const specifiers = specifiersOf(now)
    if (specifiers.length > 0) this.#put.add(path)
    if (specifiersOf(before).join('\n') !== specifiers.join('\n')) this.#changed.add(path)
  }

  /** Names may stand for the file itself: an include may find it by one. */
  cameOrWent(path: string, provides: readonly Provided[]): void {
    this.#changed.add(path)
    this.#ways.add(`path:${path}`)
    for (const { name, definition } of provides)
      if (definition === 0) this.#ways.add(`name:${name}`)
  }

  /** Paths of the files that including leads elsewhere from. To be asked after all has been put. */
  includers(): readonly string[] {
    if (this.#changed.size === 0) return []
    const found = new Set(this.#lookup.dependents([...this.#ways].toSorted()))
    const byTarget = this.#includersThatWerePut(found)
    let wave: readonly string[] = [...this.#changed, ...found]
    while (wave.length > 0) {
      const asked = this.#lookup.dependents(wave.map((it) => `includes:${it}`).toSorted())
      const next = [...asked, ...wave.flatMap((it) => byTarget.get(it) ?? [])]
      wave = [...new Set(next)].filter((it) => !found.has(it))
      for (const it of wave) found.add(it)
    }
    return [...found]
  }

  /** By what they include; those that find it by a way that is another now are put into `found`. */
  #includersThatWerePut(found: Set<string>): ReadonlyMap<string, readonly string[]> {
    const byTarget = new Map<string, string[]>()
    const places = new NotedPlaces(this.#lookup)
    for (const path of this.#put) {
      const facts = factsIn(this.#lookup.facts(path))
      const including = includingOf(facts)
      if (facts === undefined || including === undefined) continue
      places.asked.clear()
      for (const specifier of including.specifiers(facts))
        for (const target of including.files(specifier, path, places)) {
          const known = byTarget.get(target)
          if (known === undefined) byTarget.set(target, [path])
          else known.push(path)
        }
      if ([...places.asked].some((it) => this.#ways.has(it))) found.add(path)
    }
    return byTarget
  }
}

/** Answers as the index does, and notes the questions. */
class NotedPlaces implements Places {
  readonly asked = new Set<string>()
  readonly #lookup: IndexLookup
  readonly #exists = new Map<string, boolean>()

  constructor(lookup: IndexLookup) {
    this.#lookup = lookup
  }

  exists(path: string): boolean {
    this.asked.add(`path:${path}`)
    const known = this.#exists.get(path) ?? this.#lookup.exists(path)
    this.#exists.set(path, known)
    return known
  }

  provided(name: string): ReturnType<Places['provided']> {
    this.asked.add(`name:${name}`)
    return this.#lookup.definitionsProvided(name)
  }
}

function specifiersOf(facts: Facts | undefined): readonly string[] {
  return facts === undefined ? [] : (includingOf(facts)?.specifiers(facts) ?? [])
}

function includingOf(facts: Facts | undefined): Including | undefined {
  return facts === undefined ? undefined : LINKINGS.get(facts.language)?.including
}
