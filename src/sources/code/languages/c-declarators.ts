/**
 * What C and C++ have in common in declarations: the name is wrapped in what is done to it, as in
 * `char *(*table[3])(int)`. Knows declarators and what they declare; statements are elsewhere.
 */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, DefinitionDraft } from '../builder.ts'
import { functionLike, itemOf, part } from '../rules.ts'
import { cState } from './c-state.ts'

export interface Declarator {
  /** The name; -1 when there is none. */
  readonly at: number
  /** The declarator with the parameters, where a function is declared and not a pointer to one. */
  readonly called: number
  /** The declarator with the parameters, whether of a function or of a pointer to one. */
  readonly parameters: number
  readonly isArray: boolean
  /** `A::B` before the name. */
  readonly qualified: number
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'pointer_declarator',
  'reference_declarator',
  'array_declarator',
  'parenthesized_declarator',
  'function_declarator',
  'init_declarator',
  'attributed_declarator',
  'variadic_declarator',
  'abstract_function_declarator',
  'abstract_pointer_declarator',
  'abstract_reference_declarator',
  'abstract_array_declarator',
  'abstract_parenthesized_declarator',
])

/** The outermost function declares one unless a pointer stands between it and the name. */
export function declaratorOf(build: Builder, node: number): Declarator {
  let at = node
  let parameters = -1
  let called = -1
  let isArray = false
  while (at >= 0 && WRAPPERS.has(build.kindName(at))) {
    const kind = build.kindName(at)
    if (kind.endsWith('function_declarator')) {
      parameters = at
      called = at
    } else if (kind.endsWith('array_declarator')) isArray = true
    else if (kind.endsWith('pointer_declarator') && called >= 0) called = -1
    at = innerOf(build, at)
  }
  const isQualified = build.kindName(at) === 'qualified_identifier'
  const qualified = isQualified ? at : -1
  while (build.kindName(at) === 'qualified_identifier') at = build.field(at, 'name')
  if (build.kindName(at) === 'template_function') at = build.field(at, 'name')
  // `operator bool() const` has its parameters inside.
  if (build.kindName(at) === 'operator_cast') called = build.field(at, 'declarator')
  if (build.kindName(at) !== 'pointer_type_declarator')
    return { at, called, parameters, isArray, qualified }
  // `void (A::*method)(int)` declares no member of A.
  at = build.field(at, 'declarator')
  return { at, called: -1, parameters, isArray, qualified: -1 }
}

function innerOf(build: Builder, node: number): number {
  const own = build.field(node, 'declarator')
  if (own >= 0) return own
  return (
    build
      .children(node)
      .find((it) => WRAPPERS.has(build.kindName(it)) || NAMES.has(build.kindName(it))) ?? -1
  )
}

const NAMES: ReadonlySet<string> = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'qualified_identifier',
  'operator_name',
  'operator_cast',
  'destructor_name',
  'structured_binding_declarator',
])

export function isWithin(build: Builder, kind: 'class' | 'function'): boolean {
  for (let scope = build.scope; scope > 0; scope = build.scopes[scope]?.parent ?? -1) {
    const own = build.scopes[scope]?.kind
    if (own === kind) return true
    if (own === 'class' || own === 'function') return false
  }
  return false
}

export function hasWord(build: Builder, node: number, word: string): boolean {
  return build
    .allChildren(node)
    .some((it) => build.textOf(it) === word && build.kindName(it) !== 'identifier')
}

/** Of a declared thing: what its declarator makes of the type in front of it. */
export function typeWith(build: Builder, type: number, declared: Declarator): number {
  if (declared.parameters >= 0 && declared.called < 0) {
    // A pointer to a function: calling it gives the type.
    return signature(build, declared.parameters, type)
  }
  return declared.isArray && type > 0 ? build.express('collection', { list: [type] }) : type
}

function signature(build: Builder, node: number, type: number): number {
  const expression = functionLike(build, node, {
    kind: 'signature',
    name: () => -1,
    parameters: parameterList,
    body: () => -1,
    returns: () => -1,
  })
  build.draft(build.expressions[expression]?.of ?? 0).type = type
  return expression
}

/** `(void)` declares no parameter. */
export function parameterList(build: Builder, node: number): number {
  const list = build.field(node, 'parameters')
  return /^\(\s*(void)?\s*\)$/.test(build.textOf(list)) ? -1 : list
}

