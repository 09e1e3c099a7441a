/** What resolving asks of the repository, answered from the store, with the likely answers kept. */
import type { IndexLookup } from '../../model/code-index.ts'
import type { Facts } from '../../model/facts.ts'
import { factsIn } from '../../model/facts-codec.ts'
import { Memo } from '../../platform/memo.ts'
import { IncludeGraph } from '../../resolve/include-graph.ts'
import { LINKINGS } from '../../resolve/linkings.ts'
import type { Repository } from '../../resolve/resolve-file.ts'

/** A name that more symbols have says nothing. */
const MOST_NAMESAKES = 24
/**
 * Encoded size of the facts that are kept decoded: hundreds of files of usual size. Files of one
 * corpus were decoded 1.15 times each with this, and 1.1 times each with the double.
 */
const MOST_FACT_BYTES = 2.5 * 1024 * 1024

/** Files whose symbol ids are kept. */
const MOST_FILES_OF_IDS = 4096

/** What of a lookup resolving needs. */
export type RepositoryLookup = Pick<
  IndexLookup,
  | 'exists'
  | 'filesInFolder'
  | 'facts'
  | 'definitionsProvided'
  | 'symbolsNamed'
  | 'symbolIdsInFile'
  | 'files'
>

export function indexRepository(lookup: RepositoryLookup, isWhole: boolean): Repository {
  const paths = isWhole ? new Set(lookup.files().map((it) => it.path)) : undefined
  const facts = rememberFacts(lookup)
  const folders = remember((path: string) => lookup.filesInFolder(path))
  const provided = remember((name: string) => lookup.definitionsProvided(name))
  // What a SCIP index alone knows, such as parameters, is nothing that a guess should lead to.
  const named = remember((name: string) => {
    const found = lookup.symbolsNamed(name, MOST_NAMESAKES + 1)
    return found.length > MOST_NAMESAKES ? [] : found
  })
  const files = {
    exists: (path: string) => paths?.has(path) ?? lookup.exists(path),
    folder: folders,
    provided,
    facts: (path: string) => facts.get(path).facts,
  }
  const graph = new IncludeGraph(files, LINKINGS)
  return {
    ...files,
    named,
    included: (path) => graph.from(path),
    idsOf: remember((path) => lookup.symbolIdsInFile(path), MOST_FILES_OF_IDS),
  }
}

interface DecodedFacts {
  readonly facts: Facts | undefined
  readonly bytes: number
}

function rememberFacts(lookup: RepositoryLookup): Memo<string, DecodedFacts> {
  const read = (path: string): DecodedFacts => {
    const encoded = lookup.facts(path)
    return { facts: factsIn(encoded), bytes: encoded?.length ?? 0 }
  }
  return new Memo(read, { limit: MOST_FACT_BYTES, costOf: ({ bytes }) => bytes + 1 })
}

const MOST_ANSWERS = 100_000

function remember<T extends NonNullable<unknown>>(
  find: (key: string) => T,
  limit = MOST_ANSWERS,
): (key: string) => T {
  const known = new Memo(find, { limit })
  return (key) => known.get(key)
}
