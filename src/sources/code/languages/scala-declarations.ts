/** Declarations of Scala: packages, imports, types with their companions, functions. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { classLike, firstChild, functionLike, lastChild, markInherited } from '../rules.ts'
import { plain } from './in-order.ts'
import { liftBases, providePackage, referInFull } from './jvm.ts'
import { scalaState } from './scala-state.ts'

// Imports.

/** `import a.b.{C, D => E}, f.g._`: one path after the other, each with what it brings. */
export function importDeclaration(build: Builder, node: number): number {
  let path: number[] = []
  const flush = (): void => {
    const at = path.at(-1)
    if (at !== undefined && path.length > 1) bring(build, { node, path: path.slice(0, -1), at })
    path = []
  }
  for (const it of build.allChildren(node)) {
    const kind = build.kindName(it)
    if (kind === 'identifier' || kind === 'operator_identifier') path.push(it)
    else if (kind === ',') flush()
    else if (kind === 'namespace_wildcard') {
      bringAll(build, node, path)
      path = []
    } else if (kind === 'namespace_selectors') {
      for (const own of build.children(it)) selector(build, { node, path, at: own })
      path = []
    } else if (kind.endsWith('renamed_identifier')) {
      selector(build, { node, path, at: it })
      path = []
    }
  }
  flush()
  return 0
}

interface Brought {
  readonly node: number
  readonly path: readonly number[]
  readonly at: number
}

function selector(build: Builder, brought: Brought): void {
  const { node, path, at } = brought
  const kind = build.kindName(at)
  if (kind === 'namespace_wildcard') bringAll(build, node, path)
  else if (kind.endsWith('renamed_identifier')) {
    const alias = build.field(at, 'alias')
    if (build.kindName(alias) !== 'wildcard')
      bring(build, { node, path, at: build.field(at, 'name') }, alias)
  } else if (kind === 'identifier') bring(build, brought)
}

function bring(build: Builder, { node, path, at }: Brought, alias = at): void {
  const direct = referInFull(build, at, { path: joined(build, path), role: ROLE.import })
  const holder = objectAt(build, path)
  const inherited =
    holder === 0 ? 0 : build.express('import', { of: holder, name: build.textOf(at) })
  const value = build.either([direct, inherited])
  build.define({ kind: 'import', name: build.textOf(alias), at: alias, node, value })
}

function bringAll(build: Builder, node: number, path: readonly number[]): void {
  const of = build.express('module', { name: joined(build, path) })
  const direct = build.express('import', { of, name: '*' })
  const value = build.either([direct, objectAt(build, path)])
  build.define({ kind: 'import', name: '*', at: -1, node, value })
}

/** The end of a path can be an object, which may inherit what is imported from it. */
function objectAt(build: Builder, path: readonly number[]): number {
  const [first, ...rest] = path.map((it) => build.textOf(it))
  if (first === undefined) return 0
  // A capital begins a path in what is known here, a small letter one in a package.
  if (rest.length === 0 || /^[A-Z]/.test(first)) {
    let of = build.express('name', { name: first })
    for (const name of rest) of = build.express('member', { of, name })
    return of
  }
  const of = build.express('module', { name: joined(build, path.slice(0, -1)) })
  return build.express('import', { of, name: rest.at(-1) ?? '' })
}

function joined(build: Builder, path: readonly number[]): string {
  return path
    .map((it) => build.textOf(it))
    .filter((it) => it !== '_root_')
    .join('.')
}

// Types.

export function modifiers(build: Builder, node: number): number {
  const said = build.textOf(build.child(node, 'modifiers'))
  return /\bprivate\b/.test(said) ? TRAIT.private : 0
}

function annotations(build: Builder, node: number): void {
  for (const it of build.children(node)) if (build.kindName(it) === 'annotation') build.visit(it)
}

export function typeDefinition(kind: 'class' | 'interface' | 'enum', isObject = false) {
  return (build: Builder, node: number): number => {
    annotations(build, node)
    const expression = classLike(build, node, {
      kind,
      traits: (it, at) => modifiers(it, at) | (isObject ? TRAIT.valueOnly | TRAIT.static : 0),
      typeParameters: 'type_parameters',
      bases: (it, at) => bases(it, it.field(at, 'extend')),
      before: (it, at, definition) => {
        liftBases(it, definition)
        classParameters(it, at)
        for (const own of it.fieldsOf(it.field(at, 'extend'), 'arguments')) it.visit(own)
      },
    })
    const definition = build.expressions[expression]?.of ?? 0
    // Calling a class makes one of it; calling an object calls its `apply`.
    build.draft(definition).type = isObject ? applied(build, expression) : expression
    if (build.has(node, 'case')) build.state(scalaState).caseClasses.add(definition)
    if (/\bimplicit\b/.test(build.textOf(build.child(node, 'modifiers'))))
      provideImplicit(build, node, definition)
    return expression
  }
}

function applied(build: Builder, object: number): number {
  const of = build.express('member', { of: object, name: 'apply' })
  return build.express('typeof', { of: build.express('returned', { of }) })
}

