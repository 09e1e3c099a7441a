/** Swift's declarations: types, extensions, functions and properties. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'
import { classLike, firstChild, functionLike } from '../rules.ts'
import { bindNames } from './swift-patterns.ts'

export function classOwner(build: Builder): number {
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const it = build.scopes[scope]
    if (it?.kind === 'class') return it.owner
  }
  return 0
}

function modifiers(build: Builder, node: number): number {
  const words = build.textOf(build.child(node, 'modifiers')).split(/\s+/)
  const own = build.allChildren(node).map((it) => build.kindName(it))
  const isStatic = words.includes('static') || words.includes('class') || own.includes('class')
  const isPrivate = words.some((it) => it === 'private' || it === 'fileprivate')
  return (isStatic ? TRAIT.static : 0) | (isPrivate ? TRAIT.private : 0)
}

function bases(build: Builder, node: number): readonly number[] {
  return build
    .children(node)
    .filter((it) => build.kindName(it) === 'inheritance_specifier')
    .map((it) => firstChild(build, it))
}

export function container(build: Builder, node: number): number {
  const word = build.textOf(build.field(node, 'declaration_kind'))
  if (word === 'extension') return extension(build, node)
  const isProtocol = build.kindName(node) === 'protocol_declaration'
  return classLike(build, node, {
    kind: isProtocol ? 'interface' : word === 'enum' ? 'enum' : 'class',
    typeParameters: (inside, own) => inside.child(own, 'type_parameters'),
    traits: (inside, own) => modifiers(inside, own) & TRAIT.private,
    bases,
    before: (inside, own) => {
      inside.visit(inside.child(own, 'type_constraints'))
    },
  })
}

interface Extension {
  readonly type: number
  readonly name: string
  readonly stand: number
}

const extensions = defineState<Extension[]>(() => [])

/** Stands for the type in the members that it adds: what they see is what the type has. */
function extension(build: Builder, node: number): number {
  const named = build.field(node, 'name')
  const type = build.visit(named)
  const stand = build.define({ kind: 'class', name: '', at: -1, node, scope: -1 })
  const draft = build.draft(stand)
  draft.inner = build.open('class', stand)
  if (type > 0) draft.bases.push(type)
  build.within(draft.inner, stand, () => {
    for (const it of bases(build, node)) {
      const base = build.visit(it)
      build.alsoAs(base, ROLE.inherit)
      if (base > 0) draft.bases.push(base)
    }
    build.visit(build.child(node, 'type_constraints'))
    build.visitChildren(build.field(node, 'body'))
  })
  build.state(extensions).push({ type, name: build.textOf(named).replace(/<.*/s, ''), stand })
  return 0
}

/** Into the type where the file has it; else known by the type's name. */
export function finishExtensions(build: Builder): void {
  for (const it of build.state(extensions)) {
    const home = build.find(it.name, 0)
    const isOurs = home >= 0 && /class|enum|interface/.test(build.draft(home).kind)
    const stand = build.draft(it.stand)
    if (isOurs) build.draft(home).bases.push(...stand.bases.slice(1))
    for (const [definition, draft] of build.definitions.entries()) {
      if (draft.scope !== stand.inner) continue
      if (isOurs) {
        draft.scope = build.draft(home).inner
        draft.owner = home
      } else {
        const name = `swift-member:${it.name}.${draft.name}`
        build.provides.push({ name, definition })
      }
    }
    const scope = build.scopes[stand.inner]
    if (isOurs && scope !== undefined) scope.owner = home
  }
  for (const [definition, draft] of build.definitions.entries()) {
    if (draft.scope !== 0 || draft.name === '' || draft.kind === 'import') continue
    if ((draft.traits & TRAIT.private) === 0)
      build.provides.push({ name: `swift:${draft.name}`, definition })
  }
}

/** The grammar calls names and types alike `name`; the type comes last. */
function typeOf(build: Builder, node: number): number {
  return build.fieldsOf(node, 'name').slice(1).at(-1) ?? -1
}

