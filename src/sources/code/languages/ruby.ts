/**
 * Ruby. A method is called by being mentioned, so methods count as getters, and a call is worth
 * what the mention is. What a class body says by calling (`include`, `attr_reader`) is beside this
 * file.
 */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, DefinitionDraft, Patterns, Rules } from '../builder.ts'
import { argumentsOf, type NamedArgument } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import {
  bindName,
  classLike,
  collection,
  comment,
  firstChild,
  functionLike,
  itemOf,
  lastChild,
  nothing,
  REST,
  returning,
  same,
  text,
  through,
} from '../rules.ts'
import { bodyCall, classOwner, structOf } from './ruby-bodies.ts'

/** The value of the last of its children: a body, a branch. */
function last(build: Builder, node: number): number {
  let value = 0
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'comment') build.visit(it)
    else value = build.visitExpecting(it, 0)
  }
  return value
}

function branch(build: Builder, node: number): number {
  build.visitExpecting(build.field(node, 'condition'), 0)
  build.visitExpecting(build.field(node, 'value'), 0)
  const rest = build
    .children(node)
    .filter((it) => it !== build.field(node, 'condition') && it !== build.field(node, 'value'))
  return build.either(rest.map((it) => build.visitExpecting(it, 0)))
}

/** `x = 1` defines x unless the method knows it; a block sees what is around it. */
function bindLocal(build: Builder, node: number, binding: Binding): void {
  if (binding.kind === 'parameter') {
    bindName(build, node, binding)
    return
  }
  const known = findLocal(build, build.textOf(node))
  if (known < 0) {
    bindName(build, node, { ...binding, scope: build.functionScope() })
    return
  }
  build.refer('name', node, { role: ROLE.write })
  build.addValue(known, binding.value)
}

function findLocal(build: Builder, name: string): number {
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const it = build.scopes[scope]
    if (it?.kind === 'class') return -1
    const found = build.findIn(scope, name)
    if (found >= 0) {
      const { kind } = build.draft(found)
      return kind === 'variable' || kind === 'parameter' ? found : -1
    }
    const isBlock = it?.kind !== 'function' || (build.draft(it.owner).traits & TRAIT.arrow) !== 0
    if (!isBlock) return -1
  }
  return -1
}

/** `@x = 1` in any method defines a field of the class. */
function bindField(build: Builder, node: number, binding: Binding): void {
  const owner = classOwner(build)
  const named = build.textOf(node)
  const scope = build.draft(owner).inner
  const known = build.findIn(scope, named)
  if (known >= 0) {
    fieldReference(build, node, ROLE.write)
    build.addValue(known, binding.value)
    return
  }
  const { value, node: whole } = binding
  const traits = named.startsWith('@@') ? TRAIT.static : 0
  build.define({ kind: 'field', name: named, at: node, node: whole, value, scope, owner, traits })
}

function fieldReference(build: Builder, node: number, role = 0): number {
  const of = build.express('instance', { of: build.express('define', { of: classOwner(build) }) })
  return build.refer('member', node, { of, role })
}

function bindConstant(build: Builder, node: number, binding: Binding): void {
  const isMember = build.scopes[build.scope]?.kind === 'class'
  if (isMember) {
    const { value, node: whole } = binding
    const traits = TRAIT.static
    build.define({ kind: 'field', name: build.textOf(node), at: node, node: whole, value, traits })
  } else bindName(build, node, binding)
}

/** `object.name = v` and `list[0] = v` write to something that is there. */
function bindPlace(build: Builder, node: number): void {
  const expression = build.visit(node)
  build.alsoAs(expression, ROLE.write)
}

function tuple(build: Builder, node: number, binding: Binding): void {
  const value = build.expressions[binding.value]
  const children = build.children(node)
  const isMatched = value?.op === 'collection' && value.list.length === children.length
  for (const [index, child] of children.entries()) {
    const own = isMatched ? (value.list[index] ?? 0) : itemOf(build, binding.value)
    build.bind(child, { ...binding, value: own })
  }
}

const rest = through({ pattern: 'name', traits: REST })

