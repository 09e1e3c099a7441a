/** Go: statements and expressions, and the table; its declarations have a file of their own. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import { application } from '../call-rules.ts'
import type { Language } from '../language.ts'
import {
  block,
  collection,
  comment,
  firstChild,
  functionLike,
  generic,
  lastChild,
  member,
  same,
  text,
} from '../rules.ts'
import {
  finish,
  functionOf,
  importSpec,
  literalType,
  methodDeclaration,
  methodElement,
  named,
  packageClause,
  parameters,
  results,
  typeSpec,
  visibility,
} from './go-declarations.ts'
import { nameInOrder, referInOrder } from './in-order.ts'

// Variables.

/** `a, b = f()`: by place where both sides are written out or several results are given. */
function valueAt(build: Builder, values: readonly number[], place: Place): number {
  if (values.length === place.of) return values[place.index] ?? 0
  const only = values[0] ?? 0
  if (values.length !== 1 || only === 0) return 0
  const { op } = build.expressions[only] ?? { op: 'unknown' }
  // Of `v, ok := m[k]` and the like, the value is first.
  if (op !== 'call') return place.index === 0 ? only : 0
  return build.express('item', { of: only, name: String(place.index) })
}

interface Place {
  readonly index: number
  readonly of: number
}

function valuesOf(build: Builder, list: number, expected: number): readonly number[] {
  if (list < 0) return []
  const nodes = build.kindName(list) === 'expression_list' ? build.children(list) : [list]
  return nodes.map((it) => build.visitExpecting(it, expected))
}

/** In a group of constants, one without a type and value repeats the one before it. */
function declarations(build: Builder, node: number): number {
  let type = 0
  for (const it of build.children(node)) {
    const kind = build.kindName(it)
    if (kind === 'const_spec') type = spec(build, it, type)
    else if (kind === 'var_spec') spec(build, it, 0)
    else if (kind === 'var_spec_list') declarations(build, it)
    else build.visit(it)
  }
  return 0
}

function spec(build: Builder, node: number, before: number): number {
  const own = build.visit(build.field(node, 'type'))
  const value = build.field(node, 'value')
  const type = own === 0 && value < 0 ? before : own
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const values = valuesOf(build, value, expected)
  const names = named(build, node, 'name')
  for (const [index, at] of names.entries()) {
    const name = build.textOf(at)
    if (name === '_') continue
    const held = valueAt(build, values, { index, of: names.length })
    const traits = build.scope === 0 ? visibility(name) : 0
    build.define({ kind: 'variable', name, at, node, type, value: held, traits })
  }
  return type
}

/** `:=` declares what its block does not know yet, and assigns the rest. */
function shortDeclaration(build: Builder, node: number): number {
  const values = valuesOf(build, build.field(node, 'right'), 0)
  const names = build.children(build.field(node, 'left'))
  for (const [index, at] of names.entries()) {
    const value = valueAt(build, values, { index, of: names.length })
    declareOrAssign(build, { at, node, value })
  }
  return 0
}

interface Target {
  readonly at: number
  readonly node: number
  readonly value: number
}

function declareOrAssign(build: Builder, target: Target): void {
  const name = build.textOf(target.at)
  if (name === '_') return
  if (build.findIn(build.scope, name) >= 0) assignTo(build, target)
  else
    build.define({
      kind: 'variable',
      name,
      at: target.at,
      node: target.node,
      value: target.value,
    })
}

function assignTo(build: Builder, target: Target): void {
  const expression = build.visitExpecting(target.at, 0)
  build.alsoAs(expression, ROLE.write)
  const it = build.expressions[expression]
  if (it?.op !== 'name') return
  const known = build.findIn(it.scope, it.name)
  if (known >= 0 && build.draft(known).type === 0) build.addValue(known, target.value)
}

function assignment(build: Builder, node: number): number {
  const values = valuesOf(build, build.field(node, 'right'), 0)
  const targets = build.children(build.field(node, 'left'))
  for (const [index, at] of targets.entries()) {
    const value = valueAt(build, values, { index, of: targets.length })
    if (build.textOf(at) !== '_') assignTo(build, { at, node, value })
  }
  return 0
}

