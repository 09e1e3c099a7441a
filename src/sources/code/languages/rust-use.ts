/** How Rust's modules are declared and named: `mod`, `use` trees, and `crate`, `self`, `super`. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'
import { classLike, firstChild, unquoted } from '../rules.ts'

interface First {
  readonly expression: number
  readonly node: number
  readonly start: number
  readonly end: number
}

/** `mod a;` is the file of that name; `mod a { … }` holds its own items. */
export function moduleItem(build: Builder, node: number): number {
  const traits = build.has(node, 'visibility_modifier') ? TRAIT.exported : TRAIT.private
  if (build.field(node, 'body') >= 0)
    return classLike(build, node, {
      kind: 'namespace',
      scopeKind: 'namespace',
      traits: () => traits,
    })
  const at = build.field(node, 'name')
  const around = namespaces(build)
    .toReversed()
    .map((it) => `${build.draft(it).name}/`)
  const given = pathAttribute(build, node)
  const specifier =
    given === '' ? `mod:${around.join('')}${build.textOf(at)}` : `path:${around.join('')}${given}`
  const value = build.refer('module', at, { name: specifier, role: ROLE.import })
  build.define({ kind: 'import', name: build.textOf(at), at, node, value, traits })
  return 0
}

/** `#[path = "other.rs"]` in front of a module. */
function pathAttribute(build: Builder, node: number): string {
  const siblings = build.children(build.parent(node))
  for (let at = siblings.indexOf(node) - 1; at >= 0; at -= 1) {
    const before = siblings[at] ?? -1
    const kind = build.kindName(before)
    if (kind.endsWith('comment')) continue
    if (kind !== 'attribute_item') break
    const inner = firstChild(build, before)
    if (build.textOf(firstChild(build, inner)) === 'path')
      return unquoted(build.textOf(build.field(inner, 'value')))
  }
  return ''
}

/** Modules of this file around the place, the nearest first. */
function namespaces(build: Builder): readonly number[] {
  const found: number[] = []
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const it = build.scopes[scope]
    if (it?.kind === 'namespace') found.push(it.owner)
  }
  return found
}

/** `crate`, `self`, `super`, `super::super`; 0 for any other path. */
export function modulePath(build: Builder, node: number): number {
  const words = build.textOf(node).replaceAll(/\s/g, '')
  if (words === 'crate') return build.refer('module', node, { role: ROLE.import })
  if (!/^(self|super)(::super)*$/.test(words)) return 0
  const ups = words.split('::').filter((it) => it === 'super').length
  const around = namespaces(build)
  const inside = around[ups]
  if (inside !== undefined) return build.express('define', { of: inside })
  const left = ups - around.length
  const specifier = left === 0 ? 'self' : Array.from({ length: left }, () => 'super').join('/')
  return build.refer('module', node, { name: specifier, role: ROLE.import })
}

export function externCrate(build: Builder, node: number): number {
  const from = build.field(node, 'name')
  const alias = build.field(node, 'alias')
  const at = alias < 0 ? from : alias
  const value = build.refer('module', from, { role: ROLE.import })
  build.define({ kind: 'import', name: build.textOf(at), at, node, value })
  return 0
}

interface Tree {
  /** What the path so far leads to; 0 at the beginning. */
  readonly of: number
  /** The last name of the path so far. */
  readonly last: number
  readonly declaration: number
}

export function useDeclaration(build: Builder, node: number): number {
  useTree(build, build.field(node, 'argument'), { of: 0, last: -1, declaration: node })
  return 0
}

function useTree(build: Builder, node: number, tree: Tree): void {
  const kind = build.kindName(node)
  if (kind === 'use_list') {
    for (const it of build.children(node)) useTree(build, it, tree)
  } else if (kind === 'scoped_use_list') {
    const path = build.field(node, 'path')
    const inner = path < 0 ? tree : { ...tree, ...pathOf(build, path, tree) }
    useTree(build, build.field(node, 'list'), inner)
  } else if (kind === 'use_wildcard') {
    const path = firstChild(build, node)
    const { of } = path < 0 ? tree : pathOf(build, path, tree)
    const value = build.express('import', { of, name: '*' })
    define(build, -1, { value, tree })
  } else if (kind === 'use_as_clause') {
    const { of } = leaf(build, build.field(node, 'path'), tree)
    define(build, build.field(node, 'alias'), { value: of, tree })
  } else if (kind.endsWith('comment')) build.visit(node)
  else {
    const { of, last } = leaf(build, node, tree)
    define(build, last, { value: of, tree })
  }
}

function define(
  build: Builder,
  at: number,
  it: { readonly value: number; readonly tree: Tree },
): void {
  const node = it.tree.declaration
  const name = at < 0 ? '*' : build.textOf(at)
  const traits = build.has(node, 'visibility_modifier') ? TRAIT.exported : TRAIT.private
  if (name !== '_') build.define({ kind: 'import', name, at, node, value: it.value, traits })
}

interface Path {
  readonly of: number
  readonly last: number
}

/** The end of a tree's branch: what is imported. */
function leaf(build: Builder, node: number, tree: Tree): Path {
  if (build.kindName(node) === 'self' && tree.of > 0) return { of: tree.of, last: tree.last }
  if (build.kindName(node) !== 'scoped_identifier' && tree.of === 0)
    return pathOf(build, node, tree)
  const isScoped = build.kindName(node) === 'scoped_identifier'
  const { of } = isScoped ? pathOf(build, build.field(node, 'path'), tree) : tree
  const last = isScoped ? build.field(node, 'name') : node
  return { of: build.refer('import', last, { of, role: ROLE.import }), last }
}

function pathOf(build: Builder, node: number, tree: Tree): Path {
  const module = tree.of === 0 ? modulePath(build, node) : 0
  if (module > 0) return { of: module, last: node }
  if (build.kindName(node) === 'scoped_identifier') {
    const { of } = pathOf(build, build.field(node, 'path'), tree)
    const last = build.field(node, 'name')
    return { of: build.refer('member', last, { of, role: ROLE.import }), last }
  }
  if (tree.of > 0)
    return { of: build.refer('member', node, { of: tree.of, role: ROLE.import }), last: node }
  const expression = build.refer('name', node, { role: ROLE.import })
  const start = build.syntax.starts[tree.declaration] ?? 0
  const end = build.syntax.ends[tree.declaration] ?? 0
  build.state(firstNames).push({ expression, node, start, end })
  return { of: expression, last: node }
}

const firstNames = defineState<First[]>(() => [])

/** The first name of a path is something of this file, or else a crate: `use log::log`. */
export function finishUses(build: Builder): void {
  const defined = new Map<string, { readonly start: number }[]>()
  for (const { name, start } of build.definitions) {
    const places = defined.get(name) ?? []
    places.push({ start })
    defined.set(name, places)
  }
  for (const it of build.state(firstNames)) {
    const expression = build.expressions[it.expression]
    if (expression === undefined || /^\p{Lu}/u.test(expression.name)) continue
    const isOurs = (defined.get(expression.name) ?? []).some(
      ({ start }) => start < it.start || start >= it.end,
    )
    if (!isOurs) build.expressions[it.expression] = { ...expression, op: 'module' }
  }
}
