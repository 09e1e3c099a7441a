/** Swift's expressions and statements, and the table for all of it. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import { argumentsOf, type NamedArgument } from '../call-rules.ts'
import type { Language } from '../language.ts'
import {
  collection,
  comment,
  either,
  firstChild,
  functionLike,
  itemOf,
  nothing,
  returning,
  same,
  text,
} from '../rules.ts'
import { keepSettings } from './keys.ts'
import {
  alias,
  classOwner,
  container,
  enumEntry,
  finishExtensions,
  functionDeclaration,
  property,
  protocolProperty,
  typeParameter,
} from './swift-declarations.ts'
import { bindCase, bindNames } from './swift-patterns.ts'

/** `A.B<C>`. */
function userType(build: Builder, node: number): number {
  if (build.textOf(node) === 'Self') return build.express('self', {})
  let of = -1
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'type_identifier')
      of =
        of < 0
          ? build.refer('name', it, { role: ROLE.type })
          : build.refer('member', it, { of, role: ROLE.type })
    else if (build.kindName(it) === 'type_arguments') {
      const list = build.children(it).map((each) => build.visit(each))
      of = build.express('generic', { of: Math.max(of, 0), list })
    } else build.visit(it)
  }
  return Math.max(of, 0)
}

function functionType(build: Builder, node: number): number {
  return functionLike(build, node, {
    kind: 'signature',
    name: () => -1,
    parameters: () => -1,
    body: () => -1,
    returns: () => build.fieldsOf(node, 'name').at(-1) ?? -1,
    before: (inside, _, definition) => {
      for (const it of inside.children(inside.field(node, 'params'))) {
        const type = inside.visit(firstChild(inside, it))
        const parameter = inside.define({ kind: 'parameter', name: '', at: -1, node: it, type })
        inside.draft(definition).parameters.push(parameter)
      }
    },
  })
}

function name(build: Builder, node: number): number {
  const own = classOwner(build)
  return build.textOf(node) === 'Self' && own > 0
    ? build.express('define', { of: own })
    : build.refer('name', node)
}

/** The grammar reads `a + b.c` as `(a + b).c`; what is meant is a member of the right side. */
function rightOf(build: Builder, node: number, expected = 0): number {
  const right = build.field(node, 'rhs')
  if (right < 0) return build.visitExpecting(node, expected)
  build.visitExpecting(build.field(node, 'lhs'), 0)
  return rightOf(build, right)
}

function navigation(build: Builder, node: number): number {
  const of = rightOf(build, build.field(node, 'target'))
  const at = build.field(build.field(node, 'suffix'), 'suffix')
  if (build.textOf(at) === 'self') return of
  return at < 0 ? 0 : build.refer('member', at, { of })
}

/** `.name` is a member of what is expected here. */
function prefix(build: Builder, node: number): number {
  const target = build.field(node, 'target')
  if (build.textOf(build.field(node, 'operation')) !== '.') return build.visitExpecting(target, 0)
  return build.refer('member', target, { of: build.expected })
}

function byName(build: Builder, node: number): NamedArgument | undefined {
  const label = build.field(node, 'name')
  const value = build.field(node, 'value')
  return label < 0 || value < 0 ? undefined : { name: build.textOf(label), value }
}

function call(build: Builder, node: number): number {
  const [callee, suffix] = build.children(node)
  const args = build.child(suffix ?? -1, 'value_arguments')
  const kind = build.kindName(callee ?? -1)
  if (build.textOf(args).startsWith('[')) {
    const of = build.visitExpecting(callee ?? -1, 0)
    argumentsOf(build, args, { of: 0, byName })
    return itemOf(build, of)
  }
  const of = rightOf(build, callee ?? -1, kind === 'prefix_expression' ? build.expected : 0)
  // `[Item]()` makes an empty list of items.
  if (kind === 'array_literal' || kind === 'dictionary_literal') return emptyList(build, of)
  build.alsoAs(of, ROLE.call)
  const list = [...argumentsOf(build, args, { of, byName })]
  for (const it of build.children(suffix ?? -1)) {
    if (build.kindName(it) !== 'lambda_literal') continue
    const expected = build.express('parameter', { of, list: [list.length] })
    list.push(build.visitExpecting(it, expected))
  }
  const start = build.syntax.starts[node] ?? 0
  const end = build.syntax.ends[node] ?? 0
  return build.express('call', { of, list, start, end })
}

/** `Garden<Rose>(…)`. */
function construct(build: Builder, node: number): number {
  const of = build.visit(build.field(node, 'constructed_type'))
  const target = build.expressions[of]
  build.alsoAs(target?.op === 'generic' ? target.of : of, ROLE.call | ROLE.make)
  const suffix = build.child(node, 'constructor_suffix')
  const list = argumentsOf(build, build.child(suffix, 'value_arguments'), { of, byName })
  build.visit(build.child(suffix, 'lambda_literal'))
  const start = build.syntax.starts[node] ?? 0
  const end = build.syntax.ends[node] ?? 0
  build.express('make', { of, list, start, end })
  return build.express('typed', { of })
}

