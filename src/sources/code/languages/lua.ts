/**
 * Lua: tables are modules, objects and classes at once. `function M.f()` adds a member to the table
 * that `M` holds; `setmetatable(object, Class)` makes an instance.
 */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Patterns, Rules } from '../builder.ts'
import { application } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import {
  block,
  bound,
  comment,
  firstChild,
  func,
  functionLike,
  itemOf,
  member,
  name,
  nothing,
  REST,
  same,
  text,
} from '../rules.ts'

/** By definition: the table whose members it has, for a receiver and for an instance. */
const memberTables = defineState(() => new Map<number, number>())

/** The definition that holds the members of what a node names, or -1 when the file cannot tell. */
function tableAt(build: Builder, node: number): number {
  const kind = build.kindName(node)
  if (kind === 'identifier') return tableOf(build, build.find(build.textOf(node)))
  if (kind !== 'dot_index_expression') return -1
  const outer = tableAt(build, build.field(node, 'table'))
  if (outer < 0) return -1
  return tableOf(
    build,
    build.findIn(build.draft(outer).inner, build.textOf(build.field(node, 'field'))),
  )
}

function tableOf(build: Builder, definition: number): number {
  if (definition < 0) return -1
  const home = build.state(memberTables).get(definition)
  if (home !== undefined) return home
  const draft = build.draft(definition)
  if (draft.inner >= 0 && draft.kind !== 'function' && draft.kind !== 'method') return definition
  // `local Point = Class 'Point'`: whatever the call gives, members are added to it here.
  if (build.expressions[draft.value]?.op !== 'call' || draft.kind !== 'variable') return -1
  draft.inner = build.scopes.push({ parent: draft.scope, kind: 'class', owner: definition }) - 1
  draft.value = build.either([build.express('define', { of: definition }), draft.value])
  return definition
}

interface Named {
  readonly name: string
  readonly at: number
  readonly node: number
  readonly scope: number
  readonly kind: 'field' | 'variable'
  readonly owner?: number
  readonly traits?: number
}

/** Gives a value a name: a function or table without one takes it over. */
function named(build: Builder, value: number, options: Named): number {
  const literal = build.anonymous(value)
  const isField = options.kind === 'field'
  if (literal >= 0 && build.draft(literal).kind === 'function') {
    build.christen(literal, { ...options, kind: isField ? 'method' : 'function' })
    return literal
  }
  if (literal >= 0) {
    build.christen(literal, options)
    build.draft(literal).value = value
    return literal
  }
  const isModule = !isField && build.expressions[value]?.op === 'module'
  return build.define({ ...options, kind: isModule ? 'import' : options.kind, value })
}

/** A further member of the table that a node names. */
function addMember(
  build: Builder,
  table: number,
  it: { readonly of: number; readonly at: number; readonly node: number; readonly value: number },
): void {
  const own = { name: build.textOf(it.at), at: it.at, node: it.node, kind: 'field' as const }
  const home = tableAt(build, table)
  if (home < 0) {
    build.refer('member', it.at, { of: it.of, role: ROLE.write })
    const literal = build.anonymous(it.value)
    if (literal < 0 || build.draft(literal).kind !== 'function') return
    build.grants.push({ to: it.of, definition: named(build, it.value, { ...own, scope: -1 }) })
    return
  }
  const scope = build.draft(home).inner
  const known = build.findIn(scope, own.name)
  if (known < 0) {
    receive(build, named(build, it.value, { ...own, scope, owner: home }), home)
    return
  }
  build.refer('member', it.at, { of: it.of, role: ROLE.write })
  build.addValue(known, it.value)
}

/** A first parameter called `self` is the table that the function is a member of. */
function receive(build: Builder, definition: number, home: number): void {
  const first = build.draft(definition).parameters[0]
  if (first === undefined || build.draft(first).name !== 'self') return
  build.draft(first).value = build.express('define', { of: home })
}

function assignTo(
  build: Builder,
  target: number,
  it: { readonly node: number; readonly value: number },
): void {
  const kind = build.kindName(target)
  if (kind === 'dot_index_expression') {
    const table = build.field(target, 'table')
    const of = build.visit(table)
    addMember(build, table, { ...it, of, at: build.field(target, 'field') })
  } else if (kind === 'identifier') {
    const own = build.textOf(target)
    const known = build.find(own)
    if (known >= 0) {
      build.refer('name', target, { role: ROLE.write })
      build.addValue(known, it.value)
    } else {
      named(build, it.value, {
        name: own,
        at: target,
        node: it.node,
        kind: 'variable',
        scope: 0,
        owner: 0,
        traits: TRAIT.exported,
      })
    }
  } else build.visit(target)
}

/** What each name on the left is given: side by side, and the rest from the last call. */
function valuesOf(build: Builder, list: number): readonly number[] {
  return build.children(list).map((it) => build.visitExpecting(it, 0))
}