export function bases(build: Builder, clause: number): readonly number[] {
  return build.fieldsOf(clause, 'type').filter((it) => build.isNamed(it))
}

/** Those of a case class, and those with `val`, are fields; the rest is known inside. */
function classParameters(build: Builder, node: number): void {
  const isCase = build.has(node, 'case')
  for (const list of build.fieldsOf(node, 'class_parameters')) {
    for (const it of build.children(list)) {
      const at = build.field(it, 'name')
      if (at < 0) continue
      annotations(build, it)
      const type = build.visit(build.field(it, 'type'))
      build.visitExpecting(build.field(it, 'default_value'), 0)
      const isField = isCase || build.has(it, 'val') || build.has(it, 'var')
      const kind = isField ? 'field' : 'parameter'
      const traits = isField ? modifiers(build, it) : TRAIT.private
      build.define({ kind, name: build.textOf(at), at, node: it, type, traits })
    }
  }
}

/** `implicit class Rich(item: Item)` gives its methods to items. */
function provideImplicit(build: Builder, node: number, definition: number): void {
  const [only] = build.children(build.field(node, 'class_parameters'))
  const simple = simpleName(build, build.field(only ?? -1, 'type'))
  const { inner } = build.draft(definition)
  if (simple === undefined) return
  for (const [at, it] of build.definitions.entries()) {
    if (it.scope === inner && it.kind === 'method')
      build.provides.push({ name: `java:${simple}+${it.name}`, definition: at })
  }
}

function simpleName(build: Builder, type: number): string | undefined {
  return /^(?:\w+\.)*(\w+)(?:\[.*\])?$/s.exec(build.textOf(type))?.[1]
}

export function typeParameters(build: Builder, node: number): number {
  let last = -1
  const define = (at: number, whole: number): void => {
    const name = build.textOf(at)
    if (at >= 0)
      last = build.define({
        kind: 'type-parameter',
        name,
        at,
        node: whole,
        traits: TRAIT.typeOnly,
      })
  }
  for (const it of build.children(node)) {
    const kind = build.kindName(it)
    if (kind === 'identifier') define(it, it)
    else if (kind.endsWith('type_parameter')) define(build.field(it, 'name'), it)
    else if (kind.endsWith('_bound')) {
      const limit = build.visit(build.field(it, 'type'))
      if (kind === 'upper_bound' && last >= 0) build.draft(last).type = limit
    } else build.visit(it)
  }
  return 0
}

export function enumCase(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const definition = build.define({ kind: 'member', name: build.textOf(at), at, node })
  build.within(build.open('class', definition), definition, () => {
    classParameters(build, node)
    for (const it of bases(build, build.field(node, 'extend')))
      markInherited(build, build.visit(it))
  })
  return 0
}

export function typeAlias(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const definition = build.define({ kind: 'type', name: build.textOf(at), at, node })
  const draft = build.draft(definition)
  draft.inner = build.open('block', definition)
  build.within(draft.inner, definition, () => {
    build.visit(build.field(node, 'type_parameters'))
    draft.type = build.visit(build.field(node, 'type'))
  })
  return 0
}

/** `self: Logging =>`: the class counts on having those members too. */
export function selfType(build: Builder, node: number): number {
  const [at, typeNode] = build.children(node)
  if (at !== undefined && build.kindName(at) === 'identifier' && build.textOf(at) !== 'this') {
    const value = build.express('self', {})
    build.define({ kind: 'variable', name: build.textOf(at), at, node, value })
  }
  const type = build.visit(typeNode ?? -1)
  if (type > 0) build.draft(build.owner).bases.push(type)
  return 0
}

export function given(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const typeNode = build.fieldsOf(node, 'return_type').find((it) => build.isNamed(it)) ?? -1
  const body = build.field(node, 'body')
  if (build.kindName(body) === 'with_template_body') {
    const own = classLike(build, node, { bases: () => [typeNode], name: () => at })
    build.draft(build.expressions[own]?.of ?? 0).traits |= TRAIT.valueOnly
    return 0
  }
  const type = build.visit(typeNode)
  const value = build.visitExpecting(body, build.express('typed', { of: type }))
  if (at >= 0) build.define({ kind: 'variable', name: build.textOf(at), at, node, type, value })
  return 0
}

// Functions.

export function functionDefinition(build: Builder, node: number): number {
  annotations(build, node)
  const at = build.field(node, 'name')
  const state = build.state(scalaState)
  const { extension } = state
  const outer = extension ?? build.scope
  state.extension = undefined
  const isMember = build.scopes[outer]?.kind === 'class'
  const isConstructor = build.textOf(at) === 'this'
  const lists = build.fieldsOf(node, 'parameters').filter((it) => build.isNamed(it))
  const isGetter = lists.every((it) => build.kindName(it) === 'type_parameters')
  const expression = functionLike(build, node, {
    kind: isConstructor ? 'constructor' : isMember ? 'method' : 'function',
    scope: () => (isConstructor ? -1 : outer),
    traits: (it, own) => modifiers(it, own) | (isGetter ? TRAIT.getter : 0),
    parameters: () => -1,
    before: (it, _, definition) => {
      it.visit(it.field(node, 'type_parameters'))
      for (const list of lists) {
        if (it.kindName(list) === 'type_parameters') it.visit(list)
        else parameters(it, list, definition)
      }
    },
  })
  state.extension = extension
  return expression
}