function emptyList(build: Builder, literal: number): number {
  const of = build.expressions[literal]?.list.at(-1) ?? 0
  return build.express('collection', { list: [build.express('instance', { of })] })
}

/** Without a list of parameters, they are called `$0` and so on. */
function lambda(build: Builder, node: number): number {
  const type = build.field(node, 'type')
  const list = build.child(type, 'lambda_function_type_parameters')
  const { expected } = build
  const expecting = (index: number): number =>
    expected > 0 ? build.express('parameter', { of: expected, list: [index] }) : 0
  return functionLike(build, node, {
    name: () => -1,
    traits: () => TRAIT.arrow,
    parameters: () => -1,
    returns: () => (type < 0 ? -1 : build.field(type, 'name')),
    body: (inside, own) => inside.child(own, 'statements'),
    before: (inside, own, definition) => {
      const { parameters } = inside.draft(definition)
      for (const [index, it] of inside.children(list).entries()) {
        const [at, typeNode] = inside.fieldsOf(it, 'name')
        parameters.push(
          inside.define({
            kind: 'parameter',
            name: inside.textOf(at ?? -1),
            at: at ?? -1,
            node: it,
            type: inside.visit(typeNode ?? -1),
            value: expecting(index),
          }),
        )
      }
      if (list >= 0) return
      for (const [index, word] of ['$0', '$1', '$2'].entries()) {
        if (!inside.textOf(own).includes(word)) continue
        const value = expecting(index)
        parameters.push(inside.define({ kind: 'parameter', name: word, at: -1, node: own, value }))
      }
    },
  })
}

/** A declaration among statements opens a scope for what follows: `guard let x = x`. */
function statements(build: Builder, node: number): number {
  const { scope, expected } = build
  const children = build.children(node)
  let value = 0
  build.scope = build.open('block', build.owner)
  for (const it of children) value = build.visitExpecting(it, children.length === 1 ? expected : 0)
  build.scope = scope
  return children.length === 1 ? value : 0
}

/** `if let x = y, let z, case .some(let w) = v`: each name is known from there on. */
function conditions(build: Builder, node: number): void {
  const children = build.children(node).filter((it) => build.textOf(it) !== 'else')
  const bound = build.syntax.grammar.field('bound_identifier')
  const given = new Map<number, number>()
  let isLet = false
  for (const [index, it] of children.entries()) {
    const kind = build.kindName(it)
    const isCase =
      kind === 'simple_identifier' && build.text[(build.syntax.starts[it] ?? 0) - 1] === '.'
    if (kind === 'value_binding_pattern') isLet = true
    else if (build.syntax.fields[it] === bound) {
      const annotation = children[index + 1] ?? -1
      const type = build.kindName(annotation) === 'type_annotation' ? build.visit(annotation) : 0
      const known = build.textOf(it)
      const own = valueFrom(build, { children, index, given })
      const value = own ?? build.express('name', { name: known })
      build.scope = build.open('block', build.owner)
      build.define({ kind: 'variable', name: known, at: it, node: it, value, type })
    } else if (kind === 'pattern' || isCase) {
      const value = valueFrom(build, { children, index, given }) ?? 0
      build.scope = build.open('block', build.owner)
      if (isCase) build.refer('member', it, { of: value })
      else bindCase(build, it, { value: 0, isLet })
    } else if (!given.has(it) && kind !== 'type_annotation') {
      build.visitExpecting(it, 0)
      isLet = false
    }
  }
}

/** What stands behind the next `=` of the same condition; nothing in `if let x`. */
function valueFrom(
  build: Builder,
  it: {
    readonly children: readonly number[]
    readonly index: number
    readonly given: Map<number, number>
  },
): number | undefined {
  for (let at = it.index + 1; at < it.children.length; at += 1) {
    const child = it.children[at] ?? -1
    const from = build.syntax.ends[it.children[at - 1] ?? -1] ?? 0
    const between = build.text.slice(from, build.syntax.starts[child] ?? 0)
    if (/[^=]?=\s*$/.test(between)) {
      const value = it.given.get(child) ?? build.visitExpecting(child, 0)
      it.given.set(child, value)
      return value
    }
    if (between.includes(',') && !between.includes('(')) return undefined
  }
  return undefined
}

function conditional(build: Builder, node: number): number {
  const { scope } = build
  build.scope = build.open('block', build.owner)
  conditions(build, node)
  build.scope = scope
  return 0
}

/** What is bound stays known after it. */
function guard(build: Builder, node: number): number {
  conditions(build, node)
  return 0
}

function loop(build: Builder, node: number): number {
  const pattern = build.field(node, 'item')
  const of = build.visitExpecting(build.field(node, 'collection'), 0)
  build.block(() => {
    bindNames(build, pattern, { value: itemOf(build, of), type: 0, node: pattern })
    const done = new Set([pattern, build.field(node, 'collection')])
    for (const it of build.children(node)) if (!done.has(it)) build.visitExpecting(it, 0)
  })
  return 0
}

