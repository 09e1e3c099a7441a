/** PHP. Classes and functions are known by the full name that their namespace gives them. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import { argumentsOf, type NamedArgument } from '../call-rules.ts'
import type { Language } from '../language.ts'
import {
  anyOf,
  classLike,
  collection,
  comment,
  either,
  firstChild,
  functionLike,
  itemOf,
  lastChild,
  nothing,
  returning,
  same,
  text,
} from '../rules.ts'
import {
  classOwner,
  namespaceDefinition,
  provideNames,
  qualifiedName,
  requiring,
  useDeclaration,
} from './php-names.ts'
import { patterns } from './php-patterns.ts'

function modifiers(build: Builder, node: number): number {
  let traits = 0
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'static_modifier') traits |= TRAIT.static
    if (build.kindName(it) === 'visibility_modifier' && build.textOf(it) === 'private')
      traits |= TRAIT.private
  }
  return traits
}

function assignment(build: Builder, node: number): number {
  const value = build.visitExpecting(build.field(node, 'right'), 0)
  const scope = build.scope
  const left = build.field(node, 'left')
  build.bind(left, { kind: 'variable', value, type: 0, scope, traits: 0, node })
  return value
}

/** Where a class is named; `self` and `static` name the one around them. */
function className(build: Builder, node: number): number {
  const kind = build.kindName(node)
  if (kind !== 'name' && kind !== 'relative_scope') return build.visitExpecting(node, 0)
  const word = build.textOf(node).toLowerCase()
  if (word === 'parent') return build.express('super', {})
  if (word !== 'self' && word !== 'static') return build.refer('name', node, { role: ROLE.type })
  const { name } = build.draft(classOwner(build))
  return name === ''
    ? build.express('define', { of: classOwner(build) })
    : build.refer('name', node, { name, role: ROLE.type, scope: 0 })
}

function memberOf(build: Builder, at: number, of: number): number {
  const kind = build.kindName(at)
  if (kind === 'name') return build.refer('member', at, { of })
  if (kind === 'variable_name' && build.kindName(build.parent(at)).startsWith('scoped_property'))
    return build.refer('member', firstChild(build, at), { of })
  build.visit(at)
  return 0
}

function memberAccess(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'object'), 0)
  return memberOf(build, build.field(node, 'name'), of)
}

function scopedAccess(build: Builder, node: number): number {
  const of = className(build, build.field(node, 'scope'))
  return memberOf(build, build.field(node, 'name'), of)
}

function constantAccess(build: Builder, node: number): number {
  const [scope, at] = build.children(node)
  const of = className(build, scope ?? -1)
  return build.textOf(at ?? -1) === 'class' ? of : memberOf(build, at ?? -1, of)
}

function call(build: Builder, node: number): number {
  const kind = build.kindName(node)
  const callee = build.field(node, 'function')
  const of =
    kind === 'scoped_call_expression'
      ? scopedAccess(build, node)
      : kind === 'function_call_expression'
        ? build.visitExpecting(callee, 0)
        : memberAccess(build, node)
  build.alsoAs(of, ROLE.call)
  if (build.textOf(callee) === 'define') defineConstant(build, node)
  return applied(build, node, { of, op: 'call', args: build.field(node, 'arguments') })
}

function applied(
  build: Builder,
  node: number,
  it: { readonly of: number; readonly op: 'call' | 'make'; readonly args: number },
): number {
  const { of, op } = it
  const list = argumentsOf(build, it.args, { of, byName })
  const start = build.syntax.starts[node] ?? 0
  const end = build.syntax.ends[node] ?? 0
  return build.express(op, { of, list, start, end })
}

function byName(build: Builder, node: number): NamedArgument | undefined {
  const name = build.field(node, 'name')
  if (build.kindName(node) !== 'argument' || name < 0) return undefined
  return { name: build.textOf(name), value: lastChild(build, node) }
}

/** `define('NAME', value)`. */
function defineConstant(build: Builder, node: number): void {
  const first = firstChild(build, firstChild(build, build.field(node, 'arguments')))
  const at = build.child(first, 'string_content')
  if (at >= 0)
    build.define({ kind: 'variable', name: build.textOf(at), at, node, scope: 0, owner: 0 })
}