/** `for k, v := range map`: what is held comes second, except from a channel. */
function rangeClause(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'right'), 0)
  const isDeclared = build.allChildren(node).some((it) => build.textOf(it) === ':=')
  for (const [index, at] of build.children(build.field(node, 'left')).entries()) {
    if (build.textOf(at) === '_') continue
    const value = of > 0 ? build.express(index === 0 ? 'key' : 'item', { of }) : 0
    const target = { at, node, value }
    if (isDeclared) declareOrAssign(build, target)
    else assignTo(build, target)
  }
  return 0
}

function receiveStatement(build: Builder, node: number): number {
  const value = build.visitExpecting(build.field(node, 'right'), 0)
  const isDeclared = build.allChildren(node).some((it) => build.textOf(it) === ':=')
  for (const [index, at] of build.children(build.field(node, 'left')).entries()) {
    const target = { at, node, value: index === 0 ? value : 0 }
    if (isDeclared) declareOrAssign(build, target)
    else if (build.textOf(at) !== '_') assignTo(build, target)
  }
  return 0
}

/** `switch y := x.(type)`: in each case, `y` is of that case's type. */
function typeSwitch(build: Builder, node: number): number {
  build.block(() => {
    build.visit(build.field(node, 'initializer'))
    const value = build.visitExpecting(build.field(node, 'value'), 0)
    const at = firstChild(build, build.field(node, 'alias'))
    const name = build.textOf(at)
    const options = { kind: 'variable' as const, name, at, node, value }
    if (at >= 0) build.define(options)
    for (const it of build.children(node)) {
      const kind = build.kindName(it)
      if (kind !== 'type_case' && kind !== 'default_case') continue
      build.block(() => {
        const nodes = named(build, it, 'type')
        const types = nodes.map((type) => build.visit(type))
        if (at >= 0 && types.length === 1)
          build.define({ ...options, value: 0, type: types[0] ?? 0, traits: TRAIT.again })
        for (const child of build.children(it)) if (!nodes.includes(child)) build.visit(child)
      })
    }
  })
  return 0
}

// Expressions.

function call(build: Builder, node: number): number {
  const callee = build.field(node, 'function')
  const args = build.field(node, 'arguments')
  const name = build.kindName(callee) === 'identifier' ? build.textOf(callee) : ''
  const isBuiltin = build.find(name) < 0
  if (isBuiltin && (name === 'new' || name === 'make')) {
    const [type, ...rest] = build.children(args)
    const of = build.visit(type ?? -1)
    for (const it of rest) build.visit(it)
    return of === 0 ? 0 : build.express('typed', { of: asType(build, of) })
  }
  if (isBuiltin && name === 'append') {
    const [list, ...rest] = build.children(args).map((it) => build.visitExpecting(it, 0))
    const own = rest.length === 0 ? 0 : build.express('collection', { list: rest })
    return build.either([list ?? 0, own])
  }
  const expression = application(build, node, { op: 'call', callee: 'function', args: 'arguments' })
  for (const it of build.children(build.field(node, 'type_arguments'))) build.visit(it)
  return expression
}

/** `new(T)` can come out of the grammar with `T` as a value. */
function asType(build: Builder, expression: number): number {
  build.alsoAs(expression, ROLE.type)
  return expression
}

/** The grammar takes `Make[int](3)` for a conversion; mostly it is the call of a function. */
function conversion(build: Builder, node: number): number {
  const type = build.field(node, 'type')
  const operand = build.field(node, 'operand')
  if (build.kindName(type) !== 'generic_type') {
    const of = build.visit(type)
    build.visitExpecting(operand, 0)
    return build.express('typed', { of })
  }
  const of = build.visit(type)
  build.alsoAs(build.expressions[of]?.of ?? 0, ROLE.call)
  return build.express('call', { of, list: [build.visitExpecting(operand, 0)] })
}

