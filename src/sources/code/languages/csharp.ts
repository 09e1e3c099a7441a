/** C#: statements and expressions, and the table; declarations have a file of their own. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Patterns, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import {
  bindName,
  block,
  bound,
  collection,
  comment,
  either,
  functionLike,
  itemOf,
  lastChild,
  name,
  nothing,
  same,
  text,
  through,
} from '../rules.ts'
import {
  callable,
  delegateDeclaration,
  enumMember,
  fileNamespace,
  finish,
  genericName,
  namespace,
  property,
  tuple,
  typeDeclaration,
  typeOf,
  typeParameter,
  usingDirective,
  variables,
} from './csharp-declarations.ts'
import { plain } from './in-order.ts'
import { memberScope } from './jvm.ts'

/** `this` and `base` have no kind of their own in the grammar. */
function value(build: Builder, node: number, expected = 0): number {
  const kind = build.kindName(node)
  if (kind === 'this') return build.refer('self', node, { scope: memberScope(build) })
  if (kind === 'base') return build.refer('super', node, { scope: memberScope(build) })
  return build.visitExpecting(node, expected)
}

/** The last part of a node, be it a word of the language or an expression. */
function lastValue(build: Builder, node: number): number {
  return Math.max(lastChild(build, node), build.child(node, 'this'), build.child(node, 'base'))
}

// Statements.

function foreach(build: Builder, node: number): number {
  build.block(() => {
    const type = typeOf(build, build.field(node, 'type'))
    const of = value(build, build.field(node, 'right'))
    const at = build.field(node, 'left')
    const binding = plain(build, at, { type, value: itemOf(build, of) })
    if (build.kindName(at) === 'identifier') bindName(build, at, binding)
    else tuple(build, at, binding)
    build.visit(build.field(node, 'body'))
  })
  return 0
}

/** `Item x` in a pattern, in `catch`, and in `out Item x`. */
function typedName(build: Builder, node: number): number {
  const type = typeOf(build, build.field(node, 'type'))
  const at = build.field(node, 'name')
  if (build.kindName(at) === 'identifier') bindName(build, at, plain(build, node, { type }))
  return 0
}

function recursivePattern(build: Builder, node: number): number {
  const type = typeOf(build, build.field(node, 'type'))
  const of = type > 0 ? build.express('typed', { of: type }) : 0
  const parts = build.children(node).filter((it) => build.kindName(it).endsWith('_pattern_clause'))
  for (const part of parts.flatMap((it) => build.children(it))) {
    const [first, pattern] = build.children(part)
    if (pattern !== undefined && build.kindName(first ?? -1) === 'identifier')
      build.refer('member', first ?? -1, { of })
    build.visit(pattern ?? first ?? -1)
  }
  const at = build.field(node, 'name')
  if (at >= 0) bindName(build, at, plain(build, node, { type }))
  return 0
}

function returned(build: Builder, node: number): number {
  const it = lastValue(build, node)
  if (it < 0) return 0
  const owner = Math.max(0, build.scopes[build.functionScope()]?.owner ?? 0)
  const { type } = build.draft(owner)
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const expression = value(build, it, expected)
  if (expression > 0) build.returns.push(expression)
  return 0
}

/** `from x in list where … select …`. */
function query(build: Builder, node: number): number {
  let selected = 0
  build.block(() => {
    for (const clause of build.children(node)) {
      const at = build.field(clause, 'name')
      if (at < 0) {
        const own = build.children(clause).map((it) => build.visitExpecting(it, 0))
        if (build.kindName(clause) === 'select_clause') selected = own.at(-1) ?? 0
        continue
      }
      const type = typeOf(build, build.field(clause, 'type'))
      const rest = build.children(clause).filter((it) => it > at)
      const [of] = rest.map((it) => build.visitExpecting(it, 0))
      const own = build.kindName(clause) === 'let_clause' ? (of ?? 0) : itemOf(build, of ?? 0)
      bindName(build, at, plain(build, clause, { type, value: own }))
    }
  })
  return selected > 0 ? build.express('collection', { list: [selected] }) : 0
}

// Expressions.

function args(build: Builder, list: number, of: number): readonly number[] {
  return build
    .children(list)
    .filter((it) => build.kindName(it) === 'argument')
    .map((it, index) =>
      value(
        build,
        lastValue(build, it),
        of === 0 ? 0 : build.express('parameter', { of, list: [index] }),
      ),
    )
}

function call(build: Builder, node: number): number {
  const callee = build.field(node, 'function')
  const of =
    build.kindName(callee) === 'generic_name' ? genericName(build, callee, 0) : value(build, callee)
  const own = build.expressions[of]
  build.alsoAs(own?.op === 'generic' ? own.of : of, ROLE.call)
  const list = args(build, build.field(node, 'arguments'), of)
  const { starts, ends } = build.syntax
  return build.express('call', { of, list, start: starts[node] ?? 0, end: ends[node] ?? 0 })
}

