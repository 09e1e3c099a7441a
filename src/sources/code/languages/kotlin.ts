/** Kotlin: statements and expressions, and the table; declarations have a file of their own. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment, firstChild, itemOf, lastChild, nothing, same, text } from '../rules.ts'
import { nameInOrder, narrow, plain, referInOrder } from './in-order.ts'
import { anonymousClass, definePackage, memberScope, providePackage } from './jvm.ts'
import {
  accessor,
  anonymousFunction,
  bases,
  classDeclaration,
  companion,
  declare,
  delegate,
  enumEntry,
  expectingLambda,
  functionDeclaration,
  functionType,
  importHeader,
  isType,
  lookingInto,
  property,
  secondaryConstructor,
  typeAlias,
  typeIn,
  withReceiver,
} from './kotlin-declarations.ts'
import { kotlinState } from './kotlin-state.ts'

// Statements.

/** Visits all; the last one is the value. */
function statements(build: Builder, node: number): number {
  const { expected } = build
  const children = build.children(node)
  let value = 0
  for (const it of children) value = build.visitExpecting(it, it === children.at(-1) ? expected : 0)
  return value
}

function branch(build: Builder, node: number): number {
  let value = 0
  build.block(() => {
    value = statements(build, node)
  })
  return value
}

/** `= expression` gives its value; a block gives what it returns. */
function functionBody(build: Builder, node: number): number {
  const inner = firstChild(build, node)
  if (build.kindName(inner) !== 'statements') return build.visitExpecting(inner, build.expected)
  build.visit(inner)
  return 0
}

function forStatement(build: Builder, node: number): number {
  build.block(() => {
    const [pattern, of, body] = build
      .children(node)
      .filter((it) => build.kindName(it) !== 'annotation')
    const value = itemOf(build, build.visitExpecting(of ?? -1, 0))
    declare(build, pattern ?? -1, plain(build, pattern ?? -1, { value }))
    build.visit(body ?? -1)
  })
  return 0
}

/** After `x is Route`, the branch knows what `x` is. */
function ifExpression(build: Builder, node: number): number {
  const [condition, ...branches] = build.children(node)
  build.visitExpecting(condition ?? -1, 0)
  const values = branches.map((it, index) => {
    let value = 0
    build.block(() => {
      if (index === 0) for (const test of tests(build, condition ?? -1)) narrowBy(build, test)
      value = build.visitExpecting(it, build.expected)
    })
    return value
  })
  return build.either(values)
}

function tests(build: Builder, condition: number): readonly number[] {
  const kind = build.kindName(condition)
  if (kind === 'check_expression') return [condition]
  if (kind !== 'conjunction_expression' && kind !== 'parenthesized_expression') return []
  return build.children(condition).flatMap((it) => tests(build, it))
}

function narrowBy(build: Builder, test: number): void {
  if (!build.has(test, 'is')) return
  const [subject, type] = build.children(test)
  narrow(build, build.textOf(subject ?? -1), typeSaid(build, type ?? -1))
}

/** The type once more, as implied: its name has been referred to where it stands. */
function typeSaid(build: Builder, node: number): number {
  const at = build.child(node, 'type_identifier')
  const name = build.textOf(at)
  return at < 0 || build.children(node).length > 1
    ? 0
    : build.express('name', { name, role: ROLE.type })
}

function whenExpression(build: Builder, node: number): number {
  const values: number[] = []
  build.block(() => {
    const subject = build.child(node, 'when_subject')
    const pattern = build.child(subject, 'variable_declaration')
    const of = lastChild(build, subject)
    const value = of === pattern ? 0 : build.visitExpecting(of, 0)
    if (pattern >= 0) declare(build, pattern, plain(build, subject, { value }))
    const name = build.textOf(pattern >= 0 ? build.child(pattern, 'simple_identifier') : of)
    for (const it of build.children(node)) {
      if (it !== subject) build.block(() => values.push(whenEntry(build, it, name)))
    }
  })
  return build.either(values)
}

function whenEntry(build: Builder, node: number, subject: string): number {
  const conditions = build.children(node).filter((it) => build.kindName(it) === 'when_condition')
  for (const it of conditions) build.visit(it)
  const test = build.child(conditions[0] ?? -1, 'type_test')
  if (conditions.length === 1 && build.has(test, 'is'))
    narrow(build, subject, typeSaid(build, typeIn(build, test)))
  return build.visitExpecting(build.child(node, 'control_structure_body'), build.expected)
}

