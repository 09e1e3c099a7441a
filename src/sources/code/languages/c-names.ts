/** The names by which other files of C and C++ find what a file defines, declares or promises. */
import { lastPart } from '../../../base/paths.ts'
import { TRAIT } from '../../../model/facts.ts'
import { withinEachOther } from '../../../model/namespaces.ts'
import type { Builder, DefinitionDraft } from '../builder.ts'
import { referToHidden } from './c-hidden.ts'
import { cState } from './c-state.ts'

/**
 * By name for the linker: definitions as `c:`, what is only declared as `c-decl:`, types that are
 * promised as `c-tag:`, macros as `c-macro:`, and the file by its own name, because an include may
 * lead to it from anywhere.
 */
export function provideNames(build: Builder, path: string): void {
  referToHidden(build)
  for (const it of build.state(cState).opaqueTypes)
    if (build.findIn(0, it.name) < 0) build.define({ ...it, kind: 'type', scope: 0 })
  // Inside its class, the class's name means the class.
  for (const draft of build.definitions) if (draft.kind === 'constructor') draft.scope = -1
  const only = build.state(cState).declaredOnly
  const isHeader = /\.(h|hh|hpp|hxx|inl|ipp)$/.test(path)
  const used = usedNamespaces(build)
  for (const [definition, draft] of build.definitions.entries()) {
    if (draft.name === '' || (draft.traits & TRAIT.local) !== 0) continue
    if (draft.kind === 'macro') build.provides.push({ name: `c-macro:${draft.name}`, definition })
    if (!isProvided(draft) || build.scopes[draft.scope]?.kind === 'block') continue
    if (!isHeader && isPrivate(build, definition)) continue
    const full = fullName(build, definition)
    if (full === undefined) continue
    const key = only.has(definition) ? 'c-decl' : 'c'
    build.provides.push({ name: `${key}:${full}`, definition })
    if (isQualified(build, definition))
      for (const prefix of used)
        build.provides.push({ name: `${key}:${prefix}${full}`, definition })
  }
  providePromised(build)
  build.provides.push({ name: `c-file:${lastPart(path)}`, definition: 0 })
}

function isProvided({ kind, traits }: DefinitionDraft): boolean {
  return PROVIDED.has(kind) || (kind === 'field' && (traits & TRAIT.static) !== 0)
}

const PROVIDED: ReadonlySet<string> = new Set([
  'function',
  'method',
  'constructor',
  'variable',
  'class',
  'enum',
  'member',
  'type',
  'namespace',
])

/** `void A::f()` after `using namespace draw` may be a part of `draw::A`. */
function isQualified(build: Builder, definition: number): boolean {
  for (let at = definition; at > 0; at = build.draft(at).owner)
    if (build.state(cState).qualifiers.has(at)) return true
  return false
}

function usedNamespaces(build: Builder): readonly string[] {
  const paths = build.definitions.flatMap(({ kind, name: own, value, traits }) =>
    kind === 'import' && own === '*' && (traits & TRAIT.local) === 0
      ? pathText(build, build.expressions[value]?.of ?? 0)
      : [],
  )
  return withinEachOther(paths)
}

function pathText(build: Builder, at: number): readonly string[] {
  const it = build.expressions[at]
  if (it?.op === 'name') return [it.name]
  return it?.op === 'member' ? pathText(build, it.of).map((of) => `${of}::${it.name}`) : []
}

/** Static, or in a namespace without a name, or in something that is. */
function isPrivate(build: Builder, definition: number): boolean {
  for (let at = definition; at > 0; at = build.draft(at).owner)
    if ((build.draft(at).traits & TRAIT.private) !== 0) return true
  return false
}

/** Nothing for what lies in something without a name. */
function fullName(build: Builder, definition: number): string | undefined {
  const { qualifiers } = build.state(cState)
  const qualifier = qualifiers.get(definition)
  let full = build.draft(definition).name
  if (qualifier !== undefined) full = `${qualifier}::${full}`
  for (let at = build.draft(definition).owner; at > 0; at = build.draft(at).owner) {
    const { name: own, kind, traits } = build.draft(at)
    const isHolder = kind !== 'enum' || !isUnscoped(build, at, definition)
    if (isHolder && (traits & TRAIT.anonymous) !== 0 && own === '') return undefined
    if (isHolder) full = `${own}::${full}`
    const around = qualifiers.get(at)
    if (around !== undefined) full = `${around}::${full}`
  }
  return full
}

function isUnscoped(build: Builder, owner: number, own: number): boolean {
  return build.draft(own).scope !== build.draft(owner).inner
}

/** `class Later;` and `struct node *next` say that there is such a type, perhaps in another file. */
export function promise(build: Builder, name: string): void {
  const { promised } = build.state(cState)
  let around = ''
  for (let at = build.owner; at > 0; at = build.draft(at).owner)
    if (build.draft(at).kind === 'namespace') around = `${build.draft(at).name}::${around}`
  let { scope } = build
  while (scope > 0 && build.scopes[scope]?.kind !== 'namespace')
    scope = build.scopes[scope]?.parent ?? 0
  if (!promised.has(around + name)) promised.set(around + name, scope)
}

/** Whoever sees the promise may look for the type by its full name. */
function providePromised(build: Builder): void {
  for (const [full, scope] of build.state(cState).promised) {
    const name = full.slice(full.lastIndexOf(':') + 1)
    if (build.findIn(scope, name) < 0) build.provides.push({ name: `c-tag:${full}`, definition: 0 })
  }
}
