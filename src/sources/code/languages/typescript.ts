/** TypeScript: what JavaScript has, and types. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Patterns, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import {
  anyOf,
  classLike,
  collection,
  firstChild,
  functionLike,
  generic,
  nothing,
  same,
  type,
  typeName,
  unquoted,
} from '../rules.ts'
import * as ecmascript from './ecmascript.ts'
import { finish } from './ecmascript-assign.ts'
import { INTRINSIC_ELEMENTS } from './ecmascript-jsx.ts'
import { keyed } from './ecmascript-literals.ts'
import * as names from './ecmascript-names.ts'
import { ambient, provideGlobals } from './typescript-globals.ts'

function parameter(build: Builder, node: number, binding: Parameters<Patterns[string]>[2]): void {
  const annotation = build.visitExpecting(build.field(node, 'type'), 0)
  const expected = annotation > 0 ? build.express('typed', { of: annotation }) : 0
  const fallback = build.visitExpecting(build.field(node, 'value'), expected)
  const pattern = build.field(node, 'pattern')
  for (const it of build.children(node)) if (build.kindName(it) === 'decorator') build.visit(it)
  if (build.kindName(pattern) === 'this') {
    const receiver = { kind: 'parameter', name: 'this', at: pattern, node } as const
    binding.into?.push(build.define({ ...receiver, type: annotation }))
    return
  }
  build.bind(pattern, {
    ...binding,
    node,
    type: annotation > 0 ? annotation : binding.type,
    value: build.either([binding.value, fallback]),
  })
  // `constructor(private readonly files: Files)` declares a field as well.
  if (build.has(node, 'accessibility_modifier') || build.has(node, 'readonly')) {
    const scope = build.scopes[build.scope]?.parent ?? 0
    const owner = build.scopes[scope]?.owner ?? 0
    const name = build.textOf(pattern)
    if (build.scopes[scope]?.kind === 'class')
      build.define({
        kind: 'field',
        name,
        at: pattern,
        node,
        type: annotation,
        value: fallback,
        scope,
        owner,
      })
  }
}

function bases(build: Builder, node: number): readonly number[] {
  const clauses = build
    .children(node)
    .filter((it) =>
      ['class_heritage', 'extends_type_clause', 'extends_clause'].includes(build.kindName(it)),
    )
    .flatMap((it) => (build.kindName(it) === 'class_heritage' ? build.children(it) : [it]))
  return clauses.flatMap((it) =>
    build.kindName(it) === 'extends_clause' ? [it] : build.children(it),
  )
}

/** `extends Base<T>`: the grammar keeps the value and its type arguments apart. */
function extendsClause(build: Builder, node: number): number {
  const of = build.visit(build.field(node, 'value'))
  const args = build.field(node, 'type_arguments')
  if (args < 0) return of
  const list = build.children(args).map((it) => build.visit(it))
  return build.express('generic', { of, list })
}

/** The type whose members the object type around has, all of them and no others. */
const mappedTypes = defineState<{ source: number | undefined }>(() => ({ source: undefined }))

/** The type of an object: members without a name around them. */
function objectType(build: Builder, node: number): number {
  const definition = build.define({ kind: 'interface', name: '', at: -1, node })
  const draft = build.draft(definition)
  draft.inner = build.open('class', definition)
  const state = build.state(mappedTypes)
  const { source: outer } = state
  state.source = undefined
  build.within(draft.inner, definition, () => build.visitChildren(node))
  const { source } = state
  state.source = outer
  // What has all the members of a type, and no others, is that type.
  if (source !== undefined) return source
  return build.express('define', { of: definition, role: ROLE.type })
}

/**
 * `{ [K in keyof T]: T[K] }` has the members of `T`, and so has `{ [K in keyof T]: boolean }`. What
 * else a member is turned into is not followed.
 */
function mappedClause(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const over = build.field(node, 'type')
  const isKeys = build.kindName(over) === 'index_type_query'
  const of = build.visit(isKeys ? firstChild(build, over) : over)
  build.define({ kind: 'type-parameter', name: build.textOf(at), at, node })
  const value = build.field(build.parent(node), 'type')
  const item = `${build.textOf(firstChild(build, over))}[${build.textOf(at)}]`
  const parts = build.textOf(value).replace(/^:/, '').split('|')
  const isSame = parts.every((it) => it.trim() === item || PLAIN.test(it.trim()))
  if (isKeys && of > 0 && isSame) build.state(mappedTypes).source = of
  return 0
}

const PLAIN = /^(?:undefined|null|true|false|boolean|string|number|bigint|unknown|any|never)$/

function signature(build: Builder, node: number): number {
  return functionLike(build, node, {
    kind: 'signature',
    name: () => -1,
    returns: (it, at) => it.field(at, 'return_type'),
    typeParameters: 'type_parameters',
  })
}

/** `interface A { (x: B): C }`: the interface can be called. */
function callSignature(build: Builder, node: number): number {
  const expression = signature(build, node)
  const own = build.expressions[expression]
  if (own !== undefined) {
    const draft = build.draft(own.of)
    draft.name = '()'
    draft.scope = build.scope
  }
  return expression
}

