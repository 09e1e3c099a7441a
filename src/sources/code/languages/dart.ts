/**
 * Dart. Its grammar puts side by side what belongs together: a signature and its body, a value and
 * the selectors that follow it. Each part therefore looks at what stood before it.
 */

import { type DefinitionKind, ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules, Visitor } from '../builder.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import {
  block,
  classLike,
  collection,
  comment,
  itemOf,
  markInherited,
  nothing,
  same,
  text,
  unquoted,
} from '../rules.ts'

interface DartState {
  /** By node: the expression that it was found to be, for the selector after it. */
  readonly visited: Map<number, number>
  /** The signature whose body may follow. */
  signature: number | undefined
}

const dartState = defineState<DartState>(() => ({ visited: new Map(), signature: undefined }))

function remembered(rule: Visitor): Visitor {
  return (build, node) => {
    const expression = rule(build, node)
    build.state(dartState).visited.set(node, expression)
    return expression
  }
}

function before(build: Builder, node: number): number {
  const siblings = build.children(build.parent(node))
  for (let at = siblings.indexOf(node) - 1; at >= 0; at -= 1) {
    const sibling = siblings[at] ?? -1
    if (build.kindName(sibling) !== 'cascade_section')
      return build.state(dartState).visited.get(sibling) ?? 0
  }
  return 0
}

/** `.name`, `(…)`, `[…]` after a value. */
function selector(build: Builder, node: number): number {
  const of = before(build, node)
  const [inner] = build.children(node)
  const kind = build.kindName(inner ?? -1)
  if (kind === 'argument_part') return applied(build, inner ?? -1, of)
  const at = build.child(inner ?? -1, 'identifier')
  if (at >= 0) return build.refer('member', at, { of })
  build.visitChildren(node)
  return kind.endsWith('assignable_selector') && of > 0 ? build.express('item', { of }) : of
}

function applied(build: Builder, node: number, of: number): number {
  build.alsoAs(of, ROLE.call)
  const list = build.children(build.child(node, 'arguments')).map((it) => values(build, it))
  build.visit(build.child(node, 'type_arguments'))
  return build.express('call', { of, list })
}

/** Visits the children in order; the last says what the whole is. */
function values(build: Builder, node: number, from = 0): number {
  let value = 0
  for (const it of build.children(node).slice(from)) {
    const own = build.visit(it)
    if (build.kindName(it) !== 'cascade_section') value = own
  }
  return value
}

function cascade(build: Builder, node: number): number {
  let of = before(build, node)
  for (const it of build.children(node)) {
    const at = build.kindName(it) === 'cascade_selector' ? build.child(it, 'identifier') : -1
    if (at >= 0) of = build.refer('member', at, { of })
    else if (build.kindName(it) === 'argument_part') of = applied(build, it, of)
    else build.visit(it)
  }
  return 0
}

/** Types stand as a name and its arguments, one after the other. */
function typesAmong(build: Builder, nodes: readonly number[]): readonly number[] {
  const found: number[] = []
  for (const it of nodes) {
    const kind = build.kindName(it)
    if (kind === 'type_identifier') found.push(build.refer('name', it, { role: ROLE.type }))
    else if (kind === 'type_arguments' && found.length > 0) {
      const list = typesAmong(build, build.children(it))
      found.push(build.express('generic', { of: found.pop() ?? 0, list }))
    } else if (kind === 'function_type') build.visit(it)
  }
  return found
}

function typeOf(build: Builder, node: number): number {
  return typesAmong(build, build.children(node))[0] ?? 0
}

const SIGNATURES: Readonly<Record<string, DefinitionKind>> = {
  function_signature: 'function',
  getter_signature: 'method',
  setter_signature: 'method',
  operator_signature: 'method',
  constructor_signature: 'constructor',
  constant_constructor_signature: 'constructor',
  factory_constructor_signature: 'constructor',
  redirecting_factory_constructor_signature: 'constructor',
}

function signature(build: Builder, node: number): number {
  const kindName = build.kindName(node)
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const kind = SIGNATURES[kindName] ?? 'function'
  const names = build.children(node).filter((it) => build.kindName(it) === 'identifier')
  const own = build.field(node, 'name')
  const at = kind === 'constructor' ? (names.at(-1) ?? own) : own
  const traits =
    (kindName === 'getter_signature' ? TRAIT.getter : 0) |
    (kindName === 'setter_signature' ? TRAIT.again : 0) |
    (/^\s*static\b/.test(build.textOf(build.parent(node))) ? TRAIT.static : 0)
  const made = build.define({
    kind: kind === 'function' && isMember ? 'method' : kind,
    name: build.textOf(at),
    at,
    node: isMember ? build.parent(node) : node,
    traits,
  })
  const draft = build.draft(made)
  draft.inner = build.open('function', made)
  build.within(draft.inner, made, () => {
    draft.type =
      kind === 'constructor'
        ? build.express('name', { name: build.textOf(names[0] ?? -1), role: ROLE.type })
        : typeOf(build, node)
    for (const it of build.children(node))
      if (build.kindName(it) === 'formal_parameter_list') parameters(build, it, draft.parameters)
  })
  // Inside its class, the class's name means the class.
  if (kind === 'constructor' && names.length === 1) draft.scope = -1
  build.state(dartState).signature = made
  return 0
}

