/** Julia: functions with many methods, structs, and files that are included into each other. */
import { lastPart } from '../../../base/paths.ts'
import { type DefinitionKind, ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import {
  bindName,
  block,
  classLike,
  comment,
  firstChild,
  itemOf,
  lastChild,
  parametersOf,
  same,
  text,
  unquoted,
} from '../rules.ts'

/** The call in the head of a function, inside `where` and a declared result. */
function headOf(build: Builder, node: number): number {
  for (let at = node; at >= 0; at = firstChild(build, at)) {
    if (build.kindName(at) === 'call_expression') return at
    if (!HEADS.has(build.kindName(at))) return -1
  }
  return -1
}

const HEADS = new Set(['signature', 'where_expression', 'typed_expression'])

interface Method {
  readonly kind: DefinitionKind
  readonly head: number
  readonly body: number
}

function method(build: Builder, node: number, it: Method): number {
  const callee = firstChild(build, it.head)
  const at = build.kindName(callee) === 'field_expression' ? lastChild(build, callee) : callee
  const name = build.textOf(at)
  const traits = build.findIn(build.scope, name) < 0 ? 0 : TRAIT.again
  const definition = build.define({ kind: it.kind, name, at, node, traits })
  const draft = build.draft(definition)
  draft.inner = build.open('function', definition)
  build.within(draft.inner, definition, () => {
    typeParameters(build, build.parent(it.head))
    draft.parameters.push(...parametersOf(build, build.child(it.head, 'argument_list'), {}))
    build.visit(it.body)
  })
  return build.express('define', { of: definition })
}

/** `where {T <: Int}` makes `T` known in the whole method. */
function typeParameters(build: Builder, node: number): void {
  if (build.kindName(node) !== 'where_expression') return
  const last = lastChild(build, node)
  const list = build.kindName(last) === 'curly_expression' ? build.children(last) : [last]
  for (const it of list) {
    const isLimited = build.kindName(it) === 'binary_expression'
    const at = isLimited ? firstChild(build, it) : it
    const type = isLimited ? build.visit(lastChild(build, it)) : 0
    build.define({ kind: 'type-parameter', name: build.textOf(at), at, node: it, type })
  }
}

/** `for x in list`, in a loop or in brackets. */
function loopBinding(build: Builder, node: number): number {
  const [at, , source] = build.children(node)
  const value = itemOf(build, build.visit(source ?? -1))
  build.bind(at ?? -1, { kind: 'variable', value, type: 0, scope: build.scope, traits: 0, node })
  return 0
}

function comprehension(build: Builder, node: number): number {
  build.block(() => {
    const [body, ...clauses] = build.children(node)
    for (const it of clauses) build.visit(it)
    build.visit(body ?? -1)
  })
  return 0
}

function lambda(build: Builder, node: number): number {
  const made = build.define({ kind: 'function', name: '', at: -1, node, traits: TRAIT.arrow })
  const draft = build.draft(made)
  draft.inner = build.open('function', made)
  build.within(draft.inner, made, () => {
    draft.parameters.push(...parametersOf(build, firstChild(build, node), {}))
    draft.value = build.visit(lastChild(build, node))
  })
  return build.express('define', { of: made })
}

function withSignature(kind: DefinitionKind) {
  return (build: Builder, node: number): number => {
    const head = headOf(build, build.child(node, 'signature'))
    if (head >= 0) return method(build, node, { kind, head, body: build.child(node, 'block') })
    build.block(() => build.visitChildren(node))
    return 0
  }
}

/** `f(x) = …` defines a function, `x = …` a variable. */
function assignment(build: Builder, node: number): number {
  const [left, , right] = build.children(node)
  const head = headOf(build, left ?? -1)
  if (head >= 0) return method(build, node, { kind: 'function', head, body: right ?? -1 })
  const value = build.visit(right ?? -1)
  const scope = build.functionScope()
  build.bind(left ?? -1, { kind: 'variable', value, type: 0, scope, traits: 0, node })
  return value
}

/** The name in `Circle{T} <: Shape`. */
function typeName(build: Builder, node: number): number {
  let at = build.child(node, 'type_head')
  while (at >= 0 && build.kindName(at) !== 'identifier') at = firstChild(build, at)
  return at
}

function structure(build: Builder, node: number): number {
  return classLike(build, node, {
    name: typeName,
    bases: (it, at) => {
      const head = firstChild(it, it.child(at, 'type_head'))
      return it.kindName(head) === 'binary_expression' ? [lastChild(it, head)] : []
    },
    before: (it, at) => {
      const head = firstChild(it, it.child(at, 'type_head'))
      const inner = it.kindName(head) === 'binary_expression' ? firstChild(it, head) : head
      const curly = it.child(inner, 'curly_expression')
      for (const own of it.children(curly))
        it.define({ kind: 'type-parameter', name: it.textOf(own), at: own, node: own })
      const body = it.child(at, 'block')
      for (const child of it.children(body < 0 ? at : body)) structField(it, child)
    },
    body: () => -1,
  })
}

function structField(build: Builder, node: number): void {
  const kind = build.kindName(node)
  if (kind === 'type_head') return
  if (kind === 'identifier')
    build.define({ kind: 'field', name: build.textOf(node), at: node, node })
  else if (kind === 'typed_expression') {
    const at = firstChild(build, node)
    const type = build.visit(lastChild(build, node))
    build.define({ kind: 'field', name: build.textOf(at), at, node, type })
  } else build.visit(node)
}

function call(build: Builder, node: number): number {
  const [callee, args] = build.children(node)
  const first = firstChild(build, args ?? -1)
  if (build.textOf(callee ?? -1) === 'include' && build.kindName(first) === 'string_literal') {
    const name = unquoted(build.textOf(first))
    const of = build.refer('module', first, { name, role: ROLE.import })
    const value = build.express('import', { of, name: '*' })
    const made = build.define({
      kind: 'import',
      name: '*',
      at: -1,
      node,
      value,
      scope: 0,
      owner: 0,
    })
    build.provides.push({
      name: `julia:${lastPart(name)}`,
      definition: made,
    })
    return 0
  }
  const of = build.visit(callee ?? -1)
  build.alsoAs(of, ROLE.call)
  return build.express('call', {
    of,
    list: build.children(args ?? -1).map((it) => build.visit(it)),
  })
}

/** A module's names are known to the files that include it, as if they stood at the top. */
function moduleDefinition(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  build.define({ kind: 'namespace', name: build.textOf(at), at, node })
  build.visitChildren(build.child(node, 'block'))
  return 0
}

function bind(build: Builder, node: number, binding: Binding): void {
  const known = binding.kind === 'variable' ? build.findIn(binding.scope, build.textOf(node)) : -1
  if (known < 0) bindName(build, node, binding)
  else {
    build.refer('name', node, { role: ROLE.write })
    build.addValue(known, binding.value)
  }
}

function typed(build: Builder, node: number, binding: Binding): void {
  const [at, annotation] = build.children(node)
  const type = build.visit(annotation ?? -1)
  if (annotation !== undefined) build.bind(at ?? -1, { ...binding, type })
}

function inside(build: Builder, node: number, binding: Binding): void {
  for (const it of build.children(node)) build.bind(it, { ...binding, value: 0 })
}

const rules: Rules = {
  identifier: (build, node) => build.refer('name', node),
  module_definition: moduleDefinition,
  struct_definition: structure,
  abstract_definition: structure,
  primitive_definition: structure,
  function_definition: withSignature('function'),
  macro_definition: withSignature('macro'),
  assignment,
  call_expression: call,
  field_expression: (build, node) => {
    const of = build.visit(build.field(node, 'value'))
    return build.refer('member', lastChild(build, node), { of })
  },
  typed_expression: same(),
  using_statement: () => 0,
  import_statement: () => 0,
  export_statement: (build, node) => {
    for (const it of build.children(node)) build.refer('name', it, { role: ROLE.export })
    return 0
  },
  for_statement: block(),
  for_binding: loopBinding,
  comprehension_expression: comprehension,
  generator: comprehension,
  arrow_function_expression: lambda,
  macro_identifier: (build, node) =>
    build.refer('name', firstChild(build, node), { role: ROLE.call }),
  let_statement: block(),
  do_clause: block(),
  string_literal: text(),
  line_comment: comment(),
  block_comment: comment(),
}

const patterns: Patterns = {
  identifier: bind,
  typed_expression: typed,
  // `y = 1` among parameters is a default.
  assignment: (build, node, binding) => {
    const [at, , value] = build.children(node)
    build.bind(at ?? -1, { ...binding, value: build.visit(value ?? -1) })
  },
  tuple_expression: inside,
  open_tuple: inside,
  splat_expression: inside,
}

export const julia: Language = {
  id: 'julia',
  grammar: 'julia',
  extensions: ['.jl'],
  interpreters: ['julia'],
  rules,
  patterns,
}