function catchBlock(build: Builder, node: number): number {
  let value = 0
  build.block(() => {
    const at = build.child(node, 'simple_identifier')
    const type = build.visit(typeIn(build, node))
    build.define({ kind: 'variable', name: build.textOf(at), at, node, type })
    value = build.visit(build.child(node, 'statements'))
  })
  return value
}

function assignment(build: Builder, node: number): number {
  const [target, value] = build.children(node)
  const to = assignable(build, target ?? -1)
  build.alsoAs(to, ROLE.write)
  build.visitExpecting(value ?? -1, to)
  return 0
}

function assignable(build: Builder, node: number): number {
  const [object, suffix] = build.children(node)
  const of = build.visitExpecting(object ?? -1, 0)
  if (suffix === undefined) return of
  const at = build.child(suffix, 'simple_identifier')
  if (build.kindName(suffix) === 'navigation_suffix' && at >= 0)
    return build.refer('member', at, { of })
  build.visit(suffix)
  return build.express('item', { of })
}

function jump(build: Builder, node: number): number {
  const value = lastChild(build, node)
  if (value < 0 || build.kindName(value) === 'label') return 0
  const expression = build.visitExpecting(value, 0)
  if (expression > 0 && build.textOf(node).startsWith('return')) build.returns.push(expression)
  return 0
}

// Expressions.

/** Functions of the library that make a collection of what they are given. */
const MAKES_LIST = /^(mutable|array|linked|hash|sorted)?(list|set|array)(Of|OfNotNull)$/i
const MAKES_MAP = /^(mutable|linked|hash|sorted)?mapOf$/i

function call(build: Builder, node: number): number {
  const [callee, suffix] = build.children(node)
  const isWhole = build.kindName(callee ?? -1) !== 'call_expression' || hasArguments(build, suffix)
  const of = build.visitExpecting(callee ?? -1, 0)
  build.alsoAs(of, ROLE.call)
  const passed = scoped(build, node, of)
  if (passed !== undefined) return passed
  const types = build
    .children(build.child(suffix ?? -1, 'type_arguments'))
    .map((it) => build.visit(it))
  const inner = build.expressions[of]
  // `list.fold(0) { … }`: the grammar nests the call with the block around the other one.
  const target = !isWhole && inner?.op === 'call' ? inner.of : of
  const before = !isWhole && inner?.op === 'call' ? inner.list : []
  const list = [
    ...before,
    ...valueArguments(build, suffix ?? -1, { of: target, from: before.length }),
  ]
  const name = inner?.op === 'name' ? inner.name : ''
  if (types.length > 0 && (MAKES_LIST.test(name) || MAKES_MAP.test(name)))
    return build.express('typed', {
      of: build.express('collection', { list: [types.at(-1) ?? 0], role: ROLE.type }),
    })
  if (MAKES_LIST.test(name)) return build.express('collection', { list })
  const { starts, ends } = build.syntax
  const generic = types.length > 0 ? build.express('generic', { of: target, list: types }) : target
  return build.express('call', {
    of: types.length > 0 ? generic : target,
    list,
    start: starts[node] ?? 0,
    end: ends[node] ?? 0,
  })
}

function hasArguments(build: Builder, suffix: number | undefined): boolean {
  return suffix !== undefined && build.has(suffix, 'value_arguments')
}

function valueArguments(
  build: Builder,
  suffix: number,
  callee: { readonly of: number; readonly from: number },
): readonly number[] {
  const nodes = [
    ...build.children(build.child(suffix, 'value_arguments')),
    ...build.children(suffix).filter((it) => build.kindName(it) === 'annotated_lambda'),
  ]
  return nodes.map((it, index) => {
    const expected =
      callee.of === 0
        ? 0
        : build.express('parameter', { of: callee.of, list: [index + callee.from] })
    return build.visitExpecting(lastChild(build, it), expected)
  })
}

