/** Declarations of Go: imports, types, functions, and methods, which stand outside their types. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'
import { firstChild, functionLike, markInherited } from '../rules.ts'

// Imports.

export function packageClause(build: Builder, node: number): number {
  const at = firstChild(build, node)
  build.settings = buildCondition(build.text.slice(0, build.syntax.starts[node]))
  // Without a scope: the package's own name means nothing in its files.
  build.define({ kind: 'namespace', name: build.textOf(at), at, node, scope: -1 })
  return 0
}

/** When a file is part of a build, by the comments above its package; the older form as the newer. */
function buildCondition(head: string): string {
  const [, written] = /^\/\/go:build[ \t]+(.+)$/m.exec(head) ?? []
  if (written !== undefined) return written.trim()
  const lines = [...head.matchAll(/^\/\/[ \t]*\+build[ \t]+(.+)$/gm)].map(([, line = '']) => line)
  const all = lines.map(
    (line) => `(${line.trim().split(/\s+/).join(' || ').replaceAll(',', ' && ')})`,
  )
  return all.join(' && ')
}

export function importSpec(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const path = build.field(node, 'path')
  const content = Math.max(path, firstChild(build, path))
  const specifier = build.textOf(content)
  const value = build.refer('module', content, { name: specifier, role: ROLE.import })
  const kind = build.kindName(at)
  if (kind === 'blank_identifier') return 0
  if (kind === 'dot') {
    const all = build.express('import', { of: value, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value: all, scope: 0 })
    return 0
  }
  if (at >= 0) {
    build.define({ kind: 'import', name: build.textOf(at), at, node, value, scope: 0 })
    return 0
  }
  const name = packageName(specifier)
  const own = build.define({ kind: 'import', name, at: content, node, value, scope: 0 })
  const draft = build.draft(own)
  draft.start += Math.max(0, specifier.lastIndexOf(name))
  draft.end = draft.start + name.length
  return 0
}

/** By custom the last part of the path, without a major version: `chi` of `go-chi/chi/v5`. */
function packageName(specifier: string): string {
  const parts = specifier.split('/')
  if (parts.length > 1 && /^v\d+$/.test(parts.at(-1) ?? '')) parts.pop()
  return (parts.at(-1) ?? '').replace(/\.v\d+$/, '')
}

// Types.

export function typeSpec(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const body = build.field(node, 'type')
  const kind = build.kindName(body)
  const name = build.textOf(at)
  const definition = build.define({
    kind: kind === 'struct_type' ? 'class' : kind === 'interface_type' ? 'interface' : 'type',
    name,
    at,
    node,
    traits: visibility(name),
  })
  const draft = build.draft(definition)
  draft.inner = build.open('class', definition)
  build.within(draft.inner, definition, () => {
    typeParameters(build, build.field(node, 'type_parameters'))
    if (draft.kind === 'type') draft.type = build.visitExpecting(body, 0)
    else members(build, body, definition)
  })
  return 0
}

/** Each may name those after it: `[S ~[]E, E any]`. They are values as well: `T(3)`. */
function typeParameters(build: Builder, list: number): void {
  const declared = build.children(list).map((node) => ({
    node,
    own: named(build, node, 'name').map((at) =>
      build.define({ kind: 'type-parameter', name: build.textOf(at), at, node }),
    ),
  }))
  for (const { node, own } of declared) {
    const type = build.visit(build.field(node, 'type'))
    for (const it of own) build.draft(it).type = type
  }
}

/** A struct or an interface that has no name of its own. */
export function literalType(build: Builder, node: number): number {
  const kind = build.kindName(node) === 'struct_type' ? 'class' : 'interface'
  const definition = build.define({ kind, name: '', at: -1, node })
  const draft = build.draft(definition)
  draft.inner = build.open('class', definition)
  build.within(draft.inner, definition, () => members(build, node, definition))
  return build.express('define', { of: definition, role: ROLE.type })
}

function members(build: Builder, node: number, owner: number): void {
  for (const it of build.children(node)) {
    const kind = build.kindName(it)
    if (kind === 'field_declaration_list') members(build, it, owner)
    else if (kind === 'field_declaration') fieldDeclaration(build, it, owner)
    else if (kind === 'type_elem') embeddedInterface(build, it, owner)
    else build.visit(it)
  }
}

function fieldDeclaration(build: Builder, node: number, owner: number): void {
  const typeNode = build.field(node, 'type')
  const type = build.visitExpecting(typeNode, 0)
  const names = named(build, node, 'name')
  if (names.length === 0) {
    markInherited(build, type)
    build.draft(owner).bases.push(type)
  }
  for (const at of names.length === 0 ? [baseName(build, typeNode)] : names) {
    const name = build.textOf(at)
    if (name === '_') continue
    build.define({ kind: 'field', name, at, node, type, traits: visibility(name) })
  }
}

/** The name by which an embedded type is a field: `Other` of `*pkg.Other[int]`. */
function baseName(build: Builder, type: number): number {
  const kind = build.kindName(type)
  if (kind === 'qualified_type') return build.field(type, 'name')
  if (kind === 'generic_type') return baseName(build, build.field(type, 'type'))
  if (kind === 'pointer_type') return baseName(build, firstChild(build, type))
  return type
}

/** One type is embedded; `A | B` only says which types are allowed. */
function embeddedInterface(build: Builder, node: number, owner: number): void {
  const parts = build.children(node)
  for (const it of parts) {
    const type = build.visit(it)
    if (parts.length > 1 || build.kindName(it) === 'negated_type') continue
    markInherited(build, type)
    build.draft(owner).bases.push(type)
  }
}

// Functions.