function memberAccess(build: Builder, node: number): number {
  const of = value(build, build.field(node, 'expression'))
  return memberAt(build, build.field(node, 'name'), of)
}

function memberAt(build: Builder, at: number, of: number): number {
  if (build.kindName(at) !== 'generic_name') return build.refer('member', at, { of })
  const found = build.refer('member', build.child(at, 'identifier'), { of })
  const list = build.children(build.child(at, 'type_argument_list')).map((it) => typeOf(build, it))
  return build.express('generic', { of: found, list })
}

/** What stands before the innermost `?.` around. */
const conditionalAccesses = defineState(() => ({ object: 0 }))

/** `x?.Name`: what follows the question mark is bound to what stands before it. */
function conditionalAccess(build: Builder, node: number): number {
  const condition = build.field(node, 'condition')
  const of = value(build, condition)
  const state = build.state(conditionalAccesses)
  const { object } = state
  state.object = of
  const expression = build.visitExpecting(lastChild(build, node), 0)
  state.object = object
  return expression
}

function creation(build: Builder, node: number): number {
  const typeNode = build.field(node, 'type')
  const type = typeOf(build, typeNode)
  const own = build.expressions[type]
  build.alsoAs(own?.op === 'generic' ? own.of : type, ROLE.call | ROLE.make)
  const made = typeNode < 0 ? build.expected : build.express('typed', { of: type })
  const list = build.child(node, 'argument_list')
  args(build, list, type)
  initializer(build, build.child(node, 'initializer_expression'), made)
  return made
}

/** `new Item { Name = "a" }`: what is assigned are members of what is made. */
function initializer(build: Builder, node: number, of: number): void {
  for (const it of build.children(node)) {
    const left = build.field(it, 'left')
    if (build.kindName(it) !== 'assignment_expression' || build.kindName(left) !== 'identifier') {
      build.visitExpecting(it, 0)
      continue
    }
    const target = build.refer('member', left, { of, role: ROLE.write })
    const right = build.field(it, 'right')
    if (build.kindName(right) === 'initializer_expression') initializer(build, right, target)
    else value(build, right, target)
  }
}

/** `new { A = 1, x.Name }`: an object with fields and no class. */
function anonymousObject(build: Builder, node: number): number {
  const definition = build.define({ kind: 'object', name: '', at: -1, node })
  const draft = build.draft(definition)
  draft.inner = build.open('class', definition)
  const parts = build.allChildren(node)
  for (const [index, it] of parts.entries()) {
    if (!build.isNamed(it) || build.kindName(parts[index - 1] ?? -1) === '=') continue
    const isNamed = build.kindName(parts[index + 1] ?? -1) === '='
    const held = value(build, isNamed ? (parts[index + 2] ?? -1) : it)
    const member = build.field(it, 'name')
    const at = isNamed || member < 0 ? it : member
    if (build.kindName(at) !== 'identifier') continue
    const options = { kind: 'field' as const, name: build.textOf(at), at, node: it, value: held }
    build.define({ ...options, scope: draft.inner, owner: definition })
  }
  return build.express('define', { of: definition })
}

function assignment(build: Builder, node: number): number {
  const target = value(build, build.field(node, 'left'))
  build.alsoAs(target, ROLE.write)
  return value(build, build.field(node, 'right'), target)
}

/** `[Route]` names the class `RouteAttribute`. */
function attribute(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const said = build.textOf(at)
  const full = said.endsWith('Attribute') ? said : `${said}Attribute`
  const of =
    build.kindName(at) === 'identifier'
      ? build.refer('name', at, { name: full, role: ROLE.type })
      : typeOf(build, at)
  for (const it of build.children(build.child(node, 'attribute_argument_list'))) {
    const key = build.field(it, 'name')
    if (key >= 0) build.refer('member', key, { of: build.express('typed', { of }) })
    value(build, lastValue(build, it))
  }
  return 0
}

function lambda(build: Builder, node: number): number {
  return functionLike(build, node, {
    name: () => -1,
    traits: () => TRAIT.arrow,
    body: (it, at) => Math.max(it.field(at, 'body'), it.child(at, 'block')),
  })
}

