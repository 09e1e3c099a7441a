/** What resolving asks of the repository, answered from the store, with the likely answers kept. */
import type { IndexLookup } from '../../model/code-index.ts'
import type { Facts } from '../../model/facts.ts'
import { factsIn } from '../../model/facts-codec.ts'
import { IncludeGraph } from '../../resolve/include-graph.ts'
import { LINKINGS } from '../../resolve/linkings.ts'
import type { Repository } from '../../resolve/resolve-file.ts'

/** A name that more symbols have says nothing. */
const MOST_NAMESAKES = 24
/**
 * Encoded size of the facts that are kept decoded: hundreds of files of usual size. Files of one
 * corpus were decoded 1.15 times each with this, and 1.1 times each with the double.
 */
const KEPT_BYTES = 2.5 * 1024 * 1024

/** What of a lookup resolving needs. */
export type RepositoryLookup = Pick<
  IndexLookup,
  'exists' | 'folder' | 'facts' | 'provided' | 'named' | 'symbolIdsOf' | 'files'
>

export function indexRepository(lookup: RepositoryLookup, isWhole: boolean): Repository {
  const paths = isWhole ? new Set(lookup.files().map((it) => it.path)) : undefined
  const facts = new Kept(lookup)
  const folders = remembered((path: string) => lookup.folder(path))
  const provided = remembered((name: string) => lookup.provided(name))
  // What a SCIP index alone knows, such as parameters, is nothing that a guess should lead to.
  const named = remembered((name: string) => {
    const found = lookup.named(name, MOST_NAMESAKES + 1)
    return found.length > MOST_NAMESAKES ? [] : found
  })
  const ids = new Map<string, readonly (string | undefined)[]>()
  const files = {
    exists: (path: string) => paths?.has(path) ?? lookup.exists(path),
    folder: folders,
    provided,
    facts: (path: string) => facts.get(path),
  }
  const graph = new IncludeGraph(files, LINKINGS)
  return {
    ...files,
    named,
    included: (path) => graph.from(path),
    idsOf(path) {
      let known = ids.get(path)
      if (known === undefined) {
        known = lookup.symbolIdsOf(path)
        if (ids.size > 4096) ids.clear()
        ids.set(path, known)
      }
      return known
    },
  }
}

interface Answer {
  readonly facts: Facts | undefined
  readonly bytes: number
  /** Asked for since it was last looked at for being let go. */
  isUsed: boolean
}

/** The last answers, as many as fit; the oldest that nobody asked for again goes first. */
class Kept {
  readonly #lookup: RepositoryLookup
  readonly #facts = new Map<string, Answer>()
  #bytes = 0

  constructor(lookup: RepositoryLookup) {
    this.#lookup = lookup
  }

  get(path: string): Facts | undefined {
    const known = this.#facts.get(path)
    if (known !== undefined) {
      known.isUsed = true
      return known.facts
    }
    const encoded = this.#lookup.facts(path)
    const entry: Answer = {
      facts: factsIn(encoded),
      bytes: encoded?.length ?? 0,
      isUsed: true,
    }
    this.#facts.set(path, entry)
    this.#bytes += entry.bytes
    for (const [oldest, it] of this.#facts) {
      if (this.#bytes <= KEPT_BYTES || oldest === path) break
      this.#facts.delete(oldest)
      if (it.isUsed) {
        it.isUsed = false
        this.#facts.set(oldest, it)
      } else this.#bytes -= it.bytes
    }
    return entry.facts
  }
}

const MOST_REMEMBERED = 100_000

function remembered<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    if (known.has(key)) return known.get(key) as T
    if (known.size > MOST_REMEMBERED) known.clear()
    const found = find(key)
    known.set(key, found)
    return found
  }
}
