/**
 * Names of languages in which a local name can be used only below its declaration. What the visit
 * has not met yet is not meant: `x := x.next()` asks the outer `x`, and a later local of the same
 * name does not hide a field.
 */
import { TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Visitor } from '../builder.ts'

export function nameInOrder(role = 0): Visitor {
  return (build, node) => referInOrder(build, node, role)
}

export function referInOrder(build: Builder, node: number, role: number): number {
  const name = build.textOf(node)
  // In broken code, the grammar puts names without text where it misses one.
  return name === '' ? 0 : build.refer('name', node, { role, scope: scopeOf(build, name) })
}

/**
 * The scope from which the name leads to what has been declared so far. The members of something
 * that is only looked into, such as the receiver of an extension, come after local names.
 */
function scopeOf(build: Builder, name: string): number {
  let looked = -1
  for (let scope = build.scope; scope > 0; scope = build.scopes[scope]?.parent ?? 0) {
    const { kind, owner } = build.scopes[scope] ?? { kind: 'file', owner: 0 }
    if (kind === 'function' || kind === 'block') {
      if (build.findIn(scope, name) >= 0) return scope
    } else if (build.draft(owner).kind === 'object') looked = looked < 0 ? scope : looked
    else return looked < 0 ? scope : looked
  }
  return Math.max(0, looked)
}

/** What a declaration with neither type nor value binds; the parts that it has are put over it. */
export function plain(build: Builder, node: number, parts: Partial<Binding> = {}): Binding {
  return { kind: 'variable', value: 0, type: 0, scope: build.scope, traits: 0, node, ...parts }
}

/** From here on, a local name is known to be of a type: `if (x is Route) x.go()`. */
export function narrow(build: Builder, name: string, type: number): void {
  const known = build.find(name)
  if (known < 0 || type === 0) return
  const { kind, start, end, from, to, traits } = build.draft(known)
  if ((traits & TRAIT.local) === 0) return
  const draft = build.draft(
    build.define({ kind, name, at: -1, node: 0, type, traits: TRAIT.again }),
  )
  // The same declaration, seen once more: it stands where the first one stands.
  Object.assign(draft, { start, end, from, to, traits: draft.traits & ~TRAIT.anonymous })
}