function enumBody(build: Builder, node: number): void {
  for (const child of build.children(build.field(node, 'body'))) {
    const isAssigned = build.kindName(child) === 'enum_assignment'
    const at = isAssigned ? build.field(child, 'name') : child
    if (isAssigned) build.visit(build.field(child, 'value'))
    if (build.kindName(at).endsWith('comment')) build.visit(at)
    else build.define({ kind: 'member', name: unquoted(build.textOf(at)), at, node: child })
  }
}

function alias(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const definition = build.define({
    kind: 'type',
    name: build.textOf(at),
    at,
    node,
    traits: TRAIT.typeOnly,
  })
  const draft = build.draft(definition)
  draft.inner = build.open('block', definition)
  build.within(draft.inner, definition, () => {
    build.visit(build.field(node, 'type_parameters'))
    draft.type = build.visit(build.field(node, 'value'))
  })
  // `type A = { … }`: the members are those of A.
  const literal = build.anonymous(draft.type)
  if (literal >= 0) build.draft(literal).owner = definition
  return 0
}

function namespace(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const expression = classLike(build, node, {
    kind: 'namespace',
    name: () => (build.kindName(at) === 'nested_identifier' ? -1 : at),
    scopeKind: 'namespace',
  })
  if (build.textOf(at) === 'JSX') provideElements(build, build.expressions[expression]?.of ?? 0)
  return expression
}

/** Elements of JSX are known everywhere, without an import. */
function provideElements(build: Builder, namespaceOf: number): void {
  const definition = build.findIn(build.draft(namespaceOf).inner, 'IntrinsicElements')
  if (definition >= 0) build.provides.push({ name: INTRINSIC_ELEMENTS, definition })
}

/** `T['key']` is the type of that member. */
function lookup(build: Builder, node: number): number {
  const [object, index] = build.children(node)
  const of = build.visit(object ?? -1)
  build.visit(index ?? -1)
  const string = firstChild(build, index ?? -1)
  if (build.kindName(string) !== 'string') return build.express('item', { of, role: ROLE.type })
  const value = build.express('typed', { of })
  keyed(build, string, value)
  const name = unquoted(build.textOf(string))
  return build.express('typeof', { of: build.express('member', { of: value, name }) })
}

/** The type of a member may be a literal, by which the whole is told from others. */
function literalType(build: Builder, node: number): number {
  const value = firstChild(build, node)
  if (!isOfMember(build, node)) return (build.visit(value), 0)
  return build.literal(unquoted(build.textOf(value)))
}

function isOfMember(build: Builder, node: number): boolean {
  const outer = build.parent(node)
  const kind = build.kindName(outer)
  if (kind === 'union_type') return isOfMember(build, outer)
  return kind === 'type_annotation' && MEMBERS.has(build.kindName(build.parent(outer)))
}

const MEMBERS: ReadonlySet<string> = new Set(['property_signature', 'public_field_definition'])

/** Beside literals it matters that there may be something else. */
function union(build: Builder, node: number): number {
  const list = build.children(node).map((it) => build.visit(it))
  const isOpen = list.includes(0) && list.some((it) => build.expressions[it]?.op === 'literal')
  return build.either(isOpen ? [...list, build.express('unknown', {})] : list)
}

function conditional(build: Builder, node: number): number {
  build.visit(build.field(node, 'left'))
  build.visit(build.field(node, 'right'))
  const yes = build.visit(build.field(node, 'consequence'))
  const no = build.visit(build.field(node, 'alternative'))
  return build.either([yes, no])
}

function cast(build: Builder, node: number): number {
  const [value, target] = build.children(node)
  const to = target === undefined ? 0 : build.visit(target)
  const expected = to > 0 ? build.express('typed', { of: to }) : build.expected
  const own = build.visitExpecting(value ?? -1, expected)
  const isConst = target === undefined || build.textOf(target) === 'const'
  return isConst || to === 0 || build.kindName(node) === 'satisfies_expression'
    ? own
    : build.express('typed', { of: to })
}

/**
 * The grammar takes a `<` at the start of a line for a continuation of the line before, where
 * TypeScript sees the next call signature of an interface. A semicolon in place of the line break
 * says so. Only tried on files that do not parse as they are.
 */
function mend(text: string): string {
  return text.replaceAll(
    /([>\w)\]}])\n((?:\s*\/\/[^\n]*\n|\s*\/\*(?:[^*]|\*(?!\/))*\*\/|\s*\n)*\s*<)/g,
    (_, before: string, rest: string) => `${before};${rest}`,
  )
}