export function parameters(build: Builder, list: number, definition: number): void {
  for (const it of build.children(list)) {
    const at = build.field(it, 'name')
    if (at < 0) {
      build.visit(it)
      continue
    }
    annotations(build, it)
    const typeNode = build.field(it, 'type')
    const type = build.visit(typeNode)
    build.visitExpecting(build.field(it, 'default_value'), 0)
    const traits = build.kindName(typeNode) === 'repeated_parameter_type' ? TRAIT.rest : 0
    const options = {
      kind: 'parameter' as const,
      name: build.textOf(at),
      at,
      node: it,
      type,
      traits,
    }
    build.draft(definition).parameters.push(build.define(options))
  }
}

/** `extension (item: Item) def label = …`: functions that can be called as members. */
export function extensionDefinition(build: Builder, node: number): number {
  const outer = build.scope
  const state = build.state(scalaState)
  const { extension } = state
  const first = build.definitions.length
  const list = build.fieldsOf(node, 'parameters').filter((it) => build.isNamed(it))
  const own = list.find((it) => build.kindName(it) === 'parameters') ?? -1
  build.block(() => {
    build.visit(build.field(node, 'type_parameters'))
    for (const it of build.children(own)) {
      const at = build.field(it, 'name')
      const type = build.visit(build.field(it, 'type'))
      if (at >= 0) build.define({ kind: 'parameter', name: build.textOf(at), at, node: it, type })
    }
    state.extension = outer
    for (const it of build.fieldsOf(node, 'body')) build.visit(it)
    state.extension = extension
  })
  const [only] = build.children(own)
  const simple = simpleName(build, build.field(only ?? -1, 'type'))
  for (const [at, it] of build.definitions.entries()) {
    if (at >= first && it.scope === outer && simple !== undefined)
      build.provides.push({ name: `java:${simple}+${it.name}`, definition: at })
  }
  return 0
}

/** `A => B`. */
export function functionType(build: Builder, node: number): number {
  return functionLike(build, node, {
    kind: 'signature',
    name: () => -1,
    parameters: () => -1,
    before: (it, at, definition) => {
      for (const own of it.children(it.field(at, 'parameter_types'))) {
        const type = it.visit(own)
        const options = { kind: 'parameter' as const, name: '', at: -1, node: own, type }
        it.draft(definition).parameters.push(it.define(options))
      }
    },
  })
}

// Variables.

export function valDefinition(build: Builder, node: number): number {
  annotations(build, node)
  const type = build.visit(build.field(node, 'type'))
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const value = build.visitExpecting(build.field(node, 'value'), expected)
  const kind = build.scopes[build.scope]?.kind === 'class' ? 'field' : 'variable'
  const traits = modifiers(build, node)
  const at = Math.max(build.field(node, 'pattern'), build.field(node, 'name'))
  build.bind(at, plain(build, node, { kind, value, type, traits }))
  return 0
}

/**
 * Beside its companion, a class that cannot be called is meant only as a type. What a package
 * object holds belongs to the package.
 */
export function finish(build: Builder): void {
  const { caseClasses, packageObjects } = build.state(scalaState)
  for (const object of build.definitions) {
    if ((object.traits & TRAIT.valueOnly) === 0) continue
    for (const [definition, it] of build.definitions.entries()) {
      const isBeside = it.scope === object.scope && it.name === object.name && it !== object
      const isCalled = caseClasses.has(definition) && build.findIn(object.inner, 'apply') < 0
      if (isBeside && !isCalled && TYPES.has(it.kind)) it.traits |= TRAIT.typeOnly
    }
  }
  providePackage(build)
  const own = build.definitions.filter((it) => it.kind === 'namespace' && it.scope < 0)
  const path = own.map((it) => it.name)
  for (const [object, { name, inner }] of build.definitions.entries()) {
    if (!packageObjects.has(object)) continue
    for (const [definition, it] of build.definitions.entries()) {
      if (it.scope === inner && it.kind !== 'import')
        build.provides.push({ name: `java:${[...path, name, it.name].join('.')}`, definition })
    }
  }
}

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'type'])

export function packageObject(build: Builder, node: number): number {
  const expression = typeDefinition('class', true)(build, node)
  build.state(scalaState).packageObjects.add(build.expressions[expression]?.of ?? 0)
  return expression
}

/** Visits all; the last one is the value. */
export function statements(build: Builder, node: number): number {
  let value = 0
  build.block(() => {
    const last = lastChild(build, node)
    for (const it of build.children(node))
      value = build.visitExpecting(it, it === last ? build.expected : 0)
  })
  return value
}

export function firstOf(build: Builder, node: number): number {
  return build.visit(firstChild(build, node))
}
