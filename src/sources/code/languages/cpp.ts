/** C++: what it adds to C, from classes and namespaces to templates and lambdas. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns, Rules } from '../builder.ts'
import { application, argumentsOf } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { classLike, firstChild, functionLike, itemOf, nothing, same, self } from '../rules.ts'
import {
  bindParameter,
  declaration,
  declaratorOf,
  hasWord,
  onlyDeclared,
  parameterList,
  templateParameters,
  typeWith,
} from './c-declarators.ts'
import * as family from './c-family.ts'
import { promise, provideNames } from './c-names.ts'
import { withoutPreprocessor } from './c-visible.ts'
import { finishOutsiders, functionDefinition, outside } from './cpp-functions.ts'
import { HERE, pathPart, qualified } from './cpp-paths.ts'

function record(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const isTemplate = templateParameters(build, node) >= 0
  if (build.field(node, 'body') < 0) {
    if (isTemplate && build.kindName(at) === 'type_identifier') return declaredTemplate(build, node)
    // `class Later;` alone promises a class that is elsewhere.
    return build.kindName(at) === 'type_identifier'
      ? family.tagged(build, at)
      : at < 0
        ? 0
        : pathPart(build, at, { of: HERE, isLast: true })
  }
  return build.kindName(at) === 'qualified_identifier'
    ? outside(build, at, () => classOf(build, node, at))
    : classOf(build, node, at)
}

function classOf(build: Builder, node: number, path: number): number {
  const at = plainName(build, path)
  const isSpecial = build.kindName(at) === 'template_type'
  const made = classLike(build, node, {
    name: () => (isSpecial ? build.field(at, 'name') : at),
    before: (inside) => {
      if (isSpecial) inside.visit(inside.field(at, 'arguments'))
    },
    typeParameters: templateParameters,
    bases: (inside, own) =>
      inside
        .children(inside.child(own, 'base_class_clause'))
        .filter((it) => /identifier|template_type/.test(inside.kindName(it))),
  })
  // The name of a template means the template itself, if it is there.
  if (isSpecial) onlyDeclared(build, made)
  return made
}

/** `template <typename T> struct Codec;`: what follows may be special cases alone. */
function declaredTemplate(build: Builder, node: number): number {
  const made = classLike(build, node, {
    typeParameters: templateParameters,
    traits: () => TRAIT.again,
  })
  onlyDeclared(build, made)
  return made
}

function plainName(build: Builder, at: number): number {
  let own = at
  while (build.kindName(own) === 'qualified_identifier') own = build.field(own, 'name')
  return own
}

function namespace(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const body = build.field(node, 'body')
  if (at < 0) {
    // Without a name, its names are those of the surroundings, in this file alone.
    const from = build.definitions.length
    build.visitChildren(body)
    for (const draft of build.definitions.slice(from))
      if (draft.scope === build.scope) draft.traits |= TRAIT.private
  } else if (build.has(node, 'inline')) {
    // Its names are those of the surroundings as well.
    const made = build.define({ kind: 'namespace', name: build.textOf(at), at, node })
    build.draft(made).inner = build.scope
    build.visitChildren(body)
  } else {
    const isNested = build.kindName(at) === 'nested_namespace_specifier'
    const names = isNested ? leaves(build, at) : [at]
    nested(build, names, { node, body })
  }
  return 0
}

function leaves(build: Builder, node: number): readonly number[] {
  return build
    .children(node)
    .flatMap((it) =>
      build.kindName(it) === 'nested_namespace_specifier' ? leaves(build, it) : [it],
    )
}

function nested(
  build: Builder,
  names: readonly number[],
  it: { readonly node: number; readonly body: number },
): void {
  const [at, ...others] = names
  if (at === undefined) {
    build.visitChildren(it.body)
    return
  }
  const definition = build.define({
    kind: 'namespace',
    name: build.textOf(at),
    at,
    node: it.node,
  })
  const inner = build.open('namespace', definition)
  build.draft(definition).inner = inner
  build.within(inner, definition, () => nested(build, others, it))
}

function usingDeclaration(build: Builder, node: number): number {
  const target = firstChild(build, node)
  const of =
    build.kindName(target) === 'qualified_identifier'
      ? qualified(build, target)
      : build.refer('name', target, { role: ROLE.type })
  build.alsoAs(of, ROLE.import)
  if (hasWord(build, node, 'namespace')) {
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
  } else {
    const at = plainName(build, target)
    build.define({ kind: 'import', name: build.textOf(at), at, node, value: of })
  }
  return 0
}

