/** Scala: patterns and expressions, and the table; declarations have a file of their own. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import {
  anyOf,
  bindName,
  collection,
  comment,
  either,
  firstChild,
  functionLike,
  generic,
  itemOf,
  lastChild,
  name,
  same,
  text,
  typeName,
} from '../rules.ts'
import { plain } from './in-order.ts'
import { anonymousClass, definePackage, memberScope } from './jvm.ts'
import {
  enumCase,
  extensionDefinition,
  finish,
  firstOf,
  functionDefinition,
  functionType,
  given,
  importDeclaration,
  packageObject,
  selfType,
  statements,
  typeAlias,
  typeDefinition,
  typeParameters,
  valDefinition,
} from './scala-declarations.ts'
import { scalaState } from './scala-state.ts'

// Patterns.

/** A small letter declares, a capital one compares with what is known; a field always declares. */
function bindCase(build: Builder, node: number, binding: Binding): void {
  if (/^[^A-Z`]/.test(build.textOf(node)) || binding.kind === 'field')
    bindName(build, node, binding)
  else build.visit(node)
}

function each(build: Builder, node: number, binding: Binding): void {
  for (const [index, it] of build.children(node).entries()) {
    const value =
      binding.value === 0 ? 0 : build.express('item', { of: binding.value, name: String(index) })
    build.bind(it, { ...binding, value, type: 0 })
  }
}

const patterns: Patterns = {
  identifier: bindCase,
  identifiers: (build, node, binding) => {
    for (const it of build.children(node)) bindName(build, it, binding)
  },
  wildcard: () => undefined,
  typed_pattern: (build, node, binding) => {
    const type = build.visit(build.field(node, 'type'))
    build.bind(build.field(node, 'pattern'), { ...binding, type, value: 0 })
  },
  capture_pattern: (build, node, binding) => {
    const inner = build.field(node, 'pattern')
    build.bind(inner, binding)
    const typeNode = build.field(inner, 'type')
    const said = build.textOf(typeNode)
    const type =
      build.kindName(typeNode) === 'type_identifier'
        ? build.express('name', { name: said, role: ROLE.type })
        : binding.type
    bindName(build, build.field(node, 'name'), { ...binding, type })
  },
  case_class_pattern: (build, node, binding) => {
    build.visit(build.field(node, 'type'))
    for (const it of build.fieldsOf(node, 'pattern'))
      if (build.isNamed(it)) build.bind(it, { ...binding, value: 0, type: 0 })
  },
  tuple_pattern: each,
  infix_pattern: (build, node, binding) => {
    build.bind(build.field(node, 'left'), {
      ...binding,
      value: itemOf(build, binding.value),
      type: 0,
    })
    build.bind(build.field(node, 'right'), binding)
  },
  alternative_pattern: (build, node, binding) => {
    for (const it of build.children(node)) build.bind(it, binding)
  },
}

function cases(build: Builder, node: number, value: number): number {
  const values = build.children(node).map((clause) => {
    let own = 0
    build.block(() => {
      const pattern = build.field(clause, 'pattern')
      build.bind(pattern, plain(build, pattern, { value }))
      for (const it of build.children(clause)) {
        if (it === pattern) continue
        const result = build.visitExpecting(it, 0)
        if (it === build.field(clause, 'body')) own = result
      }
    })
    return own
  })
  return build.either(values)
}

function match(build: Builder, node: number): number {
  const value = build.visitExpecting(build.field(node, 'value'), 0)
  return cases(build, build.field(node, 'body'), value)
}

/** `{ case (a, b) => … }` is a function that takes its argument apart. */
function caseBlock(build: Builder, node: number): number {
  const isCatch = build.kindName(build.parent(node)) === 'catch_clause'
  if (isCatch) return cases(build, node, 0)
  return anonymous(build, node, (taken) => cases(build, node, taken))
}

/** A function without a name whose only parameter is not written. */
function anonymous(build: Builder, node: number, body: (taken: number) => number): number {
  const value =
    build.expected > 0 ? build.express('parameter', { of: build.expected, list: [0] }) : 0
  const definition = build.define({ kind: 'function', name: '', at: -1, node, traits: TRAIT.arrow })
  const draft = build.draft(definition)
  draft.inner = build.open('function', definition)
  build.within(draft.inner, definition, () => {
    draft.value = body(value)
  })
  return build.express('define', { of: definition })
}

function lambda(build: Builder, node: number): number {
  const { expected } = build
  return functionLike(build, node, {
    name: () => -1,
    traits: () => TRAIT.arrow,
    parameters: () => -1,
    body: lastChild,
    before: (it, at, definition) => {
      const list = it.field(at, 'parameters')
      const names = it.kindName(list) === 'bindings' ? it.children(list) : [list]
      const { parameters: into } = it.draft(definition)
      for (const [index, own] of names.entries()) {
        const inside = it.field(own, 'name')
        const type = it.visit(it.field(own, 'type'))
        const value = expected > 0 ? it.express('parameter', { of: expected, list: [index] }) : 0
        const target = inside < 0 ? own : inside
        if (it.kindName(target) === 'identifier')
          bindName(it, target, plain(it, own, { kind: 'parameter', value, type, into }))
      }
    },
  })
}

// Expressions.

/** `_.name` among arguments is a function of what `_` stands for. */
function argument(build: Builder, node: number, expected: number): number {
  const kind = build.kindName(node)
  const isShort =
    /^(field_expression|call_expression|infix_expression|generic_function)$/.test(kind) &&
    /(^|[^\w.])_(?=[.\s),]|$)/.test(build.textOf(node))
  if (!isShort) return build.visitExpecting(node, expected)
  const state = build.state(scalaState)
  const { expected: before } = build
  const { placeholder } = state
  build.expected = expected
  const own = anonymous(build, node, (value) => {
    state.placeholder = value
    return build.visitExpecting(node, 0)
  })
  build.expected = before
  state.placeholder = placeholder
  return own
}

function call(build: Builder, node: number): number {
  const callee = build.field(node, 'function')
  const of = build.visitExpecting(callee, 0)
  const own = build.expressions[of]
  build.alsoAs(own?.op === 'generic' ? own.of : of, ROLE.call)
  const args = build.field(node, 'arguments')
  const nodes = build.kindName(args) === 'arguments' ? build.children(args) : [args]
  const list = nodes.map((it, index) =>
    argument(
      build,
      build.kindName(it) === 'assignment_expression' ? build.field(it, 'right') : it,
      of === 0 ? 0 : build.express('parameter', { of, list: [index] }),
    ),
  )
  const { starts, ends } = build.syntax
  const result = build.express('call', { of, list, start: starts[node] ?? 0, end: ends[node] ?? 0 })
  // A further list of arguments may belong to the same call.
  return build.kindName(callee) === 'call_expression' ? build.either([of, result]) : result
}

function genericFunction(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'function'), 0)
  const list = build.children(build.field(node, 'type_arguments')).map((it) => build.visit(it))
  const it = build.expressions[of]
  return it?.op === 'member' && it.name === 'asInstanceOf'
    ? build.express('typed', { of: list[0] ?? 0 })
    : build.express('generic', { of, list })
}

/** `list map f` calls a method; `new A with B` is still that A. */
function infix(build: Builder, node: number): number {
  const left = build.visitExpecting(build.field(node, 'left'), 0)
  const at = build.field(node, 'operator')
  const right = build.field(node, 'right')
  if (build.textOf(at) === 'with') {
    build.visit(right)
    return left
  }
  const of = build.refer('member', at, { of: left, role: ROLE.call })
  const expected = build.express('parameter', { of, list: [0] })
  return build.express('call', { of, list: [argument(build, right, expected)] })
}

function instance(build: Builder, node: number): number {
  const args = build.child(node, 'arguments')
  const body = build.child(node, 'template_body')
  const types = build.children(node).filter((it) => it !== args && it !== body)
  const bases = types.map((it) => build.visit(it))
  const first = bases[0] ?? 0
  const own = build.expressions[first]
  build.alsoAs(own?.op === 'generic' ? own.of : first, ROLE.call | ROLE.make)
  for (const [index, it] of build.children(args).entries())
    argument(build, it, build.express('parameter', { of: first, list: [index] }))
  if (body >= 0) return anonymousClass(build, node, { bases, body })
  return build.express('typed', { of: first })
}

function forExpression(build: Builder, node: number): number {
  let result = 0
  build.block(() => {
    const list = build.fieldsOf(node, 'enumerators').find((it) => build.isNamed(it)) ?? -1
    for (const it of build.children(list)) {
      const [pattern, of, ...rest] = build.children(it)
      if (of === undefined) build.visit(pattern ?? -1)
      else {
        const from = build.visitExpecting(of, 0)
        const value = build.has(it, '=') ? from : itemOf(build, from)
        build.bind(pattern ?? -1, plain(build, it, { value }))
      }
      for (const own of rest) build.visit(own)
    }
    result = build.visitExpecting(build.field(node, 'body'), 0)
  })
  return build.has(node, 'yield') && result > 0
    ? build.express('collection', { list: [result] })
    : 0
}

const plainName = name()

function identifier(build: Builder, node: number): number {
  const said = build.textOf(node)
  if (said === 'this') return build.refer('self', node, { scope: memberScope(build) })
  if (said === 'super') return build.refer('super', node, { scope: memberScope(build) })
  return plainName(build, node)
}

/** `a.b.C` in a type or a pattern. */
function stable(role: number) {
  return (build: Builder, node: number): number => {
    const [first, ...rest] = build.children(node)
    let of = build.visit(first ?? -1)
    for (const it of rest)
      of = build.refer('member', it, { of, role: it === rest.at(-1) ? role : 0 })
    return of
  }
}

const rules: Rules = {
  package_clause: (build, node) => {
    definePackage(build, build.field(node, 'name'), node)
    build.visit(build.field(node, 'body'))
    return 0
  },
  package_object: packageObject,
  import_declaration: importDeclaration,
  export_declaration: importDeclaration,
  class_definition: typeDefinition('class'),
  trait_definition: typeDefinition('interface'),
  enum_definition: typeDefinition('enum'),
  object_definition: typeDefinition('class', true),
  simple_enum_case: enumCase,
  full_enum_case: enumCase,
  type_definition: typeAlias,
  type_parameters: typeParameters,
  self_type: selfType,
  given_definition: given,
  extension_definition: extensionDefinition,
  function_definition: functionDefinition,
  function_declaration: functionDefinition,
  function_type: functionType,
  val_definition: valDefinition,
  var_definition: valDefinition,
  val_declaration: valDefinition,
  var_declaration: valDefinition,
  block: statements,
  indented_block: statements,
  case_block: caseBlock,
  indented_cases: caseBlock,
  match_expression: match,
  for_expression: forExpression,
  lambda_expression: lambda,
  call_expression: call,
  generic_function: genericFunction,
  infix_expression: infix,
  instance_expression: instance,
  field_expression: (build, node) => {
    const of = build.visitExpecting(build.field(node, 'value'), 0)
    return build.refer('member', build.field(node, 'field'), { of })
  },
  assignment_expression: (build, node) => {
    const target = build.visitExpecting(build.field(node, 'left'), 0)
    build.alsoAs(target, ROLE.write)
    build.visitExpecting(build.field(node, 'right'), target)
    return 0
  },
  if_expression: either('consequence', 'alternative'),
  try_expression: same('body'),
  tuple_expression: collection(),
  parenthesized_expression: same(),
  ascription_expression: (build, node) => {
    const [value, type] = build.children(node)
    build.visitExpecting(value ?? -1, 0)
    const of = build.visit(type ?? -1)
    return of > 0 ? build.express('typed', { of }) : 0
  },
  return_expression: (build, node) => {
    const value = build.visitExpecting(firstChild(build, node), 0)
    if (value > 0) build.returns.push(value)
    return 0
  },
  interpolated_string_expression: (build, node) => {
    build.visit(lastChild(build, node))
    return 0
  },
  annotation: (build, node) => {
    build.visit(build.field(node, 'name'))
    build.visit(build.field(node, 'arguments'))
    return 0
  },
  wildcard: (build) => build.state(scalaState).placeholder ?? 0,
  identifier,
  stable_identifier: stable(0),
  type_identifier: typeName(),
  stable_type_identifier: stable(ROLE.type),
  generic_type: generic({ of: 'type', args: 'type_arguments' }),
  compound_type: anyOf(),
  infix_type: anyOf(),
  annotated_type: firstOf,
  tuple_type: collection(),
  lazy_parameter_type: same(),
  repeated_parameter_type: collection(),
  string: text(),
  comment: comment(),
  block_comment: comment(),
}

export const scala: Language = {
  id: 'scala',
  grammar: 'scala',
  extensions: ['.scala', '.sc', '.sbt'],
  rules,
  patterns,
  finish,
}
