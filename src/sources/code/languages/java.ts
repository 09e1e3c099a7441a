/** Java: packages, types in types, and the local rules of its statements. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns, Rules } from '../builder.ts'
import { argumentsOf } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import {
  anyOf,
  bindName,
  block,
  bound,
  collection,
  comment,
  either,
  firstChild,
  functionLike,
  item,
  itemOf,
  lastChild,
  nothing,
  same,
  through,
} from '../rules.ts'
import { nameInOrder, plain } from './in-order.ts'
import {
  annotation,
  annotations,
  enumConstant,
  genericType,
  javaType,
  modifiers,
  recordParts,
  scopedType,
  typeParameter,
} from './java-types.ts'
import {
  arrayOf,
  basicType,
  binary,
  constructorCall,
  creation,
  fieldAccess,
  number,
  valueOf,
} from './java-values.ts'
import { definePackage, memberScope, providePackage, referInFull } from './jvm.ts'

// Imports.

/** `import a.b.C`, `import a.b.*`, `import static a.b.C.d`, `import static a.b.C.*`. */
function importDeclaration(build: Builder, node: number): number {
  const path = build.child(node, 'scoped_identifier', 'identifier')
  const isWild = build.has(node, 'asterisk')
  const isStatic = build.has(node, 'static')
  if (isWild) {
    const value = isStatic
      ? classAt(build, path)
      : build.express('import', {
          of: build.express('module', { name: build.textOf(path) }),
          name: '*',
        })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
    return 0
  }
  const at = build.field(path, 'name')
  const scope = build.field(path, 'scope')
  if (at < 0) return 0
  const value = isStatic
    ? build.refer('import', at, { of: classAt(build, scope), role: ROLE.import })
    : classAt(build, path)
  build.define({ kind: 'import', name: build.textOf(at), at, node, value })
  return 0
}

/** In `com.acme.Outer.Inner`, what begins with a capital letter is a class around the class. */
function classAt(build: Builder, path: number): number {
  const at = build.field(path, 'name')
  if (at < 0) return build.refer('name', path)
  const scope = build.field(path, 'scope')
  const around = build.field(scope, 'name')
  if (/^[A-Z]/.test(build.textOf(around))) classAt(build, scope)
  return referInFull(build, at, { path: build.textOf(scope), role: ROLE.import })
}

// Methods.

function method(build: Builder, node: number): number {
  annotations(build, node)
  return functionLike(build, node, {
    kind: 'method',
    typeParameters: 'type_parameters',
    returns: 'type',
    traits: (it, at) => modifiers(it, at) | (it.field(at, 'body') < 0 ? TRAIT.abstract : 0),
    before: (it, at) => it.visit(it.child(at, 'throws')),
  })
}

/** Not found by name in its class: there the name is the class itself. */
function constructor(build: Builder, node: number): number {
  annotations(build, node)
  return functionLike(build, node, {
    kind: 'constructor',
    typeParameters: 'type_parameters',
    traits: modifiers,
    scope: () => -1,
    before: (it, at) => it.visit(it.child(at, 'throws')),
  })
}

function lambda(build: Builder, node: number): number {
  return functionLike(build, node, { name: () => -1, traits: () => TRAIT.arrow })
}

// Variables.

function declaration(kind: 'field' | 'variable') {
  return (build: Builder, node: number): number => {
    annotations(build, node)
    const own = build.visit(build.field(node, 'type'))
    const expected = valueOf(build, own)
    const names = build.fieldsOf(node, 'declarator')
    for (const it of names) {
      const value = build.visitExpecting(build.field(it, 'value'), expected)
      const traits = kind === 'field' ? modifiers(build, node) : 0
      const whole = names.length === 1 ? node : it
      const held = arrayOf(build, own, build.field(it, 'dimensions'))
      bindName(
        build,
        build.field(it, 'name'),
        plain(build, whole, { kind, value, type: held, traits }),
      )
    }
    return 0
  }
}

function forEach(build: Builder, node: number): number {
  build.block(() => {
    const own = build.visit(build.field(node, 'type'))
    const of = build.visitExpecting(build.field(node, 'value'), 0)
    const at = build.field(node, 'name')
    bindName(build, at, plain(build, node, { type: own, value: itemOf(build, of) }))
    build.visit(build.field(node, 'body'))
  })
  return 0
}

/** A resource, a caught exception, a pattern: a type and a name, and maybe a value. */
function typedName(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  if (at < 0) {
    build.visitChildren(node)
    return 0
  }
  annotations(build, node)
  const typeNode = Math.max(build.field(node, 'type'), build.child(node, 'catch_type'))
  const own = build.visit(typeNode)
  const value = build.visitExpecting(build.field(node, 'value'), 0)
  bindName(build, at, plain(build, node, { type: own, value }))
  return 0
}

