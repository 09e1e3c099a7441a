/** Declarations of C#: namespaces, types in parts, members, and types where they are named. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { bindName, classLike, functionLike, itemOf, lastChild } from '../rules.ts'
import { plain } from './in-order.ts'
import { liftBases } from './jvm.ts'

// Types where they are named: the grammar does not tell them from values.

export function typeOf(build: Builder, node: number): number {
  switch (build.kindName(node)) {
    case 'identifier':
      return build.textOf(node) === 'var' ? 0 : build.refer('name', node, { role: ROLE.type })
    case 'generic_name':
      return genericName(build, node, ROLE.type)
    case 'qualified_name':
      return qualifiedName(build, node)
    case 'array_type':
      return build.express('collection', { list: [typeOf(build, build.field(node, 'type'))] })
    case 'nullable_type':
    case 'pointer_type':
    case 'ref_type':
    case 'scoped_type':
      return typeOf(build, build.field(node, 'type'))
    case 'tuple_type':
      return build.express('collection', {
        list: build.children(node).map((it) => typeOf(build, build.field(it, 'type'))),
      })
    default:
      return build.visit(node)
  }
}

export function genericName(build: Builder, node: number, role: number): number {
  const of = build.refer('name', build.child(node, 'identifier'), { role })
  const args = build.children(build.child(node, 'type_argument_list'))
  return build.express('generic', { of, list: args.map((it) => typeOf(build, it)) })
}

/** `Acme.Model.Item`: what stands before the last dot is a namespace or a type around it. */
function qualifiedName(build: Builder, node: number): number {
  const path = build.textOf(build.field(node, 'qualifier')).replace(/^global::/, '')
  const at = build.field(node, 'name')
  const of = build.express('module', { name: path })
  const isGeneric = build.kindName(at) === 'generic_name'
  const name = isGeneric ? build.child(at, 'identifier') : at
  const found = build.refer('import', name, { of, role: ROLE.type })
  if (!isGeneric) return found
  const args = build.children(build.child(at, 'type_argument_list'))
  return build.express('generic', { of: found, list: args.map((it) => typeOf(build, it)) })
}

// Namespaces.

/** `using A.B;`, `using static A.B;`, `using X = A.B;`; a global one counts for all files. */
export function usingDirective(build: Builder, node: number): number {
  const alias = build.field(node, 'name')
  const path = build.children(node).findLast((it) => it !== alias) ?? -1
  const said = build.textOf(path).replace(/^global::/, '')
  const isClass = alias >= 0 || build.has(node, 'static')
  const of = build.express('module', { name: said })
  const value = isClass ? typeOf(build, path) : build.express('import', { of, name: '*' })
  const name = alias < 0 ? '*' : build.textOf(alias)
  const definition = build.define({ kind: 'import', name, at: alias, node, value, scope: 0 })
  if (build.has(node, 'global')) build.provides.push({ name: 'csharp:global', definition })
  return 0
}

export function namespace(build: Builder, node: number): number {
  return classLike(build, node, { kind: 'namespace', scopeKind: 'namespace' })
}

/** `namespace A.B;` holds all that follows it in the file. */
export function fileNamespace(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const definition = build.define({ kind: 'namespace', name: build.textOf(at), at, node })
  const draft = build.draft(definition)
  draft.inner = build.open('namespace', definition)
  // Left open: the rest of the file is visited inside.
  build.scope = draft.inner
  build.owner = definition
  for (const it of build.children(node)) if (it !== at) build.visit(it)
  return 0
}

/** `csharp:Acme.Web.Router` for a type; every part of a partial one has the same name. */
export function finish(build: Builder): void {
  const names = new Map<number, string>()
  for (const [definition, it] of build.definitions.entries()) {
    if (!NAMED.has(it.kind) || it.name === '' || (it.traits & TRAIT.local) !== 0) continue
    const outer = it.owner === 0 ? '' : names.get(it.owner)
    if (outer === undefined) continue
    const name = outer === '' ? it.name : `${outer}.${it.name}`
    names.set(definition, name)
    if (it.kind !== 'namespace') build.provides.push({ name: `csharp:${name}`, definition })
  }
}