const patterns: Patterns = {
  identifier: bindLocal,
  constant: bindConstant,
  instance_variable: bindField,
  class_variable: bindField,
  global_variable: (build, node, binding) => {
    if (build.findIn(0, build.textOf(node)) < 0) bindName(build, node, { ...binding, scope: 0 })
    else build.refer('name', node, { role: ROLE.write })
  },
  call: bindPlace,
  element_reference: bindPlace,
  scope_resolution: bindPlace,
  left_assignment_list: tuple,
  destructured_left_assignment: tuple,
  destructured_parameter: tuple,
  rest_assignment: through({ pattern: firstChild }),
  optional_parameter: through({ pattern: 'name', value: 'value' }),
  keyword_parameter: through({ pattern: 'name', value: 'value' }),
  splat_parameter: rest,
  hash_splat_parameter: rest,
  block_parameter: through({ pattern: 'name' }),
}

function assignment(build: Builder, node: number): number {
  const left = build.field(node, 'left')
  const right = build.field(node, 'right')
  if (build.kindName(left) === 'constant' && structOf(build, { at: left, call: right, node }))
    return 0
  const value = build.visitExpecting(right, 0)
  const scope = build.scope
  build.bind(left, { kind: 'variable', value, type: 0, scope, traits: 0, node })
  return value
}

interface RubyState {
  /** The scope whose `class << self` is visited. */
  singleton: number | undefined
  /** By definition: what is written before its name, `A::B` of `class A::B::C`. */
  readonly qualifiers: Map<number, string>
}

const rubyState = defineState<RubyState>(() => ({ singleton: undefined, qualifiers: new Map() }))

function method(build: Builder, node: number): number {
  const isOwn = build.kindName(node) === 'singleton_method'
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const isStatic = isOwn || build.state(rubyState).singleton === build.scope
  if (isOwn) build.visit(build.field(node, 'object'))
  const at = build.field(node, 'name')
  const isSetter = build.kindName(at) === 'setter'
  const isMaker = isMember && build.textOf(at) === 'initialize'
  return functionLike(build, node, {
    kind: isMaker ? 'constructor' : isMember ? 'method' : 'function',
    name: () => at,
    traits: () => (isSetter ? 0 : TRAIT.getter) | (isStatic ? TRAIT.static : 0),
  })
}

/** `self` in a method of the class itself is the class. */
function receiver(build: Builder, node: number): number {
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const it = build.scopes[scope]
    if (it?.kind === 'class') return build.express('define', { of: it.owner })
    if (it?.kind !== 'function') continue
    const { traits } = build.draft(it.owner)
    if ((traits & TRAIT.arrow) !== 0) continue
    if ((traits & TRAIT.static) !== 0) return build.express('define', { of: classOwner(build) })
    break
  }
  return build.refer('self', node)
}

/** `super` calls the method of the same name in a base. */
function superCall(build: Builder, node: number): number {
  const around = build.draft(build.scopes[build.functionScope()]?.owner ?? 0)
  const of = build.express('super', {})
  return build.refer('member', node, { of, name: around.name, role: ROLE.call })
}

function call(build: Builder, node: number): number {
  const on = build.field(node, 'receiver')
  const at = build.field(node, 'method')
  if (on < 0) {
    const said = bodyCall(build, node)
    if (said !== undefined) return said
  }
  if (build.textOf(at) === 'new') return make(build, node)
  const callee = calleeOf(build, on, at)
  build.alsoAs(callee, ROLE.call)
  withArguments(build, node, { of: callee, op: 'call' })
  return callee
}

function calleeOf(build: Builder, on: number, at: number): number {
  if (build.kindName(at) === 'super') return superCall(build, at)
  if (on < 0) return build.refer('name', at)
  const of = build.visitExpecting(on, 0)
  // `f.(x)` calls what f is.
  return at < 0 ? of : build.refer('member', at, { of })
}

function make(build: Builder, node: number): number {
  const on = build.field(node, 'receiver')
  const of = on < 0 ? ownClass(build, build.field(node, 'method')) : build.visit(on)
  build.alsoAs(of, ROLE.call | ROLE.make)
  return withArguments(build, node, { of, op: 'make' })
}

/** `new` in a method of the class itself makes one of it. */
function ownClass(build: Builder, at: number): number {
  const { name } = build.draft(classOwner(build))
  return build.refer('name', at, { name, role: ROLE.call | ROLE.make })
}