/** `const node_t *n`, `int argv[]`, `void (*then)(int)`. */
export function bindParameter(build: Builder, node: number, binding: Binding): void {
  const type = build.visit(build.field(node, 'type'))
  const declared = declaratorOf(build, build.field(node, 'declarator'))
  sizes(build, build.field(node, 'declarator'))
  const given = build.field(node, 'default_value')
  const visited = build.visitExpecting(given, 0)
  // That there is a default matters even where nothing is known of it.
  const value = given >= 0 && visited === 0 ? build.literal('') : visited
  const whole = typeWith(build, type, declared)
  const definition = build.define({
    kind: binding.kind,
    name: build.textOf(declared.at),
    at: declared.at,
    node,
    type: whole,
    value: build.either([binding.value, value]),
    scope: binding.scope,
    traits: binding.traits,
  })
  binding.into?.push(definition)
}

/** `int a = 1, *b;`: each declarator declares a name. */
export function declaration(build: Builder, node: number, outside?: Outside): number {
  const typeNode = build.field(node, 'type')
  const declarators = build.fieldsOf(node, 'declarator')
  if (declarators.length === 0 && isNameless(build, typeNode)) {
    build.visitChildren(build.field(typeNode, 'body'))
    return 0
  }
  const type = build.visit(typeNode)
  for (const it of declarators) declare(build, it, { node, type, outside })
  return 0
}

/** `union { int a; float b; };`: the members are those of the surroundings. */
function isNameless(build: Builder, type: number): boolean {
  return (
    /^(struct|union)_specifier$/.test(build.kindName(type)) &&
    build.field(type, 'name') < 0 &&
    build.field(type, 'body') >= 0 &&
    isWithin(build, 'class')
  )
}

/** Makes what a path names, as a part of what the path leads to. */
export type Outside = (build: Builder, path: number, make: () => number) => number

export interface Declared {
  readonly node: number
  readonly type: number
  readonly outside?: Outside | undefined
}

function declare(build: Builder, node: number, it: Declared): void {
  const declared = declaratorOf(build, node)
  if (build.kindName(declared.at) === 'structured_binding_declarator') {
    const of = build.visit(build.field(node, 'value'))
    for (const name of build.children(declared.at))
      variable(build, name, { ...it, type: 0, value: itemOf(build, of) })
    return
  }
  if (declared.called >= 0 && !isWithin(build, 'function')) {
    prototype(build, declared, it)
    return
  }
  sizes(build, node)
  const type = typeWith(build, it.type, declared)
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const given = build.field(node, 'value')
  const fallback = given >= 0 ? given : build.field(it.node, 'default_value')
  const value = build.visitExpecting(
    fallback >= 0 ? fallback : build.field(it.node, 'value'),
    expected,
  )
  if (declared.called >= 0) passedTo(build, build.field(declared.called, 'parameters'))
  if (declared.at < 0) return
  const hasValue = fallback >= 0 || build.field(it.node, 'value') >= 0
  const make = (): number =>
    build.express('define', {
      of: variable(build, declared.at, { ...it, type, value, hasValue }),
    })
  if (declared.qualified < 0) make()
  else if (it.outside === undefined) build.visit(declared.qualified)
  else {
    const made = it.outside(build, declared.qualified, make)
    build.draft(build.expressions[made]?.of ?? 0).traits |= TRAIT.static
  }
}

/** In a function, `Slice key(name, f());` declares no function: what look like types are values. */
function passedTo(build: Builder, list: number): void {
  for (const it of build.children(list)) {
    const type = build.field(it, 'type')
    const after = build.field(it, 'declarator')
    const isCall = build.kindName(after) === 'abstract_function_declarator'
    if (build.kindName(type) !== 'type_identifier' || (after >= 0 && !isCall)) {
      build.visit(it)
      continue
    }
    build.refer('name', type, { role: isCall ? ROLE.call : 0 })
    if (isCall) passedTo(build, build.field(after, 'parameters'))
  }
}

/** The size of an array is an expression of its own. */
export function sizes(build: Builder, node: number): void {
  for (let at = node; at >= 0 && WRAPPERS.has(build.kindName(at)); at = innerOf(build, at))
    build.visit(build.field(at, 'size'))
}

interface Variable extends Declared {
  readonly value: number
  readonly hasValue?: boolean
}