function assignment(build: Builder, node: number): number {
  const values = valuesOf(build, build.child(node, 'expression_list'))
  for (const [index, target] of build
    .fieldsOf(build.child(node, 'variable_list'), 'name')
    .entries())
    assignTo(build, target, { node, value: values[index] ?? 0 })
  return 0
}

function localVariables(build: Builder, node: number): number {
  const inner = build.child(node, 'assignment_statement')
  const from = inner < 0 ? node : inner
  const values = valuesOf(build, build.child(from, 'expression_list'))
  for (const [index, at] of build.fieldsOf(build.child(from, 'variable_list'), 'name').entries())
    named(build, values[index] ?? 0, {
      name: build.textOf(at),
      at,
      node,
      kind: 'variable',
      scope: build.scope,
    })
  return 0
}

function functionDeclaration(build: Builder, node: number): number {
  const target = build.field(node, 'name')
  const kind = build.kindName(target)
  if (kind === 'identifier') {
    const isLocal = build.text.startsWith('local', build.syntax.starts[node])
    const known = isLocal ? -1 : build.find(build.textOf(target))
    if (known >= 0) build.refer('name', target, { role: ROLE.write })
    return functionLike(build, node, {
      scope: () => (isLocal ? build.scope : known >= 0 ? build.draft(known).scope : 0),
      // A global is seen by every file that this one is loaded with.
      traits: () => (isLocal || known >= 0 ? 0 : TRAIT.exported),
    })
  }
  const table = build.field(target, 'table')
  const of = build.visit(table)
  const home = tableAt(build, table)
  const isMethod = kind === 'method_index_expression'
  const expression = functionLike(build, node, {
    kind: 'method',
    name: () => build.field(target, isMethod ? 'method' : 'field'),
    scope: () => (home < 0 ? -1 : build.draft(home).inner),
    before: (_, at, definition) => {
      if (home >= 0) build.draft(definition).owner = home
      if (!isMethod) return
      const value = home < 0 ? of : build.express('define', { of: home })
      const receiver = build.define({ kind: 'parameter', name: 'self', at: -1, node: at, value })
      if (home >= 0) build.state(memberTables).set(receiver, home)
    },
  })
  const definition = build.expressions[expression]?.of ?? 0
  if (home < 0) build.grants.push({ to: of, definition })
  else receive(build, definition, home)
  return expression
}

function tableLiteral(build: Builder, node: number): number {
  const fields = build.children(node).filter((it) => build.kindName(it) === 'field')
  const isList = fields.length > 0 && fields.every((it) => build.field(it, 'name') < 0)
  if (isList) {
    const list = fields.map((it) => build.visitExpecting(build.field(it, 'value'), 0))
    return build.express('collection', { list: list.filter((it) => it > 0) })
  }
  const definition = build.define({ kind: 'object', name: '', at: -1, node })
  const outside = build.scope
  const inner = build.open('class', definition)
  build.draft(definition).inner = inner
  build.within(inner, definition, () => {
    for (const it of build.children(node)) {
      const key = build.field(it, 'name')
      if (build.kindName(it) !== 'field') build.visit(it)
      else tableField(build, it, { key, outside })
    }
  })
  return build.express('define', { of: definition })
}

function tableField(
  build: Builder,
  node: number,
  it: { readonly key: number; readonly outside: number },
): void {
  const kind = build.kindName(it.key)
  const value = build.visitExpecting(build.field(node, 'value'), 0)
  const isBracketed = build.text[build.syntax.starts[node] ?? 0] === '['
  if (kind === 'string')
    named(build, value, {
      name: content(build.textOf(it.key)),
      at: inside(build, it.key),
      node,
      kind: 'field',
      scope: build.scope,
    })
  else if (kind === 'identifier' && !isBracketed)
    named(build, value, {
      name: build.textOf(it.key),
      at: it.key,
      node,
      kind: 'field',
      scope: build.scope,
    })
  else if (it.key >= 0) build.visit(it.key)
}

function inside(build: Builder, literal: number): number {
  const found = build.field(literal, 'content')
  return found < 0 ? literal : found
}

