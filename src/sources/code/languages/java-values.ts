/** Values of Java: what makes them, reads them and adds them up, and of which basic type they are. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { argumentsOf } from '../call-rules.ts'
import { anonymousClass, memberScope, referInFull } from './jvm.ts'

export function creation(build: Builder, node: number): number {
  const typeNode = build.field(node, 'type')
  const args = build.field(node, 'arguments')
  const body = build.child(node, 'class_body')
  let outer = 0
  for (const it of build.children(node))
    if (it !== typeNode && it !== args && it !== body) outer = build.visitExpecting(it, 0)
  // `shop.new Item()` makes an inner class of what the shop is.
  const isInner = outer > 0 && build.kindName(typeNode) === 'type_identifier'
  const of = isInner
    ? build.refer('member', typeNode, { of: outer, role: ROLE.type })
    : build.visit(typeNode)
  const own = build.expressions[of]
  build.alsoAs(own?.op === 'generic' ? own.of : of, ROLE.call | ROLE.make)
  const list = argumentsOf(build, args, { of })
  const made = build.express('typed', { of, list, role: ROLE.make })
  return body < 0 ? made : anonymousClass(build, node, { bases: [of], body })
}

/** `this(1)`, `super(1)`, `outer.super(1)`: another constructor does the first part. */
export function constructorCall(build: Builder, node: number): number {
  build.visitExpecting(build.field(node, 'object'), 0)
  const at = build.field(node, 'constructor')
  const of = build.refer(build.kindName(at) === 'this' ? 'self' : 'super', at, {
    scope: memberScope(build),
    role: ROLE.call | ROLE.make,
  })
  const list = argumentsOf(build, build.field(node, 'arguments'), { of: 0 })
  const { starts, ends } = build.syntax
  return build.express('call', { of, list, start: starts[node] ?? 0, end: ends[node] ?? 0 })
}

/** `com.acme.Shop`: a class by its package, unless the first word is known as something else. */
function isInFull(build: Builder, object: number, at: number): boolean {
  if (build.kindName(object) !== 'field_access' || !/^[A-Z]\w*[a-z]/.test(build.textOf(at)))
    return false
  const path = build.textOf(object)
  if (!/^[a-z]\w*(\.[a-z]\w*)+$/.test(path) || path.startsWith('this.')) return false
  const [first = ''] = path.split('.')
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1)
    if (build.findIn(scope, first) >= 0) return false
  return true
}

export function fieldAccess(build: Builder, node: number): number {
  const object = build.field(node, 'object')
  const at = build.field(node, 'field')
  if (isInFull(build, object, at))
    return referInFull(build, at, { path: build.textOf(object), role: 0 })
  const of = build.visitExpecting(object, 0)
  // `Router.this` is the receiver as seen from a class further in.
  if (build.kindName(at) === 'this') return build.express('typed', { of })
  return build.refer('member', at, { of })
}

/** What is compared is true or not; what is added up is as wide as the widest of it. */
export function binary(build: Builder, node: number): number {
  const [left, right] = [build.field(node, 'left'), build.field(node, 'right')]
  const operands = [build.visitExpecting(left, 0), build.visitExpecting(right, 0)]
  const operator = build.kindName(build.field(node, 'operator'))
  if (/^([=!<>]=|[<>]|&&|\|\|)$/.test(operator)) return build.literal('boolean')
  if (operator.length > 1) return operands[0] ?? 0
  if (operator === '+' && operands.includes(build.literal('String'))) return build.literal('String')
  return operands.includes(0) ? 0 : build.either([...new Set(operands)])
}

export function number(build: Builder, node: number): number {
  const text = build.textOf(node)
  const isWhole = build.kindName(node).endsWith('integer_literal')
  if (isWhole) return build.literal(/[lL]$/.test(text) ? 'long' : 'int')
  return build.literal(/[fF]$/.test(text) ? 'float' : 'double')
}

export function basicType(build: Builder, node: number): number {
  return build.literal(build.textOf(node))
}

/** A value of a type, as what is expected; of a basic type there is nothing to say. */
export function valueOf(build: Builder, type: number): number {
  if (type === 0 || build.expressions[type]?.op === 'literal') return type
  return build.express('typed', { of: type })
}

/** `int[][]`: one list in the other. */
export function arrayOf(build: Builder, element: number, dimensions: number): number {
  let held = element
  for (const it of build.textOf(dimensions))
    if (it === '[')
      held = build.express('collection', { list: held === 0 ? [] : [held], role: ROLE.type })
  return held
}
