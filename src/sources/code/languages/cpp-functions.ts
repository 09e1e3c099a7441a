/** Functions of C++ with bodies, and members that are defined outside of their class. */
import { TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { classLike, functionLike } from '../rules.ts'
import { declaratorOf, functionOf, hasWord } from './c-declarators.ts'
import { qualifierOf, qualifierText } from './cpp-paths.ts'

export function templateParameters(build: Builder, node: number): number {
  const around = build.parent(node)
  return build.kindName(around) === 'template_declaration' ? build.field(around, 'parameters') : -1
}

/** `void A::f() { … }` stands outside of A, but sees all that is in it. */
export function functionDefinition(build: Builder, node: number): number {
  if (isMisreadClass(build, node)) return misreadClass(build, node)
  const declared = declaratorOf(build, build.field(node, 'declarator'))
  if (/^(TYPED_)?TEST(_[FP])?$/.test(build.textOf(declared.at)))
    return testCase(build, node, build.field(declared.called, 'parameters'))
  const typeParameters = templateParameters(build, node)
  const isStatic = hasWord(build, node, 'static')
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const body = build.field(node, 'body')
  const traits = isStatic ? (isMember ? TRAIT.static : TRAIT.private) : 0
  if (declared.qualified < 0) {
    const type = build.visit(build.field(node, 'type'))
    return functionOf(build, node, { declared, type, body, traits, typeParameters })
  }
  const outer = build.scope
  let expression = 0
  build.block(() => {
    if (typeParameters >= 0) build.visit(typeParameters)
    const type = build.visit(build.field(node, 'type'))
    const to = qualifierOf(build, declared.qualified)
    const inner = build.open('class', build.owner)
    build.within(inner, build.owner, () => {
      expression = functionOf(build, node, { declared, type, body, traits })
    })
    const definition = build.expressions[expression]?.of ?? 0
    const draft = build.draft(definition)
    const qualifier = qualifierText(build, declared.qualified)
    const isMaker = qualifier.split('::').at(-1) === draft.name
    draft.kind = isMaker ? 'constructor' : 'method'
    build.notes.set(`qualifier ${definition}`, qualifier)
    outsiders(build).push({ definition, to, inner, outer, qualifier })
  })
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
function testCase(build: Builder, node: number, list: number): number {
  const [fixture, own] = build.children(list)
  const isFixed = build.textOf(node).slice(0, 16).includes('TEST_')
  const to = isFixed ? build.visit(build.field(fixture ?? -1, 'type')) : 0
  const at = build.field(own ?? -1, 'type')
  const stand = build.define({ kind: 'class', name: '', at: -1, node, scope: -1 })
  const draft = build.draft(stand)
  draft.inner = build.open('class', stand)
  if (to > 0) draft.bases.push(to)
  let expression = 0
  build.within(draft.inner, build.owner, () => {
    expression = functionLike(build, node, {
      kind: 'method',
      name: () => at,
      parameters: () => -1,
      returns: () => -1,
    })
  })
  return expression
}

interface Outsider {
  readonly definition: number
  readonly to: number
  readonly inner: number
  readonly outer: number
  readonly qualifier: string
}

function outsiders(build: Builder): Outsider[] {
  const known = build.notes.get('outsiders')
  if (Array.isArray(known)) return known as Outsider[]
  const made: Outsider[] = []
  build.notes.set('outsiders', made)
  return made
}

/** Into the class where the file has it; else beside it, with the class as a base. */
export function finishOutsiders(build: Builder): void {
  for (const it of outsiders(build)) {
    const home = classInFile(build, it)
    const scope = build.scopes[it.inner]
    const draft = build.draft(it.definition)
    if (home >= 0) {
      draft.scope = build.draft(home).inner
      draft.owner = home
      build.notes.delete(`qualifier ${it.definition}`)
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
  }
}

function classInFile(build: Builder, it: Outsider): number {
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