/** `f[int]` is `f` made for a type, `list[0]` is what the list holds. */
function indexed(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'operand'), 0)
  const index = build.visitExpecting(build.field(node, 'index'), 0)
  const held = build.express('item', { of })
  const isCalled = build.kindName(build.parent(node)) === 'call_expression'
  if (!isCalled || build.field(build.parent(node), 'function') !== node) return held
  build.alsoAs(of, ROLE.call)
  return build.either([build.express('generic', { of, list: [index] }), held])
}

function unary(build: Builder, node: number): number {
  const value = build.visitExpecting(build.field(node, 'operand'), 0)
  const operator = build.textOf(build.field(node, 'operator'))
  if (operator === '<-') return build.express('item', { of: value })
  return operator === '!' ? 0 : value
}

/** Both sides have the type of the whole, unless it is a truth; a literal takes that of the other. */
function binary(build: Builder, node: number): number {
  const left = build.visitExpecting(build.field(node, 'left'), 0)
  const right = build.visitExpecting(build.field(node, 'right'), 0)
  const operator = build.textOf(build.field(node, 'operator'))
  if (TRUTHS.has(operator)) return 0
  const isLiteral = left === 0 || build.expressions[left]?.op === 'text'
  return isLiteral && operator !== '<<' && operator !== '>>' ? right : left
}

const TRUTHS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', '&&', '||'])

function compositeLiteral(build: Builder, node: number): number {
  const type = build.visit(build.field(node, 'type'))
  literalBody(build, build.field(node, 'body'), type)
  return build.express('typed', { of: type })
}

/** The keys of a struct's literal are its fields; inner literals may leave out their type. */
function literalBody(build: Builder, body: number, type: number): void {
  const it = build.expressions[type]
  const isList = it?.op === 'collection'
  // What a type that goes by a name holds is known to it alone, and is seldom asked for.
  const held = lazily(() => (isList ? (it.list[0] ?? 0) : build.express('item', { of: type })))
  const keys = lazily(() => (isList ? it.of : build.express('key', { of: type })))
  for (const child of build.children(body)) {
    if (build.kindName(child) !== 'keyed_element') {
      element(build, child, held)
      continue
    }
    const key = build.field(child, 'key')
    const inner = firstChild(build, key)
    if (!isList && isName(build, inner)) {
      const of = build.express('typed', { of: type })
      build.refer('member', inner, { of, role: ROLE.write })
    } else element(build, key, keys)
    element(build, build.field(child, 'value'), held)
  }
}