function variable(build: Builder, at: number, it: Variable): number {
  const isMember = isWithin(build, 'class')
  const isStatic = hasWord(build, it.node, 'static')
  const isExtern =
    (hasWord(build, it.node, 'extern') && it.value === 0) ||
    (isMember &&
      isStatic &&
      it.hasValue !== true &&
      !/\b(inline|constexpr)\b/.test(build.textOf(it.node)))
  const definition = build.define({
    kind: isMember ? 'field' : 'variable',
    name: build.textOf(at),
    at,
    node: it.node,
    type: it.type,
    value: it.value,
    // Declared here, but defined elsewhere: found through what `finish` provides.
    ...(isExtern ? { scope: -1 } : {}),
    traits:
      (isStatic ? (isMember ? TRAIT.static : TRAIT.private) : 0) | (isExtern ? TRAIT.again : 0),
  })
  if (isExtern) build.state(cState).declaredOnly.add(definition)
  return definition
}

/** Of what stands in a template; -1 for what does not. */
export function templateParameters(build: Builder, node: number): number {
  const parent = build.parent(node)
  const isFriend = build.kindName(parent) === 'friend_declaration'
  const around = isFriend ? build.parent(parent) : parent
  return build.kindName(around) === 'template_declaration' ? build.field(around, 'parameters') : -1
}

/** A function without its body. It is found by name when no body is. */
function prototype(build: Builder, declared: Declarator, it: Declared): void {
  if (declared.qualified >= 0) build.visit(declared.qualified)
  const isMember = isWithin(build, 'class')
  const isPure = build.textOf(it.node).trimEnd().endsWith('0;')
  const isStatic = hasWord(build, it.node, 'static')
  const expression = functionOf(build, it.node, {
    declared,
    type: it.type,
    body: -1,
    typeParameters: templateParameters(build, it.node),
    traits: (isPure ? 0 : TRAIT.again) | (isStatic ? (isMember ? TRAIT.static : TRAIT.private) : 0),
  })
  if (declared.qualified < 0) onlyDeclared(build, expression)
}

/** It is found by its full name, when nothing that has a body is. */
export function onlyDeclared(build: Builder, expression: number): void {
  const definition = build.expressions[expression]?.of ?? 0
  build.draft(definition).scope = -1
  build.state(cState).declaredOnly.add(definition)
}

export interface FunctionParts {
  readonly declared: Declarator
  readonly type: number
  readonly body: number
  readonly traits: number
  readonly typeParameters?: number
}

export function functionOf(build: Builder, node: number, it: FunctionParts): number {
  const { declared } = it
  const isMember = isWithin(build, 'class')
  const owner = isMember ? build.draft(build.owner).name : ''
  const isMaker = isMember && build.textOf(declared.at) === owner
  let trailingType = 0
  const expression = functionLike(build, node, {
    kind: isMaker ? 'constructor' : isMember ? 'method' : 'function',
    name: () => declared.at,
    parameters: (inside) => parameterList(inside, declared.called),
    returns: () => -1,
    body: () => -1,
    traits: () => it.traits,
    before: (inside) => {
      inside.visit(it.typeParameters ?? -1)
      const trailing = inside.child(declared.called, 'trailing_return_type')
      trailingType = trailing < 0 ? 0 : inside.visit(firstNamed(inside, trailing))
    },
  })
  const definition = build.expressions[expression]?.of ?? 0
  const draft = build.draft(definition)
  draft.type = trailingType > 0 ? trailingType : it.type
  if (build.kindName(declared.at) === 'operator_cast') nameConversion(build, draft, declared.at)
  if (it.body < 0) return expression
  const { returns } = build
  build.returns = []
  build.within(draft.inner, definition, () => {
    build.visit(build.child(node, 'field_initializer_list'))
    build.visitExpecting(it.body, 0)
  })
  draft.value = build.either(build.returns)
  build.returns = returns
  return expression
}

/** `operator bool() const` is called `operator bool`, and gives a `bool`. */
function nameConversion(build: Builder, draft: DefinitionDraft, node: number): void {
  const [name = ''] = build.textOf(node).split('(')
  draft.name = name.trim()
  draft.end = draft.start + draft.name.length
  draft.type = build.visit(build.field(node, 'type'))
}

function firstNamed(build: Builder, node: number): number {
  return part(build, node, (inside, at) => inside.children(at)[0] ?? -1)
}
