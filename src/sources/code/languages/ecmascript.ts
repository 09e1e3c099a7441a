/** What JavaScript and TypeScript have in common: everything but types. */
import { TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import { application } from '../call-rules.ts'
import { assuming, NO_TESTS, narrowed } from '../narrowing.ts'
import {
  block,
  classLike,
  comment,
  firstChild,
  func,
  functionLike,
  itemOf,
  lastChild,
  member,
  name,
  nothing,
  part,
  returning,
  same,
  self,
  text,
  unquoted,
  variable,
} from '../rules.ts'
import { assign } from './ecmascript-assign.ts'
import { castType, documentedFunction, documentedType } from './ecmascript-doc.ts'
import { closing, element } from './ecmascript-jsx.ts'
import { array, keyed, object } from './ecmascript-literals.ts'
import {
  callOrRequire,
  exportStatement,
  importStatement,
  isModuleExports,
  ownExports,
  required,
} from './ecmascript-modules.ts'
import { hoisted, isVar, modifiers, named } from './ecmascript-names.ts'
import {
  ifStatement,
  switchStatement,
  ternary,
  testsOf,
  whileStatement,
} from './ecmascript-tests.ts'

export const held = variable({
  pattern: 'name',
  value: 'value',
  type: 'type',
  documented: documentedType,
  scope: (build, node) => (isVar(build, node) ? hoisted(build) : build.scope),
})

function declarator(build: Builder, node: number): number {
  if (required(build, node)) return 0
  held(build, node)
  if (build.scope === 0) constant(build, node)
  return 0
}

/** `const KIND = 'shop'`: its text matters where something is tested for it. */
function constant(build: Builder, node: number): void {
  const value = build.field(node, 'value')
  if (build.kindName(value) !== 'string' || isVar(build, node)) return
  const definition = build.findIn(0, build.textOf(build.field(node, 'name')))
  if (definition >= 0) asLiteral(build, build.draft(definition).value)
}

function asLiteral(build: Builder, expression: number): void {
  const it = build.expressions[expression]
  if (it?.op === 'text') it.op = 'literal'
}

function forIn(build: Builder, node: number): number {
  build.block(() => {
    const of = build.visitExpecting(build.field(node, 'right'), 0)
    const left = build.field(node, 'left')
    const value = build.textOf(build.field(node, 'operator')) === 'of' ? itemOf(build, of) : 0
    const kind = build.field(node, 'kind')
    if (kind >= 0) {
      const scope = build.textOf(kind) === 'var' ? hoisted(build) : build.scope
      build.bind(left, { kind: 'variable', value, type: 0, scope, traits: 0, node: left })
    } else build.visit(left)
    const body = build.field(node, 'body')
    if (body >= 0) build.visitExpecting(body, 0)
  })
  return 0
}

function subscript(build: Builder, node: number): number {
  const holder = build.field(node, 'object')
  const of = narrowed(build, holder, build.visitExpecting(holder, 0))
  const index = build.field(node, 'index')
  const key = build.visitExpecting(index, 0)
  if (build.kindName(index) === 'string') {
    keyed(build, index, of)
    return build.express('member', { of, name: unquoted(build.textOf(index)) })
  }
  return build.express('item', {
    of,
    list: key > 0 ? [key] : [],
    name: build.kindName(index) === 'number' ? build.textOf(index) : '',
  })
}

/** The fields of a binary expression that can be its value: those of `||`, `&&`, `??`. */
function binary(build: Builder, node: number): number {
  const operator = build.textOf(build.field(node, 'operator'))
  const expected = ['||', '??', '&&'].includes(operator) ? build.expected : 0
  const first = build.field(node, 'left')
  const second = build.field(node, 'right')
  const left = build.visitExpecting(first, expected)
  const tests =
    operator === '&&' || operator === '||' ? testsOf(build, first, operator === '&&') : NO_TESTS
  const right = assuming(build, tests, () => build.visitExpecting(second, expected))
  if (operator === 'instanceof') testedFor(build, node, right)
  if (operator === '&&') return right
  return expected > 0 || operator === '||' || operator === '??' ? build.either([left, right]) : 0
}

/** `x instanceof Node`: whoever asks expects that `x` may be one. */
function testedFor(build: Builder, node: number, of: number): void {
  const at = build.field(node, 'left')
  const known = build.kindName(at) === 'identifier' ? build.find(build.textOf(at)) : -1
  if (known >= 0 && of > 0) build.addValue(known, build.express('instance', { of }))
}

export function method(build: Builder, node: number): number {
  const isConstructor = build.textOf(build.field(node, 'name')) === 'constructor'
  return functionLike(build, node, {
    kind: isConstructor ? 'constructor' : 'method',
    traits: modifiers,
    typeParameters: 'type_parameters',
    documented: documentedFunction,
  })
}

export function heritage(build: Builder, node: number): readonly number[] {
  const clause = build.child(node, 'class_heritage')
  return clause < 0 ? [] : build.children(clause)
}

/** A class or function expression with a name is known by it inside itself only. */
function expressionOf(kind: 'class' | 'function') {
  return (build: Builder, node: number): number => {
    let expression = 0
    build.block(() => {
      expression =
        kind === 'class'
          ? classLike(build, node, { bases: heritage, typeParameters: 'type_parameters' })
          : functionLike(build, node, {
              traits: modifiers,
              typeParameters: 'type_parameters',
              documented: documentedFunction,
            })
    })
    const own = build.expressions[expression]
    // Whoever holds the value may still give it another name.
    if (own?.op === 'define') build.draft(own.of).traits |= TRAIT.anonymous
    return expression
  }
}

/** In parentheses a value may be said to be of a type. */
function cast(build: Builder, node: number): number {
  const of = castType(build, node)
  if (of === 0) return inParentheses(build, node)
  const typed = build.express('typed', { of })
  build.visitExpecting(firstChild(build, node), typed)
  return typed
}

const inParentheses = same()

const functionRule = func({
  traits: modifiers,
  scope: (build) => build.scope,
  typeParameters: 'type_parameters',
  documented: documentedFunction,
})

const memberRule = member({ object: 'object', name: 'property' })

export const rules: Rules = {
  identifier: name(),
  property_identifier: nothing(),
  statement_identifier: nothing(),
  shorthand_property_identifier: name(),
  member_expression: (build, node) =>
    isModuleExports(build, node) ? ownExports(build, node) : memberRule(build, node),
  nested_identifier: member({ object: 'object', name: 'property' }),
  subscript_expression: subscript,
  call_expression: callOrRequire,
  new_expression: (build, node) =>
    application(build, node, { op: 'make', callee: 'constructor', args: 'arguments' }),
  this: self(),
  super: (build, node) => build.refer('super', node),
  string: text(),
  template_string: text(),
  array,
  object,
  await_expression: same(),
  yield_expression: same(),
  parenthesized_expression: cast,
  spread_element: same(),
  sequence_expression: same(lastChild),
  ternary_expression: ternary,
  binary_expression: binary,
  assignment_expression: assign,
  function_declaration: functionRule,
  generator_function_declaration: functionRule,
  function_expression: expressionOf('function'),
  generator_function: expressionOf('function'),
  arrow_function: func({
    name: () => -1,
    parameters: (build, node) => {
      const list = build.field(node, 'parameters')
      return list < 0 ? build.field(node, 'parameter') : list
    },
    typeParameters: 'type_parameters',
    documented: documentedFunction,
    traits: (build, node) => modifiers(build, node) | TRAIT.arrow,
  }),
  method_definition: method,
  class_declaration: (build, node) =>
    classLike(build, node, { bases: heritage, typeParameters: 'type_parameters' }),
  class: expressionOf('class'),
  field_definition: (build, node) => fieldDefinition(build, node, 'property'),
  class_static_block: block(),
  variable_declarator: declarator,
  return_statement: returning(),
  statement_block: block(),
  for_statement: block(),
  for_in_statement: forIn,
  if_statement: ifStatement,
  while_statement: whileStatement,
  switch_statement: switchStatement,
  catch_clause: (build, node) => {
    build.block(() => {
      const binding = {
        kind: 'variable' as const,
        value: 0,
        type: 0,
        scope: build.scope,
        traits: 0,
      }
      build.bind(build.field(node, 'parameter'), { ...binding, node })
      build.visit(build.field(node, 'body'))
    })
    return 0
  },
  import_statement: importStatement,
  export_statement: exportStatement,
  comment: comment(),
  html_comment: comment(),
  jsx_opening_element: element,
  jsx_self_closing_element: element,
  jsx_closing_element: closing,
  jsx_expression: same(),
}

export function fieldDefinition(build: Builder, node: number, nameField: string): number {
  const at = part(build, node, nameField)
  for (const it of build.children(node)) if (build.kindName(it) === 'decorator') build.visit(it)
  const written = build.visitExpecting(build.field(node, 'type'), 0)
  const type = written > 0 ? written : documentedType(build, node)
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const value = build.visitExpecting(build.field(node, 'value'), expected)
  if (build.has(node, 'readonly')) asLiteral(build, value)
  const isComputed = build.kindName(at) === 'computed_property_name'
  if (isComputed) build.visitExpecting(at, 0)
  if (at >= 0 && !isComputed)
    named(build, value, {
      name: unquoted(build.textOf(at)),
      at,
      node,
      kind: 'field',
      type,
      scope: build.scope,
      traits: modifiers(build, node),
    })
  return 0
}