function content(raw: string): string {
  return raw.replace(/^(?:(['"])([\s\S]*)\1|\[(=*)\[([\s\S]*)\]\3\])$/, '$2$4')
}

function call(build: Builder, node: number): number {
  const callee = build.field(node, 'name')
  const own = build.kindName(callee) === 'identifier' ? build.textOf(callee) : ''
  const args = build.field(node, 'arguments')
  const first = firstChild(build, args)
  if (own === 'require' && build.kindName(first) === 'string')
    return build.refer('module', first, { name: content(build.textOf(first)), role: ROLE.import })
  if (own === 'setmetatable') return setMetatable(build, build.children(args))
  return application(build, node, { op: 'call', callee: 'name', args: 'arguments' })
}

/** What is not found in the object is looked for in its metatable's `__index`. */
function setMetatable(build: Builder, args: readonly number[]): number {
  const [object, meta] = args
  const value = build.visitExpecting(object ?? -1, 0)
  const base = build.visitExpecting(meta ?? -1, 0)
  if (base === 0) return value
  const index = build.express('member', { of: base, name: '__index' })
  const home = tableAt(build, meta ?? -1)
  const literal = build.anonymous(value)
  const own = build.kindName(object ?? -1) === 'identifier' ? build.textOf(object ?? -1) : ''
  const definition = literal >= 0 ? literal : build.find(own)
  if (definition < 0) return value
  const draft = build.draft(definition)
  if (draft.inner >= 0) draft.bases.push(base, index)
  else build.addValue(definition, base)
  if (home >= 0 && home !== definition && build.scope > 0) adopt(build, definition, home)
  return value
}

/** What an instance is given inside its constructor belongs to the class. */
function adopt(build: Builder, instance: number, home: number): void {
  build.state(memberTables).set(instance, home)
  const scope = build.draft(home).inner
  for (const draft of build.definitions.slice(instance + 1)) {
    if (draft.owner !== instance) continue
    draft.owner = home
    draft.scope = scope
    if ((build.draft(home).traits & TRAIT.local) === 0) draft.traits &= ~TRAIT.local
  }
}

function loop(build: Builder, node: number): number {
  build.block(() => {
    const clause = build.field(node, 'clause')
    const isNumeric = build.kindName(clause) === 'for_numeric_clause'
    const list = build.child(clause, 'expression_list')
    const source = isNumeric ? -1 : firstChild(build, list)
    for (const it of build.children(isNumeric ? clause : list))
      if (it !== build.field(clause, 'name')) build.visit(it)
    const names = build.fieldsOf(isNumeric ? clause : build.child(clause, 'variable_list'), 'name')
    for (const [index, at] of names.entries()) {
      const value = index === 1 ? iterated(build, source) : 0
      build.define({ kind: 'variable', name: build.textOf(at), at, node: clause, value })
    }
    build.visit(build.field(node, 'body'))
  })
  return 0
}

/** `pairs(t)` and `ipairs(t)` give what `t` holds. */
function iterated(build: Builder, source: number): number {
  if (!/^i?pairs$/.test(build.textOf(build.field(source, 'name')))) return 0
  const first = firstChild(build, build.field(source, 'arguments'))
  if (build.kindName(first) !== 'identifier') return 0
  return itemOf(build, build.express('name', { name: build.textOf(first) }))
}

function returned(build: Builder, node: number): number {
  const [first, ...others] = build.children(firstChild(build, node))
  const value = build.visitExpecting(first ?? -1, 0)
  for (const it of others) build.visitExpecting(it, 0)
  if (build.scopes[build.functionScope()]?.kind === 'file') {
    if (value > 0) build.exports.push({ name: '=', of: value })
  } else if (value > 0) build.returns.push(value)
  return 0
}

function bracket(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'table'), 0)
  const key = build.field(node, 'field')
  if (build.kindName(key) === 'string')
    return build.express('member', { of, name: content(build.textOf(key)) })
  build.visitExpecting(key, 0)
  return build.express('item', { of })
}

function binary(build: Builder, node: number): number {
  const left = build.visitExpecting(build.field(node, 'left'), 0)
  const right = build.visitExpecting(build.field(node, 'right'), 0)
  const operator = build.textOf(build.field(node, 'operator'))
  if (operator === 'and') return right
  return operator === 'or' ? build.either([left, right]) : 0
}

const rules: Rules = {
  identifier: name(),
  dot_index_expression: member({ object: 'table', name: 'field' }),
  method_index_expression: member({ object: 'table', name: 'method' }),
  bracket_index_expression: bracket,
  function_call: call,
  function_definition: func({ name: () => -1 }),
  function_declaration: functionDeclaration,
  variable_declaration: localVariables,
  assignment_statement: assignment,
  table_constructor: tableLiteral,
  string: text(content),
  binary_expression: binary,
  parenthesized_expression: same(),
  for_statement: loop,
  block: block(),
  // The condition of `repeat … until` sees the names of the body.
  repeat_statement: (build, node) => {
    build.block(() => {
      build.visitChildren(build.field(node, 'body'))
      build.visit(build.field(node, 'condition'))
    })
    return 0
  },
  return_statement: returned,
  goto_statement: nothing(),
  label_statement: nothing(),
  comment: comment(),
}

const patterns: Patterns = {
  identifier: bound(),
  vararg_expression: (build, node, binding) => {
    const { into, ...parts } = binding
    into?.push(build.define({ ...parts, name: '', at: -1, node, traits: REST }))
  },
}

export const lua: Language = {
  id: 'lua',
  grammar: 'lua',
  extensions: ['.lua', '.luau', '.rockspec'],
  interpreters: ['lua', 'luajit', 'texlua'],
  rules,
  patterns,
}