function make(build: Builder, node: number): number {
  const what = firstChild(build, node)
  if (build.kindName(what) === 'anonymous_class') {
    const of = anonymousClass(build, what)
    return build.express('make', { of })
  }
  const of = className(build, what)
  build.alsoAs(of, ROLE.call | ROLE.make)
  return applied(build, node, { of, op: 'make', args: build.child(node, 'arguments') })
}

function anonymousClass(build: Builder, node: number): number {
  for (const it of build.children(build.child(node, 'arguments'))) build.visit(it)
  return classLike(build, node, { name: () => -1, bases })
}

function bases(build: Builder, node: number): readonly number[] {
  return build
    .children(node)
    .filter((it) => /^(base_clause|class_interface_clause)$/.test(build.kindName(it)))
    .flatMap((it) => build.children(it))
}

function typeDeclaration(kind: 'class' | 'interface' | 'enum') {
  return (build: Builder, node: number): number => {
    build.visit(build.field(node, 'attributes'))
    return classLike(build, node, { kind, bases })
  }
}

/** `use Trait;` in a class takes over what the trait has. */
/** What a trait defines comes before what an interface only declares. */
function useTraits(build: Builder, node: number): number {
  const isDerived = build.has(build.parent(build.parent(node)), 'base_clause')
  for (const it of build.children(node)) {
    if (!/^(name|qualified_name)$/.test(build.kindName(it))) continue
    const base = className(build, it)
    build.alsoAs(base, ROLE.inherit)
    if (base > 0) build.draft(build.owner).bases.splice(isDerived ? 1 : 0, 0, base)
  }
  return 0
}

function method(build: Builder, node: number): number {
  build.visit(build.field(node, 'attributes'))
  const isMaker = build.textOf(build.field(node, 'name')) === '__construct'
  return functionLike(build, node, {
    kind: isMaker ? 'constructor' : 'method',
    traits: modifiers,
  })
}

function properties(build: Builder, node: number): number {
  const type = build.visit(build.field(node, 'type'))
  const traits = modifiers(build, node)
  for (const it of build.children(node)) {
    if (build.kindName(it) !== 'property_element') continue
    const at = firstChild(build, build.field(it, 'name'))
    const value = build.visitExpecting(build.field(it, 'default_value'), 0)
    build.define({ kind: 'field', name: build.textOf(at), at, node, type, value, traits })
  }
  return 0
}

function constants(build: Builder, node: number): number {
  const isMember = build.scopes[build.scope]?.kind === 'class'
  for (const it of build.children(node)) {
    if (build.kindName(it) !== 'const_element') continue
    const [at, given] = build.children(it)
    const value = build.visitExpecting(given ?? -1, 0)
    build.define({
      kind: isMember ? 'field' : 'variable',
      name: build.textOf(at ?? -1),
      at: at ?? -1,
      node,
      value,
      traits: isMember ? TRAIT.static : 0,
    })
  }
  return 0
}

function enumCase(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  build.visit(build.field(node, 'value'))
  build.define({ kind: 'member', name: build.textOf(at), at, node })
  return 0
}

function closure(build: Builder, node: number): number {
  return functionLike(build, node, { name: () => -1, traits: () => TRAIT.arrow })
}

function foreach(build: Builder, node: number): number {
  const body = build.field(node, 'body')
  const [list, target] = build.children(node).filter((it) => it !== body)
  const of = build.visitExpecting(list ?? -1, 0)
  const scope = build.scope
  const value = itemOf(build, of)
  build.bind(target ?? -1, {
    kind: 'variable',
    value,
    type: 0,
    scope,
    traits: 0,
    node: target ?? node,
  })
  build.visit(body)
  return 0
}

function catchClause(build: Builder, node: number): number {
  const type = build.visit(build.field(node, 'type'))
  const at = build.field(node, 'name')
  const scope = build.scope
  if (at >= 0) build.bind(at, { kind: 'variable', value: 0, type, scope, traits: 0, node: at })
  build.visit(build.field(node, 'body'))
  return 0
}