function switchStatement(build: Builder, node: number): number {
  const value = build.visitExpecting(build.field(node, 'expr'), 0)
  const results: number[] = []
  for (const entry of build.children(node)) {
    if (build.kindName(entry) !== 'switch_entry') continue
    build.block(() => {
      for (const it of build.children(entry)) {
        if (build.kindName(it) === 'switch_pattern')
          bindCase(build, firstChild(build, it), { value, isLet: false })
        else results.push(build.visitExpecting(it, 0))
      }
    })
  }
  return build.either(results)
}

function catchBlock(build: Builder, node: number): number {
  build.block(() => {
    const pattern = build.field(node, 'error')
    const type = build.visit(build.field(pattern, 'name'))
    if (pattern >= 0) bindNames(build, pattern, { value: 0, type, node: pattern })
    else build.define({ kind: 'variable', name: 'error', at: -1, node })
    build.visit(build.child(node, 'statements'))
  })
  return 0
}

function assignment(build: Builder, node: number): number {
  const left = build.visitExpecting(build.field(node, 'target'), 0)
  build.alsoAs(left, ROLE.write)
  const value = build.visitExpecting(build.field(node, 'result'), left)
  const target = build.expressions[left]
  const known = target?.op === 'name' ? build.find(target.name) : -1
  if (known >= 0 && build.draft(known).type === 0) build.addValue(known, value)
  return 0
}

function transfer(build: Builder, node: number): number {
  if (build.textOf(node).startsWith('return')) return returning('result')(build, node)
  build.visitChildren(node)
  return 0
}

function importDeclaration(build: Builder, node: number): number {
  const path = build.child(node, 'identifier')
  const at = firstChild(build, path)
  const value = build.refer('module', at, { role: ROLE.import })
  build.define({ kind: 'import', name: build.textOf(at), at, node, value })
  return 0
}

const rules: Rules = {
  simple_identifier: name,
  type_identifier: (build, node) => build.refer('name', node, { role: ROLE.type }),
  user_type: userType,
  optional_type: same('wrapped'),
  array_type: (build, node) =>
    build.express('collection', { list: [build.visit(firstChild(build, node))] }),
  dictionary_type: (build, node) => {
    const [key, value] = build.children(node)
    build.visit(key ?? -1)
    return build.express('collection', { list: [build.visit(value ?? -1)] })
  },
  tuple_type: collection(),
  tuple_type_item: (build, node) => build.visit(build.children(node).at(-1) ?? -1),
  function_type: functionType,
  opaque_type: same(),
  existential_type: same(),
  type_annotation: same(),
  type_parameter: typeParameter,
  navigation_expression: navigation,
  directly_assignable_expression: same(),
  prefix_expression: prefix,
  postfix_expression: same('target'),
  call_expression: call,
  constructor_expression: construct,
  availability_condition: nothing(),
  value_argument: same('value'),
  value_argument_label: nothing(),
  lambda_literal: lambda,
  self_expression: (build, node) => build.refer('self', node),
  super_expression: (build, node) => build.refer('super', node),
  try_expression: same('expr'),
  await_expression: same('expr'),
  as_expression: (build, node) => {
    build.visitExpecting(build.field(node, 'expr'), 0)
    return build.express('typed', { of: build.visit(build.field(node, 'name')) })
  },
  ternary_expression: either('if_true', 'if_false'),
  nil_coalescing_expression: either('value', 'if_nil'),
  tuple_expression: collection(),
  array_literal: collection(),
  dictionary_literal: (build, node) => {
    for (const it of build.fieldsOf(node, 'key')) build.visit(it)
    const list = build.fieldsOf(node, 'value').map((it) => build.visitExpecting(it, 0))
    return build.express('collection', { list })
  },
  line_string_literal: text(),
  assignment,
  statements,
  if_statement: conditional,
  while_statement: conditional,
  guard_statement: guard,
  for_statement: loop,
  switch_statement: switchStatement,
  catch_block: catchBlock,
  control_transfer_statement: transfer,
  function_body: same(),
  import_declaration: importDeclaration,
  class_declaration: container,
  protocol_declaration: container,
  enum_entry: enumEntry,
  property_declaration: property,
  protocol_property_declaration: protocolProperty,
  function_declaration: functionDeclaration,
  protocol_function_declaration: functionDeclaration,
  init_declaration: functionDeclaration,
  deinit_declaration: functionDeclaration,
  subscript_declaration: functionDeclaration,
  typealias_declaration: alias,
  associatedtype_declaration: alias,
  attribute: nothing(),
  visibility_modifier: nothing(),
  else: nothing(),
  comment: comment(),
  multiline_comment: comment(),
}

export const swift: Language = {
  id: 'swift',
  grammar: 'swift',
  extensions: ['.swift'],
  rules,
  finish(build, path) {
    finishExtensions(build)
    keepSettings(build, path, /^Package\.swift$/)
  },
}
