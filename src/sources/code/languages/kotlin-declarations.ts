/** Declarations of Kotlin. Its grammar has no fields: parts are told by their kind and order. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { classLike, functionLike, itemOf, lastChild } from '../rules.ts'
import { plain } from './in-order.ts'
import { liftBases, referInFull } from './jvm.ts'
import { kotlinState } from './kotlin-state.ts'

const TYPES = [
  'user_type',
  'nullable_type',
  'function_type',
  'parenthesized_type',
  'not_nullable_type',
]

export function isType(build: Builder, node: number): boolean {
  return TYPES.includes(build.kindName(node))
}

export function typeIn(build: Builder, node: number): number {
  return build.child(node, ...TYPES)
}

export function modifiers(build: Builder, node: number): number {
  const said = build.textOf(build.child(node, 'modifiers'))
  return /\bprivate\b/.test(said) ? TRAIT.private : 0
}

export function importHeader(build: Builder, node: number): number {
  const path = build.child(node, 'identifier')
  const parts = build.children(path)
  const last = parts.at(-1) ?? -1
  if (build.has(node, 'wildcard_import')) {
    const of = build.express('module', { name: build.textOf(path) })
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
    return 0
  }
  const before = parts.slice(0, -1).map((it) => build.textOf(it))
  const value = referInFull(build, last, { path: before.join('.'), role: ROLE.import })
  const alias = build.child(build.child(node, 'import_alias'), 'type_identifier')
  const at = alias < 0 ? last : alias
  build.define({ kind: 'import', name: build.textOf(at), at, node, value })
  return 0
}

// Types.

export function classDeclaration(build: Builder, node: number): number {
  build.visit(build.child(node, 'modifiers'))
  return withReceiver(build, 0, () =>
    classLike(build, node, {
      kind: build.has(node, 'interface') ? 'interface' : build.has(node, 'enum') ? 'enum' : 'class',
      name: (it, at) => it.child(at, 'type_identifier'),
      typeParameters: (it, at) => it.child(at, 'type_parameters'),
      body: (it, at) => it.child(at, 'class_body', 'enum_class_body'),
      traits: modifiers,
      bases,
      before: (it, at, definition) => {
        liftBases(it, definition)
        classParameters(it, it.child(at, 'primary_constructor'))
      },
    }),
  )
}

export function bases(build: Builder, node: number): readonly number[] {
  return build
    .children(node)
    .filter((it) => build.kindName(it) === 'delegation_specifier')
    .map((it) => build.firstChild(it))
}

/** `val name: String` is a field; without `val` it is known while the class is set up. */
function classParameters(build: Builder, node: number): void {
  build.visit(build.child(node, 'modifiers'))
  for (const it of build.children(node)) {
    if (build.kindName(it) !== 'class_parameter') continue
    build.visit(build.child(it, 'modifiers'))
    const at = build.child(it, 'simple_identifier')
    const typeNode = typeIn(build, it)
    const type = build.visit(typeNode)
    const last = lastChild(build, it)
    if (last !== typeNode && last !== at) build.visitExpecting(last, 0)
    const isField = build.has(it, 'binding_pattern_kind')
    build.define({
      kind: isField ? 'field' : 'parameter',
      name: build.textOf(at),
      at,
      node: it,
      type,
      traits: isField ? modifiers(build, it) : TRAIT.private,
    })
  }
}

/** What is in a companion is reached through the class itself. */
export function companion(build: Builder, node: number): number {
  for (const it of bases(build, node)) build.visit(it)
  const first = build.definitions.length
  build.visitChildren(build.child(node, 'class_body'))
  for (const it of build.definitions.slice(first))
    if (it.scope === build.scope) it.traits |= TRAIT.static
  return 0
}

export function enumEntry(build: Builder, node: number): number {
  const at = build.child(node, 'simple_identifier')
  const own = build.owner
  build.visit(build.child(node, 'value_arguments'))
  const definition = build.define({ kind: 'member', name: build.textOf(at), at, node })
  const body = build.child(node, 'class_body')
  if (body >= 0) {
    build.draft(definition).bases.push(build.express('define', { of: own }))
    build.within(build.open('class', definition), definition, () => build.visitChildren(body))
  }
  return 0
}

export function typeAlias(build: Builder, node: number): number {
  const at = build.child(node, 'type_identifier')
  const definition = build.define({ kind: 'type', name: build.textOf(at), at, node })
  const draft = build.draft(definition)
  draft.inner = build.open('block', definition)
  build.within(draft.inner, definition, () => {
    build.visit(build.child(node, 'type_parameters'))
    draft.type = build.visit(typeIn(build, node))
  })
  return 0
}