function alias(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const definition = build.define({ kind: 'type', name: build.textOf(at), at, node })
  const draft = build.draft(definition)
  draft.inner = build.open('block', definition)
  build.within(draft.inner, definition, () => {
    build.visit(templateParameters(build, node))
    draft.type = build.visit(build.field(node, 'type'))
  })
  return 0
}

function namespaceAlias(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  let of = HERE
  for (const it of build
    .children(node)
    .slice(1)
    .flatMap((inner) => namesIn(build, inner)))
    of = pathPart(build, it, { of, isLast: false })
  if (of > 0) build.define({ kind: 'import', name: build.textOf(at), at, node, value: of })
  return 0
}

function namesIn(build: Builder, node: number): readonly number[] {
  return build.children(node).length === 0 ? [node] : leaves(build, node)
}

/** `typename T`, `typename T = int`, `typename... T`. */
function typeParameter(build: Builder, node: number): number {
  const named = build.field(node, 'name')
  const at = named >= 0 ? named : build.child(node, 'type_identifier')
  const type = build.visit(build.field(node, 'default_type'))
  if (at >= 0) build.define({ kind: 'type-parameter', name: build.textOf(at), at, node, type })
  return 0
}

function valueParameter(build: Builder, node: number): number {
  const scope = build.scope
  bindParameter(build, node, { kind: 'variable', value: 0, type: 0, scope, traits: 0, node })
  return 0
}

const CASTS = /^(static|dynamic|const|reinterpret)_cast$|_pointer_cast$|^(make_unique|make_shared)$/

/** `static_cast<T>(x)` and `make_unique<T>(…)` are of type T. */
function call(build: Builder, node: number): number {
  let callee = build.field(node, 'function')
  while (build.kindName(callee) === 'qualified_identifier') callee = build.field(callee, 'name')
  const isCast =
    build.kindName(callee) === 'template_function' &&
    CASTS.test(build.textOf(build.field(callee, 'name')))
  if (!isCast)
    return application(build, node, { op: 'call', callee: 'function', args: 'arguments' })
  const [to] = build.children(build.field(callee, 'arguments')).map((it) => build.visit(it))
  argumentsOf(build, build.field(node, 'arguments'), { of: 0 })
  return build.express('typed', { of: to ?? 0 })
}

/** `new T(…)`, which points to an instance. */
function makeNew(build: Builder, node: number): number {
  const of = build.visit(build.field(node, 'type'))
  const target = build.expressions[of]
  build.alsoAs(target?.op === 'generic' ? target.of : of, ROLE.call | ROLE.make)
  build.visit(build.field(node, 'declarator'))
  const list = argumentsOf(build, build.field(node, 'arguments'), { of })
  const start = build.syntax.starts[node] ?? 0
  const end = build.syntax.ends[node] ?? 0
  return build.express('make', { of, list, start, end })
}

/** `: a_(a), Base(b)`: a member is given a value, or a base is made. */
function fieldInitializer(build: Builder, node: number): number {
  const [at, given] = build.children(node)
  // A parameter may be called the same.
  const scope = build.scopes[build.functionScope()]?.parent ?? 0
  if (at !== undefined && build.kindName(at) === 'field_identifier')
    build.refer('name', at, { role: ROLE.write, scope })
  else if (at !== undefined && build.kindName(at).startsWith('template_'))
    pathPart(build, at, { of: HERE, isLast: true })
  else build.visit(at ?? -1)
  if (given !== undefined) build.visitChildren(given)
  return 0
}

function lambda(build: Builder, node: number): number {
  const declared = build.field(node, 'declarator')
  return functionLike(build, node, {
    name: () => -1,
    traits: () => TRAIT.arrow,
    parameters: () => parameterList(build, declared),
    returns: () => firstChild(build, build.child(declared, 'trailing_return_type')),
    before: (inside, own) => captures(inside, inside.field(own, 'captures')),
  })
}

function captures(build: Builder, node: number): void {
  for (const it of build.children(node)) {
    if (build.kindName(it) !== 'lambda_capture_initializer') {
      build.visit(it)
      continue
    }
    const at = build.field(it, 'left')
    const value = build.visit(build.field(it, 'right'))
    build.define({ kind: 'variable', name: build.textOf(at), at, node: it, value })
  }
}

function rangeLoop(build: Builder, node: number): number {
  build.block(() => {
    build.visit(build.field(node, 'initializer'))
    const of = build.visitExpecting(build.field(node, 'right'), 0)
    const type = build.visit(build.field(node, 'type'))
    const declared = declaratorOf(build, build.field(node, 'declarator'))
    const isApart = build.kindName(declared.at) === 'structured_binding_declarator'
    for (const at of isApart ? build.children(declared.at) : [declared.at])
      build.define({
        kind: 'variable',
        name: build.textOf(at),
        at,
        node: at,
        type: typeWith(build, type, declared),
        value: isApart ? itemOf(build, itemOf(build, of)) : itemOf(build, of),
      })
    build.visit(build.field(node, 'body'))
  })
  return 0
}

