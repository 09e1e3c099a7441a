/** Zig: a file is a struct, and types are values that constants hold. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder, Patterns, Rules, Visitor } from '../builder.ts'
import { argumentsOf } from '../call-rules.ts'
import type { Language } from '../language.ts'
import {
  block,
  bound,
  comment,
  firstChild,
  functionLike,
  itemOf,
  lastChild,
  member,
  name,
  nothing,
  returning,
  same,
  text,
  through,
  unquoted,
} from '../rules.ts'

function container(kind: 'class' | 'enum'): Visitor {
  return (build, node) => {
    const definition = build.define({ kind, name: '', at: -1, node })
    const inner = build.open('class', definition)
    build.draft(definition).inner = inner
    build.within(inner, definition, () => build.visitChildren(node))
    return build.express('define', { of: definition })
  }
}

/** `const Point = struct { … }` defines the struct `Point`. */
function variable(build: Builder, node: number): number {
  const at = firstChild(build, node)
  const annotation = build.field(node, 'type')
  const last = lastChild(build, node)
  const type = build.visit(annotation)
  const value = last === at || last === annotation ? 0 : build.visit(last)
  if (build.textOf(at) === '_') return 0
  // The grammar reads assignments the same way.
  if (!/^(?:\w+\s+)*(?:const|var)\b/.test(build.textOf(node))) {
    build.alsoAs(build.visit(at), ROLE.write)
    return 0
  }
  const options = { name: build.textOf(at), at, node }
  const literal = build.anonymous(value)
  if (literal >= 0) build.christen(literal, { ...options, kind: build.draft(literal).kind })
  else {
    const isImport = build.expressions[value]?.op === 'module'
    build.define({ ...options, kind: isImport ? 'import' : 'variable', type, value })
  }
  return 0
}

function field(build: Builder, node: number): number {
  const own = build.field(node, 'name')
  const at = own < 0 ? build.child(node, 'identifier') : own
  const type = build.visit(build.field(node, 'type'))
  const isMember = build.kindName(build.parent(node)) === 'enum_declaration'
  if (at >= 0)
    build.define({ kind: isMember ? 'member' : 'field', name: build.textOf(at), at, node, type })
  return 0
}

function functionDeclaration(build: Builder, node: number): number {
  const isMember = build.scopes[build.scope]?.kind === 'class'
  return functionLike(build, node, {
    kind: isMember ? 'method' : 'function',
    parameters: (it, at) => it.child(at, 'parameters'),
    returns: 'type',
  })
}

function call(build: Builder, node: number): number {
  const callee = build.field(node, 'function')
  const of = build.visit(callee)
  build.alsoAs(of, ROLE.call)
  const list = build.children(node).filter((it) => it !== callee)
  return build.express('call', { of, list: list.map((it) => build.visit(it)) })
}

/** `@import("a.zig")` is the file as a struct. */
function builtin(build: Builder, node: number): number {
  const args = build.child(node, 'arguments')
  const first = firstChild(build, args)
  if (build.textOf(build.child(node, 'builtin_identifier')) !== '@import') {
    argumentsOf(build, args, { of: 0 })
    return 0
  }
  return build.refer('module', first, { name: unquoted(build.textOf(first)), role: ROLE.import })
}

/** `for (list) |item|`: what a construct unpacks is known inside it. */
function unpacking(build: Builder, node: number): number {
  let source = 0
  build.block(() => {
    const isLoop = build.kindName(node).startsWith('for_')
    for (const it of build.children(node)) {
      if (build.kindName(it) !== 'payload') {
        const value = build.visit(it)
        if (source === 0) source = value
        continue
      }
      const value = isLoop ? itemOf(build, source) : source
      for (const at of build.children(it))
        build.define({ kind: 'variable', name: build.textOf(at), at, node: it, value })
    }
  })
  return build.kindName(node) === 'catch_expression' ? source : 0
}

const rules: Rules = {
  identifier: name(),
  variable_declaration: variable,
  struct_declaration: container('class'),
  union_declaration: container('class'),
  opaque_declaration: container('class'),
  enum_declaration: container('enum'),
  container_field: field,
  function_declaration: functionDeclaration,
  field_expression: (build, node) =>
    build.field(node, 'object') < 0 ? 0 : member({ object: 'object', name: 'member' })(build, node),
  call_expression: call,
  builtin_function: builtin,
  struct_initializer: (build, node) => {
    const of = build.visit(firstChild(build, node))
    for (const it of build.children(node).slice(1)) build.visit(it)
    return build.express('instance', { of })
  },
  pointer_type: same(lastChild),
  nullable_type: same(lastChild),
  error_union_type: same('ok'),
  try_expression: same(lastChild),
  return_expression: returning(),
  block: block(),
  for_statement: unpacking,
  while_statement: unpacking,
  if_statement: unpacking,
  for_expression: unpacking,
  while_expression: unpacking,
  if_expression: unpacking,
  catch_expression: unpacking,
  switch_case: unpacking,
  else_clause: unpacking,
  block_label: nothing(),
  break_label: nothing(),
  error_type: nothing(),
  string: text(),
  comment: comment(),
}

const patterns: Patterns = {
  identifier: bound(),
  parameter: through({ pattern: 'name', type: 'type' }),
}

export const zig: Language = {
  id: 'zig',
  grammar: 'zig',
  extensions: ['.zig', '.zon'],
  rules,
  patterns,
}
