/** Functions of C++ with bodies, and members that are defined outside of their class. */

import { TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { classLike, functionLike } from '../rules.ts'
import {
  declaratorOf,
  functionOf,
  hasWord,
  onlyDeclared,
  templateParameters,
} from './c-declarators.ts'
import { cState, type OutsideMember } from './c-state.ts'
import { qualifierOf, qualifierText } from './cpp-paths.ts'

/** `void A::f() { … }` stands outside of A, but sees all that is in it. */
export function functionDefinition(build: Builder, node: number): number {
  if (isMisreadClass(build, node)) return misreadClass(build, node)
  const declared = declaratorOf(build, build.field(node, 'declarator'))
  if (/^(TYPED_)?TEST(_[FP])?$/.test(build.textOf(declared.at)))
    return testCase(build, node, declared.at)
  const typeParameters = templateParameters(build, node)
  const isStatic = hasWord(build, node, 'static')
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const body = build.field(node, 'body')
  const traits = isStatic ? (isMember ? TRAIT.static : TRAIT.private) : 0
  if (declared.qualified < 0) {
    const type = build.visit(build.field(node, 'type'))
    const made = functionOf(build, node, { declared, type, body, traits, typeParameters })
    if (build.has(node, 'delete_method_clause')) {
      onlyDeclared(build, made)
      build.draft(build.expressions[made]?.of ?? 0).traits |= TRAIT.again
    }
    return made
  }
  let expression = 0
  build.block(() => {
    if (typeParameters >= 0) build.visit(typeParameters)
    const type = build.visit(build.field(node, 'type'))
    expression = outside(build, declared.qualified, () =>
      functionOf(build, node, { declared, type, body, traits }),
    )
    const draft = build.draft(build.expressions[expression]?.of ?? 0)
    const isMaker = qualifierText(build, declared.qualified).split('::').at(-1) === draft.name
    draft.kind = isMaker ? 'constructor' : 'method'
  })
  return expression
}

/** Makes what a path names, as a part of what the path leads to. */
export function outside(build: Builder, path: number, make: () => number): number {
  const outer = build.scope
  const to = qualifierOf(build, path)
  const inner = build.open('class', build.owner)
  let expression = 0
  build.within(inner, build.owner, () => {
    expression = make()
  })
  const definition = build.expressions[expression]?.of ?? 0
  const qualifier = qualifierText(build, path)
  build.state(cState).qualifiers.set(definition, qualifier)
  build.state(cState).outsideMembers.push({ definition, to, inner, outer, qualifier })
  return expression
}

/** `class EXPORT Name { … }`: the grammar takes the macro for the class's name. */
function isMisreadClass(build: Builder, node: number): boolean {
  const type = build.field(node, 'type')
  const kind = build.kindName(type)
  return (
    (kind === 'class_specifier' || kind === 'struct_specifier') &&
    build.field(type, 'body') < 0 &&
    build.kindName(build.field(node, 'declarator')) === 'identifier'
  )
}

function misreadClass(build: Builder, node: number): number {
  const macro = build.field(build.field(node, 'type'), 'name')
  build.refer('name', macro)
  return classLike(build, node, {
    name: 'declarator',
    typeParameters: templateParameters,
    // What the grammar could not place has no kind: here, the bases.
    bases: (inside, own) => inside.children(inside.child(own, '')),
  })
}

/** `TEST_F(Fixture, Name) { … }` is a method of a class that is made from the fixture. */
function testCase(build: Builder, node: number, macro: number): number {
  const list = build.field(build.parent(macro), 'parameters')
  const [fixture, own] = build.children(list)
  const isFixed = build.textOf(node).slice(0, 16).includes('TEST_')
  const to = isFixed ? build.visit(build.field(fixture ?? -1, 'type')) : 0
  const at = build.field(own ?? -1, 'type')
  build.refer('name', macro)
  const stand = build.define({ kind: 'class', name: '', at: -1, node, scope: -1 })
  const draft = build.draft(stand)
  draft.inner = build.open('class', stand)
  if (to > 0) draft.bases.push(to)
  // Nobody can call it by its name.
  const home = build.open('class', stand)
  let expression = 0
  build.within(draft.inner, build.owner, () => {
    expression = functionLike(build, node, {
      kind: 'method',
      scope: () => home,
      traits: () => TRAIT.private,
      name: () => at,
      parameters: () => -1,
      returns: () => -1,
    })
  })
  return expression
}

/** Into the class where the file has it; else beside it, with the class as a base. */
export function finishOutsiders(build: Builder): void {
  for (const it of build.state(cState).outsideMembers) {
    const home = classInFile(build, it)
    const scope = build.scopes[it.inner]
    const draft = build.draft(it.definition)
    if (home >= 0) {
      draft.scope = build.draft(home).inner
      draft.owner = home
      build.state(cState).qualifiers.delete(it.definition)
      if (scope !== undefined) scope.owner = home
      continue
    }
    const { from, to, owner } = draft
    const stand = build.define({ kind: 'class', name: '', at: -1, node: 0, scope: -1, owner })
    const other = build.draft(stand)
    other.inner = it.inner
    other.start = from
    other.end = from
    other.from = from
    other.to = to
    if (it.to > 0) other.bases.push(it.to)
    if (scope !== undefined) scope.owner = stand
    // From inside, it is found through the class, together with its overloads.
    build.scope = it.outer
    draft.scope = build.open('class', stand)
  }
}

function classInFile(build: Builder, it: OutsideMember): number {
  let found = -1
  let scope = it.outer
  for (const [index, name] of it.qualifier.split('::').entries()) {
    found = index === 0 ? build.find(name, scope) : build.findIn(scope, name)
    if (found < 0) return -1
    scope = build.draft(found).inner
    if (scope < 0) return -1
  }
  return found
}
