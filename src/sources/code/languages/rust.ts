/** Rust's statements and expressions, and the table that brings the parts beside this file together. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import { application } from '../call-rules.ts'
import type { Language } from '../language.ts'
import {
  collection,
  comment,
  field,
  firstChild,
  functionLike,
  item,
  itemOf,
  member,
  name,
  nothing,
  returning,
  same,
  text,
} from '../rules.ts'
import { finishImpls, implItem, ownType, selfName, selfType } from './rust-impl.ts'
import {
  alias,
  constant,
  functionItem,
  typed,
  typeParameter,
  variant,
  visibility,
  wherePredicate,
} from './rust-items.ts'
import { patterns } from './rust-patterns.ts'
import { tokens } from './rust-tokens.ts'
import { externCrate, finishUses, moduleItem, modulePath, useDeclaration } from './rust-use.ts'
import { withoutItemMacros } from './rust-visible.ts'

/**
 * Each `let` opens a scope for what follows, because it may take over a name that was used before:
 * `let x = x.trim()`.
 */
function block(build: Builder, node: number): number {
  const { expected, scope } = build
  const children = build.children(node)
  const last = children.at(-1)
  let value = 0
  build.scope = build.open('block', build.owner)
  for (const child of children) {
    const isTail = child === last && !build.textOf(child).endsWith(';')
    const own = build.visitExpecting(child, isTail ? expected : 0)
    if (isTail) value = own
  }
  build.scope = scope
  return value
}

function letDeclaration(build: Builder, node: number): number {
  const type = build.visitExpecting(build.field(node, 'type'), 0)
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const value = build.visitExpecting(build.field(node, 'value'), expected)
  build.visitExpecting(build.field(node, 'alternative'), 0)
  build.scope = build.open('block', build.owner)
  bindHere(build, build.field(node, 'pattern'), { value, type, node })
  return 0
}

function bindHere(
  build: Builder,
  pattern: number,
  it: { readonly value: number; readonly type?: number; readonly node: number },
): void {
  const { value, node } = it
  build.bind(pattern, {
    kind: 'variable',
    value,
    type: it.type ?? 0,
    scope: build.scope,
    traits: 0,
    node,
  })
}

function letCondition(build: Builder, node: number): number {
  const value = build.visitExpecting(build.field(node, 'value'), 0)
  bindHere(build, build.field(node, 'pattern'), { value, node })
  return 0
}

/** Names of the condition are known in what depends on it. */
function branch(build: Builder, node: number): number {
  const { expected } = build
  let value = 0
  build.block(() => {
    build.visitExpecting(build.field(node, 'condition'), 0)
    value = build.either([
      build.visitExpecting(build.field(node, 'consequence'), expected),
      build.visitExpecting(build.field(node, 'alternative'), expected),
    ])
    build.visitExpecting(build.field(node, 'body'), 0)
  })
  return value
}

function loop(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'value'), 0)
  build.block(() => {
    const pattern = build.field(node, 'pattern')
    bindHere(build, pattern, { value: itemOf(build, of), node: pattern })
    build.visitExpecting(build.field(node, 'body'), 0)
  })
  return 0
}

function match(build: Builder, node: number): number {
  const { expected } = build
  const value = build.visitExpecting(build.field(node, 'value'), 0)
  const results: number[] = []
  for (const arm of build.children(build.field(node, 'body'))) {
    if (build.kindName(arm) !== 'match_arm') {
      build.visit(arm)
      continue
    }
    build.block(() => {
      const pattern = build.field(arm, 'pattern')
      const condition = build.field(pattern, 'condition')
      for (const it of build.children(pattern))
        if (it !== condition) bindHere(build, it, { value, node: pattern })
      build.visitExpecting(condition, 0)
      results.push(build.visitExpecting(build.field(arm, 'value'), expected))
    })
  }
  return build.either(results)
}

/** Functions around a value that count as the value. */
const WRAPPING = /^(Some|Ok|Poll::Ready|(Box|Rc|Arc|Cell|RefCell|Mutex|RwLock|Cow|Pin)::new)$/

