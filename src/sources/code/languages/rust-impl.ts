/** Rust's `impl` blocks: members that stand outside their type, and what `self` and `Self` mean. */

import { type Expression, ROLE } from '../../../model/facts.ts'
import type { Binding, Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'
import { markInherited } from '../rules.ts'

interface Impl {
  /** Leads to the type that receives the members. */
  readonly type: number
  readonly trait: number
  /** Where the type is looked up from. */
  readonly scope: number
  readonly inner: number
}

interface ImplState {
  /** What `Self` means; 0 outside of types. */
  ownType: number
  readonly impls: Impl[]
}

const implState = defineState<ImplState>(() => ({ ownType: 0, impls: [] }))

/** Runs with `Self` meaning the type that an expression leads to. */
export function withOwnType(build: Builder, type: number, action: () => number): number {
  const state = build.state(implState)
  const { ownType: before } = state
  state.ownType = type
  const expression = action()
  state.ownType = before
  return expression
}

/** `Self` refers to the type around it; nothing when the node is another name. */
export function selfName(build: Builder, node: number): number | undefined {
  if (build.textOf(node) !== 'Self') return undefined
  const it = plainType(build, build.state(implState).ownType)
  if (it === undefined || (it.op !== 'name' && it.op !== 'member')) return 0
  const { op, name, of, scope } = it
  return build.refer(op, node, { name, of, scope, role: ROLE.type })
}

/** `Self` as a type: with what the type around it is applied to. */
export function selfType(build: Builder, node: number): number | undefined {
  const of = selfName(build, node)
  const around = build.expressions[build.state(implState).ownType]
  return of === undefined || of === 0 || around?.op !== 'generic'
    ? of
    : build.express('generic', { of, list: around.list, name: around.name })
}

/** The parameter `self` is a value of the type around it. */
export function ownType(build: Builder, node: number, binding: Binding): void {
  const at = build.child(node, 'self')
  const definition = build.define({
    kind: 'parameter',
    name: 'self',
    at,
    node,
    type: build.state(implState).ownType,
    scope: binding.scope,
  })
  binding.into?.push(definition)
}

export function implItem(build: Builder, node: number): number {
  const outer = build.scope
  build.block(() => {
    build.visit(build.field(node, 'type_parameters'))
    const trait = build.visit(build.field(node, 'trait'))
    markInherited(build, trait)
    const type = build.visit(build.field(node, 'type'))
    build.visit(build.child(node, 'where_clause'))
    const inner = build.open('class', build.owner)
    build.within(inner, build.owner, () => {
      withOwnType(build, type, () => {
        build.visitChildren(build.field(node, 'body'))
        return 0
      })
    })
    build.state(implState).impls.push({ type, trait, scope: outer, inner })
  })
  return 0
}

/** Members move into their type where the file has it, and are given to it otherwise. */
export function finishImpls(build: Builder): void {
  const homes = new Map<number, { readonly home: number; readonly type: number }>()
  const parameters = typeParameters(build)
  for (const it of build.state(implState).impls) {
    const home = typeInFile(build, it)
    homes.set(it.inner, { home, type: it.type })
    const scope = build.scopes[it.inner]
    if (home < 0 || scope === undefined) continue
    scope.owner = home
    nameParameters(build, it, { home, parameters })
    if (it.trait > 0) build.draft(home).bases.push(it.trait)
    const target = plainType(build, it.trait)?.name === 'Deref' ? derefTarget(build, it) : 0
    if (target > 0) build.draft(home).bases.push(target)
  }
  for (const [definition, draft] of build.definitions.entries()) {
    const found = homes.get(draft.scope)
    if (found === undefined) continue
    if (found.home >= 0) {
      draft.scope = build.draft(found.home).inner
      draft.owner = found.home
    } else {
      draft.scope = -1
      build.grants.push({ to: found.type, definition })
      const name = `rust-member:${typeNameOf(build, found.type)}.${draft.name}`
      if (draft.kind !== 'type-parameter') build.provides.push({ name, definition })
    }
  }
}

/** Definitions of type parameters, by the scope that they are declared in. */
function typeParameters(build: Builder): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const [definition, { kind, scope }] of build.definitions.entries()) {
    if (kind !== 'type-parameter') continue
    const known = found.get(scope)
    if (known === undefined) found.set(scope, [definition])
    else known.push(definition)
  }
  return found
}

/** `impl<U> Stack<U>`: what is `U` here is `T` to `struct Stack<T>`. */
function nameParameters(
  build: Builder,
  impl: Impl,
  it: { readonly home: number; readonly parameters: ReadonlyMap<number, readonly number[]> },
): void {
  const type = build.expressions[impl.type]
  const own = it.parameters.get(build.scopes[impl.inner]?.parent ?? -1)
  if (type?.op !== 'generic' || own === undefined) return
  const { inner } = build.draft(it.home)
  for (const [index, original] of (it.parameters.get(inner) ?? []).entries()) {
    const { op, name } = build.expressions[type.list[index] ?? 0] ?? {}
    const here = op === 'name' ? own.find((at) => build.draft(at).name === name) : undefined
    if (here === undefined) continue
    const named = { name: build.draft(original).name, scope: inner, role: ROLE.type }
    build.draft(here).value = build.express('name', named)
  }
}

/** `impl Deref`: what it leads to has its members too. */
function derefTarget(build: Builder, impl: Impl): number {
  const at = build.findIn(impl.inner, 'Target')
  return at < 0 ? 0 : build.draft(at).type
}

function plainType(build: Builder, expression: number): Expression | undefined {
  let type = build.expressions[expression]
  while (type?.op === 'generic') type = build.expressions[type.of]
  return type
}

function typeNameOf(build: Builder, expression: number): string {
  return plainType(build, expression)?.name ?? ''
}

function typeInFile(build: Builder, impl: Impl): number {
  const type = plainType(build, impl.type)
  if (type?.op !== 'name') return -1
  const found = build.find(type.name, impl.scope)
  if (found < 0) return -1
  const { kind } = build.draft(found)
  return kind === 'class' || kind === 'enum' || kind === 'interface' ? found : -1
}