const NAMED: ReadonlySet<string> = new Set(['namespace', 'class', 'interface', 'enum', 'type'])

// Types.

const MODIFIERS: Readonly<Record<string, number>> = {
  static: TRAIT.static,
  const: TRAIT.static,
  private: TRAIT.private,
  public: TRAIT.exported,
}

export function modifiers(build: Builder, node: number): number {
  let traits = 0
  for (const it of build.children(node))
    if (build.kindName(it) === 'modifier') traits |= MODIFIERS[build.textOf(it)] ?? 0
  return traits
}

function attributes(build: Builder, node: number): void {
  for (const it of build.children(node))
    if (build.kindName(it) === 'attribute_list') build.visit(it)
}

export function typeDeclaration(kind: 'class' | 'interface' | 'enum') {
  return (build: Builder, node: number): number => {
    attributes(build, node)
    const expression = classLike(build, node, {
      kind,
      traits: modifiers,
      typeParameters: (it, at) => it.child(at, 'type_parameter_list'),
      bases: (it, at) => it.children(it.child(at, 'base_list')).filter((own) => isBase(it, own)),
      before: (it, at, definition) => {
        liftBases(it, definition)
        constraints(it, at)
        primaryParameters(it, at)
        for (const own of it.children(it.child(at, 'base_list')))
          if (!isBase(it, own)) it.visit(own)
      },
    })
    for (const base of build.draft(build.expressions[expression]?.of ?? 0).bases)
      build.alsoAs(base, ROLE.type)
    return expression
  }
}

function isBase(build: Builder, node: number): boolean {
  return build.kindName(node) !== 'argument_list'
}

/** Those of a record are properties; those of a class are known inside of it. */
function primaryParameters(build: Builder, node: number): void {
  const isRecord = build.kindName(node).startsWith('record')
  for (const it of build.children(build.child(node, 'parameter_list'))) {
    const at = build.field(it, 'name')
    const type = typeOf(build, build.field(it, 'type'))
    const kind = isRecord ? 'field' : 'parameter'
    const traits = isRecord ? 0 : TRAIT.private
    if (at >= 0) build.define({ kind, name: build.textOf(at), at, node: it, type, traits })
  }
}

/** `where T : IFoo` says of what type a parameter is. */
function constraints(build: Builder, node: number): void {
  for (const clause of build.children(node)) {
    if (build.kindName(clause) !== 'type_parameter_constraints_clause') continue
    const [at, ...rest] = build.children(clause)
    build.refer('name', at ?? -1, { role: ROLE.type })
    const types = rest.map((it) => typeOf(build, build.field(it, 'type')))
    const known = build.findIn(build.scope, build.textOf(at ?? -1))
    if (known >= 0) build.draft(known).type = build.either(types)
  }
}

export function typeParameter(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const name = build.textOf(at)
  build.define({ kind: 'type-parameter', name, at, node, traits: TRAIT.typeOnly })
  return 0
}

export function enumMember(build: Builder, node: number): number {
  attributes(build, node)
  const at = build.field(node, 'name')
  build.visit(build.field(node, 'value'))
  build.define({ kind: 'member', name: build.textOf(at), at, node })
  return 0
}

/** A delegate is the shape of a function, with a name. */
export function delegateDeclaration(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const definition = build.define({ kind: 'type', name: build.textOf(at), at, node })
  const draft = build.draft(definition)
  draft.inner = build.open('block', definition)
  build.within(draft.inner, definition, () => {
    build.visit(build.field(node, 'type_parameters'))
    draft.type = callable(build, node, { kind: 'signature', returns: 'type', isUnnamed: true })
  })
  return 0
}

// Members.

interface Callable {
  readonly kind: 'method' | 'function' | 'constructor' | 'signature'
  readonly returns: string
  readonly isUnnamed?: boolean
  readonly name?: string
}

