/** Assignments in JavaScript, which may define things: globals, fields, exports, methods of prototypes. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'
import { forget } from '../narrowing.ts'
import { documentedType } from './ecmascript-doc.ts'
import { givePrototype } from './ecmascript-heirs.ts'
import { knownAs, ownExports } from './ecmascript-modules.ts'
import { NO_SCOPE, named } from './ecmascript-names.ts'

export function assign(build: Builder, node: number): number {
  const left = build.field(node, 'left')
  const right = build.field(node, 'right')
  const kind = build.kindName(left)
  if (kind === 'member_expression') return assignMember(build, node, { left, right })
  const written = kind === 'identifier' ? build.refer('name', left, { role: ROLE.write }) : 0
  const value = build.visitExpecting(right, written)
  forget(build, left)
  if (kind === 'identifier') {
    const known = build.find(build.textOf(left))
    if (known >= 0) build.addValue(known, value)
    else implicit(build, { left, node, value })
  } else if (kind === 'object_pattern' || kind === 'array_pattern') {
    build.bind(left, { kind: 'variable', value, type: 0, scope: NO_SCOPE, traits: 0, node })
  } else build.visit(left)
  return value
}

interface Implicit {
  readonly left: number
  readonly node: number
  readonly value: number
}

interface Assignments {
  /** Assigned names that no declaration above them has. */
  readonly implicit: (Implicit & { readonly scope: number })[]
  /** Whether something is assigned to `exports`. */
  isCommonModule: boolean
}

const assignments = defineState<Assignments>(() => ({ implicit: [], isCommonModule: false }))

/** To be a global variable, unless a declaration further down turns up. */
function implicit(build: Builder, it: Implicit): void {
  if (build.textOf(it.left) === 'exports') return
  build.state(assignments).implicit.push({ ...it, scope: build.scope })
}

export function finish(build: Builder): void {
  defineImplicit(build)
  const isDefined = build.exports.some((it) => it.name === 'default' || it.name === '=')
  if (build.state(assignments).isCommonModule && !isDefined)
    build.exports.push({ name: 'default', of: build.express('define', { of: 0, scope: 0 }) })
}

function defineImplicit(build: Builder): void {
  for (const it of build.state(assignments).implicit) {
    const name = build.textOf(it.left)
    const known = build.find(name, it.scope)
    if (known >= 0) build.addValue(known, it.value)
    else
      build.define({
        kind: 'variable',
        name,
        at: it.left,
        node: it.node,
        value: it.value,
        scope: 0,
      })
  }
}

interface Sides {
  readonly left: number
  readonly right: number
}

function assignMember(build: Builder, node: number, sides: Sides): number {
  const object = build.field(sides.left, 'object')
  const property = build.field(sides.left, 'property')
  const name = build.textOf(property)
  const path = build.textOf(sides.left)
  if (path === 'module.exports') {
    ownExports(build, sides.left)
    const value = build.visitExpecting(sides.right, 0)
    knownAs(build, value, { name: 'exports', at: property, node })
    build.exports.push({ name: '=', of: namedBeside(build, node, value) })
    return value
  }
  const of = build.visitExpecting(object, 0)
  const reference = build.refer('member', property, { of, role: ROLE.write })
  const type = documentedType(build, node)
  const expected = type > 0 ? build.express('typed', { of: type }) : reference
  const value = build.visitExpecting(sides.right, expected)
  forget(build, sides.left)
  const options = { name, at: property, node, kind: 'field' as const, type }
  if (/^(module\.)?exports\./.test(path)) {
    const literal = build.anonymous(value)
    if (literal >= 0)
      named(build, value, { ...options, kind: 'variable', scope: -1, traits: TRAIT.exported })
    // To those who import its default, a module of this kind is the default itself.
    build.state(assignments).isCommonModule = true
    build.exports.push({ name, of: value > 0 ? value : define(build, { ...options, scope: -1 }) })
    return value
  }
  if (build.kindName(object) === 'this') {
    const home = receiver(build)
    if (home !== undefined) {
      const known = build.findIn(home.scope, name)
      if (known >= 0) build.addValue(known, value)
      else named(build, value, { ...options, ...home, traits: TRAIT.assigned })
      return value
    }
  }
  if (name === 'prototype') givePrototype(build, of, value)
  const definition = named(build, value, { ...options, scope: -1 })
  build.grants.push({ to: of, definition })
  return value
}

/** `var app = module.exports = make()`: what is assigned to `app` later on is exported with it. */
function namedBeside(build: Builder, node: number, value: number): number {
  if (build.expressions[value]?.op === 'define') return value
  const declarator = build.parent(node)
  const name = build.field(declarator, 'name')
  const isVariable =
    build.kindName(declarator) === 'variable_declarator' && build.kindName(name) === 'identifier'
  return isVariable ? build.express('name', { name: build.textOf(name) }) : value
}

export function define(
  build: Builder,
  options: {
    readonly name: string
    readonly at: number
    readonly node: number
    readonly kind: 'field'
    readonly scope: number
  },
): number {
  return build.express('define', { of: build.define(options) })
}

/** The definition whose `this` is meant: a class, an object, or a function that makes objects. */
function receiver(build: Builder): { readonly scope: number; readonly owner: number } | undefined {
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const it = build.scopes[scope]
    if (it?.kind === 'class' && build.draft(it.owner).kind !== 'object')
      return { scope, owner: it.owner }
    if (it?.kind !== 'function') continue
    const draft = build.draft(it.owner)
    if ((draft.traits & TRAIT.arrow) !== 0) continue
    const around = build.scopes[draft.scope]
    if (around?.kind === 'class' && draft.scope >= 0)
      return { scope: draft.scope, owner: around.owner }
    return undefined
  }
  return undefined
}