function fieldExpression(build: Builder, node: number): number {
  const of = build.visitExpecting(build.field(node, 'argument'), 0)
  const at = build.field(node, 'field')
  // `a.Base::f()` says itself whose member it is.
  if (build.kindName(at) === 'qualified_identifier') return qualified(build, at)
  return pathPart(build, at, { of, isLast: true })
}

function inBlock(build: Builder, node: number): number {
  build.block(() => build.visitChildren(node))
  return 0
}

/** A friend is no member: it belongs to what is around the class. */
function friend(build: Builder, node: number): number {
  const inner = firstChild(build, node)
  if (build.kindName(inner) === 'type_identifier') return family.tagged(build, inner)
  const from = build.definitions.length
  build.visit(inner)
  let scope = build.scope
  while (build.scopes[scope]?.kind === 'class') scope = build.scopes[scope]?.parent ?? 0
  const owner = build.scopes[scope]?.owner ?? 0
  for (const draft of build.definitions.slice(from)) {
    if (draft.owner !== build.owner || draft.kind !== 'method') continue
    const isDeclared = draft.scope < 0
    Object.assign(draft, { kind: 'function', owner, scope: isDeclared ? -1 : scope })
  }
  return 0
}

/** `class EXPORT Later;`: the grammar takes the macro for a class, and the class for a variable. */
function declarationOrPromise(build: Builder, node: number): number {
  const type = build.field(node, 'type')
  const at = build.field(node, 'declarator')
  const isPromise =
    build.kindName(type) === 'class_specifier' &&
    build.field(type, 'body') < 0 &&
    build.kindName(at) === 'identifier'
  if (!isPromise) return declaration(build, node, outside)
  build.refer('name', build.field(type, 'name'))
  promise(build, build.textOf(at))
  return 0
}

const rules: Rules = {
  ...family.rules,
  namespace_identifier: (build, node) => build.refer('name', node, { role: ROLE.type }),
  qualified_identifier: (build, node) => qualified(build, node),
  template_type: (build, node) => pathPart(build, node, { of: HERE, isLast: true }),
  template_function: (build, node) => pathPart(build, node, { of: HERE, isLast: true }),
  dependent_type: same(),
  field_expression: fieldExpression,
  call_expression: call,
  new_expression: makeNew,
  this: self(),
  lambda_expression: lambda,
  class_specifier: record,
  struct_specifier: record,
  union_specifier: record,
  namespace_definition: namespace,
  namespace_alias_definition: namespaceAlias,
  using_declaration: usingDeclaration,
  alias_declaration: alias,
  template_declaration: (build, node) => {
    const parameters = build.field(node, 'parameters')
    for (const it of build.children(node)) if (it !== parameters) build.visit(it)
    return 0
  },
  type_parameter_declaration: typeParameter,
  optional_type_parameter_declaration: typeParameter,
  variadic_type_parameter_declaration: typeParameter,
  parameter_declaration: valueParameter,
  optional_parameter_declaration: valueParameter,
  function_definition: functionDefinition,
  field_initializer: fieldInitializer,
  friend_declaration: friend,
  declaration: declarationOrPromise,
  concept_definition: (build, node) => {
    const at = build.field(node, 'name')
    const definition = build.define({ kind: 'type', name: build.textOf(at), at, node })
    build.within(build.open('function', definition), definition, () => {
      build.visit(templateParameters(build, node))
      for (const it of build.children(node)) if (it !== at) build.visit(it)
    })
    return 0
  },
  requires_expression: inBlock,
  for_range_loop: rangeLoop,
  if_statement: inBlock,
  while_statement: inBlock,
  switch_statement: inBlock,
  catch_clause: inBlock,
  placeholder_type_specifier: nothing(),
  access_specifier: nothing(),
  virtual_specifier: nothing(),
  destructor_name: nothing(),
  operator_name: nothing(),
}

function bindPack(build: Builder, node: number, binding: Binding): void {
  bindParameter(build, node, { ...binding, traits: binding.traits | TRAIT.rest })
}

const patterns: Patterns = {
  ...family.patterns,
  optional_parameter_declaration: bindParameter,
  variadic_parameter_declaration: bindPack,
}

export const cpp: Language = {
  id: 'cpp',
  grammar: 'cpp',
  see: withoutPreprocessor,
  extensions: ['.h', '.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.ipp', '.inl', '.cu', '.ino'],
  rules,
  patterns,
  finish: (build, path) => {
    finishOutsiders(build)
    provideNames(build, path)
  },
}
