/**
 * One file to its edges. A pure function of the facts of the repository: it remembers nothing, and
 * it reports every question that it asked, so that whoever keeps the index knows when to ask again.
 */

import type { NamedSymbol } from '../model/code-index.ts'
import type { Facts } from '../model/facts.ts'
import type { ResolvedFile } from '../model/index-record.ts'
import type { Edges, Symbols } from './edge-input.ts'
import { edgesOf } from './edges.ts'
import type { Ask, Included, Place } from './linking.ts'
import { LINKINGS } from './linkings.ts'
import { resolveReferences } from './references.ts'

/** What is known of the repository as a whole. */
export interface Repository {
  exists(path: string): boolean
  folder(path: string): readonly string[]
  provided(name: string): readonly Place[]
  named(name: string): readonly NamedSymbol[]
  facts(path: string): Facts | undefined
  /** What including leads to from a file. */
  included(path: string): Included
  /** Symbol ids by the numbers of a file's definitions. */
  idsOf(path: string): readonly (string | undefined)[]
}

/**
 * Whatever a rule of ours stumbles over costs the file its edges and no more. The questions up to
 * there are kept: with other answers it may end well.
 */
export function resolveFile(path: string, repository: Repository): ResolvedFile {
  const asked = new Questions()
  try {
    return { path, ...resolve(path, repository, asked), asked: asked.keys() }
  } catch (error) {
    // What has a code is trouble of the store or the system, which is not the file's alone.
    if (!(error instanceof Error) || 'code' in error) throw error
    return { path, ...NO_EDGES, asked: asked.keys(), failure: failureOf(error.message) }
  }
}

/** A file that cannot be resolved. Those that include it still go by what it includes. */
export function withoutEdges(path: string, repository: Repository, reason: string): ResolvedFile {
  const asked = new Questions()
  askForIncludes(path, recording(repository, path, asked))
  return { path, ...NO_EDGES, asked: asked.keys(), failure: failureOf(reason) }
}

function failureOf(reason: string): string {
  return `has no edges, because resolving it failed: ${reason}`
}

function resolve(path: string, repository: Repository, asked: Questions): Edges {
  const ask = recording(repository, path, asked)
  askForIncludes(path, ask)
  const resolved = resolveReferences(path, ask, LINKINGS)
  if (resolved === undefined) return NO_EDGES
  const symbols = symbolsOf(repository, asked)
  return edgesOf({ ...resolved, ask, symbols, around: new Map() })
}

/**
 * What including leads to from a file changes with what the files lead to that it includes. So each
 * file asks for those alone, whether it needs them or not: those who include it go by its questions.
 */
function askForIncludes(path: string, ask: Ask): void {
  const facts = ask.facts(path)
  const including = facts === undefined ? undefined : LINKINGS.get(facts.language)?.including
  if (facts === undefined || including === undefined) return
  for (const specifier of including.specifiers(facts))
    for (const it of including.files(specifier, path, ask)) ask.included(it)
}

const NO_EDGES: Edges = { edges: [], unresolved: [] }

/** By kind, because most are asked many times and only few keys have to be made in the end. */
class Questions {
  readonly facts = new Set<string>()
  readonly path = new Set<string>()
  readonly folder = new Set<string>()
  readonly name = new Set<string>()
  readonly includes = new Set<string>()
  readonly symbol = new Set<string>()

  keys(): readonly string[] {
    const kinds = ['facts', 'path', 'folder', 'name', 'includes', 'symbol'] as const
    return kinds.flatMap((kind) => [...this[kind]].map((it) => `${kind}:${it}`)).toSorted()
  }
}

function recording(repository: Repository, own: string, asked: Questions): Ask {
  const facts = (path: string): Facts | undefined => {
    if (path !== own) asked.facts.add(path)
    return repository.facts(path)
  }
  const included = new Map<string, Included>()
  return {
    exists(path) {
      asked.path.add(path)
      return repository.exists(path)
    },
    folder(path) {
      asked.folder.add(path)
      return repository.folder(path)
    },
    provided(name) {
      asked.name.add(name)
      return repository.provided(name)
    },
    facts,
    included(path) {
      const known = included.get(path)
      if (known !== undefined) return known
      if (path !== own) asked.includes.add(path)
      const found = repository.included(path)
      included.set(path, found)
      return found
    },
    settings: (path) => facts(path)?.settings || undefined,
  }
}

/** Ids of definitions belong to facts that were asked for already when the reference was resolved. */
function symbolsOf(repository: Repository, asked: Questions): Symbols {
  // Most ids are of the file that was asked for last.
  let last = ''
  let ids: readonly (string | undefined)[] = []
  return {
    idOf({ path, definition }) {
      if (path !== last || last === '') {
        ids = repository.idsOf(path)
        last = path
      }
      return ids[definition]
    },
    named(name) {
      asked.symbol.add(name)
      return repository.named(name)
    },
  }
}
