/** Names of JavaScript: where they belong, and how patterns take values apart. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns } from '../builder.ts'
import { forget } from '../narrowing.ts'
import { bindName, itemOf, items, REST, through } from '../rules.ts'

/** `var` and functions belong to the whole function, whatever block they stand in. */
export function hoisted(build: Builder): number {
  return build.functionScope()
}

export function isVar(build: Builder, node: number): boolean {
  return build.kindName(build.parent(node)) === 'variable_declaration'
}

export function modifiers(build: Builder, node: number): number {
  let traits = 0
  for (const child of build.allChildren(node)) {
    const kind = build.kindName(child)
    if (kind === 'static') traits |= TRAIT.static
    if (kind === 'get') traits |= TRAIT.getter
    if (kind === 'async') traits |= TRAIT.async
    if (kind === 'accessibility_modifier' && build.textOf(child) === 'private')
      traits |= TRAIT.private
  }
  return traits
}

/** Gives a value a name: a function or object literal takes it over, anything else is held by it. */
export function named(
  build: Builder,
  value: number,
  options: {
    readonly name: string
    readonly at: number
    readonly node: number
    readonly kind: 'field' | 'variable'
    readonly type?: number
    readonly scope: number
    readonly owner?: number
    readonly traits?: number
  },
): number {
  const literal = build.anonymous(value)
  const kind = literal < 0 ? undefined : build.draft(literal).kind
  const isField = options.kind === 'field'
  if (literal >= 0 && kind === 'function') {
    build.christen(literal, { ...options, kind: isField ? 'method' : 'function' })
    declaredAs(build, literal, options.type ?? 0)
    return literal
  }
  if (literal >= 0 && kind === 'class') {
    build.christen(literal, { ...options, kind })
    return literal
  }
  if (literal >= 0 && kind === 'object' && (options.type ?? 0) === 0) {
    build.christen(literal, { ...options, kind: options.kind })
    build.draft(literal).value = value
    return literal
  }
  return build.define({ ...options, value })
}

/** `const f: Handler = () => …` gives what a `Handler` gives, and has the members of one. */
function declaredAs(build: Builder, definition: number, type: number): void {
  if (type === 0) return
  const draft = build.draft(definition)
  const of = build.express('typed', { of: type })
  draft.bases.push(of)
  if (draft.type === 0)
    draft.type = build.express('typeof', { of: build.express('returned', { of }) })
}

/** Of a pattern whose names are known already: `[a, b] = [b, a]`. */
export const NO_SCOPE = -1

function bindIdentifier(build: Builder, node: number, binding: Binding): void {
  // A comment of JavaScript may mean a variable where it names a type.
  const mayBeType = build.syntax.grammar.name === 'javascript'
  const valueOnly = mayBeType ? 0 : TRAIT.valueOnly
  if (binding.kind !== 'variable') {
    build.draft(bindName(build, node, binding)).traits |= valueOnly
    return
  }
  if (binding.scope === NO_SCOPE) {
    const known = build.find(build.textOf(node))
    build.refer('name', node, { role: ROLE.write })
    forget(build, node)
    if (known >= 0) build.addValue(known, binding.value)
    return
  }
  const definition = named(build, binding.value, {
    name: build.textOf(node),
    at: node,
    node: binding.node,
    kind: 'variable',
    type: binding.type,
    scope: binding.scope,
    traits: binding.traits | valueOnly,
  })
  binding.into?.push(definition)
}

/** What a pattern takes apart: a value of the declared type, where there is one. */
export function source(build: Builder, binding: Binding): number {
  return binding.type > 0 ? build.express('typed', { of: binding.type }) : binding.value
}

function bindProperty(build: Builder, node: number, binding: Binding): void {
  const of = source(build, binding)
  const key = build.field(node, 'key')
  const of0 = of === 0 ? 0 : of
  const value =
    build.kindName(key) === 'property_identifier'
      ? build.refer('member', key, { of: of0 })
      : (build.visit(key), itemOf(build, of))
  build.bind(build.field(node, 'value'), { ...binding, value, type: 0 })
}

function bindShorthand(build: Builder, node: number, binding: Binding): void {
  const of = source(build, binding)
  const value = of === 0 ? 0 : build.refer('member', node, { of })
  bindIdentifier(build, node, { ...binding, value, type: 0 })
}

export const patterns: Patterns = {
  identifier: bindIdentifier,
  shorthand_property_identifier_pattern: bindShorthand,
  shorthand_property_identifier: bindShorthand,
  object_pattern: (build, node, binding) => {
    const { into, ...rest } = binding
    // To callers the parameter is what is taken apart, not a part of it.
    if (into !== undefined && binding.kind === 'parameter') {
      const { type, value } = binding
      into.push(build.define({ kind: 'parameter', name: '', at: -1, node, type, value }))
    }
    for (const child of build.children(node)) build.bind(child, rest)
  },
  pair_pattern: bindProperty,
  object_assignment_pattern: (build, node, binding) => {
    const fallback = build.visit(build.field(node, 'right'))
    const left = build.field(node, 'left')
    const of = source(build, binding)
    if (build.kindName(left) === 'shorthand_property_identifier_pattern') {
      const own = of === 0 ? 0 : build.refer('member', left, { of })
      bindIdentifier(build, left, { ...binding, value: build.either([own, fallback]), type: 0 })
    } else build.bind(left, { ...binding, value: fallback, type: 0 })
  },
  array_pattern: items(),
  assignment_pattern: through({ pattern: 'left', value: 'right' }),
  rest_pattern: (build, node, binding) => {
    for (const child of build.children(node))
      build.bind(child, { ...binding, traits: binding.traits | REST })
  },
  this: () => undefined,
}
