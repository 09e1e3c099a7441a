/**
 * The vocabulary of a language's table: each function here makes the visitor for one kind of
 * construct, given the names of its fields. A construct that only one language has is written out
 * in that language's own file.
 */
import { type DefinitionKind, ROLE, type ScopeKind, TRAIT } from '../../model/facts.ts'
import type { Binding, Builder, PatternVisitor, Visitor } from './builder.ts'
import { narrowed } from './narrowing.ts'

/** Names of fields; what is left out is not there in the language. A function is given the node. */
export type Part = string | ((build: Builder, node: number) => number)

export function part(build: Builder, node: number, which: Part | undefined): number {
  if (which === undefined) return -1
  return typeof which === 'string' ? build.field(node, which) : which(build, node)
}

// References.

export function name(role = 0): Visitor {
  return (build, node) => build.refer('name', node, { role })
}

export function typeName(): Visitor {
  return name(ROLE.type)
}

export function member(fields: {
  readonly object: Part
  readonly name: Part
  readonly role?: number
}): Visitor {
  return (build, node) => {
    const object = part(build, node, fields.object)
    const of = narrowed(build, object, build.visitExpecting(object, 0))
    const at = part(build, node, fields.name)
    return at < 0 ? 0 : build.refer('member', at, { of, role: fields.role ?? 0 })
  }
}

/** Its value is that of a part of it: parentheses, casts, waiting. */
export function same(which: Part = firstChild): Visitor {
  return (build, node) => {
    const inner = part(build, node, which)
    let expression = 0
    for (const child of build.children(node)) {
      const value = build.visitExpecting(child, child === inner ? build.expected : 0)
      if (child === inner) expression = value
    }
    return expression
  }
}

/** Comments may stand before it. */
export function firstChild(build: Builder, node: number): number {
  const first = build.firstChild(node)
  return isComment(build, first)
    ? (build.children(node).find((it) => !isComment(build, it)) ?? first)
    : first
}

function isComment(build: Builder, node: number): boolean {
  return node >= 0 && build.kindName(node).endsWith('comment')
}

export function lastChild(build: Builder, node: number): number {
  return build.children(node).at(-1) ?? -1
}

/** One of several parts: a conditional, `a || b`. The other parts are visited as well. */
export function either(...fields: readonly string[]): Visitor {
  return (build, node) => {
    const wanted = fields.map((it) => build.field(node, it))
    const values: number[] = []
    for (const it of build.children(node)) {
      const isWanted = wanted.includes(it)
      const value = build.visitExpecting(it, isWanted ? build.expected : 0)
      if (isWanted) values.push(value)
    }
    return build.either(values)
  }
}

/** All children are alternatives: the members of a union type. */
export function anyOf(): Visitor {
  return (build, node) => build.either(build.children(node).map((it) => build.visit(it)))
}

/** Holds its children: an array, a list, a tuple, the type of one. */
export function collection(): Visitor {
  return (build, node) =>
    build.express('collection', {
      list: build.children(node).map((it) => build.visitExpecting(it, 0)),
    })
}

export function item(fields: { readonly object: Part; readonly index?: Part }): Visitor {
  return (build, node) => {
    const of = build.visitExpecting(part(build, node, fields.object), 0)
    build.visitExpecting(part(build, node, fields.index), 0)
    return build.express('item', { of })
  }
}

export function text(content?: (raw: string) => string): Visitor {
  return (build, node) => {
    const raw = build.textOf(node)
    build.visitChildren(node)
    return build.express('text', {
      name: content === undefined ? unquoted(raw) : content(raw),
      start: build.syntax.starts[node] ?? 0,
      end: build.syntax.ends[node] ?? 0,
    })
  }
}