function parameters(build: Builder, list: number, into: number[]): void {
  for (const it of build.children(list)) {
    const kind = build.kindName(it)
    if (kind === 'formal_parameter') into.push(parameter(build, it))
    else if (kind === 'optional_formal_parameters') parameters(build, it, into)
    else build.visit(it)
  }
}

/** `this.name` is given to the field of that name. */
function parameter(build: Builder, node: number): number {
  const short = build.child(node, 'constructor_param', 'super_formal_parameter')
  const at = short < 0 ? build.field(node, 'name') : build.child(short, 'identifier')
  const type = typeOf(build, short < 0 ? node : short)
  const isField = build.kindName(short) === 'constructor_param'
  const value = isField ? build.refer('member', at, { of: build.express('self', {}) }) : 0
  return build.define({ kind: 'parameter', name: build.textOf(at), at, node, type, value })
}

/** The body belongs to the signature that stood before it. */
function body(build: Builder, node: number): number {
  const made = takeSignature(build)
  if (made === undefined) {
    build.visitChildren(node)
    return 0
  }
  const draft = build.draft(made)
  draft.to = build.syntax.ends[node] ?? 0
  const returns = build.returns
  build.returns = []
  build.within(draft.inner, made, () => {
    const value = values(build, node)
    draft.value = build.either([value, ...build.returns])
  })
  build.returns = returns
  return 0
}

function takeSignature(build: Builder): number | undefined {
  const state = build.state(dartState)
  const { signature: taken } = state
  state.signature = undefined
  return taken
}

/** Fields, and signatures without a body. */
function declaration(build: Builder, node: number): number {
  for (const it of build.children(node)) {
    const kind = build.kindName(it)
    if (SIGNATURES[kind] !== undefined) {
      signature(build, it)
      const made = takeSignature(build)
      const inner = made === undefined ? build.scope : build.draft(made).inner
      build.within(inner, build.owner, () => build.visit(build.child(node, 'initializers')))
    } else if (kind === 'initialized_identifier_list' || kind === 'static_final_declaration_list')
      variables(build, it, node)
  }
  return 0
}

function variables(build: Builder, list: number, around: number): void {
  const type = typeOf(build, around)
  const isField = build.scopes[build.scope]?.kind === 'class'
  const isStatic = isField && /^\s*static\b/.test(build.textOf(around))
  for (const it of build.children(list)) {
    const at = build.child(it, 'identifier')
    const value = values(build, it, 1)
    const traits = isStatic ? TRAIT.static : 0
    const kind = isField ? 'field' : 'variable'
    build.define({ kind, name: build.textOf(at), at, node: it, type, value, traits })
  }
}

/** What stands at the top of a file; types of variables stand before their names. */
function program(build: Builder, node: number): number {
  let types: number[] = []
  for (const it of build.children(node)) {
    const kind = build.kindName(it)
    if (kind === 'type_identifier' || kind === 'type_arguments') types.push(it)
    else if (kind === 'initialized_identifier_list' || kind === 'static_final_declaration_list') {
      const type = typesAmong(build, types)[0] ?? 0
      const first = build.definitions.length
      variables(build, it, -1)
      for (const draft of build.definitions.slice(first))
        if (draft.scope === 0 && draft.kind === 'variable') draft.type = type
      types = []
    } else build.visit(it)
  }
  return 0
}

function local(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const type = typeOf(build, node)
  let value = 0
  for (const it of build.fieldsOf(node, 'value')) value = build.visit(it)
  build.define({ kind: 'variable', name: build.textOf(at), at, node, type, value })
  for (const it of build.children(node))
    if (build.kindName(it) === 'initialized_identifier') {
      const own = build.child(it, 'identifier')
      const more = values(build, it, 1)
      build.define({
        kind: 'variable',
        name: build.textOf(own),
        at: own,
        node: it,
        type,
        value: more,
      })
    }
  return 0
}

