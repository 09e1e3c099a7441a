/** Object literals in JavaScript. */
import type { Builder } from '../builder.ts'
import { unquoted } from '../rules.ts'
import { named } from './ecmascript-names.ts'

export function object(build: Builder, node: number): number {
  const expected = build.expected
  const definition = build.define({ kind: 'object', name: '', at: -1, node })
  const draft = build.draft(definition)
  draft.inner = build.open('class', definition)
  if (expected > 0) draft.type = expected
  build.within(draft.inner, definition, () => {
    for (const child of build.children(node)) property(build, child, { definition, expected })
  })
  return build.express('define', { of: definition })
}

/** Each item of a list is what the list is expected to hold. */
export function array(build: Builder, node: number): number {
  const { expected } = build
  const wanted = expected > 0 ? build.express('item', { of: expected }) : 0
  const list = build
    .children(node)
    .map((it) => build.visitExpecting(it, build.kindName(it) === 'spread_element' ? 0 : wanted))
  return build.express('collection', { list })
}

/** A string that names a member: `T['key']`, `value['key']`. */
export function keyed(build: Builder, string: number, of: number): void {
  const at = build.child(string, 'string_fragment')
  if (at >= 0) build.refer('member', at, { of })
}

interface Literal {
  readonly definition: number
  readonly expected: number
}

export function property(build: Builder, node: number, literal: Literal): void {
  const kind = build.kindName(node)
  const expecting = (name: string): number =>
    literal.expected > 0 ? build.express('member', { of: literal.expected, name }) : 0
  // A key names a field of what is expected here.
  const refer = (key: number, name: string): void => {
    if (literal.expected > 0 && build.kindName(key) !== 'computed_property_name')
      build.refer('member', key, { of: literal.expected, name })
  }
  if (kind === 'pair') {
    const key = build.field(node, 'key')
    const name = unquoted(build.textOf(key))
    refer(key, name)
    if (build.kindName(key) === 'computed_property_name') build.visitExpecting(key, 0)
    const value = build.visitExpecting(build.field(node, 'value'), expecting(name))
    if (build.kindName(key) === 'computed_property_name') {
      const constant = /^\[(['"])([\w$]+)\1\]$/.exec(name)?.[2]
      if (constant === undefined) return
      named(build, value, { name: constant, at: key, node, kind: 'field', scope: build.scope })
    } else named(build, value, { name, at: key, node, kind: 'field', scope: build.scope })
  } else if (kind === 'shorthand_property_identifier') {
    const outside = build.scopes[build.scope]?.parent ?? 0
    refer(node, build.textOf(node))
    const value = build.refer('name', node, { scope: outside })
    build.define({ kind: 'field', name: build.textOf(node), at: node, node, value })
  } else if (kind === 'spread_element') {
    const spread = build.visit(build.firstChild(node))
    if (spread > 0) build.draft(literal.definition).bases.push(spread)
  } else if (kind === 'method_definition') {
    const key = build.field(node, 'name')
    refer(key, build.textOf(key))
    build.visitExpecting(node, expecting(build.textOf(key)))
  } else build.visitExpecting(node, 0)
}