export function unquoted(raw: string): string {
  const last = raw.charCodeAt(raw.length - 1)
  if (last !== DOUBLE_QUOTE && last !== SINGLE_QUOTE && last !== BACKTICK) return raw
  // Neither three quotes nor letters before them.
  if (raw.charCodeAt(0) === last && raw.length > 2 && raw.charCodeAt(1) !== last)
    return raw.slice(1, -1)
  return raw.replace(/^[a-zA-Z]{0,2}("""|'''|["'`])([\s\S]*)\1$/, '$2')
}

const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const BACKTICK = 96

export function generic(fields: { readonly of: Part; readonly args: Part }): Visitor {
  return (build, node) => {
    const of = build.visit(part(build, node, fields.of))
    const list = build.children(part(build, node, fields.args)).map((it) => build.visit(it))
    return build.express('generic', { of, list })
  }
}

export function self(): Visitor {
  return (build, node) => build.refer('self', node)
}

/** Not to be looked into. */
export function nothing(): Visitor {
  return () => 0
}

// Definitions.

export interface FunctionFields {
  readonly kind?: DefinitionKind | ((build: Builder, node: number) => DefinitionKind)
  readonly name?: Part
  readonly parameters?: Part
  readonly returns?: Part
  readonly body?: Part
  readonly typeParameters?: Part
  readonly traits?: (build: Builder, node: number) => number
  /** Where the name is declared; the current scope unless told. */
  readonly scope?: (build: Builder, node: number) => number
  /** Types that stand elsewhere than in the declaration. */
  readonly documented?: (build: Builder, node: number) => Documented | undefined
  /** Runs inside the function's scope before its parameters are bound. */
  readonly before?: (build: Builder, node: number, definition: number) => void
}

export interface Documented {
  readonly returns: number
  /** What the function is called on. */
  readonly receiver: number
  parameter(node: number, index: number): number
}

export function func(fields: FunctionFields = {}): Visitor {
  return (build, node) => functionLike(build, node, fields)
}

/** A function with its own scope: name outside, parameters and body inside. */
export function functionLike(build: Builder, node: number, fields: FunctionFields): number {
  const at = part(build, node, fields.name ?? 'name')
  const kind =
    typeof fields.kind === 'function' ? fields.kind(build, node) : (fields.kind ?? 'function')
  const expected = build.expected
  const definition = build.define({
    kind,
    name: build.textOf(at),
    at,
    node,
    traits: fields.traits?.(build, node) ?? 0,
    scope: fields.scope?.(build, node) ?? build.scope,
  })
  const draft = build.draft(definition)
  draft.inner = build.open('function', definition)
  const documented = fields.documented?.(build, node)
  const returns = build.returns
  build.returns = []
  build.within(draft.inner, definition, () => {
    build.expected = 0
    fields.before?.(build, node, definition)
    build.visit(part(build, node, fields.typeParameters))
    const list = part(build, node, fields.parameters ?? 'parameters')
    if (documented !== undefined && documented.receiver > 0) {
      const receiver = { kind: 'parameter', name: 'this', at: -1, node } as const
      draft.parameters.push(build.define({ ...receiver, type: documented.receiver }))
    }
    draft.parameters.push(...parametersOf(build, list, { expected, documented }))
    const written = build.visit(part(build, node, fields.returns ?? 'return_type'))
    draft.type = written > 0 ? written : (documented?.returns ?? 0)
    const body = part(build, node, fields.body ?? 'body')
    const returned =
      draft.type > 0
        ? build.express('typed', { of: draft.type })
        : expected > 0
          ? build.express('returned', { of: expected })
          : 0
    if (returned > 0) build.wanted.set(definition, returned)
    const value = body < 0 ? 0 : build.visitExpecting(body, returned)
    draft.value = build.either([value, ...build.returns])
  })
  build.returns = returns
  build.expected = expected
  return build.express('define', { of: definition })
}

interface Expected {
  /** What the function is expected to be. */
  readonly expected?: number
  readonly documented?: Documented | undefined
}

/** Binds each child of a parameter list; a lone name counts as a list of one. */
export function parametersOf(
  build: Builder,
  list: number,
  { expected = 0, documented }: Expected,
): readonly number[] {
  if (list < 0) return []
  const into: number[] = []
  const bind = (node: number, place: number): void => {
    const isAfterReceiver = place > 0 && build.draft(into[0] ?? 0).name === 'this'
    const index = isAfterReceiver ? place - 1 : place
    const value = expected > 0 ? build.express('parameter', { of: expected, list: [index] }) : 0
    const before = into.length
    build.bind(node, {
      kind: 'parameter',
      value,
      type: documented?.parameter(node, index) ?? 0,
      scope: build.scope,
      traits: 0,
      node,
      into,
    })
    // A pattern takes one place, however many names are in it.
    if (into.length > before + 1) into.length = before + 1
    if (into.length === before)
      into.push(build.define({ kind: 'parameter', name: '', at: -1, node, value }))
  }
  const children = build.children(list).filter((it) => !isComment(build, it))
  if (children.length === 0 && !build.textOf(list).startsWith('(')) bind(list, 0)
  else children.forEach(bind)
  return into
}

/** `return x`. */
export function returning(which: Part = firstChild, expecting = true): Visitor {
  return (build, node) => {
    const value = part(build, node, which)
    if (value < 0) return 0
    const first = build.firstChild(node)
    if (first !== value && isComment(build, first)) build.visit(first)
    const before = build.returns
    const visited = build.visitExpecting(value, expecting ? build.expectedReturn() : 0)
    const expression = narrowed(build, value, visited)
    build.returns = before
    if (expression > 0) build.returns.push(expression)
    return 0
  }
}

export interface ClassFields {
  readonly kind?: DefinitionKind | ((build: Builder, node: number) => DefinitionKind)
  readonly name?: Part
  readonly body?: Part
  readonly typeParameters?: Part
  /** Nodes that are base types, or that hold them. */
  readonly bases?: (build: Builder, node: number) => readonly number[]
  readonly traits?: (build: Builder, node: number) => number
  readonly scopeKind?: ScopeKind
  readonly before?: (build: Builder, node: number, definition: number) => void
}

export function type(fields: ClassFields = {}): Visitor {
  return (build, node) => classLike(build, node, fields)
}

/** A definition whose members are declared in its body. */
export function classLike(build: Builder, node: number, fields: ClassFields): number {
  const at = part(build, node, fields.name ?? 'name')
  const kind =
    typeof fields.kind === 'function' ? fields.kind(build, node) : (fields.kind ?? 'class')
  const definition = build.define({
    kind,
    name: build.textOf(at),
    at,
    node,
    traits: fields.traits?.(build, node) ?? 0,
  })
  const draft = build.draft(definition)
  draft.inner = build.open(fields.scopeKind ?? 'class', definition)
  build.within(draft.inner, definition, () => {
    build.visit(part(build, node, fields.typeParameters))
    for (const base of fields.bases?.(build, node) ?? []) {
      const expression = build.visitExpecting(base, 0)
      markInherited(build, expression)
      if (expression > 0) draft.bases.push(expression)
    }
    fields.before?.(build, node, definition)
    const body = part(build, node, fields.body ?? 'body')
    if (body >= 0) build.visitChildren(body)
  })
  return build.express('define', { of: definition })
}

/** `Base<T>` inherits from `Base`, not from `T`. */
export function markInherited(build: Builder, expression: number): void {
  const it = build.expressions[expression]
  if (it === undefined) return
  if (it.op === 'generic' || it.op === 'call' || it.op === 'item') markInherited(build, it.of)
  else build.alsoAs(expression, ROLE.inherit)
}

/** A value that is bound to a pattern: `const { a, b } = f()`. */
export function variable(fields: {
  readonly pattern: Part
  readonly value?: Part
  readonly type?: Part
  /** The type where it stands elsewhere than in the declaration. */
  readonly documented?: (build: Builder, node: number) => number
  readonly kind?: DefinitionKind | ((build: Builder, node: number) => DefinitionKind)
  readonly scope?: (build: Builder, node: number) => number
  readonly traits?: (build: Builder, node: number) => number
}): Visitor {
  return (build, node) => {
    const written = build.visitExpecting(part(build, node, fields.type), 0)
    const annotation = written > 0 ? written : (fields.documented?.(build, node) ?? 0)
    const expected = annotation > 0 ? build.express('typed', { of: annotation }) : 0
    const given = part(build, node, fields.value)
    const value = narrowed(build, given, build.visitExpecting(given, expected))
    const kind = typeof fields.kind === 'function' ? fields.kind(build, node) : fields.kind
    build.bind(part(build, node, fields.pattern), {
      kind: kind ?? 'variable',
      value,
      type: annotation,
      scope: fields.scope?.(build, node) ?? build.scope,
      traits: fields.traits?.(build, node) ?? 0,
      node,
    })
    return 0
  }
}

/** Opens a scope for its names. */
export function block(): Visitor {
  return (build, node) => {
    build.block(() => build.visitChildren(node))
    return 0
  }
}

export function comment(): Visitor {
  return (build, node) => {
    build.comments.push(build.syntax.starts[node] ?? 0, build.syntax.ends[node] ?? 0)
    return 0
  }
}

/** A field, property or constant that is a member by standing in a type's body. */
export function field(fields: {
  readonly name: Part
  readonly value?: Part
  readonly type?: Part
  readonly kind?: DefinitionKind
  readonly traits?: (build: Builder, node: number) => number
}): Visitor {
  return (build, node) => {
    const annotation = build.visitExpecting(part(build, node, fields.type), 0)
    const at = part(build, node, fields.name)
    const expected = annotation > 0 ? build.express('typed', { of: annotation }) : 0
    const value = build.visitExpecting(part(build, node, fields.value), expected)
    if (at >= 0)
      build.define({
        kind: fields.kind ?? 'field',
        name: unquoted(build.textOf(at)),
        at,
        node,
        type: annotation,
        value,
        traits: fields.traits?.(build, node) ?? 0,
      })
    return 0
  }
}

// Patterns.

/** A name that is being bound. */
export function bound(): PatternVisitor {
  return (build, node, binding) => {
    bindName(build, node, binding)
  }
}

/** Defines the name, or gives it one more value when its scope knows it already. */
export function bindName(build: Builder, node: number, binding: Binding): number {
  const definition = build.define({
    kind: binding.kind,
    name: build.textOf(node),
    at: node,
    node: binding.node,
    scope: binding.scope,
    type: binding.type,
    value: binding.value,
    traits: binding.traits,
  })
  binding.into?.push(definition)
  return definition
}

/** Each child is an item of the value: `[a, b]`. */
export function items(): PatternVisitor {
  return (build, node, binding) => {
    for (const child of build.children(node)) {
      const value = itemOf(build, binding.value)
      const own =
        binding.type > 0 ? build.express('item', { of: binding.type, role: ROLE.type }) : 0
      build.bind(child, { ...binding, value, type: own })
    }
  }
}

export function itemOf(build: Builder, of: number, key = ''): number {
  return of === 0 ? 0 : build.express('item', { of, name: key })
}

/** The pattern is a part of the node: a default value, a type annotation, a modifier around it. */
export function through(fields: {
  readonly pattern: Part
  readonly type?: Part
  readonly value?: Part
  readonly traits?: number
}): PatternVisitor {
  return (build, node, binding) => {
    const annotation = build.visitExpecting(part(build, node, fields.type), 0)
    const expected = annotation > 0 ? build.express('typed', { of: annotation }) : 0
    const fallback = build.visitExpecting(part(build, node, fields.value), expected)
    build.bind(part(build, node, fields.pattern), {
      ...binding,
      type: annotation > 0 ? annotation : binding.type,
      value: build.either([binding.value, fallback]),
      traits: binding.traits | (fields.traits ?? 0),
    })
  }
}

export const REST = TRAIT.rest
