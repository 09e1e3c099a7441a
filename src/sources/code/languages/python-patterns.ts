/** What Python's assignments define. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns } from '../builder.ts'
import { forget } from '../narrowing.ts'
import { bindName, firstChild, itemOf, items, REST, through, unquoted } from '../rules.ts'
import { outerKey, outerNames } from './python-state.ts'

/** A name belongs to the whole function, and assigning again does not define it again. */
function bindVariable(build: Builder, node: number, binding: Binding): void {
  if (binding.kind === 'parameter') {
    bindName(build, node, binding)
    return
  }
  forget(build, node)
  const named = build.textOf(node)
  const outer = build.state(outerNames).get(outerKey(build.functionScope(), named))
  const scope = outer ?? binding.scope
  const known = build.findIn(scope, named)
  if (known >= 0 && build.draft(known).kind !== 'import') {
    build.refer('name', node, { role: ROLE.write })
    build.addValue(known, binding.value)
    if (binding.type > 0 && build.draft(known).type === 0) build.draft(known).type = binding.type
    return
  }
  const lambda = build.anonymous(binding.value)
  const options = { kind: binding.kind, name: named, at: node, node: binding.node, scope }
  if (lambda >= 0 && build.draft(lambda).kind === 'function')
    build.christen(lambda, { ...options, kind: 'function' })
  else
    build.define({ ...options, type: binding.type, value: binding.value, traits: binding.traits })
}

/** `self.x = v` in a method defines a field of the class. */
function bindAttribute(build: Builder, node: number, binding: Binding): void {
  forget(build, node)
  const object = build.field(node, 'object')
  const at = build.field(node, 'attribute')
  const method = build.scopes[build.functionScope()]?.owner ?? 0
  const draft = build.draft(method)
  const isOwn =
    draft.kind === 'method' || draft.kind === 'constructor'
      ? build.textOf(object) === build.draft(draft.parameters[0] ?? 0).name
      : false
  const of = build.visit(object)
  if (!isOwn) {
    build.refer('member', at, { of, role: ROLE.write })
    const field = build.define({
      kind: 'field',
      name: build.textOf(at),
      at,
      node: binding.node,
      value: binding.value,
      type: binding.type,
      scope: -1,
    })
    build.grants.push({ to: of, definition: field })
    return
  }
  const known = build.findIn(draft.scope, build.textOf(at))
  if (known >= 0) {
    build.refer('member', at, { of, role: ROLE.write })
    build.addValue(known, binding.value)
    if (binding.type > 0 && build.draft(known).type === 0) build.draft(known).type = binding.type
    return
  }
  build.refer('member', at, { of, role: ROLE.write })
  build.define({
    kind: 'field',
    name: build.textOf(at),
    at,
    node: binding.node,
    value: binding.value,
    type: binding.type,
    scope: draft.scope,
    owner: draft.owner,
    traits: TRAIT.assigned,
  })
}

export const patterns: Patterns = {
  identifier: bindVariable,
  attribute: bindAttribute,
  subscript: bindSubscript,
  pattern_list: tuplePattern,
  tuple_pattern: tuplePattern,
  tuple: tuplePattern,
  list_pattern: items(),
  list_splat_pattern: (build, node, binding) => {
    for (const it of build.children(node))
      build.bind(it, { ...binding, traits: binding.traits | REST })
  },
  dictionary_splat_pattern: (build, node, binding) => {
    for (const it of build.children(node))
      build.bind(it, { ...binding, traits: binding.traits | REST })
  },
  parenthesized_expression: through({ pattern: firstChild }),
  default_parameter: withDefault,
  typed_default_parameter: withDefault,
  typed_parameter: through({ pattern: firstChild, type: 'type' }),
  as_pattern_target: through({ pattern: firstChild }),
  keyword_separator: () => undefined,
  positional_separator: () => undefined,
}

/** A default belongs to where the function is defined, and knows none of its names. */
function withDefault(build: Builder, node: number, binding: Binding): void {
  const type = build.visitExpecting(build.field(node, 'type'), 0)
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const around = build.scopes[build.scope]?.parent ?? 0
  let value = 0
  build.within(around, build.draft(build.owner).owner, () => {
    value = build.visitExpecting(build.field(node, 'value'), expected)
  })
  build.bind(build.field(node, 'name'), {
    ...binding,
    type: type > 0 ? type : binding.type,
    value: build.either([binding.value, value]),
  })
}

/** `a, b = f(), g()`: side by side where both sides are written out. */
function tuplePattern(build: Builder, node: number, binding: Binding): void {
  const value = build.expressions[binding.value]
  const children = build.children(node)
  const isMatched = value?.op === 'collection' && value.list.length === children.length
  // What stands after a star may be anywhere in the value.
  const star = children.findIndex((it) => build.kindName(it) === 'list_splat_pattern')
  for (const [index, child] of children.entries()) {
    const key = star < 0 || index < star ? String(index) : ''
    const own = isMatched ? (value.list[index] ?? 0) : itemOf(build, binding.value, key)
    build.bind(child, { ...binding, value: own, type: 0 })
  }
}

export function variableScope(build: Builder): number {
  return build.functionScope()
}

/** The text of a key that is written out: `'a'`, `0`. */
export function literalKey(build: Builder, node: number): string {
  const kind = build.kindName(node)
  return kind === 'string' || kind === 'integer' ? unquoted(build.textOf(node)) : ''
}

/** `table['a'] = f` puts one more thing into what `table` holds. */
function bindSubscript(build: Builder, node: number, binding: Binding): void {
  build.visit(node)
  const object = build.field(node, 'value')
  const known = build.kindName(object) === 'identifier' ? build.find(build.textOf(object)) : -1
  if (known < 0 || binding.value === 0) return
  const name = literalKey(build, build.field(node, 'subscript'))
  const entry = name === '' ? binding.value : build.express('named', { name, of: binding.value })
  build.addValue(known, build.express('collection', { list: [entry] }))
}