function lazily(make: () => number): () => number {
  let made: number | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The grammar has a kind of its own for `iota`, which may be the name of something. */
function isName(build: Builder, node: number): boolean {
  const kind = build.kindName(node)
  return kind === 'identifier' || kind === 'iota'
}

function element(build: Builder, node: number, held: () => number): void {
  const inner = build.kindName(node) === 'literal_element' ? firstChild(build, node) : node
  if (build.kindName(inner) === 'literal_value') literalBody(build, inner, held())
  else build.visitExpecting(inner, 0)
}

/** The body of a function shares the scope of its parameters. */
function statements(build: Builder, node: number): number {
  const parent = build.kindName(build.parent(node))
  if (FUNCTIONS.test(parent)) build.visitChildren(node)
  else build.block(() => build.visitChildren(node))
  return 0
}

const declared = nameInOrder()

/**
 * Parameters can be seen in the body alone: in `func open(url string, of url.Values) (*file, file)`
 * none of the types is one of them. The grammar takes some values in a body for types.
 */
function inSignature(build: Builder, node: number, role: number): number {
  const known = build.find(build.textOf(node))
  const isHidden =
    known >= 0 && build.draft(known).kind === 'parameter' && isOfSignature(build, node)
  return isHidden ? build.refer('name', node, { role, scope: 0 }) : referInOrder(build, node, role)
}

function isOfSignature(build: Builder, node: number): boolean {
  for (let at = build.parent(node); at >= 0; at = build.parent(at)) {
    const kind = build.kindName(at)
    if (kind === 'parameter_list' || FUNCTIONS.test(kind)) return true
    if (kind === 'block') return false
  }
  return false
}

const FUNCTIONS = /^(function_declaration|method_declaration|func_literal)$/

const rules: Rules = {
  package_clause: packageClause,
  import_spec: importSpec,
  type_spec: typeSpec,
  type_alias: typeSpec,
  struct_type: literalType,
  interface_type: literalType,
  method_elem: methodElement,
  function_declaration: (build, node) => functionOf(build, node, 'function'),
  method_declaration: methodDeclaration,
  func_literal: (build, node) =>
    functionLike(build, node, {
      name: () => -1,
      parameters: () => -1,
      returns: 'result',
      traits: () => TRAIT.arrow,
      before: (it, at, definition) => parameters(it, it.field(at, 'parameters'), definition),
    }),
  function_type: (build, node) => functionOf(build, node, 'signature'),
  parameter_list: results,
  const_declaration: declarations,
  var_declaration: declarations,
  short_var_declaration: shortDeclaration,
  assignment_statement: assignment,
  range_clause: rangeClause,
  receive_statement: receiveStatement,
  type_switch_statement: typeSwitch,
  return_statement: (build, node) => {
    const list = firstChild(build, node)
    const values = list < 0 ? [] : valuesOf(build, list, 0)
    const value =
      values.length > 1 ? build.express('collection', { list: values }) : (values[0] ?? 0)
    if (value > 0) build.returns.push(value)
    return 0
  },
  block: statements,
  if_statement: block(),
  for_statement: block(),
  expression_switch_statement: block(),
  select_statement: block(),
  expression_case: block(),
  default_case: block(),
  communication_case: block(),
  identifier: (build, node) => (build.textOf(node) === '_' ? 0 : declared(build, node)),
  iota: (build, node) => (build.find('iota') < 0 ? 0 : declared(build, node)),
  type_identifier: (build, node) => inSignature(build, node, ROLE.type),
  package_identifier: declared,
  qualified_type: (build, node) => {
    const of = inSignature(build, build.field(node, 'package'), 0)
    return build.refer('member', build.field(node, 'name'), { of, role: ROLE.type })
  },
  selector_expression: member({ object: 'operand', name: 'field' }),
  call_expression: call,
  type_conversion_expression: conversion,
  type_instantiation_expression: same('type'),
  type_assertion_expression: (build, node) => {
    build.visitExpecting(build.field(node, 'operand'), 0)
    return build.express('typed', { of: build.visit(build.field(node, 'type')) })
  },
  index_expression: indexed,
  slice_expression: same('operand'),
  unary_expression: unary,
  binary_expression: binary,
  parenthesized_expression: same(),
  composite_literal: compositeLiteral,
  generic_type: generic({ of: 'type', args: 'type_arguments' }),
  type_elem: same(),
  negated_type: same(),
  type_constraint: same(),
  pointer_type: same(),
  parenthesized_type: same(),
  slice_type: collection(),
  array_type: (build, node) => {
    build.visit(build.field(node, 'length'))
    return build.express('collection', { list: [build.visit(build.field(node, 'element'))] })
  },
  implicit_length_array_type: collection(),
  channel_type: (build, node) => {
    const held = build.visit(build.field(node, 'value'))
    // A loop over a channel gives what comes out of it where one over a map gives a key.
    return build.express('collection', { of: held, list: [held] })
  },
  map_type: (build, node) => {
    const of = build.visit(build.field(node, 'key'))
    return build.express('collection', { of, list: [build.visit(build.field(node, 'value'))] })
  },
  variadic_argument: same(lastChild),
  interpreted_string_literal: text(),
  raw_string_literal: text(),
  comment: comment(),
}

export const go: Language = {
  id: 'go',
  grammar: 'go',
  extensions: ['.go'],
  rules,
  finish,
}
