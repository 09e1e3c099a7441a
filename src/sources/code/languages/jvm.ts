/** What the languages of the Java world share: packages, and names by which files know each other. */
import { TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'

/** The package that the file is in. It has no scope: its name means nothing inside the file. */
export function definePackage(build: Builder, at: number, node: number): void {
  const name = build.textOf(at).replaceAll(/\s/g, '')
  build.define({ kind: 'namespace', name, at, node, scope: -1 })
}

/**
 * `java:com.acme.Router` for what is at the top, `java:com.acme.Router.Entry` for inner types, and
 * `java:com.acme.*` for the file as a part of its package.
 */
export function providePackage(build: Builder): void {
  const names = new Map<number, string>()
  const own = build.definitions
    .filter((it) => it.kind === 'namespace' && it.scope < 0)
    .map((it) => it.name)
    .join('.')
  build.provides.push({ name: `java:${own}.*`, definition: 0 })
  for (const [definition, it] of build.definitions.entries()) {
    if (it.name === '' || it.kind === 'import' || it.scope < 0) continue
    const outer = it.scope === 0 ? own : names.get(it.owner)
    const isInnerType = outer !== undefined && TYPES.has(it.kind)
    if (it.scope !== 0 && !isInnerType) continue
    const name = outer === undefined || outer === '' ? it.name : `${outer}.${it.name}`
    if (TYPES.has(it.kind)) names.set(definition, name)
    build.provides.push({ name: `java:${name}`, definition })
  }
}

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'type'])

/** `com.acme.Router`, said in full: the package is only implied, the class is referred to. */
export function referInFull(
  build: Builder,
  at: number,
  options: { readonly path: string; readonly role: number },
): number {
  const module = build.express('module', { name: options.path })
  return build.refer('import', at, { of: module, role: options.role })
}

/** Where members are visible: a method's name is never that of a local variable. */
export function memberScope(build: Builder): number {
  let scope = build.scope
  while (scope > 0) {
    const kind = build.scopes[scope]?.kind
    if (kind !== 'function' && kind !== 'block') return scope
    scope = build.scopes[scope]?.parent ?? 0
  }
  return 0
}

/**
 * The names of what a class inherits from are those around the class: they cannot mean what is
 * inherited. To be called when of the class's own scope only type parameters are known.
 */
export function liftBases(build: Builder, definition: number): void {
  const { bases, inner } = build.draft(definition)
  const outer = build.scopes[inner]?.parent ?? 0
  const lift = (at: number): void => {
    const it = build.expressions[at]
    if (it === undefined || at === 0) return
    if (it.op === 'name' && it.scope === inner && build.findIn(inner, it.name) < 0)
      build.expressions[at] = { ...it, scope: outer }
    if (it.op === 'generic' || it.op === 'member' || it.op === 'either') lift(it.of)
    for (const each of it.op === 'member' ? [] : it.list) lift(each)
  }
  for (const base of bases) lift(base)
}

/** A class that is made and used in one place: `new Handler() { … }`, `object : Handler { … }`. */
export function anonymousClass(
  build: Builder,
  node: number,
  parts: { readonly bases: readonly number[]; readonly body: number },
): number {
  const definition = build.define({ kind: 'class', name: '', at: -1, node })
  const draft = build.draft(definition)
  draft.bases.push(...parts.bases.filter((it) => it > 0))
  draft.inner = build.open('class', definition)
  build.within(draft.inner, definition, () => build.visitChildren(parts.body))
  return build.express('instance', { of: build.express('define', { of: definition }) })
}

export const MODIFIERS: Readonly<Record<string, number>> = {
  static: TRAIT.static,
  private: TRAIT.private,
  public: TRAIT.exported,
}