// Functions.

/** What `this` is in a function that extends a type; 0 in a class. */
export function withReceiver(build: Builder, receiver: number, action: () => number): number {
  const state = build.state(kotlinState)
  const { receiver: before } = state
  state.receiver = receiver
  const expression = action()
  state.receiver = before
  return expression
}

export function functionDeclaration(build: Builder, node: number): number {
  build.visit(build.child(node, 'modifiers'))
  const at = build.child(node, 'simple_identifier')
  const outer = build.scope
  const extended = build.children(node).find((it) => isType(build, it) && it < (at < 0 ? node : at))
  const visit = (inside: number) =>
    functionLike(build, node, {
      kind: build.scopes[outer]?.kind === 'class' ? 'method' : 'function',
      name: () => at,
      scope: () => outer,
      traits: modifiers,
      parameters: () => -1,
      returns: returnType,
      body: (it, own) => it.child(own, 'function_body'),
      before: (it, own, definition) => {
        it.visit(it.child(own, 'type_parameters'))
        if (extended !== undefined) extend(it, extended, { definition, inside })
        parameters(it, it.child(own, 'function_value_parameters'), definition)
      },
    })
  return withReceiver(build, build.state(kotlinState).receiver, () =>
    extended === undefined ? visit(0) : lookingInto(build, node, visit),
  )
}

/** Bare names can mean members of something else than the class around: the bases of `inside`. */
export function lookingInto(
  build: Builder,
  node: number,
  action: (inside: number) => number,
): number {
  const inside = build.define({ kind: 'object', name: '', at: -1, node })
  const draft = build.draft(inside)
  draft.inner = build.open('class', inside)
  let expression = 0
  build.within(draft.inner, build.owner, () => {
    expression = action(inside)
  })
  return expression
}

interface Extension {
  readonly definition: number
  readonly inside: number
}

function extend(build: Builder, typeNode: number, { definition, inside }: Extension): void {
  const type = build.visit(typeNode)
  build.draft(inside).bases.push(type)
  build.state(kotlinState).receiver = build.express('typed', { of: type })
  build.grants.push({ to: type, definition })
  const draft = build.draft(definition)
  const simple = /^[\w.]*?(\w+)(<.*>)?\??$/s.exec(build.textOf(typeNode))?.[1]
  if (simple === undefined || draft.kind !== 'function') return
  // By the simple name of the type; whether it is that type is found out where it is used.
  build.provides.push({ name: `java:${simple}+${draft.name}`, definition })
  build.state(kotlinState).extensions.add(draft.name)
}

function returnType(build: Builder, node: number): number {
  const list = build.child(node, 'function_value_parameters')
  return build.children(node).find((it) => it > list && isType(build, it)) ?? -1
}

/** Default values and modifiers stand beside the parameter that they belong to. */
function parameters(build: Builder, list: number, definition: number): void {
  const { parameters: into } = build.draft(definition)
  let traits = 0
  for (const it of build.children(list)) {
    const kind = build.kindName(it)
    if (kind === 'parameter_modifiers') {
      build.visit(it)
      traits = build.textOf(it).includes('vararg') ? TRAIT.rest : 0
    } else if (kind === 'parameter') {
      const at = build.child(it, 'simple_identifier')
      const own = build.visit(typeIn(build, it))
      const type =
        traits === 0 ? own : build.express('collection', { list: [own], role: ROLE.type })
      into.push(
        build.define({ kind: 'parameter', name: build.textOf(at), at, node: it, type, traits }),
      )
      traits = 0
    } else build.visitExpecting(it, 0)
  }
}

export function secondaryConstructor(build: Builder, node: number): number {
  build.visit(build.child(node, 'modifiers'))
  return functionLike(build, node, {
    kind: 'constructor',
    name: (it, at) => it.child(at, 'constructor'),
    scope: () => -1,
    parameters: () => -1,
    body: (it, at) => it.child(at, 'statements'),
    before: (it, at, definition) => {
      parameters(it, it.child(at, 'function_value_parameters'), definition)
      it.visit(it.child(at, 'constructor_delegation_call'))
    },
  })
}

export function anonymousFunction(build: Builder, node: number): number {
  return functionLike(build, node, {
    name: () => -1,
    parameters: () => -1,
    returns: returnType,
    body: (it, at) => it.child(at, 'function_body'),
    before: (it, at, definition) =>
      parameters(it, it.child(at, 'function_value_parameters'), definition),
  })
}

