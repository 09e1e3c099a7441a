/** What C and C++ have in common: types, expressions, statements and the preprocessor. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Patterns, Rules, Visitor } from '../builder.ts'
import {
  block,
  bound,
  classLike,
  comment,
  either,
  firstChild,
  itemOf,
  member,
  name,
  nothing,
  returning,
  same,
  typeName,
} from '../rules.ts'
import {
  bindParameter,
  declaration,
  declaratorOf,
  functionOf,
  hasWord,
  sizes,
  typeWith,
} from './c-declarators.ts'
import { namesInText } from './c-hidden.ts'
import { promise } from './c-names.ts'
import { cState } from './c-state.ts'

/** `struct node { … }` defines one; `struct node *` refers to it. */
export function record(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  return build.field(node, 'body') < 0 ? tagged(build, at) : classLike(build, node, {})
}

/** `enum priority priority`: the tag is not the member or parameter that is called the same. */
export function tagged(build: Builder, at: number): number {
  if (at < 0) return 0
  promise(build, build.textOf(at))
  let { scope } = build
  while (scope > 0 && build.scopes[scope]?.kind !== 'namespace') {
    const known = build.findIn(scope, build.textOf(at))
    if (known >= 0 && /class|enum/.test(build.draft(known).kind)) break
    scope = build.scopes[scope]?.parent ?? 0
  }
  return build.refer('name', at, { role: ROLE.type, scope })
}

/** The names in an `enum` belong to what is around it. */
export function enumeration(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const body = build.field(node, 'body')
  if (body < 0) return tagged(build, at)
  const outside = build.scope
  return classLike(build, node, {
    kind: 'enum',
    body: () => -1,
    before: (inside, _, definition) => {
      const isScoped = inside.has(node, 'class') || inside.has(node, 'struct')
      for (const it of inside.children(body)) {
        if (inside.kindName(it) !== 'enumerator') {
          inside.visit(it)
          continue
        }
        inside.visitExpecting(inside.field(it, 'value'), 0)
        const named = inside.field(it, 'name')
        inside.define({
          kind: 'member',
          name: inside.textOf(named),
          at: named,
          node: it,
          scope: isScoped ? inside.scope : outside,
          owner: definition,
        })
      }
    },
  })
}

/** `typedef struct { … } node_t;` gives the struct its name; any other is a name for a type. */
function typedef(build: Builder, node: number): number {
  const typeNode = build.field(node, 'type')
  const type = build.visit(typeNode)
  const isTag = build.kindName(typeNode).endsWith('_specifier')
  const tag = isTag ? build.textOf(build.field(typeNode, 'name')) : ''
  for (const it of build.fieldsOf(node, 'declarator')) {
    const declared = declaratorOf(build, it)
    const { at } = declared
    sizes(build, it)
    const named = build.textOf(at)
    const literal = build.anonymous(type)
    const isPlain = at === it
    if (literal >= 0 && isPlain)
      build.christen(literal, { kind: build.draft(literal).kind, name: named, at, node })
    else if (tag !== named || !isPlain)
      build.define({
        kind: 'type',
        name: named,
        at,
        node,
        type: typeWith(build, type, declared),
      })
    else if (build.field(typeNode, 'body') < 0)
      build.state(cState).opaqueTypes.push({ name: named, at, node })
  }
  return 0
}

function functionDefinition(build: Builder, node: number): number {
  const type = build.visit(build.field(node, 'type'))
  const declared = declaratorOf(build, build.field(node, 'declarator'))
  const traits = hasWord(build, node, 'static') ? TRAIT.private : 0
  return functionOf(build, node, { declared, type, body: build.field(node, 'body'), traits })
}