function loop(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const type = typeOf(build, node)
  let value = 0
  for (const it of build.fieldsOf(node, 'value')) value = build.visit(it)
  if (at >= 0) {
    const held = itemOf(build, value)
    build.define({ kind: 'variable', name: build.textOf(at), at, node, type, value: held })
  } else build.visitChildren(node)
  return 0
}

function typeLike(kind: DefinitionKind): Visitor {
  return (build, node) => {
    const own = build.field(node, 'name')
    const inner = build.field(node, 'body')
    return classLike(build, node, {
      kind,
      name: () => (own < 0 ? build.child(node, 'identifier') : own),
      before: (it, at, made) => {
        const heads = ['superclass', 'interfaces'].map((head) => it.field(at, head))
        const mixed = it.child(heads[0] ?? -1, 'mixins')
        for (const head of [...heads, mixed])
          for (const base of typesAmong(it, it.children(head))) {
            markInherited(it, base)
            it.draft(made).bases.push(base)
          }
      },
      body: () => (inner < 0 ? build.child(node, 'class_body') : inner),
    })
  }
}

function importing(build: Builder, node: number): number {
  const specification = build.child(node, 'import_specification')
  const uri = build.child(
    build.child(specification < 0 ? node : specification, 'configurable_uri', 'uri'),
    'uri',
    'string_literal',
  )
  const name = unquoted(build.textOf(uri))
  if (uri < 0) return 0
  const of = build.refer('module', uri, { name, role: ROLE.import })
  if (build.kindName(node) === 'library_export') {
    build.exports.push({ name: '*', of })
    return 0
  }
  const at = build.child(specification, 'identifier')
  if (at >= 0) build.define({ kind: 'import', name: build.textOf(at), at, node, value: of })
  else {
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
  }
  return 0
}

function lambda(build: Builder, node: number): number {
  const made = build.define({ kind: 'function', name: '', at: -1, node, traits: TRAIT.arrow })
  const draft = build.draft(made)
  draft.inner = build.open('function', made)
  const returns = build.returns
  build.returns = []
  build.within(draft.inner, made, () => {
    parameters(build, build.child(node, 'formal_parameter_list'), draft.parameters)
    const value = values(build, build.child(node, 'function_expression_body', 'function_body'))
    draft.value = build.either([value, ...build.returns])
  })
  build.returns = returns
  return build.express('define', { of: made })
}

const signatureRules = Object.fromEntries(Object.keys(SIGNATURES).map((it) => [it, signature]))

const rules: Rules = {
  program,
  ...signatureRules,
  identifier: remembered((build, node) => build.refer('name', node)),
  type_identifier: remembered((build, node) => build.refer('name', node, { role: ROLE.type })),
  this: remembered((build, node) => build.refer('self', node)),
  super: remembered((build, node) => build.refer('super', node)),
  parenthesized_expression: remembered(same()),
  selector: remembered(selector),
  unconditional_assignable_selector: remembered((build, node) => {
    const at = build.child(node, 'identifier')
    return at < 0 ? 0 : build.refer('member', at, { of: before(build, node) })
  }),
  assignable_expression: remembered((build, node) => values(build, node)),
  await_expression: remembered((build, node) => values(build, node)),
  unary_expression: remembered((build, node) => values(build, node)),
  new_expression: remembered((build, node) => {
    const of = typeOf(build, node)
    build.visit(build.child(node, 'arguments'))
    return build.express('make', { of })
  }),
  cascade_section: cascade,
  argument: (build, node) => values(build, node),
  label: nothing(),
  list_literal: remembered(collection()),
  string_literal: remembered(text()),
  class_definition: typeLike('class'),
  mixin_declaration: typeLike('class'),
  extension_declaration: typeLike('class'),
  enum_declaration: typeLike('enum'),
  enum_constant: (build, node) => {
    const at = build.field(node, 'name')
    build.define({ kind: 'member', name: build.textOf(at), at, node })
    return 0
  },
  type_alias: (build, node) => {
    const [at, ...others] = build.children(node)
    const type = typesAmong(build, others)[0] ?? 0
    build.define({ kind: 'type', name: build.textOf(at ?? -1), at: at ?? -1, node, type })
    return 0
  },
  declaration,
  function_body: body,
  function_expression: remembered(lambda),
  initialized_variable_definition: local,
  for_loop_parts: loop,
  for_statement: block(),
  block: block(),
  return_statement: (build, node) => {
    const value = values(build, node)
    if (value > 0) build.returns.push(value)
    return 0
  },
  library_import: importing,
  library_export: importing,
  part_directive: importing,
  part_of_directive: importing,
  library_name: nothing(),
  comment: comment(),
  documentation_comment: comment(),
}

export const dart: Language = {
  id: 'dart',
  grammar: 'dart',
  extensions: ['.dart'],
  rules,
}
