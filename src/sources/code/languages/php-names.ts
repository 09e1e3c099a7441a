/** Full names in PHP: namespaces, what `use` makes known, and files that are required by path. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'
import { firstChild, unquoted } from '../rules.ts'

export function classOwner(build: Builder): number {
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const it = build.scopes[scope]
    if (it?.kind === 'class') return it.owner
  }
  return 0
}

interface Stretch {
  readonly from: number
  readonly name: string
}

interface PhpState {
  /** In the order of the text; each namespace reaches to the next one. */
  readonly namespaces: Stretch[]
  /** Full names by the names that `use` gives them. */
  readonly used: Map<string, string>
}

const phpState = defineState<PhpState>(() => ({ namespaces: [], used: new Map() }))

export function namespaceDefinition(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const name = build.textOf(at)
  build.state(phpState).namespaces.push({ from: build.syntax.starts[node] ?? 0, name })
  if (at >= 0) build.define({ kind: 'namespace', name, at, node: at })
  build.visit(build.field(node, 'body'))
  return 0
}

function namespaceAt(build: Builder, place: number): string {
  return build.state(phpState).namespaces.findLast((it) => it.from <= place)?.name ?? ''
}

/** `use A\B;`, `use A\{B, C as D};`, `use function A\f;`. */
export function useDeclaration(build: Builder, node: number): number {
  const body = build.field(node, 'body')
  const prefix = body < 0 ? '' : `${build.textOf(build.child(node, 'namespace_name'))}\\`
  for (const clause of build.children(body < 0 ? node : body)) {
    if (build.kindName(clause) !== 'namespace_use_clause') continue
    const target = firstChild(build, clause)
    const alias = build.field(clause, 'alias')
    const full = `${prefix}${build.textOf(target)}`.replace(/^\\/, '')
    const last = build.children(target).at(-1) ?? target
    const value = fullReference(build, last, full)
    build.alsoAs(value, ROLE.import)
    const at = alias < 0 ? last : alias
    build.state(phpState).used.set(build.textOf(at), full)
    build.define({ kind: 'import', name: build.textOf(at), at, node: clause, value, scope: 0 })
  }
  return 0
}

/** Refers to something by its full name, at the node of its last part. */
function fullReference(build: Builder, at: number, full: string): number {
  const cut = full.lastIndexOf('\\')
  const of = build.express('module', { name: full.slice(0, Math.max(cut, 0)) })
  return build.refer('import', at, { of, name: full.slice(cut + 1) })
}

/** `\A\B` is full; of `A\B`, the first part may be known through `use`. */
export function qualifiedName(build: Builder, node: number): number {
  const written = build.textOf(node)
  const at = build.children(node).at(-1) ?? node
  if (written.startsWith('\\')) return fullReference(build, at, written.slice(1))
  const [first = '', ...others] = written.split('\\')
  const known = build.state(phpState).used.get(first)
  const here = namespaceAt(build, build.syntax.starts[node] ?? 0)
  const start = known !== undefined ? known : here === '' ? first : `${here}\\${first}`
  return fullReference(build, at, [start, ...others].join('\\'))
}

/** `require __DIR__ . '/a.php'` and `include 'a.php'`. */
export function requiring(build: Builder, node: number): number {
  const what = firstChild(build, node)
  const inner = build.kindName(what) === 'parenthesized_expression' ? firstChild(build, what) : what
  const isJoined = build.kindName(inner) === 'binary_expression'
  const path = isJoined ? build.field(inner, 'right') : inner
  if (build.kindName(path) !== 'string' && build.kindName(path) !== 'encapsed_string') {
    build.visit(what)
    return 0
  }
  const name = `./${unquoted(build.textOf(path)).replace(/^\//, '')}`
  const of = build.refer('module', path, { name, role: ROLE.import })
  const value = build.express('import', { of, name: '*' })
  build.define({ kind: 'import', name: '*', at: -1, node, value, scope: 0, owner: 0 })
  return 0
}

const PROVIDED: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'enum',
  'function',
  'variable',
])

export function provideNames(build: Builder): void {
  for (const { name } of build.state(phpState).namespaces)
    build.provides.push({ name: `php-namespace:${name}`, definition: 0 })
  for (const [definition, draft] of build.definitions.entries()) {
    if (draft.scope !== 0 || !PROVIDED.has(draft.kind) || draft.name.startsWith('$')) continue
    if ((draft.traits & TRAIT.anonymous) !== 0) continue
    const here = namespaceAt(build, draft.start)
    build.provides.push({
      name: `php:${here === '' ? '' : `${here}\\`}${draft.name}`,
      definition,
    })
  }
}