/** A block is what the callee is given after its other arguments. */
function withArguments(
  build: Builder,
  node: number,
  it: { readonly of: number; readonly op: 'call' | 'make' },
): number {
  const { of, op } = it
  const list = argumentsOf(build, build.field(node, 'arguments'), { of, byName })
  const start = build.syntax.starts[node] ?? 0
  const end = build.syntax.ends[node] ?? 0
  const given = build.field(node, 'block')
  const expected = build.express('parameter', { of, list: [list.length] })
  const passed = given < 0 ? [] : [build.visitExpecting(given, expected)]
  return build.express(op, { of, list: [...list, ...passed], start, end })
}

function byName(build: Builder, node: number): NamedArgument | undefined {
  if (build.kindName(node) !== 'pair') return undefined
  const value = build.field(node, 'value')
  return value < 0 ? undefined : { name: build.textOf(build.field(node, 'key')), value }
}

function block(build: Builder, node: number): number {
  return functionLike(build, node, { name: () => -1, traits: () => TRAIT.arrow })
}

function rescue(build: Builder, node: number): number {
  const types = build.children(build.field(node, 'exceptions')).map((it) => build.visit(it))
  const value = build.express('instance', { of: build.either(types) })
  const target = firstChild(build, build.field(node, 'variable'))
  const scope = build.scope
  if (target >= 0)
    build.bind(target, { kind: 'variable', value, type: 0, scope, traits: 0, node: target })
  return build.visit(build.field(node, 'body'))
}

function loop(build: Builder, node: number): number {
  const of = build.visitExpecting(firstChild(build, build.field(node, 'value')), 0)
  const scope = build.scope
  const pattern = build.field(node, 'pattern')
  const value = itemOf(build, of)
  build.bind(pattern, { kind: 'variable', value, type: 0, scope, traits: 0, node: pattern })
  build.visit(build.field(node, 'body'))
  return 0
}

/** A module is a namespace, or a set of methods to include, or both. */
function container(build: Builder, node: number): number {
  const isClass = build.kindName(node) === 'class'
  const whole = build.field(node, 'name')
  const isScoped = build.kindName(whole) === 'scope_resolution'
  if (isScoped) build.visit(build.field(whole, 'scope'))
  const body = build.field(node, 'body')
  const isMixin = build.has(body, 'method')
  const expression = classLike(build, node, {
    kind: isClass ? 'class' : isMixin ? 'interface' : 'namespace',
    name: () => (isScoped ? build.field(whole, 'name') : whole),
    bases: (inside, own) => inside.children(inside.field(own, 'superclass')),
  })
  const definition = build.expressions[expression]?.of ?? 0
  if (isScoped)
    build.state(rubyState).qualifiers.set(definition, build.textOf(build.field(whole, 'scope')))
  return expression
}

function singletonClass(build: Builder, node: number): number {
  const state = build.state(rubyState)
  const { singleton } = state
  state.singleton = build.scope
  build.visitChildren(build.field(node, 'body'))
  state.singleton = singleton
  return 0
}

function scopeResolution(build: Builder, node: number): number {
  const scope = build.field(node, 'scope')
  const at = build.field(node, 'name')
  if (scope < 0) return build.refer('name', at, { scope: 0 })
  return build.refer('member', at, { of: build.visitExpecting(scope, 0) })
}

const BODIES = [
  'body_statement',
  'block_body',
  'then',
  'else',
  'begin',
  'ensure',
  'parenthesized_statements',
]

