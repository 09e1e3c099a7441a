/** What the body of a Ruby class or file says by calling methods of the language. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { unquoted } from '../rules.ts'

/** The class or module around the place; the file at the top. */
export function classOwner(build: Builder): number {
  for (let scope = build.scope; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const it = build.scopes[scope]
    if (it?.kind === 'class') return it.owner
  }
  return 0
}

/** Nothing when the call is an ordinary one. */
export function bodyCall(build: Builder, node: number): number | undefined {
  const word = build.textOf(build.field(node, 'method'))
  const args = build.children(build.field(node, 'arguments'))
  switch (word) {
    case 'require':
    case 'require_relative':
    case 'load':
      return requiring(build, node, { word, at: args[0] ?? -1 })
    case 'include':
    case 'extend':
    case 'prepend':
      return including(build, args)
    case 'attr_reader':
    case 'attr_writer':
    case 'attr_accessor':
    case 'delegate':
    case 'attribute':
      for (const it of args) attribute(build, it, node)
      return 0
    case 'define_method':
    case 'alias_method':
      method(build, args[0] ?? -1, node)
      for (const it of args.slice(1)) build.visit(it)
      build.visit(build.field(node, 'block'))
      return 0
    default:
      return undefined
  }
}

function requiring(
  build: Builder,
  node: number,
  it: { readonly word: string; readonly at: number },
): number | undefined {
  if (build.kindName(it.at) !== 'string') return undefined
  const path = unquoted(build.textOf(it.at))
  const name = it.word === 'require_relative' ? `./${path}` : path
  const of = build.refer('module', it.at, { name, role: ROLE.import })
  const value = build.express('import', { of, name: '*' })
  build.define({ kind: 'import', name: '*', at: -1, node, value, scope: 0, owner: 0 })
  return 0
}

function including(build: Builder, args: readonly number[]): number {
  const owner = classOwner(build)
  for (const it of args) {
    const base = build.visit(it)
    build.alsoAs(base, ROLE.inherit)
    if (base > 0 && owner > 0) build.draft(owner).bases.push(base)
  }
  return 0
}

/** `:name` or `'name'`, without what marks it. */
function nameIn(build: Builder, node: number): string {
  const kind = build.kindName(node)
  if (kind === 'simple_symbol') return build.textOf(node).slice(1)
  return kind === 'string' ? unquoted(build.textOf(node)) : ''
}

/** Narrows a definition to the name inside of a symbol or string. */
function narrow(build: Builder, definition: number): void {
  const draft = build.draft(definition)
  draft.start += 1
  draft.end = draft.start + draft.name.length
}

function attribute(build: Builder, at: number, node: number): void {
  const name = nameIn(build, at)
  if (name === '') return
  const of = build.express('instance', { of: build.express('define', { of: classOwner(build) }) })
  const value = build.express('member', { of, name: `@${name}` })
  narrow(build, build.define({ kind: 'field', name, at, node, value }))
}

function method(build: Builder, at: number, node: number): void {
  const name = nameIn(build, at)
  if (name !== '') narrow(build, build.define({ kind: 'method', name, at, node }))
}

/** `Point = Struct.new(:x, :y) do … end` defines a class with these fields. */
export function structOf(
  build: Builder,
  it: { readonly at: number; readonly call: number; readonly node: number },
): boolean {
  const callee = `${build.textOf(build.field(it.call, 'receiver'))}.${build.textOf(build.field(it.call, 'method'))}`
  if (!/^(Struct\.new|Data\.define|Class\.new)$/.test(callee)) return false
  const { at, node } = it
  const definition = build.define({ kind: 'class', name: build.textOf(at), at, node })
  const draft = build.draft(definition)
  const inner = build.open('class', definition)
  draft.inner = inner
  build.within(inner, definition, () => {
    for (const arg of build.children(build.field(it.call, 'arguments'))) {
      const name = nameIn(build, arg)
      if (name !== '') narrow(build, build.define({ kind: 'field', name, at: arg, node: arg }))
      else if (callee === 'Class.new') draft.bases.push(build.visit(arg))
    }
    const block = build.field(it.call, 'block')
    build.visit(build.field(block, 'body'))
  })
  draft.traits &= ~TRAIT.anonymous
  return true
}
