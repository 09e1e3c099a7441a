/** Objective-C: what C has, and classes whose methods are named by all parts of a message. */
import { type DefinitionKind, ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules, Visitor } from '../builder.ts'
import { call } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { block } from '../rules.ts'
import { rules as cRules, patterns } from './c-family.ts'
import { provideNames } from './c-names.ts'

function typeLike(kind: DefinitionKind): Visitor {
  return (build, node) => {
    const at = build.child(node, 'identifier')
    const name = build.textOf(at)
    const known = build.findIn(0, name)
    const isKnown = known >= 0 && build.draft(known).inner >= 0
    if (isKnown) build.refer('name', at, { role: ROLE.type })
    const home = isKnown ? known : build.define({ kind, name, at, node })
    const draft = build.draft(home)
    if (!isKnown) draft.inner = build.open('class', home)
    build.within(draft.inner, home, () => {
      for (const it of build.children(node)) {
        if (it === at) continue
        const base = build.visit(it)
        const isBase = it === build.field(node, 'superclass')
        if (isBase && base > 0) {
          build.alsoAs(base, ROLE.inherit)
          draft.bases.push(base)
        }
      }
    })
    return 0
  }
}

function protocols(build: Builder, node: number): number {
  for (const it of build.children(node)) {
    const at = build.kindName(it) === 'identifier' ? it : build.firstChild(it)
    const base = build.refer('name', at, { role: ROLE.type | ROLE.inherit })
    build.draft(build.owner).bases.push(base)
  }
  return 0
}

/** `- (void)set:(int)x for:(int)y` is called `set:for:`. */
function method(build: Builder, node: number): number {
  const parts = build.children(node).filter((it) => build.kindName(it) === 'identifier')
  const given = build.children(node).filter((it) => build.kindName(it) === 'method_parameter')
  const at = parts[0] ?? -1
  const name = selector(build, parts, given.length > 0)
  const isStatic = build.text[build.syntax.starts[node] ?? 0] === '+'
  const isAgain = build.findIn(build.scope, name) >= 0
  const traits = (isStatic ? TRAIT.static : 0) | (isAgain ? TRAIT.again : 0)
  const made = build.define({ kind: 'method', name, at, node, traits })
  const draft = build.draft(made)
  draft.inner = build.open('function', made)
  const returns = build.returns
  build.returns = []
  build.within(draft.inner, made, () => {
    draft.type = build.visit(build.child(node, 'method_type'))
    for (const it of given) {
      const own = build.child(it, 'identifier')
      const type = build.visit(build.child(it, 'method_type'))
      draft.parameters.push(
        build.define({ kind: 'parameter', name: build.textOf(own), at: own, node: it, type }),
      )
    }
    build.visit(build.child(node, 'compound_statement'))
    draft.value = build.either(build.returns)
  })
  build.returns = returns
  return 0
}

function selector(build: Builder, parts: readonly number[], hasValues: boolean): string {
  return parts.map((it) => build.textOf(it) + (hasValues ? ':' : '')).join('')
}

/** `[object set:1 for:2]`. */
function message(build: Builder, node: number): number {
  const receiver = build.field(node, 'receiver')
  const parts = build.fieldsOf(node, 'method').filter((it) => build.kindName(it) === 'identifier')
  const of = build.visit(receiver)
  const values = build
    .children(node)
    .filter((it) => it !== receiver && !parts.includes(it))
    .map((it) => build.visit(it))
  const at = parts[0] ?? -1
  if (at < 0) return 0
  const name = selector(build, parts, values.length > 0)
  const member = build.refer('member', at, { of, name, role: ROLE.call })
  // What is allocated is what will be made of it.
  if (name === 'alloc' || name === 'new') return build.express('instance', { of })
  return name.startsWith('init') ? of : build.express('call', { of: member, list: values })
}

function property(build: Builder, node: number): number {
  const inner = build.child(node, 'struct_declaration')
  const type = build.visit(build.child(inner, 'type_identifier', 'typedefed_identifier'))
  for (const it of build.children(inner)) {
    if (build.kindName(it) !== 'struct_declarator') continue
    let at = it
    while (at >= 0 && build.kindName(at) !== 'identifier') at = build.children(at).at(-1) ?? -1
    if (at >= 0) build.define({ kind: 'field', name: build.textOf(at), at, node, type })
  }
  return 0
}

function identifier(build: Builder, node: number): number {
  const name = build.textOf(node)
  if (name === 'self') return build.refer('self', node)
  if (name === 'super') return build.refer('super', node)
  return build.refer('name', node)
}

const rules: Rules = {
  ...cRules,
  identifier,
  call_expression: call({ callee: 'function', args: 'arguments' }),
  class_interface: typeLike('class'),
  class_implementation: typeLike('class'),
  category_interface: typeLike('class'),
  category_implementation: typeLike('class'),
  protocol_declaration: typeLike('interface'),
  protocol_reference_list: protocols,
  parameterized_arguments: protocols,
  method_declaration: method,
  method_definition: method,
  message_expression: message,
  property_declaration: property,
  method_type: (build, node) => build.visit(build.child(node, 'type_name')),
  type_name: (build, node) => build.visit(build.child(node, 'type_identifier')),
  block_literal: block(),
}

export const objc: Language = {
  id: 'objc',
  grammar: 'objc',
  extensions: ['.m', '.mm'],
  rules,
  patterns,
  finish: provideNames,
}