/** `x instanceof Route r`: the name is good for what follows. */
function instanceOf(build: Builder, node: number): number {
  build.visitExpecting(build.field(node, 'left'), 0)
  const own = build.visit(build.field(node, 'right'))
  const at = build.field(node, 'name')
  if (at >= 0) bindName(build, at, plain(build, node, { type: own }))
  build.visit(build.field(node, 'pattern'))
  return build.literal('boolean')
}

/** `Route r` in a `case` and in a record's pattern. */
function patternName(build: Builder, node: number): number {
  const [typeNode, at] = build.children(node)
  if (at === undefined) return build.visit(typeNode ?? -1)
  bindName(build, at, plain(build, node, { type: build.visit(typeNode ?? -1) }))
  return 0
}

function recordPattern(build: Builder, node: number): number {
  const [of, parts] = build.children(node)
  if (build.kindName(of ?? -1) === 'identifier') build.refer('name', of ?? -1, { role: ROLE.type })
  else build.visit(of ?? -1)
  build.visit(parts ?? -1)
  return 0
}

/** What a condition makes known is good for its branch; after `if (!…) return`, for the rest. */
function ifStatement(build: Builder, node: number): number {
  const isNegated = /^\(\s*!/.test(build.textOf(build.field(node, 'condition')))
  if (isNegated) build.visitChildren(node)
  else build.block(() => build.visitChildren(node))
  return 0
}

/** What the innermost `switch` around switches on. */
const switches = defineState<{ subject: number | undefined }>(() => ({ subject: undefined }))

/** `case RED` names a constant of the type that is switched on, or means what it means elsewhere. */
function switchOver(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'condition'), 0)
  const state = build.state(switches)
  const { subject } = state
  state.subject = of
  const values = [build.visitExpecting(build.field(node, 'body'), 0)]
  state.subject = subject
  return build.either(values)
}

function isLocal(build: Builder, name: string): boolean {
  const known = build.find(name)
  return known >= 0 && (build.draft(known).traits & TRAIT.local) !== 0
}

function switchLabel(build: Builder, node: number): number {
  const { subject: of } = build.state(switches)
  for (const it of build.children(node)) {
    const isName = build.kindName(it) === 'identifier' && !isLocal(build, build.textOf(it))
    if (isName && of !== undefined) build.refer('name', it, { of, scope: memberScope(build) })
    else build.visit(it)
  }
  return 0
}

// Expressions.

function call(build: Builder, node: number): number {
  const object = build.field(node, 'object')
  const at = build.field(node, 'name')
  const of =
    object < 0
      ? build.has(node, 'super')
        ? build.refer('member', at, {
            of: build.express('super', { scope: memberScope(build) }),
            role: ROLE.call,
          })
        : build.refer('name', at, { scope: memberScope(build), role: ROLE.call })
      : build.refer('member', at, { of: build.visitExpecting(object, 0), role: ROLE.call })
  build.visit(build.field(node, 'type_arguments'))
  const list = argumentsOf(build, build.field(node, 'arguments'), { of })
  const { starts, ends } = build.syntax
  return build.express('call', { of, list, start: starts[node] ?? 0, end: ends[node] ?? 0 })
}

function methodReference(build: Builder, node: number): number {
  const [object, at] = build.children(node)
  const of = build.visitExpecting(object ?? -1, 0)
  if (at !== undefined) return build.refer('member', at, { of, role: ROLE.call })
  return build.refer('generic', build.child(node, 'new'), { of, role: ROLE.call | ROLE.make })
}

function assignment(build: Builder, node: number): number {
  const target = build.visitExpecting(build.field(node, 'left'), 0)
  build.alsoAs(target, ROLE.write)
  return build.visitExpecting(build.field(node, 'right'), target)
}

function returned(build: Builder, node: number): number {
  const value = firstChild(build, node)
  const owner = build.scopes[build.functionScope()]?.owner ?? 0
  const { type: declared } = build.draft(Math.max(0, owner))
  const expected = valueOf(build, declared)
  const expression = build.visitExpecting(value, expected)
  // What is declared to be of a basic type is nothing else.
  if (expression > 0 && (expected === 0 || expected !== declared)) build.returns.push(expression)
  return 0
}

const declaredType = nameInOrder(ROLE.type)

