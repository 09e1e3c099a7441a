/** Haskell: equations, data types and classes; local names after `where` and `let`. */
import { type DefinitionKind, ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { bound, classLike, comment, name, nothing, text, typeName } from '../rules.ts'

/** An equation of a function; several may define the same one. */
function equation(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  if (at < 0) return patternBinding(build, node)
  const own = build.textOf(at)
  const isMethod = build.scopes[build.scope]?.kind === 'class'
  const traits = build.findIn(build.scope, own) < 0 ? 0 : TRAIT.again
  const kind = isMethod ? 'method' : 'function'
  const made = build.define({ kind, name: own, at, node, traits })
  const draft = build.draft(made)
  draft.inner = build.open('function', made)
  build.within(draft.inner, made, () => {
    for (const it of build.children(build.field(node, 'patterns')))
      bindAll(build, it, { kind: 'parameter', into: draft.parameters })
    build.visit(build.field(node, 'binds'))
    for (const it of build.fieldsOf(node, 'match')) build.visit(it)
  })
  return 0
}

/** `(a, b) = f x`, and `line <- getLine` in `do`. */
function patternBinding(build: Builder, node: number): number {
  for (const it of build.children(node)) if (it !== build.field(node, 'pattern')) build.visit(it)
  bindAll(build, build.field(node, 'pattern'), { kind: 'variable' })
  return 0
}

function bindAll(
  build: Builder,
  node: number,
  it: { readonly kind: DefinitionKind; readonly into?: number[] },
): void {
  build.bind(node, { ...it, value: 0, type: 0, scope: build.scope, traits: 0, node })
}

/** Constructors and fields are known as widely as the type itself. */
function dataType(build: Builder, node: number): number {
  const around = build.scope
  const at = build.field(node, 'name')
  const made = build.define({ kind: 'class', name: build.textOf(at), at, node })
  const { kinds, nexts, grammar } = build.syntax
  const constructor = grammar.kind('constructor')
  const fieldName = grammar.kind('field_name')
  for (let it = node + 1; it < (nexts[node] ?? 0); it += 1) {
    const isField = kinds[it] === fieldName
    if (!isField && kinds[it] !== constructor) continue
    const own = isField ? build.child(it, 'variable') : it
    const kind = isField ? 'field' : 'constructor'
    const whole = build.parent(it)
    build.define({
      kind,
      name: build.textOf(own),
      at: own,
      node: whole,
      scope: around,
      owner: made,
    })
  }
  for (const it of build.children(node)) if (it !== at) build.visit(it)
  return 0
}

function classDeclaration(build: Builder, node: number): number {
  return classLike(build, node, { kind: 'interface', body: 'declarations' })
}

function instance(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const of = build.refer('name', at, { role: ROLE.type | ROLE.inherit })
  build.visit(build.field(node, 'patterns'))
  const made = build.define({ kind: 'class', name: '', at: -1, node })
  const draft = build.draft(made)
  draft.bases.push(of)
  draft.inner = build.open('class', made)
  build.within(draft.inner, made, () => build.visit(build.field(node, 'declarations')))
  return 0
}

/** In a class a signature is the definition; elsewhere the equation is. */
function signature(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const isMember = build.kindName(build.parent(node)) === 'class_declarations'
  if (isMember && at >= 0) {
    const own = build.textOf(at)
    build.define({ kind: 'method', name: own, at, node, scope: 0 })
  }
  build.visit(build.field(node, 'type'))
  return 0
}

function importStatement(build: Builder, node: number): number {
  const module = build.field(node, 'module')
  const alias = build.field(node, 'alias')
  const names = build.field(node, 'names')
  const of = build.refer('module', module, { role: ROLE.import })
  const known = alias < 0 ? module : alias
  build.define({ kind: 'import', name: build.textOf(known), at: known, node, value: of })
  const isQualified = /^import\s+qualified\b|\bqualified\b/.test(
    build.textOf(node).replace(/\(.*$/s, ''),
  )
  const isHiding = /\bhiding\b/.test(build.textOf(node))
  if (names < 0 || isHiding) {
    if (isQualified) return 0
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
    return 0
  }
  for (const it of build.fieldsOf(names, 'name')) {
    const at = build.firstChild(it)
    const value = build.refer('import', at, { of, role: ROLE.import })
    if (!isQualified) build.define({ kind: 'import', name: build.textOf(at), at, node, value })
    // `Type(..)` brings the constructors along.
    if (build.field(it, 'children') >= 0) {
      const all = build.express('import', { of, name: '*' })
      build.define({ kind: 'import', name: '*', at: -1, node, value: all })
    }
  }
  return 0
}

function qualified(build: Builder, node: number): number {
  const module = build.field(node, 'module')
  const space = build.textOf(module).replace(/\.$/, '')
  const of = build.refer('name', module, { name: space })
  return build.refer('member', build.field(node, 'id'), { of })
}

function scoped(build: Builder, node: number): number {
  build.block(() => build.visitChildren(node))
  return 0
}

function withPatterns(build: Builder, node: number): number {
  build.block(() => {
    const lists = [build.field(node, 'patterns'), build.field(node, 'pattern')]
    for (const it of build.children(lists[0] ?? -1)) bindAll(build, it, { kind: 'variable' })
    bindAll(build, lists[1] ?? -1, { kind: 'variable' })
    for (const it of build.children(node)) if (!lists.includes(it)) build.visit(it)
  })
  return 0
}

function apply(build: Builder, node: number): number {
  build.alsoAs(build.visit(build.field(node, 'function')), ROLE.call)
  build.visit(build.field(node, 'argument'))
  return 0
}

const rules: Rules = {
  header: (build, node) => {
    const at = build.field(node, 'module')
    build.define({ kind: 'namespace', name: build.textOf(at), at, node })
    build.provides.push({ name: `haskell:${build.textOf(at)}`, definition: 0 })
    return 0
  },
  import: importStatement,
  function: (build, node) =>
    build.field(node, 'match') < 0 ? (build.visitChildren(node), 0) : equation(build, node),
  bind: equation,
  data_type: dataType,
  newtype: dataType,
  type_synomym: (build, node) => {
    const at = build.field(node, 'name')
    const type = build.visit(build.field(node, 'type'))
    build.define({ kind: 'type', name: build.textOf(at), at, node, type })
    return 0
  },
  class: classDeclaration,
  instance,
  signature,
  variable: name(),
  constructor: name(),
  name: typeName(),
  data_constructor: (build, node) => {
    const inner = build.field(node, 'constructor')
    const at = build.field(inner, 'name')
    for (const it of build.children(inner)) if (it !== at) build.visit(it)
    return 0
  },
  newtype_constructor: (build, node) => build.visit(build.field(node, 'field')),
  field_name: nothing(),
  qualified,
  apply,
  lambda: withPatterns,
  alternative: withPatterns,
  let_in: scoped,
  do: scoped,
  type_params: nothing(),
  literal: text(),
  comment: comment(),
  haddock: comment(),
  pragma: comment(),
}

function inside(build: Builder, node: number, binding: Binding): void {
  for (const it of build.children(node)) build.bind(it, binding)
}

const patterns: Patterns = {
  variable: bound(),
  parens: inside,
  tuple: inside,
  list: inside,
  infix: inside,
  as: inside,
  strict: inside,
  apply: inside,
  constructor: (build: Builder, node: number) => {
    build.refer('name', node)
  },
}

export const haskell: Language = {
  id: 'haskell',
  grammar: 'haskell',
  extensions: ['.hs', '.hs-boot'],
  interpreters: ['runhaskell', 'runghc'],
  rules,
  patterns,
}
