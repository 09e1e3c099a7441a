/** Rust's items: types, functions, constants and their parameters. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { classLike, field, functionLike } from '../rules.ts'
import { withOwnType } from './rust-impl.ts'

export function visibility(build: Builder, node: number): number {
  return build.has(node, 'visibility_modifier') ? TRAIT.exported : TRAIT.private
}

export function typed(kind: 'class' | 'enum' | 'interface') {
  return (build: Builder, node: number): number => {
    const named = build.textOf(build.field(node, 'name'))
    const own = build.express('name', { name: named, role: ROLE.type })
    return withOwnType(build, own, () =>
      classLike(build, node, {
        kind,
        typeParameters: 'type_parameters',
        traits: visibility,
        bases: (it, at) => it.children(it.field(at, 'bounds')),
        body: (it, at) => (isNumbered(it, it.field(at, 'body')) ? -1 : it.field(at, 'body')),
        before: (it, at, definition) => {
          it.visit(it.child(at, 'where_clause'))
          numberedFields(it, it.field(at, 'body'), { definition, prefix: '' })
        },
      }),
    )
  }
}

function isNumbered(build: Builder, body: number): boolean {
  return build.kindName(body) === 'ordered_field_declaration_list'
}

/** `struct Pair(A, B)`: the fields are called 0 and 1, and making one takes them in this order. */
function numberedFields(
  build: Builder,
  body: number,
  of: { readonly definition: number; readonly prefix: string },
): void {
  if (!isNumbered(build, body)) return
  for (const [index, at] of build.fieldsOf(body, 'type').entries()) {
    const type = build.visit(at)
    const name = `${of.prefix}${index}`
    const own = build.define({ kind: 'field', name, at: -1, node: at, type })
    build.draft(of.definition).parameters.push(own)
  }
}

/**
 * A variant is a value of its enum, or makes one. Fields without a name are found as members of the
 * enum, because a value does not tell which variant it is: the first field of `Named` is `Named.0`.
 * Fields with a name are only read where the variant is named as well.
 */
export function variant(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const type = build.express('define', { of: build.owner })
  build.visit(build.field(node, 'value'))
  const name = build.textOf(at)
  const definition = build.define({ kind: 'member', name, at, node, type })
  const body = build.field(node, 'body')
  if (isNumbered(build, body))
    build.within(build.scope, definition, () => {
      numberedFields(build, body, { definition, prefix: `${name}.` })
    })
  else if (body >= 0) {
    const inner = build.open('class', definition)
    build.draft(definition).inner = inner
    build.within(inner, definition, () => {
      build.visit(body)
    })
  }
  return 0
}

export function functionItem(build: Builder, node: number): number {
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const parameters = build.field(node, 'parameters')
  const hasReceiver =
    build.has(parameters, 'self_parameter') ||
    build.textOf(build.field(build.firstChild(parameters), 'pattern')) === 'self'
  const expression = functionLike(build, node, {
    kind: isMember ? 'method' : 'function',
    typeParameters: 'type_parameters',
    traits: (it, at) => visibility(it, at) | (isMember && !hasReceiver ? TRAIT.static : 0),
    before: (it, at) => it.visit(it.child(at, 'where_clause')),
  })
  // A call does not pass the receiver as an argument.
  if (hasReceiver) build.draft(build.expressions[expression]?.of ?? 0).parameters.shift()
  return expression
}

export function constant(build: Builder, node: number): number {
  const isMember = build.scopes[build.scope]?.kind === 'class'
  return field({
    name: 'name',
    type: 'type',
    value: 'value',
    kind: isMember ? 'field' : 'variable',
    traits: (it, at) => visibility(it, at) | (isMember ? TRAIT.static : 0),
  })(build, node)
}

export function alias(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const traits = TRAIT.typeOnly | visibility(build, node)
  const definition = build.define({ kind: 'type', name: build.textOf(at), at, node, traits })
  const draft = build.draft(definition)
  draft.inner = build.open('block', definition)
  build.within(draft.inner, definition, () => {
    build.visit(build.field(node, 'type_parameters'))
    const limit = build.visit(build.field(node, 'bounds'))
    draft.type = build.either([build.visit(build.field(node, 'type')), limit])
  })
  return 0
}

export function typeParameter(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const isConstant = build.kindName(node) === 'const_parameter'
  const limit = build.visit(build.field(node, isConstant ? 'type' : 'bounds'))
  const fallback = build.visit(build.field(node, 'default_type'))
  build.define({
    kind: isConstant ? 'variable' : 'type-parameter',
    name: build.textOf(at),
    at,
    node,
    type: build.either([limit, fallback]),
    traits: isConstant ? 0 : TRAIT.typeOnly,
  })
  return 0
}

/** `where T: Bound` says the same as `<T: Bound>`. */
export function wherePredicate(build: Builder, node: number): number {
  const left = build.field(node, 'left')
  build.visit(left)
  const bounds = build.visit(build.field(node, 'bounds'))
  const known = [build.scope, build.scopes[build.scope]?.parent ?? -1]
    .map((scope) => build.findIn(scope, build.textOf(left)))
    .find((it) => it >= 0)
  if (known === undefined || build.draft(known).kind !== 'type-parameter') return 0
  const draft = build.draft(known)
  draft.type = build.either([draft.type, bounds])
  return 0
}