function call(build: Builder, node: number): number {
  const expression = application(build, node, {
    op: 'call',
    callee: 'function',
    args: 'arguments',
  })
  const own = build.expressions[expression]
  if (own === undefined) return expression
  const callee = build.expressions[own.of]
  const isMethod = build.kindName(build.field(node, 'function')) === 'field_expression'
  if (isMethod) return expression
  if (WRAPPING.test(build.textOf(build.field(node, 'function')))) return own.list[0] ?? 0
  if (callee?.op === 'name' && callee.name === 'Err') return 0
  // `Kind::Named(n)` is of the type that the variant belongs to.
  return callee !== undefined && /^\p{Lu}/u.test(callee.name)
    ? build.either([expression, build.express('typed', { of: own.of })])
    : expression
}

function structExpression(build: Builder, node: number): number {
  const of = build.visit(build.field(node, 'name'))
  build.alsoAs(of, ROLE.call)
  // The path may lead to a variant, which is of the type of its enum.
  const made = build.express('typed', { of })
  for (const it of build.children(build.field(node, 'body'))) {
    const kind = build.kindName(it)
    const at = kind === 'field_initializer' ? build.field(it, 'field') : firstChild(build, it)
    if (kind === 'field_initializer' || kind === 'shorthand_field_initializer') {
      const own = build.refer('member', at, { of: made, role: ROLE.write })
      if (kind === 'field_initializer') build.visitExpecting(build.field(it, 'value'), own)
      else build.refer('name', at)
    } else build.visitExpecting(it, 0)
  }
  return made
}

function assignment(build: Builder, node: number): number {
  const value = build.visitExpecting(build.field(node, 'right'), 0)
  const left = build.visitExpecting(build.field(node, 'left'), 0)
  build.alsoAs(left, ROLE.write)
  const target = build.expressions[left]
  if (target?.op !== 'name') return 0
  const known = build.find(target.name)
  if (known >= 0 && build.draft(known).type === 0) build.addValue(known, value)
  return 0
}

function attribute(build: Builder, node: number): number {
  const inner = firstChild(build, node)
  if (build.textOf(firstChild(build, inner)) !== 'derive') return 0
  for (const it of build.children(build.field(inner, 'arguments')))
    if (build.kindName(it) === 'identifier') build.refer('name', it, { role: ROLE.type })
  return 0
}

function genericType(build: Builder, node: number): number {
  const of = build.visit(build.field(node, 'type'))
  const list = build
    .children(build.field(node, 'type_arguments'))
    .filter((it) => build.kindName(it) !== 'lifetime')
    .map((it) => build.visit(it))
  return build.express('generic', { of, list })
}

/** What stands before `::` is a type or a module. */
function scoped(build: Builder, node: number, role = 0): number {
  const path = build.field(node, 'path')
  const of =
    build.kindName(path) === 'identifier'
      ? (selfName(build, path) ?? build.refer('name', path, { role: ROLE.type }))
      : build.visit(path)
  return build.refer('member', build.field(node, 'name'), { of, role })
}