/** `x.apply { … }` and its kin: what the block looks into, and what comes out of it. */
function scoped(build: Builder, node: number, callee: number): number | undefined {
  const suffix = build.child(node, 'call_suffix')
  const block = lastChild(build, build.child(suffix, 'annotated_lambda'))
  const it = build.expressions[callee]
  if (block < 0 || it === undefined || build.kindName(block) !== 'lambda_literal') return undefined
  const isWith = it.op === 'call' && build.expressions[it.of]?.name === 'with'
  const isMember = it.op === 'member' && /^(apply|run|let|also)$/.test(it.name)
  if (!isWith && !isMember) return undefined
  const object = isWith ? (it.list[0] ?? 0) : it.of
  const isInside = isWith || it.name === 'apply' || it.name === 'run'
  const own = isInside
    ? lookingInto(build, block, (inside) => {
        build.draft(inside).bases.push(build.express('typeof', { of: object }))
        return withReceiver(build, object, () => build.visitExpecting(block, 0))
      })
    : build.visitExpecting(block, build.express('parameter', { of: callee, list: [0] }))
  const isSame = it.name === 'apply' || it.name === 'also'
  return isSame && !isWith ? object : build.express('returned', { of: own })
}

function navigation(build: Builder, node: number): number {
  const [object, suffix] = build.children(node)
  const of = build.visitExpecting(object ?? -1, 0)
  const at = build.child(suffix ?? -1, 'simple_identifier')
  if (at >= 0) return build.refer('member', at, { of })
  build.visit(suffix ?? -1)
  return 0
}

/** `a to b` calls a method of `a`. */
function infix(build: Builder, node: number): number {
  const [left, at, right] = build.children(node)
  const object = build.visitExpecting(left ?? -1, 0)
  const of = build.refer('member', at ?? -1, { of: object, role: ROLE.call })
  return build.express('call', { of, list: [build.visitExpecting(right ?? -1, 0)] })
}

/** `Outer.Inner<T>`, and `com.acme.Outer`, in which small letters are packages. */
function userType(build: Builder, node: number): number {
  let of = 0
  const packages: string[] = []
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'type_arguments') {
      const list = build.children(it).map((own) => build.visit(own))
      of = build.express('generic', { of, list })
    } else if (build.kindName(it) === 'type_identifier') {
      const name = build.textOf(it)
      if (of > 0) of = build.refer('member', it, { of, role: ROLE.type })
      else if (/^[a-z]/.test(name) && it !== build.children(node).at(-1)) packages.push(name)
      else if (packages.length > 0) {
        const module = build.express('module', { name: packages.join('.') })
        of = build.refer('import', it, { of: module, role: ROLE.type })
      } else of = referInOrder(build, it, ROLE.type)
    } else build.visit(it)
  }
  return of
}

function thisExpression(build: Builder, node: number): number {
  const label = build.child(node, 'type_identifier')
  if (label >= 0)
    return build.express('typed', { of: build.refer('name', label, { role: ROLE.type }) })
  const { receiver } = build.state(kotlinState)
  if (receiver > 0) return receiver
  return build.refer('self', node, { scope: memberScope(build) })
}

function callableReference(build: Builder, node: number): number {
  const [first, second] = build.children(node)
  const of = build.visitExpecting(first ?? -1, 0)
  return second === undefined ? of : build.refer('member', second, { of, role: ROLE.call })
}

/** Alternatives among which the value is one; all children count. */
function oneOf(build: Builder, node: number): number {
  return build.either(build.children(node).map((it) => build.visitExpecting(it, build.expected)))
}