export function functionDeclaration(build: Builder, node: number): number {
  const kind = build.kindName(node)
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const word = kind.replace('_declaration', '')
  const isNamed = kind.endsWith('function_declaration')
  const returns = isNamed
    ? typeOf(build, node)
    : kind === 'subscript_declaration'
      ? build.field(node, 'name')
      : -1
  return functionLike(build, node, {
    kind: word === 'init' ? 'constructor' : isMember ? 'method' : 'function',
    name: () => (isNamed ? build.field(node, 'name') : build.child(node, word)),
    parameters: () => -1,
    returns: () => returns,
    body: (inside, own) => {
      const body = inside.field(own, 'body')
      return body < 0 ? inside.child(own, 'computed_property') : body
    },
    traits: modifiers,
    before: (inside, own, definition) => {
      inside.visit(inside.child(own, 'type_parameters'))
      bindParameters(inside, own, definition)
      inside.visit(inside.child(own, 'type_constraints'))
    },
  })
}

/** A default value stands beside its parameter, and is expected to be of its type. */
function bindParameters(build: Builder, node: number, definition: number): void {
  const { fields, grammar } = build.syntax
  const { parameters } = build.draft(definition)
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'parameter') parameters.push(parameter(build, it))
    else if (fields[it] === grammar.field('default_value')) {
      const { type } = build.draft(parameters.at(-1) ?? 0)
      build.visitExpecting(it, type > 0 ? build.express('typed', { of: type }) : 0)
    }
  }
}

function parameter(build: Builder, node: number): number {
  const type = build.visit(typeOf(build, node))
  const at = build.field(node, 'name')
  const isRest = build.textOf(node).endsWith('...')
  return build.define({
    kind: 'parameter',
    name: build.textOf(at),
    at,
    node,
    type,
    traits: isRest ? TRAIT.rest : 0,
  })
}

/** `let a = 1, b: B`: each pattern with its own type and value. */
export function property(build: Builder, node: number): number {
  const children = build.children(node)
  const { fields, grammar } = build.syntax
  const starts = children.filter((it) => fields[it] === grammar.field('name'))
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const traits = isMember || build.scope === 0 ? modifiers(build, node) : 0
  for (const it of children) if (build.kindName(it) === 'modifiers') build.visit(it)
  for (const [index, pattern] of starts.entries()) {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY
    const own = children.filter((it) => it > pattern && it < end)
    declare(build, { node, pattern, own, traits })
  }
  return 0
}

function declare(
  build: Builder,
  it: {
    readonly node: number
    readonly pattern: number
    readonly own: readonly number[]
    readonly traits: number
  },
): void {
  const find = (kind: string): number => it.own.find((each) => build.kindName(each) === kind) ?? -1
  const type = build.visit(find('type_annotation'))
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const { fields, grammar } = build.syntax
  const given = it.own.find((each) => fields[each] === grammar.field('value')) ?? -1
  const value = build.visitExpecting(given, expected)
  const isMember = build.scopes[build.scope]?.kind === 'class'
  if (!isMember && build.scope > 0) build.scope = build.open('block', build.owner)
  const from = build.definitions.length
  bindNames(build, it.pattern, { value, type, node: it.node })
  for (const draft of build.definitions.slice(from)) draft.traits |= it.traits
  const computed = it.own.filter((each) => /computed|willset/.test(build.kindName(each)))
  for (const each of computed) {
    const owner = from < build.definitions.length ? from : build.owner
    build.within(build.open('function', owner), owner, () => accessors(build, each))
  }
}

/** Setters are given their value by name. */
function accessors(build: Builder, node: number): void {
  const { returns } = build
  build.returns = []
  build.visitChildren(node)
  build.returns = returns
}

export function protocolProperty(build: Builder, node: number): number {
  const pattern = build.field(node, 'name')
  const type = build.visit(build.child(node, 'type_annotation'))
  const at = build.field(pattern, 'bound_identifier')
  if (at >= 0) build.define({ kind: 'field', name: build.textOf(at), at, node, type })
  return 0
}

export function enumEntry(build: Builder, node: number): number {
  for (const at of build.fieldsOf(node, 'name'))
    build.define({ kind: 'member', name: build.textOf(at), at, node })
  for (const it of build.fieldsOf(node, 'data_contents'))
    for (const type of build.fieldsOf(it, 'name')) build.visit(type)
  for (const it of build.fieldsOf(node, 'raw_value')) build.visit(it)
  return 0
}

export function alias(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const type = build.visit(typeOf(build, node))
  const traits = TRAIT.typeOnly
  build.define({ kind: 'type', name: build.textOf(at), at, node, type, traits })
  return 0
}

export function typeParameter(build: Builder, node: number): number {
  const at = firstChild(build, node)
  const type = build.visit(build.field(node, 'name'))
  const traits = TRAIT.typeOnly
  build.define({ kind: 'type-parameter', name: build.textOf(at), at, node, type, traits })
  return 0
}