const rules: Rules = {
  identifier: (build, node) =>
    build.textOf(node) === '_' ? 0 : (selfName(build, node) ?? build.refer('name', node)),
  type_identifier: (build, node) => selfType(build, node) ?? name(ROLE.type)(build, node),
  self: (build, node) =>
    build.kindName(build.parent(node)).startsWith('scoped')
      ? modulePath(build, node)
      : build.refer('name', node),
  crate: modulePath,
  super: modulePath,
  scoped_identifier: (build, node) => modulePath(build, node) || scoped(build, node),
  scoped_type_identifier: (build, node) => scoped(build, node, ROLE.type),
  field_expression: member({ object: 'value', name: 'field' }),
  generic_function: (build, node) => {
    build.visit(build.field(node, 'type_arguments'))
    return build.visit(build.field(node, 'function'))
  },
  call_expression: call,
  struct_expression: structExpression,
  macro_invocation: tokens,
  string_literal: text(),
  array_expression: collection(),
  tuple_expression: collection(),
  index_expression: item({ object: firstChild, index: (it, node) => it.children(node)[1] ?? -1 }),
  reference_expression: same('value'),
  unary_expression: same(),
  parenthesized_expression: same(),
  try_expression: same(),
  await_expression: same(),
  expression_statement: same(),
  else_clause: same(),
  unsafe_block: same(),
  async_block: same(),
  type_cast_expression: (build, node) => {
    build.visitExpecting(build.field(node, 'value'), 0)
    return build.express('typed', { of: build.visit(build.field(node, 'type')) })
  },
  assignment_expression: assignment,
  compound_assignment_expr: assignment,
  return_expression: returning(),
  block,
  let_declaration: letDeclaration,
  let_condition: letCondition,
  if_expression: branch,
  while_expression: branch,
  for_expression: loop,
  match_expression: match,
  closure_expression: (build, node) =>
    functionLike(build, node, {
      name: () => -1,
      traits: () => TRAIT.arrow,
      parameters: (it, at) => {
        const list = it.field(at, 'parameters')
        return it.children(list).length === 0 ? -1 : list
      },
    }),
  function_item: functionItem,
  function_signature_item: functionItem,
  struct_item: typed('class'),
  union_item: typed('class'),
  enum_item: typed('enum'),
  trait_item: typed('interface'),
  enum_variant: variant,
  field_declaration: field({ name: 'name', type: 'type', traits: visibility }),
  impl_item: implItem,
  type_item: alias,
  associated_type: alias,
  const_item: constant,
  static_item: constant,
  macro_definition: (build, node) => {
    const at = build.field(node, 'name')
    build.define({ kind: 'macro', name: build.textOf(at), at, node })
    return 0
  },
  mod_item: moduleItem,
  use_declaration: useDeclaration,
  extern_crate_declaration: externCrate,
  type_parameter: typeParameter,
  const_parameter: typeParameter,
  where_predicate: wherePredicate,
  generic_type: genericType,
  generic_type_with_turbofish: genericType,
  type_binding: (build, node) => build.visit(build.field(node, 'type')),
  trait_bounds: (build, node) => build.either(build.children(node).map((it) => build.visit(it))),
  reference_type: same('type'),
  pointer_type: same('type'),
  dynamic_type: same('trait'),
  abstract_type: same('trait'),
  bounded_type: (build, node) => build.either(build.children(node).map((it) => build.visit(it))),
  array_type: (build, node) => {
    build.visit(build.field(node, 'length'))
    return build.express('collection', { list: [build.visit(build.field(node, 'element'))] })
  },
  tuple_type: collection(),
  function_type: (build, node) =>
    functionLike(build, node, { kind: 'signature', name: () => -1, body: () => -1 }),
  bracketed_type: same(),
  qualified_type: (build, node) =>
    build.either([build.visit(build.field(node, 'type')), build.visit(build.field(node, 'alias'))]),
  attribute_item: attribute,
  inner_attribute_item: nothing(),
  visibility_modifier: nothing(),
  lifetime: nothing(),
  lifetime_parameter: nothing(),
  label: nothing(),
  line_comment: comment(),
  block_comment: comment(),
}

/** The names of macros that the grammar has not seen. */
function referToMacros(build: Builder): void {
  const { hidden } = build.syntax
  for (let at = 0; at < hidden.length; at += 2) {
    const from = hidden[at] ?? 0
    const [, path = '', macro] =
      /^([\w:]*?)(\w+)!/.exec(build.text.slice(from, hidden[at + 1])) ?? []
    if (macro === undefined) continue
    const start = from + path.length
    const role = ROLE.reference | ROLE.call
    build.express('name', { name: macro, start, end: start + macro.length, role, scope: 0 })
  }
}

export const rust: Language = {
  id: 'rust',
  grammar: 'rust',
  extensions: ['.rs'],
  see: withoutItemMacros,
  rules,
  patterns: { ...patterns, self_parameter: ownType },
  finish: (build) => {
    referToMacros(build)
    finishImpls(build)
    finishUses(build)
    for (const [definition, draft] of build.definitions.entries()) {
      const { kind, name: own } = draft
      if (kind === 'macro') build.provides.push({ name: `rust-macro:${own}`, definition })
      else if ((kind === 'class' || kind === 'enum') && own !== '')
        build.provides.push({ name: `rust-type:${own}`, definition })
    }
  },
}
