/** What the index itself says, asked file by file and position by position. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineTable } from '../../../src/base/line-table.ts'
import {
  type Definition,
  type Expression,
  type Facts,
  ROLE,
  TRAIT,
} from '../../../src/model/facts.ts'
import { realFiles } from '../../../src/platform/files.ts'
import { IncludeGraph } from '../../../src/resolve/include-graph.ts'
import type { Ask, Place } from '../../../src/resolve/linking.ts'
import { LINKINGS } from '../../../src/resolve/linkings.ts'
import { resolveReferences } from '../../../src/resolve/references.ts'
import { languageOf } from '../../../src/sources/code/languages.ts'
import { plainFacts } from '../../../src/sources/code/plain-facts.ts'
import { readFacts } from '../../../src/sources/code/read-facts.ts'
import { walk } from '../../../src/sources/walk.ts'
import type { Answer, FileAnswers } from './answers.ts'
import { UNLISTED } from './definitions.ts'

export const answerByIndex: Answer = async (folder) => {
  const facts = new Map<string, Facts>()
  const texts = new Map<string, string>()
  const rules = { accepts: () => true, skipsFolder: () => false }
  for (const { path } of walk(realFiles, folder, rules).files) {
    const text = readFileSync(join(folder, path), 'utf8')
    const language = languageOf(path, text)
    const read = language === undefined ? undefined : await readFacts({ path, text }, language)
    texts.set(path, text)
    facts.set(path, read?.facts ?? plainFacts(path, text, language?.id))
  }
  const ask = askOf(facts, texts)
  const files = new Map<string, FileAnswers>()
  for (const path of facts.keys()) files.set(path, answersFor(path, ask, texts))
  return { files }
}

function askOf(facts: ReadonlyMap<string, Facts>, texts: ReadonlyMap<string, string>): Ask {
  const provided = new Map<string, Place[]>()
  const folders = new Map<string, string[]>()
  for (const path of texts.keys()) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    folders.set(folder, [...(folders.get(folder) ?? []), path])
    for (const it of facts.get(path)?.provides ?? [])
      provided.set(it.name, [...(provided.get(it.name) ?? []), { path, definition: it.definition }])
  }
  const files = {
    exists: (path: string) => texts.has(path),
    provided: (name: string) => provided.get(name) ?? [],
    facts: (path: string) => facts.get(path),
  }
  const graph = new IncludeGraph(files, LINKINGS)
  return {
    ...files,
    folder: (path) => folders.get(path) ?? [],
    included: (path) => graph.from(path),
    settings: (path) => facts.get(path)?.settings || texts.get(path),
  }
}

function answersFor(path: string, ask: Ask, texts: ReadonlyMap<string, string>): FileAnswers {
  const resolved = resolveReferences(path, ask, LINKINGS)
  if (resolved === undefined) return { definitions: [], references: [] }
  const { view } = resolved
  const at = (place: Place) => {
    const it = ask.facts(place.path)?.definitions[place.definition]
    const lines = linesOf(texts.get(place.path) ?? '')
    const { line, column } = lines(it?.start ?? 0)
    return {
      path: place.path,
      line,
      column,
      symbol: `${place.path}#${place.definition}`,
      confidence: 1,
    }
  }
  const here = linesOf(texts.get(path) ?? '')
  return {
    definitions: view.facts.definitions.flatMap((it, definition) =>
      it.name === '' || it.name === '*'
        ? []
        : [
            {
              name: it.name,
              kind: kindFor(view.facts, it),
              ...here(it.start),
              symbol: `${path}#${definition}`,
              owner: `${path}#${it.owner}`,
            },
          ],
    ),
    references: resolved.references.map(({ expression, targets }) => {
      const it = view.expression(expression)
      return {
        name: it.name,
        ...here(it.start),
        call: (it.role & ROLE.call) !== 0 || it.op === 'call' || it.op === 'make',
        targets: targets.map(at),
        from: `${path}#${ownerOf(view.facts, it.scope)}`,
        ...externalName(view.facts, it, targets),
      }
    }),
  }
}

/** By what dotted name something outside the repository is known, as far as the file tells. */
function externalName(
  facts: Facts,
  it: Expression,
  targets: readonly Place[],
): { external?: string } {
  if (it.op !== 'name') return {}
  if (targets.length === 0) return { external: `builtins.${it.name}` }
  const [only] = targets
  const binding = facts.definitions[only?.definition ?? 0]
  if (targets.length > 1 || binding?.kind !== 'import') return {}
  const value = facts.expressions[binding.value]
  const module = facts.expressions[value?.op === 'import' ? value.of : binding.value]
  return { external: value?.op === 'import' ? `${module?.name}.${value.name}` : `${module?.name}` }
}

/**
 * A compiler's index has no symbols, or only local ones, for what lives inside functions, for
 * parameters of functions without a declaration, for keys of literals, and for what is assigned to
 * members of something else. Such definitions of ours are neither right nor wrong by it.
 */
function kindFor(facts: Facts, it: Definition): string {
  const owner = facts.definitions[it.owner]
  const isNameless = ((owner?.traits ?? 0) & (TRAIT.anonymous | TRAIT.arrow | TRAIT.local)) !== 0
  if (it.kind === 'signature' || it.scope < 0 || isLiteral(owner)) return 'local'
  if (isInner(it) && isNameless && it.owner !== 0) return 'local'
  if (!isInner(it) && (it.traits & TRAIT.local) !== 0) return 'local'
  return isUnlisted(facts, it, owner) ? UNLISTED : it.kind
}

function isInner({ kind }: Definition): boolean {
  return kind === 'parameter' || kind === 'type-parameter'
}

function isLiteral(it: Definition | undefined): boolean {
  return (
    it !== undefined &&
    it.kind !== 'enum' &&
    it.inner >= 0 &&
    ['object', 'variable', 'field', 'signature'].includes(it.kind)
  )
}

/**
 * What such an index has under no name that could be compared: names of blocks and comprehensions,
 * parameters of functions that are assigned (`a.b = function (x) {}`) or stand in literals, types
 * that are inferred in passing (`infer T`, `[K in T]`), members of type literals.
 */
function isUnlisted(facts: Facts, it: Definition, owner: Definition | undefined): boolean {
  const isOfType = owner?.kind === 'interface' && (owner.traits & TRAIT.anonymous) !== 0
  if (!isInner(it)) return isOfType || facts.scopes[it.scope]?.kind === 'block'
  const isHeld =
    owner !== undefined && (owner.scope < 0 || isLiteral(facts.definitions[owner.owner]))
  const isInPassing = it.kind === 'type-parameter' && (it.traits & TRAIT.typeOnly) === 0
  return isHeld || isInPassing
}

const FUNCTION_LIKE: ReadonlySet<string> = new Set(['function', 'method', 'constructor'])

function ownerOf(facts: Facts, from: number): number {
  for (let scope = from; scope > 0; scope = facts.scopes[scope]?.parent ?? 0) {
    const owner = facts.scopes[scope]?.owner ?? 0
    if (FUNCTION_LIKE.has(facts.definitions[owner]?.kind ?? '')) return owner
  }
  return 0
}

const tables = new Map<string, (offset: number) => { line: number; column: number }>()

function linesOf(text: string): (offset: number) => { line: number; column: number } {
  let found = tables.get(text)
  if (found === undefined) {
    const table = lineTable(text)
    found = (offset) => {
      const line = table.lineAt(offset)
      return { line, column: offset - table.start(line) }
    }
    tables.set(text, found)
  }
  return found
}
