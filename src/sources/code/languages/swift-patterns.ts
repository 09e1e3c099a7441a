/** Swift's patterns: names that are declared, and cases that are looked at. */
import type { Builder } from '../builder.ts'
import { itemOf } from '../rules.ts'

export interface Source {
  readonly value: number
  readonly type: number
  readonly node: number
}

/** `x`, `(a, b)`, `let x`: every name in it is new. */
export function bindNames(build: Builder, node: number, from: Source): void {
  const children = build.children(node)
  const inner = children.filter((it) => build.kindName(it) === 'pattern')
  if (inner.length > 0) {
    const value = build.expressions[from.value]
    const isMatched = value?.op === 'collection' && value.list.length === inner.length
    for (const [index, it] of inner.entries()) {
      const own = isMatched ? (value.list[index] ?? 0) : itemOf(build, from.value)
      bindNames(build, it, inner.length === 1 ? from : { ...from, value: own, type: 0 })
    }
    return
  }
  const at = children.find((it) => build.kindName(it) === 'simple_identifier')
  if (at === undefined) return
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const { node: whole, value, type } = from
  const name = build.textOf(at)
  const kind = isMember ? 'field' : 'variable'
  const definition = build.define({ kind, name, at, node: whole, value, type })
  if (!name.startsWith('`')) return
  // The marks that let a keyword be a name are no part of it.
  const marked = { name: name.slice(1, -1), kind, at, node: whole } as const
  build.christen(definition, marked)
  build.draft(definition).start += 1
  build.draft(definition).end -= 1
}

/** `.some(let x)` names a case of what is looked at, and then what the case holds. */
export function bindCase(
  build: Builder,
  node: number,
  it: { readonly value: number; readonly isLet: boolean },
): void {
  const children = build.allChildren(node)
  const bound = build.field(node, 'bound_identifier')
  let { isLet } = it
  let isCase = false
  for (const [index, child] of children.entries()) {
    const kind = build.kindName(child)
    const next = build.textOf(children[index + 1] ?? -1)
    if (kind === 'value_binding_pattern') isLet = true
    else if (kind === '.') isCase = true
    else if (kind === 'pattern') bindCase(build, child, { value: 0, isLet })
    else if (kind === 'simple_identifier') {
      if (isCase) build.refer('member', child, { of: it.value })
      else if (child === bound || (isLet && next !== ':'))
        build.define({
          kind: 'variable',
          name: build.textOf(child),
          at: child,
          node,
          value: it.value,
        })
      else if (next !== ':') build.refer('name', child)
      isCase = false
    } else if (build.isNamed(child)) build.visit(child)
  }
}