const rules: Rules = {
  package_declaration: (build, node) => {
    annotations(build, node)
    definePackage(build, build.child(node, 'scoped_identifier', 'identifier'), node)
    return 0
  },
  module_declaration: nothing(),
  import_declaration: importDeclaration,
  class_declaration: javaType(),
  interface_declaration: javaType({ kind: 'interface' }),
  annotation_type_declaration: javaType({ kind: 'interface' }),
  enum_declaration: javaType({ kind: 'enum' }),
  record_declaration: javaType({ before: recordParts }),
  enum_constant: enumConstant,
  type_parameter: typeParameter,
  type_bound: anyOf(),
  method_declaration: method,
  annotation_type_element_declaration: method,
  constructor_declaration: constructor,
  compact_constructor_declaration: constructor,
  lambda_expression: lambda,
  field_declaration: declaration('field'),
  constant_declaration: declaration('field'),
  local_variable_declaration: declaration('variable'),
  enhanced_for_statement: forEach,
  resource: typedName,
  catch_formal_parameter: typedName,
  catch_type: anyOf(),
  catch_clause: block(),
  try_with_resources_statement: block(),
  for_statement: block(),
  block: block(),
  if_statement: ifStatement,
  while_statement: block(),
  switch_expression: switchOver,
  switch_label: switchLabel,
  switch_rule: block(),
  switch_block_statement_group: block(),
  instanceof_expression: instanceOf,
  type_pattern: patternName,
  record_pattern: recordPattern,
  record_pattern_component: patternName,
  labeled_statement: (build, node) => build.visit(lastChild(build, node)),
  break_statement: nothing(),
  continue_statement: nothing(),
  identifier: nameInOrder(),
  type_identifier: (build, node) => (build.textOf(node) === 'var' ? 0 : declaredType(build, node)),
  scoped_type_identifier: scopedType,
  generic_type: genericType,
  array_type: (build, node) =>
    arrayOf(build, build.visit(build.field(node, 'element')), build.field(node, 'dimensions')),
  integral_type: basicType,
  floating_point_type: basicType,
  boolean_type: basicType,
  decimal_integer_literal: number,
  hex_integer_literal: number,
  octal_integer_literal: number,
  binary_integer_literal: number,
  decimal_floating_point_literal: number,
  hex_floating_point_literal: number,
  character_literal: (build) => build.literal('char'),
  true: (build) => build.literal('boolean'),
  false: (build) => build.literal('boolean'),
  null_literal: (build) => build.literal('null'),
  binary_expression: binary,
  unary_expression: same(),
  update_expression: same(),
  annotated_type: same(lastChild),
  wildcard: same(lastChild),
  method_invocation: call,
  object_creation_expression: creation,
  explicit_constructor_invocation: constructorCall,
  array_creation_expression: (build, node) => {
    let of = build.visit(build.field(node, 'type'))
    for (const it of build.fieldsOf(node, 'dimensions')) {
      const isSized = build.kindName(it) === 'dimensions_expr'
      if (isSized) build.visit(it)
      of = isSized ? build.express('collection', { list: [of] }) : arrayOf(build, of, it)
    }
    build.visit(build.field(node, 'value'))
    return build.express('typed', { of })
  },
  array_initializer: collection(),
  array_access: item({ object: 'array', index: 'index' }),
  field_access: fieldAccess,
  method_reference: methodReference,
  assignment_expression: assignment,
  ternary_expression: either('consequence', 'alternative'),
  cast_expression: (build, node) => {
    const expected = valueOf(build, build.visit(build.field(node, 'type')))
    build.visitExpecting(build.field(node, 'value'), expected)
    return expected
  },
  parenthesized_expression: same(),
  class_literal: (build, node) => {
    const own = build.visit(firstChild(build, node))
    return build.express('typed', {
      of: build.express('generic', { of: build.literal('Class'), list: [own] }),
    })
  },
  // Seen from the class: a constructor is not found by name in it, and knows no receiver of its own.
  this: (build, node) => build.refer('self', node, { scope: memberScope(build) }),
  super: (build, node) => build.refer('super', node, { scope: memberScope(build) }),
  marker_annotation: annotation,
  annotation,
  return_statement: returned,
  void_type: nothing(),
  string_literal: (build) => build.literal('String'),
  line_comment: comment(),
  block_comment: comment(),
}

function spread(build: Builder, node: number, binding: Binding): void {
  annotations(build, node)
  const declarator = build.child(node, 'variable_declarator')
  const typeNode = build
    .children(node)
    .find((it) => it !== declarator && build.kindName(it) !== 'modifiers')
  const own = build.visit(typeNode ?? -1)
  const type = build.express('collection', { list: [own], role: ROLE.type })
  bindName(build, build.field(declarator, 'name'), {
    ...binding,
    type,
    traits: binding.traits | TRAIT.rest,
  })
}

const parameter = through({ pattern: 'name', type: 'type' })

const patterns: Patterns = {
  identifier: bound(),
  formal_parameter: (build, node, binding) => {
    annotations(build, node)
    parameter(build, node, binding)
  },
  spread_parameter: spread,
  receiver_parameter: () => undefined,
}

export const java: Language = {
  id: 'java',
  grammar: 'java',
  extensions: ['.java'],
  rules,
  patterns,
  finish: providePackage,
}