const rules: Rules = {
  name: (build, node) => build.refer('name', node),
  qualified_name: qualifiedName,
  variable_name: (build, node) =>
    build.textOf(node) === '$this' ? build.refer('self', node) : build.refer('name', node),
  member_access_expression: memberAccess,
  nullsafe_member_access_expression: memberAccess,
  scoped_property_access_expression: scopedAccess,
  class_constant_access_expression: constantAccess,
  member_call_expression: call,
  nullsafe_member_call_expression: call,
  scoped_call_expression: call,
  function_call_expression: call,
  object_creation_expression: make,
  argument: same(lastChild),
  subscript_expression: (build, node) => {
    const [object, index] = build.children(node)
    const of = build.visitExpecting(object ?? -1, 0)
    build.visitExpecting(index ?? -1, 0)
    return itemOf(build, of)
  },
  assignment_expression: assignment,
  augmented_assignment_expression: assignment,
  reference_assignment_expression: assignment,
  parenthesized_expression: same(),
  clone_expression: same(),
  expression_statement: same(),
  conditional_expression: either('body', 'alternative'),
  binary_expression: (build, node) => {
    const left = build.visitExpecting(build.field(node, 'left'), 0)
    const operator = build.textOf(build.field(node, 'operator'))
    const right = build.field(node, 'right')
    const value =
      operator === 'instanceof' ? className(build, right) : build.visitExpecting(right, 0)
    return operator === '??' || operator === '?:' ? build.either([left, value]) : 0
  },
  match_expression: (build, node) => {
    build.visit(build.field(node, 'condition'))
    const arms = build.children(build.field(node, 'body'))
    return build.either(
      arms.map((it) => {
        build.visit(build.field(it, 'conditional_expressions'))
        return build.visitExpecting(build.field(it, 'return_expression'), 0)
      }),
    )
  },
  array_creation_expression: collection(),
  array_element_initializer: same(lastChild),
  string: text(),
  named_type: (build, node) => className(build, firstChild(build, node)),
  optional_type: same(),
  union_type: anyOf(),
  intersection_type: anyOf(),
  type_list: anyOf(),
  primitive_type: nothing(),
  attribute: (build, node) => {
    const of = className(build, firstChild(build, node))
    build.alsoAs(of, ROLE.call | ROLE.make)
    build.visit(build.field(node, 'parameters'))
    return 0
  },
  namespace_definition: namespaceDefinition,
  namespace_use_declaration: useDeclaration,
  require_expression: requiring,
  require_once_expression: requiring,
  include_expression: requiring,
  include_once_expression: requiring,
  class_declaration: typeDeclaration('class'),
  trait_declaration: typeDeclaration('class'),
  interface_declaration: typeDeclaration('interface'),
  enum_declaration: typeDeclaration('enum'),
  base_clause: (build, node) =>
    build.either(build.children(node).map((it) => className(build, it))),
  use_declaration: useTraits,
  function_definition: (build, node) => functionLike(build, node, {}),
  method_declaration: method,
  property_declaration: properties,
  const_declaration: constants,
  enum_case: enumCase,
  anonymous_function: closure,
  arrow_function: closure,
  anonymous_function_use_clause: (build, node) => {
    build.visitChildren(node)
    return 0
  },
  return_statement: returning(),
  foreach_statement: foreach,
  catch_clause: catchClause,
  static_variable_declaration: (build, node) => {
    const at = build.field(node, 'name')
    const value = build.visitExpecting(build.field(node, 'value'), 0)
    const scope = build.scope
    build.bind(at, { kind: 'variable', value, type: 0, scope, traits: 0, node })
    return 0
  },
  global_declaration: (build, node) => {
    for (const it of build.children(node)) build.refer('name', it, { scope: 0 })
    return 0
  },
  comment: comment(),
}

export const php: Language = {
  id: 'php',
  grammar: 'php',
  extensions: ['.php', '.phtml', '.inc'],
  interpreters: ['php'],
  rules,
  patterns,
  finish: provideNames,
}