const rules: Rules = {
  package_header: (build, node) => {
    definePackage(build, build.child(node, 'identifier'), node)
    return 0
  },
  import_header: importHeader,
  class_declaration: classDeclaration,
  object_declaration: classDeclaration,
  companion_object: companion,
  enum_entry: enumEntry,
  type_alias: typeAlias,
  type_parameter: (build, node) => {
    const at = build.child(node, 'type_identifier')
    const type = build.visit(typeIn(build, node))
    const name = build.textOf(at)
    build.define({ kind: 'type-parameter', name, at, node, type, traits: TRAIT.typeOnly })
    return 0
  },
  function_declaration: functionDeclaration,
  secondary_constructor: secondaryConstructor,
  anonymous_function: anonymousFunction,
  function_type: functionType,
  property_declaration: property,
  property_delegate: delegate,
  getter: accessor,
  setter: accessor,
  function_body: functionBody,
  statements,
  control_structure_body: branch,
  lambda_literal: expectingLambda,
  annotated_lambda: same(lastChild),
  for_statement: forStatement,
  if_expression: ifExpression,
  when_expression: whenExpression,
  when_condition: (build, node) => {
    build.visitChildren(node)
    return 0
  },
  try_expression: oneOf,
  catch_block: catchBlock,
  assignment,
  jump_expression: jump,
  call_expression: call,
  constructor_invocation: (build, node) => {
    const of = build.visit(typeIn(build, node))
    const own = build.expressions[of]
    build.alsoAs(own?.op === 'generic' ? own.of : of, ROLE.call)
    build.visit(build.child(node, 'value_arguments'))
    return of
  },
  explicit_delegation: same(),
  value_argument: (build, node) => build.visitExpecting(lastChild(build, node), 0),
  navigation_expression: navigation,
  indexing_expression: (build, node) => {
    const [object, ...rest] = build.children(node)
    const of = build.visitExpecting(object ?? -1, 0)
    for (const it of rest) build.visit(it)
    return build.express('item', { of })
  },
  infix_expression: infix,
  elvis_expression: oneOf,
  as_expression: (build, node) => {
    const [value, type] = build.children(node)
    build.visitExpecting(value ?? -1, 0)
    return build.express('typed', { of: build.visit(type ?? -1) })
  },
  parenthesized_expression: same(),
  postfix_expression: same(),
  prefix_expression: same(lastChild),
  object_literal: (build, node) =>
    withReceiver(build, 0, () => {
      const own = bases(build, node).map((it) => build.visit(it))
      return anonymousClass(build, node, { bases: own, body: build.child(node, 'class_body') })
    }),
  callable_reference: callableReference,
  collection_literal: (build, node) =>
    build.express('collection', { list: build.children(node).map((it) => build.visit(it)) }),
  this_expression: thisExpression,
  super_expression: (build, node) => {
    build.visitChildren(node)
    return build.refer('super', node, { scope: memberScope(build) })
  },
  simple_identifier: nameInOrder(),
  interpolated_identifier: nameInOrder(),
  type_identifier: nameInOrder(ROLE.type),
  user_type: userType,
  nullable_type: same(),
  not_nullable_type: same(),
  parenthesized_type: same(),
  type_projection: (build, node) =>
    build.visit(build.children(node).find((it) => isType(build, it)) ?? -1),
  label: nothing(),
  string_literal: text(),
  line_comment: comment(),
  multiline_comment: comment(),
  shebang_line: comment(),
}

/**
 * A call as a member may be that of an extension which the file declares or imports by name: then
 * the package that the extension is in counts as a holder as well.
 */
function finish(build: Builder): void {
  providePackage(build)
  const own = build.definitions.find((it) => it.kind === 'namespace' && it.scope < 0)?.name ?? ''
  const homes = new Map([...build.state(kotlinState).extensions].map((name) => [name, own]))
  for (const it of build.definitions) {
    const value = build.expressions[it.value]
    const module = build.expressions[value?.of ?? 0]
    if (it.kind === 'import' && /^[a-z]/.test(it.name) && module?.op === 'module')
      if (it.name === value?.name) homes.set(it.name, module.name)
  }
  if (homes.size === 0) return
  for (const [at, it] of build.expressions.entries()) {
    const home = it.op === 'member' && isReference(it.role) ? homes.get(it.name) : undefined
    if (home !== undefined)
      build.expressions[at] = { ...it, of: build.either([it.of, homeOf(build, home)]) }
  }
}

function isReference(role: number): boolean {
  return (role & ROLE.reference) !== 0
}

/** A package, or by its capital letter an object or the companion of a class. */
function homeOf(build: Builder, path: string): number {
  const [, outer, name] = /^(?:(.*)\.)?([A-Z]\w*?)(?:\.Companion)?$/.exec(path) ?? []
  if (name === undefined) return build.express('module', { name: `package:${path}`, scope: 0 })
  const of = build.express('module', { name: outer ?? '', scope: 0 })
  return build.express('import', { of, name, scope: 0 })
}

export const kotlin: Language = {
  id: 'kotlin',
  grammar: 'kotlin',
  extensions: ['.kt', '.kts'],
  rules,
  finish,
}