const rules: Rules = {
  ...ecmascript.rules,
  type_identifier: typeName(),
  predefined_type: nothing(),
  this_type: (build) => build.express('self', { role: ROLE.type }),
  type_annotation: same(),
  generic_type: generic({ of: 'name', args: 'type_arguments' }),
  nested_type_identifier: (build, node) => {
    const module = build.field(node, 'module')
    const isName = build.kindName(module) === 'identifier'
    const of = isName ? build.refer('name', module, { role: ROLE.type }) : build.visit(module)
    return build.refer('member', build.field(node, 'name'), { of, role: ROLE.type })
  },
  union_type: union,
  literal_type: literalType,
  intersection_type: anyOf(),
  array_type: collection(),
  tuple_type: collection(),
  readonly_type: same(),
  parenthesized_type: same(),
  optional_type: same(),
  rest_type: same(),
  function_type: signature,
  constructor_type: signature,
  object_type: objectType,
  type_query: (build, node) =>
    build.express('typeof', { of: build.visit(firstChild(build, node)) }),
  lookup_type: lookup,
  index_type_query: (build, node) => {
    build.visitChildren(node)
    return 0
  },
  conditional_type: conditional,
  type_predicate: (build, node) => {
    const at = build.field(node, 'name')
    if (build.kindName(at) === 'identifier') build.refer('name', at)
    const of = build.visit(build.field(node, 'type'))
    return of === 0 ? 0 : build.express('predicate', { of, name: build.textOf(at) })
  },
  type_predicate_annotation: same(),
  asserts: same(),
  asserts_annotation: same(),
  infer_type: (build, node) => {
    const at = firstChild(build, node)
    const limits = build.children(node).filter((it) => it !== at)
    const limit = build.either(limits.map((it) => build.visit(it)))
    build.define({ kind: 'type-parameter', name: build.textOf(at), at, node, type: limit })
    return 0
  },
  mapped_type_clause: mappedClause,
  type_parameter: (build, node) => {
    const at = build.field(node, 'name')
    const limit = build.visit(build.field(node, 'constraint'))
    const value = build.visit(build.field(node, 'value'))
    build.define({
      kind: 'type-parameter',
      name: build.textOf(at),
      at,
      node,
      // Whoever leaves it out means the default.
      type: build.either([value, limit]),
      traits: TRAIT.typeOnly,
    })
    return 0
  },
  constraint: same(),
  default_type: same(),
  type_arguments: (build, node) => {
    build.visitChildren(node)
    return 0
  },
  interface_declaration: type({
    kind: 'interface',
    bases,
    typeParameters: 'type_parameters',
    traits: () => TRAIT.typeOnly,
  }),
  class_declaration: type({ bases, typeParameters: 'type_parameters' }),
  abstract_class_declaration: type({ bases, typeParameters: 'type_parameters' }),
  class: (build, node) => {
    const expression = classLike(build, node, { bases, typeParameters: 'type_parameters' })
    const own = build.expressions[expression]
    if (own !== undefined) build.draft(own.of).traits |= TRAIT.anonymous
    return expression
  },
  extends_clause: extendsClause,
  enum_declaration: type({ kind: 'enum', body: () => -1, before: enumBody }),
  type_alias_declaration: alias,
  ambient_declaration: ambient,
  internal_module: namespace,
  module: namespace,
  property_signature: (build, node) => ecmascript.fieldDefinition(build, node, 'name'),
  public_field_definition: (build, node) => ecmascript.fieldDefinition(build, node, 'name'),
  method_signature: (build, node) =>
    functionLike(build, node, { kind: 'method', typeParameters: 'type_parameters' }),
  abstract_method_signature: (build, node) =>
    functionLike(build, node, { kind: 'method', typeParameters: 'type_parameters' }),
  function_signature: (build, node) =>
    functionLike(build, node, { typeParameters: 'type_parameters' }),
  call_signature: callSignature,
  construct_signature: (build, node) => {
    build.visitChildren(node)
    return 0
  },
  index_signature: (build, node) => {
    build.block(() => {
      build.visitChildren(node)
    })
    return 0
  },
  as_expression: cast,
  satisfies_expression: cast,
  type_assertion: (build, node) => {
    const [to, value] = build.children(node)
    build.visit(value ?? -1)
    return build.express('typed', { of: build.visit(firstChild(build, to ?? -1)) })
  },
  non_null_expression: same(),
  instantiation_expression: same(),
  import_alias: (build, node) => {
    const [at, value] = build.children(node)
    const of = build.visit(value ?? -1)
    build.define({ kind: 'import', name: build.textOf(at ?? -1), at: at ?? -1, node, value: of })
    return 0
  },
  // `new Map<string, Foo>()`: what it holds is told by its type arguments.
  new_expression: (build, node) => {
    const made = ecmascript.rules['new_expression']?.(build, node) ?? 0
    const args = build.children(build.field(node, 'type_arguments')).map((it) => build.visit(it))
    const of = build.expressions[made]?.of ?? 0
    if (args.length === 0 || of === 0) return made
    const whole = build.express('generic', { of, list: args })
    return build.either([made, build.express('typed', { of: whole })])
  },
}

const patterns: Patterns = {
  ...names.patterns,
  required_parameter: parameter,
  optional_parameter: parameter,
}

export const typescript: Language = {
  id: 'typescript',
  grammar: 'typescript',
  extensions: ['.ts', '.mts', '.cts'],
  rules,
  patterns,
  finish: (build, path) => {
    finish(build)
    provideGlobals(build, path)
  },
  mend,
}