const rules: Rules = {
  using_directive: usingDirective,
  namespace_declaration: namespace,
  file_scoped_namespace_declaration: fileNamespace,
  class_declaration: typeDeclaration('class'),
  struct_declaration: typeDeclaration('class'),
  record_declaration: typeDeclaration('class'),
  record_struct_declaration: typeDeclaration('class'),
  interface_declaration: typeDeclaration('interface'),
  enum_declaration: typeDeclaration('enum'),
  enum_member_declaration: enumMember,
  delegate_declaration: delegateDeclaration,
  type_parameter: typeParameter,
  method_declaration: (build, node) =>
    callable(build, node, { kind: 'method', returns: 'returns' }),
  local_function_statement: (build, node) =>
    callable(build, node, { kind: 'function', returns: 'type' }),
  constructor_declaration: (build, node) =>
    callable(build, node, { kind: 'constructor', returns: 'type' }),
  destructor_declaration: (build, node) =>
    callable(build, node, { kind: 'constructor', returns: 'type' }),
  operator_declaration: (build, node) =>
    callable(build, node, { kind: 'method', returns: 'type', name: 'operator' }),
  property_declaration: property,
  indexer_declaration: property,
  event_declaration: property,
  accessor_declaration: (build, node) => {
    if (build.field(node, 'body') >= 0)
      functionLike(build, node, { name: () => -1, parameters: () => -1 })
    return 0
  },
  variable_declaration: variables,
  parameter: (build, node) => {
    const type = typeOf(build, build.field(node, 'type'))
    const at = build.field(node, 'name')
    bindName(build, at, plain(build, node, { kind: 'parameter', type }))
    return 0
  },
  block: block(),
  for_statement: block(),
  while_statement: block(),
  using_statement: block(),
  fixed_statement: block(),
  catch_clause: block(),
  switch_section: block(),
  switch_expression_arm: (build, node) => {
    let own = 0
    build.block(() => {
      for (const it of build.children(node)) own = build.visitExpecting(it, 0)
    })
    return own
  },
  switch_expression: (build, node) => {
    const [of, ...arms] = build.children(node)
    value(build, of ?? -1)
    return build.either(arms.map((it) => build.visit(it)))
  },
  foreach_statement: foreach,
  catch_declaration: typedName,
  declaration_pattern: typedName,
  declaration_expression: typedName,
  recursive_pattern: recursivePattern,
  type_pattern: (build, node) => typeOf(build, build.field(node, 'type')),
  return_statement: returned,
  yield_statement: returned,
  arrow_expression_clause: (build, node) => value(build, lastValue(build, node), build.expected),
  query_expression: query,
  goto_statement: nothing(),
  invocation_expression: call,
  argument: (build, node) => value(build, lastValue(build, node)),
  member_access_expression: memberAccess,
  conditional_access_expression: conditionalAccess,
  member_binding_expression: (build, node) =>
    memberAt(build, build.field(node, 'name'), build.state(conditionalAccesses).object),
  element_binding_expression: (build, node) => {
    build.visitChildren(node)
    return itemOf(build, build.state(conditionalAccesses).object)
  },
  element_access_expression: (build, node) => {
    const of = value(build, build.field(node, 'expression'))
    build.visit(build.field(node, 'subscript'))
    return build.express('item', { of })
  },
  object_creation_expression: creation,
  implicit_object_creation_expression: creation,
  anonymous_object_creation_expression: anonymousObject,
  array_creation_expression: (build, node) => {
    const of = typeOf(build, build.field(node, 'type'))
    build.visit(build.child(node, 'initializer_expression'))
    return build.express('typed', { of })
  },
  implicit_array_creation_expression: same(lastChild),
  initializer_expression: collection(),
  collection_expression: collection(),
  tuple_expression: collection(),
  assignment_expression: assignment,
  conditional_expression: either('consequence', 'alternative'),
  binary_expression: (build, node) => {
    const left = value(build, build.field(node, 'left'))
    const right = value(build, build.field(node, 'right'))
    return build.textOf(build.field(node, 'operator')) === '??' ? build.either([left, right]) : 0
  },
  cast_expression: (build, node) => {
    const of = typeOf(build, build.field(node, 'type'))
    value(build, build.field(node, 'value'))
    return build.express('typed', { of })
  },
  as_expression: (build, node) => {
    value(build, build.field(node, 'left'))
    return build.express('typed', { of: typeOf(build, build.field(node, 'right')) })
  },
  is_expression: (build, node) => {
    value(build, build.field(node, 'left'))
    typeOf(build, build.field(node, 'right'))
    return 0
  },
  typeof_expression: (build, node) => {
    typeOf(build, build.field(node, 'type'))
    return 0
  },
  default_expression: (build, node) =>
    build.express('typed', { of: typeOf(build, build.field(node, 'type')) }),
  await_expression: same(),
  parenthesized_expression: same(),
  postfix_unary_expression: same(),
  lambda_expression: lambda,
  anonymous_method_expression: lambda,
  generic_name: (build, node) => genericName(build, node, ROLE.type),
  qualified_name: typeOf,
  nullable_type: typeOf,
  array_type: typeOf,
  tuple_type: typeOf,
  identifier: name(),
  attribute,
  string_literal: text(),
  comment: comment(),
}

const typed = through({ pattern: 'name' })

const patterns: Patterns = {
  identifier: bound(),
  implicit_parameter: bound(),
  parameter: (build, node, binding) => {
    const type = typeOf(build, build.field(node, 'type'))
    typed(build, node, { ...binding, type })
  },
}

export const csharp: Language = {
  id: 'csharp',
  grammar: 'c_sharp',
  extensions: ['.cs', '.csx'],
  rules,
  patterns,
  finish,
}