const rules: Rules = {
  ...Object.fromEntries(BODIES.map((it) => [it, last])),
  identifier: (build, node) =>
    build.textOf(node) === 'new' && findLocal(build, 'new') < 0
      ? build.express('make', { of: ownClass(build, node) })
      : build.refer('name', node),
  constant: (build, node) => build.refer('name', node),
  instance_variable: (build, node) => fieldReference(build, node),
  class_variable: (build, node) => fieldReference(build, node),
  global_variable: (build, node) => build.refer('name', node, { scope: 0 }),
  scope_resolution: scopeResolution,
  self: receiver,
  super: superCall,
  call,
  block,
  do_block: block,
  lambda: (build, node) =>
    functionLike(build, node, {
      name: () => -1,
      traits: () => TRAIT.arrow,
      body: (inside, own) => inside.field(inside.field(own, 'body'), 'body'),
    }),
  assignment,
  operator_assignment: assignment,
  method,
  singleton_method: method,
  class: container,
  module: container,
  singleton_class: singletonClass,
  return: returning(lastChild, false),
  argument_list: (build, node) => {
    const list = build.children(node).map((it) => build.visitExpecting(it, 0))
    return list.length === 1 ? (list[0] ?? 0) : build.express('collection', { list })
  },
  if: branch,
  unless: branch,
  elsif: branch,
  case: branch,
  when: (build, node) => {
    for (const it of build.fieldsOf(node, 'pattern')) build.visit(it)
    return build.visit(build.field(node, 'body'))
  },
  conditional: branch,
  binary: (build, node) => {
    const left = build.visitExpecting(build.field(node, 'left'), 0)
    const right = build.visitExpecting(build.field(node, 'right'), 0)
    const operator = build.textOf(build.field(node, 'operator'))
    return /^(\|\||or)$/.test(operator) ? build.either([left, right]) : 0
  },
  for: loop,
  rescue,
  element_reference: (build, node) => {
    const [object, ...indices] = build.children(node)
    const of = build.visitExpecting(object ?? -1, 0)
    for (const it of indices) build.visitExpecting(it, 0)
    return itemOf(build, of)
  },
  array: collection(),
  right_assignment_list: collection(),
  hash: (build, node) =>
    build.express('collection', {
      list: build.children(node).map((it) => build.visitExpecting(it, 0)),
    }),
  pair: (build, node) => {
    if (build.kindName(build.field(node, 'key')) !== 'hash_key_symbol')
      build.visit(build.field(node, 'key'))
    return build.visitExpecting(build.field(node, 'value'), 0)
  },
  string: text(),
  superclass: same(),
  alias: (build, node) => {
    const at = build.field(node, 'name')
    const value = build.refer('name', build.field(node, 'alias'))
    build.define({ kind: 'method', name: build.textOf(at), at, node, value })
    return 0
  },
  hash_key_symbol: nothing(),
  simple_symbol: nothing(),
  comment: comment(),
}

export const ruby: Language = {
  id: 'ruby',
  grammar: 'ruby',
  extensions: ['.rb', '.rake', '.gemspec', '.ru'],
  fileNames: ['Rakefile', 'Gemfile', 'Guardfile', 'Capfile', 'Podfile', 'Vagrantfile'],
  interpreters: ['ruby'],
  rules,
  patterns,
  finish: provideNames,
}

/**
 * Constants and modules are known everywhere by their full path, and so are their members: a module
 * may be opened in a thousand files, and whoever asks for one of its members must not read them all.
 */
function provideNames(build: Builder): void {
  const opened = new Map<number, string>()
  for (const [definition, draft] of build.definitions.entries()) {
    if (!isConstant(draft)) continue
    const name = fullName(build, definition)
    build.provides.push({ name: `ruby:${name}`, definition })
    if (draft.bases.length > 0) build.provides.push({ name: `ruby-based:${name}`, definition })
    if (draft.inner >= 0) opened.set(draft.inner, name)
  }
  for (const [definition, draft] of build.definitions.entries()) {
    const holder = isConstant(draft) ? undefined : opened.get(draft.scope)
    if (holder !== undefined)
      build.provides.push({ name: `ruby-member:${holder}.${draft.name}`, definition })
  }
}

function isConstant({ name, kind, traits }: DefinitionDraft): boolean {
  const isNamed = /^\p{Lu}/u.test(name) && kind !== 'parameter' && kind !== 'import'
  return isNamed && (traits & TRAIT.local) === 0
}

function fullName(build: Builder, definition: number): string {
  const parts: string[] = []
  for (let at = definition; at > 0; at = build.draft(at).owner) {
    const qualifier = build.state(rubyState).qualifiers.get(at)
    const own = build.draft(at).name
    parts.unshift(qualifier === undefined ? own : `${qualifier}::${own}`)
  }
  return parts.join('::')
}