export function callable(build: Builder, node: number, shape: Callable): number {
  attributes(build, node)
  const outer = build.scope
  const isHidden = shape.kind === 'constructor' || shape.name === 'operator'
  const expression = functionLike(build, node, {
    kind: shape.kind,
    name: shape.isUnnamed === true ? () => -1 : (shape.name ?? 'name'),
    traits: modifiers,
    // In a class, the name of a constructor means the class.
    scope: () => (isHidden ? -1 : outer),
    parameters: () => -1,
    returns: shape.returns,
    before: (it, at, definition) => {
      if (shape.kind !== 'signature') it.visit(it.field(at, 'type_parameters'))
      constraints(it, at)
      parameters(it, it.field(at, 'parameters'), definition)
      it.visit(it.child(at, 'constructor_initializer'))
    },
  })
  build.alsoAs(build.draft(build.expressions[expression]?.of ?? 0).type, ROLE.type)
  return expression
}

/** An array that takes all further arguments stands in the list without a node of its own. */
function parameters(build: Builder, list: number, definition: number): void {
  const { parameters: into } = build.draft(definition)
  const add = (node: number, rest: boolean): void => {
    attributes(build, node)
    const at = build.field(node, 'name')
    const type = typeOf(build, build.field(node, 'type'))
    const last = lastChild(build, node)
    if (!rest && last !== at && build.kindName(last) !== 'modifier') build.visit(last)
    const traits = rest ? TRAIT.rest : 0
    const name = build.textOf(at)
    into.push(build.define({ kind: 'parameter', name, at, node: rest ? at : node, type, traits }))
    if (isExtended(build, node)) provideExtension(build, { definition, node })
  }
  for (const it of build.children(list)) if (build.kindName(it) === 'parameter') add(it, false)
  if (build.field(list, 'name') >= 0) add(list, true)
}

function isExtended(build: Builder, node: number): boolean {
  return build.kindName(node) === 'parameter' && build.textOf(node).startsWith('this ')
}

/** By the simple name of the type; whether it is that type is found out where it is used. */
function provideExtension(
  build: Builder,
  extension: { readonly definition: number; readonly node: number },
): void {
  const said = build.textOf(build.field(extension.node, 'type'))
  const simple = /^(?:\w+\.)*(\w+)(?:<.*>)?\??$/s.exec(said)?.[1]
  if (simple === undefined) return
  const { name } = build.draft(extension.definition)
  build.provides.push({
    name: `csharp:${simple}+${name}`,
    definition: extension.definition,
  })
}

export function property(build: Builder, node: number): number {
  attributes(build, node)
  const at = build.field(node, 'name')
  const type = typeOf(build, build.field(node, 'type'))
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const name = build.textOf(at)
  const traits = modifiers(build, node)
  if (at >= 0) build.define({ kind: 'field', name, at, node, type, traits })
  build.block(() => {
    build.visit(build.field(node, 'parameters'))
    build.visitExpecting(build.field(node, 'value'), expected)
    build.visit(build.field(node, 'accessors'))
  })
  return 0
}

/** One type and the names that have it: fields and local variables alike. */
export function variables(build: Builder, node: number): number {
  const type = typeOf(build, build.field(node, 'type'))
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const declaration = build.parent(node)
  const isField = /^(event_)?field_declaration$/.test(build.kindName(declaration))
  if (isField) attributes(build, declaration)
  const declarators = build
    .children(node)
    .filter((it) => build.kindName(it) === 'variable_declarator')
  for (const it of declarators) {
    const at = build.field(it, 'name')
    const pattern = build.child(it, 'tuple_pattern')
    const last = lastChild(build, it)
    const value = last === at || last === pattern ? 0 : build.visitExpecting(last, expected)
    const whole = declarators.length === 1 ? declaration : it
    const traits = isField ? modifiers(build, declaration) : 0
    const binding = plain(build, whole, {
      kind: isField ? 'field' : 'variable',
      value,
      type,
      traits,
    })
    if (at >= 0) bindName(build, at, binding)
    else tuple(build, pattern, binding)
  }
  return 0
}

export function tuple(build: Builder, node: number, binding: ReturnType<typeof plain>): void {
  for (const it of build.children(node)) {
    const own = { ...binding, value: itemOf(build, binding.value), type: 0 }
    if (build.kindName(it) === 'identifier') bindName(build, it, own)
    else tuple(build, it, own)
  }
}