export function functionOf(build: Builder, node: number, kind: 'function' | 'signature'): number {
  return functionLike(build, node, {
    kind,
    name: kind === 'signature' ? () => -1 : 'name',
    parameters: () => -1,
    returns: 'result',
    traits: (it, at) => visibility(it.textOf(it.field(at, 'name'))),
    before: (it, at, definition) => {
      typeParameters(it, it.field(at, 'type_parameters'))
      parameters(it, it.field(at, 'parameters'), definition)
    },
  })
}

export function methodElement(build: Builder, node: number): number {
  return functionLike(build, node, {
    kind: 'method',
    parameters: () => -1,
    returns: 'result',
    traits: (it, at) => visibility(it.textOf(it.field(at, 'name'))),
    before: (it, at, definition) => parameters(it, it.field(at, 'parameters'), definition),
  })
}

/** Each name takes a place of its own: `a, b int` are two. */
export function parameters(build: Builder, list: number, definition: number): void {
  const { parameters: into } = build.draft(definition)
  for (const node of build.children(list)) {
    if (build.kindName(node) === 'comment') {
      build.visit(node)
      continue
    }
    const isRest = build.kindName(node) === 'variadic_parameter_declaration'
    const own = build.visit(build.field(node, 'type'))
    const type = isRest ? build.express('collection', { list: [own], role: ROLE.type }) : own
    const traits = isRest ? TRAIT.rest : 0
    const names = named(build, node, 'name')
    for (const it of names.length === 0 ? [-1] : names) {
      const at = build.textOf(it) === '_' ? -1 : it
      const name = build.textOf(at)
      into.push(build.define({ kind: 'parameter', name, at, node, type, traits }))
    }
  }
}

/** `(n int, err error)`: several results are taken apart by place. */
export function results(build: Builder, node: number): number {
  const types: number[] = []
  for (const it of build.children(node)) {
    const type = build.visit(build.field(it, 'type'))
    const names = named(build, it, 'name')
    for (const at of names) {
      const name = build.textOf(at)
      if (name !== '_') build.define({ kind: 'variable', name, at, node: it, type })
    }
    types.push(...(names.length === 0 ? [type] : names.map(() => type)))
  }
  return types.length === 1 ? (types[0] ?? 0) : build.express('collection', { list: types })
}

interface Method {
  readonly definition: number
  readonly receiver: string
  readonly to: number
}

export function methodDeclaration(build: Builder, node: number): number {
  const receiver = build.children(build.field(node, 'receiver'))[0] ?? -1
  const type = build.field(receiver, 'type')
  const at = baseName(build, type)
  const to = build.express('name', { name: build.textOf(at), scope: 0, role: ROLE.type })
  const expression = functionLike(build, node, {
    kind: 'method',
    parameters: () => -1,
    returns: 'result',
    scope: () => -1,
    traits: (it, method) => visibility(it.textOf(it.field(method, 'name'))),
    before: (it, method, definition) => {
      receiverParameter(it, receiver)
      parameters(it, it.field(method, 'parameters'), definition)
    },
  })
  const definition = build.expressions[expression]?.of ?? 0
  build.state(methods).push({ definition, receiver: build.textOf(at), to })
  return 0
}

/** In `func (g *G[K, V])` the letters are declared, not used. */
function receiverParameter(build: Builder, node: number): void {
  const type = build.field(node, 'type')
  const inner = build.kindName(type) === 'pointer_type' ? firstChild(build, type) : type
  for (const it of build.children(build.field(inner, 'type_arguments'))) {
    const at = firstChild(build, it)
    const name = build.textOf(at)
    build.define({ kind: 'type-parameter', name, at, node: it })
  }
  const own = build.visit(type)
  for (const at of named(build, node, 'name')) {
    const name = build.textOf(at)
    if (name !== '_') build.define({ kind: 'parameter', name, at, node, type: own })
  }
}

/** They find their types when the whole file has been visited. */
const methods = defineState<Method[]>(() => [])

/**
 * A method becomes a member of its type where that is in the same file; else the type receives it.
 * Everything at the top is known to the package: `go:chi.Router`, `go:chi.Mux.Use`. Its tests are
 * known to those that stand beside it.
 */
export function finish(build: Builder, path: string): void {
  const own = build.definitions.find((it) => it.kind === 'namespace')?.name ?? ''
  for (const { definition, receiver, to } of build.state(methods)) {
    const draft = build.draft(definition)
    const type = build.findIn(0, receiver)
    if (type >= 0 && build.draft(type).kind !== 'import') {
      draft.owner = type
      draft.scope = build.draft(type).inner
      shareParameters(build, draft.inner, draft.scope)
    } else build.grants.push({ to, definition })
    build.provides.push({ name: `go:${own}.${receiver}.${draft.name}`, definition })
  }
  for (const [definition, draft] of build.definitions.entries()) {
    if (draft.scope === 0 && draft.kind !== 'import' && draft.name !== '')
      build.provides.push({ name: `go:${own}.${draft.name}`, definition })
  }
  if (path.endsWith('_test.go')) build.provides.push({ name: `go-test:${own}`, definition: 0 })
}

/** The letters of a receiver stand for those of its type, place by place. */
function shareParameters(build: Builder, method: number, type: number): void {
  const letters = (scope: number) =>
    build.definitions.filter((it) => it.scope === scope && it.kind === 'type-parameter')
  const own = letters(method)
  if (own.length === 0) return
  for (const [index, { name }] of letters(type).entries()) {
    const letter = own[index]
    if (letter !== undefined)
      letter.type = build.express('name', { name, scope: type, role: ROLE.type })
  }
}

export function named(build: Builder, node: number, field: string): readonly number[] {
  return build.fieldsOf(node, field).filter((it) => build.isNamed(it))
}

export function visibility(name: string): number {
  return /^\p{Lu}/u.test(name) ? TRAIT.exported : 0
}