function include(build: Builder, node: number): number {
  const path = build.field(node, 'path')
  const raw = build.textOf(path)
  if (!/^[<"]/.test(raw)) return build.visit(path)
  const of = build.refer('module', path, { name: raw.replaceAll('"', ''), role: ROLE.import })
  const value = build.express('import', { of, name: '*' })
  build.define({ kind: 'import', name: '*', at: -1, node, value })
  return 0
}

/** What stands for a macro is text; the names in it are what the macro refers to. */
function macro(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const value = build.field(node, 'value')
  const own = new Set(build.children(build.field(node, 'parameters')).map((it) => build.textOf(it)))
  // No namespace or class holds a macro.
  const definition = build.define({
    kind: 'macro',
    name: build.textOf(at),
    at,
    node,
    scope: 0,
    owner: 0,
  })
  const draft = build.draft(definition)
  // The line's end belongs to the grammar's node.
  draft.to = draft.from + build.textOf(node).trimEnd().length
  if (value >= 0) {
    const { starts, ends } = build.syntax
    openedBy(build, definition, value)
    namesInText(build, { start: starts[value] ?? 0, end: ends[value] ?? 0, except: own })
  }
  return 0
}

/**
 * `#define BEGIN_DRAW namespace draw {`: what stands behind the macro is at the top of its file as
 * far as can be seen there. The namespace has no scope of its own; see `members` of the linking.
 */
function openedBy(build: Builder, macroAt: number, value: number): void {
  const from = build.syntax.starts[value] ?? 0
  const written = build.textOf(value)
  if (!OPENING.test(written)) return
  for (const it of written.matchAll(/(?<!inline\s+)\bnamespace\s+([\w:]+)/g)) {
    let start = from + it.index + it[0].lastIndexOf(it[1] ?? '')
    for (const own of (it[1] ?? '').split('::')) {
      const options = { at: value, node: value, scope: 0, owner: 0 }
      const made = build.define({ ...options, kind: 'namespace', name: own })
      Object.assign(build.draft(made), { start, end: start + own.length })
      build.provides.push({ name: `c-open:${own}`, definition: macroAt })
      start += own.length + 2
    }
  }
}

const OPENING = /^[\s\\]*((?:inline\s+)?namespace\s[^{}]*\{[\s\\]*)+$/

/** `{ .next = x }` where the type of the whole is known. */
function initializers(build: Builder, node: number): number {
  const { expected } = build
  const list = build.children(node).map((it) => {
    if (build.kindName(it) !== 'initializer_pair')
      return build.visitExpecting(it, itemOf(build, expected))
    let of = expected
    for (const designator of build.fieldsOf(it, 'designator')) {
      const at = firstChild(build, designator)
      if (build.kindName(designator) === 'field_designator')
        of = build.refer('member', at, { of, role: ROLE.write })
      else {
        build.visit(at)
        of = itemOf(build, of)
      }
    }
    return build.visitExpecting(build.field(it, 'value'), of)
  })
  return expected > 0 ? expected : build.express('collection', { list })
}

/** A pointer is as good as what it points to, and also as a list of it. */
function subscript(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'argument'), 0)
  for (const it of build.children(node).slice(1)) build.visitExpecting(it, 0)
  return of === 0 ? 0 : build.either([itemOf(build, of), of])
}

function assignment(build: Builder, node: number): number {
  const left = build.visitExpecting(build.field(node, 'left'), 0)
  build.alsoAs(left, ROLE.write)
  return build.visitExpecting(build.field(node, 'right'), left)
}

function cast(build: Builder, node: number): number {
  const type = build.visit(build.field(node, 'type'))
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const value = build.visitExpecting(build.field(node, 'value'), expected)
  return expected > 0 ? expected : value
}

/** A value of a type of the language itself, which tells overloads apart. */
function plain(what: 'text' | 'number'): Visitor {
  return (build, node) => {
    build.visitChildren(node)
    return build.literal(what)
  }
}

export const rules: Rules = {
  identifier: name(),
  type_identifier: typeName(),
  field_identifier: nothing(),
  statement_identifier: nothing(),
  primitive_type: nothing(),
  field_expression: member({ object: 'argument', name: 'field' }),
  subscript_expression: subscript,
  pointer_expression: same('argument'),
  parenthesized_expression: same(),
  conditional_expression: either('consequence', 'alternative'),
  comma_expression: same('right'),
  assignment_expression: assignment,
  cast_expression: cast,
  compound_literal_expression: cast,
  initializer_list: initializers,
  string_literal: plain('text'),
  raw_string_literal: plain('text'),
  concatenated_string: plain('text'),
  number_literal: plain('number'),
  char_literal: plain('number'),
  true: plain('number'),
  false: plain('number'),
  type_descriptor: (build, node) => build.visit(build.field(node, 'type')),
  struct_specifier: record,
  union_specifier: record,
  enum_specifier: enumeration,
  type_definition: typedef,
  declaration: (build, node) => declaration(build, node),
  field_declaration: (build, node) => declaration(build, node),
  function_definition: functionDefinition,
  compound_statement: block(),
  for_statement: block(),
  return_statement: returning(),
  preproc_include: include,
  preproc_def: macro,
  preproc_function_def: macro,
  preproc_arg: nothing(),
  comment: comment(),
}

export const patterns: Patterns = {
  identifier: bound(),
  parameter_declaration: bindParameter,
  variadic_parameter: (build, node, { scope, into }) => {
    const traits = TRAIT.rest
    into?.push(build.define({ kind: 'parameter', name: '', at: -1, node, scope, traits }))
  },
}