/** `(Request) -> Response`. */
export function functionType(build: Builder, node: number): number {
  const list = build.child(node, 'function_type_parameters')
  return functionLike(build, node, {
    kind: 'signature',
    name: () => -1,
    parameters: () => -1,
    returns: (it, at) => it.children(at).findLast((own) => own > list && isType(it, own)) ?? -1,
    before: (it, _, definition) => {
      for (const own of it.children(list)) {
        const isNamed = it.kindName(own) === 'parameter'
        const at = isNamed ? it.child(own, 'simple_identifier') : -1
        const type = it.visit(isNamed ? typeIn(it, own) : own)
        const options = { kind: 'parameter' as const, name: it.textOf(at), at, node: own, type }
        it.draft(definition).parameters.push(it.define(options))
      }
    },
  })
}

// Variables.

export function property(build: Builder, node: number): number {
  build.visit(build.child(node, 'modifiers'))
  const pattern = build.child(node, 'variable_declaration', 'multi_variable_declaration')
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const typeNode = typeIn(build, pattern)
  const type = build.visit(typeNode)
  let value = 0
  for (const it of build.children(node).filter((own) => own > pattern)) {
    if (build.parent(it) !== node) continue
    const own = build.visitExpecting(it, type > 0 ? build.express('typed', { of: type }) : 0)
    if (build.kindName(it) !== 'setter') value = own > 0 ? own : value
  }
  const extended = build.children(node).find((it) => it < pattern && isType(build, it))
  if (extended !== undefined) build.visit(extended)
  const traits = modifiers(build, node)
  const kind = isMember ? 'field' : 'variable'
  declare(build, pattern, plain(build, node, { kind, value, type, traits }))
  return 0
}

/** One name, or several that a value is taken apart into. */
export function declare(build: Builder, pattern: number, binding: ReturnType<typeof plain>): void {
  if (build.kindName(pattern) === 'multi_variable_declaration') {
    for (const it of build.children(pattern))
      declare(build, it, { ...binding, value: itemOf(build, binding.value), type: 0 })
    return
  }
  const at = build.child(pattern, 'simple_identifier')
  const typeNode = typeIn(build, pattern)
  const type = binding.type > 0 ? binding.type : build.visit(typeNode)
  if (build.textOf(at) === '_' || at < 0) return
  const { kind, value, traits, node } = binding
  const definition = build.define({ kind, name: build.textOf(at), at, node, type, value, traits })
  binding.into?.push(definition)
}

/** A getter is a function without a name; reading the property calls it. */
export function accessor(build: Builder, node: number): number {
  const own = functionLike(build, node, {
    name: () => -1,
    parameters: () => -1,
    returns: (it, at) => typeIn(it, at),
    body: (it, at) => it.child(at, 'function_body'),
    before: (it, at) => {
      const parameter = it.child(it.child(at, 'parameter_with_optional_type'), 'simple_identifier')
      if (parameter >= 0)
        it.define({ kind: 'parameter', name: it.textOf(parameter), at: parameter, node: parameter })
    },
  })
  return build.kindName(node) === 'getter' ? build.express('returned', { of: own }) : 0
}

/** `by lazy { Router() }` holds what the block gives. */
export function delegate(build: Builder, node: number): number {
  const expression = build.visitExpecting(lastChild(build, node), 0)
  const it = build.expressions[expression]
  const block = it?.op === 'call' ? (it.list.at(-1) ?? 0) : 0
  return build.expressions[block]?.op === 'define' ? build.express('returned', { of: block }) : 0
}

// Lambdas.

function lambda(build: Builder, node: number): number {
  return functionLike(build, node, {
    name: () => -1,
    traits: () => TRAIT.arrow,
    parameters: () => -1,
    body: (it, at) => it.child(at, 'statements'),
    before: (it, at, definition) => lambdaParameters(it, at, definition),
  })
}

function lambdaParameters(build: Builder, node: number, definition: number): void {
  const list = build.child(node, 'lambda_parameters')
  const { parameters: into } = build.draft(definition)
  const expected = build.state(kotlinState).expectedLambdas.get(node) ?? 0
  const given = (index: number): number =>
    expected > 0 ? build.express('parameter', { of: expected, list: [index] }) : 0
  for (const [index, it] of build.children(list).entries())
    declare(build, it, plain(build, it, { kind: 'parameter', value: given(index), into }))
  if (list >= 0 || !/\bit\b/.test(build.textOf(node))) return
  into.push(build.define({ kind: 'parameter', name: 'it', at: -1, node, value: given(0) }))
}

/** The expectation is kept aside: a function's own visit begins with none. */
export function expectingLambda(build: Builder, node: number): number {
  build.state(kotlinState).expectedLambdas.set(node, build.expected)
  return lambda(build, node)
}
