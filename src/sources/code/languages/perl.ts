/** Perl: packages with subroutines, and variables whose sign belongs to the name. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { block, comment, functionLike, nothing, text, unquoted } from '../rules.ts'

/** A package lasts to the next one, or to the end of its block. */
function packageStatement(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const name = build.textOf(at)
  const definition = build.define({ kind: 'namespace', name, at, node, scope: 0, owner: 0 })
  const draft = build.draft(definition)
  draft.inner = build.scopes.push({ parent: 0, kind: 'namespace', owner: definition }) - 1
  build.provides.push({ name: `perl:${name}`, definition })
  const body = build.child(node, 'block')
  if (body >= 0) build.within(draft.inner, definition, () => build.visitChildren(body))
  else {
    build.scope = draft.inner
    build.owner = definition
  }
  return 0
}

function subroutine(build: Builder, node: number): number {
  return functionLike(build, node, {
    before: (it, at, definition) => {
      it.visit(it.child(at, 'signature'))
      const space = it.draft(it.draft(definition).owner)
      if (space.kind === 'namespace') it.draft(definition).traits |= TRAIT.exported
    },
  })
}

function declaration(build: Builder, node: number): number {
  const isShared = build.text.startsWith('our', build.syntax.starts[node])
  const scope = isShared ? sharedScope(build) : build.scope
  for (const it of [...build.fieldsOf(node, 'variable'), ...build.fieldsOf(node, 'variables')]) {
    const at = build.child(it, 'varname')
    if (at < 0) continue
    const name = build.textOf(it)
    const made = build.define({ kind: 'variable', name, at: it, node, scope })
    if (name === '$self') build.draft(made).value = receiver(build)
  }
  return 0
}

function sharedScope(build: Builder): number {
  let scope = build.scope
  while (scope > 0 && build.scopes[scope]?.kind !== 'namespace')
    scope = build.scopes[scope]?.parent ?? 0
  return scope
}

/** `$self` is whatever the package around makes. */
function receiver(build: Builder): number {
  const of = build.scopes[sharedScope(build)]?.owner ?? 0
  return of > 0 ? build.express('define', { of }) : 0
}

/** `$_`, `@_` and `$1` are set by the language. */
function variable(build: Builder, node: number): number {
  if (/^[$@%][A-Za-z]\w*(?:::\w+)*$/.test(build.textOf(node))) return build.refer('name', node)
  build.visitChildren(node)
  return 0
}

/** A parameter of a signature. */
function parameter(build: Builder, node: number): number {
  const at = build.child(node, 'scalar', 'array', 'hash')
  build.visit(build.field(node, 'default'))
  if (at < 0) return 0
  const name = build.textOf(at)
  const value = name === '$self' ? receiver(build) : 0
  const made = build.define({ kind: 'parameter', name, at, node, value })
  if (build.owner > 0) build.draft(build.owner).parameters.push(made)
  return 0
}

function loop(build: Builder, node: number): number {
  build.block(() => {
    const at = build.field(node, 'variable')
    build.visit(build.field(node, 'list'))
    if (at >= 0) build.define({ kind: 'variable', name: build.textOf(at), at, node: at })
    build.visit(build.field(node, 'block'))
  })
  return 0
}

/** `$list[0]` and `$map{x}` are parts of `@list` and `%map`. */
function element(sign: string) {
  return (build: Builder, node: number): number => {
    const [holder, ...others] = build.children(node)
    const isPlain = build.kindName(holder ?? -1) === 'container_variable'
    const at = isPlain ? build.child(holder ?? -1, 'varname') : -1
    if (at >= 0 && /^[A-Za-z]\w*$/.test(build.textOf(at)))
      build.refer('name', at, { name: sign + build.textOf(at) })
    else build.visit(holder ?? -1)
    for (const it of others) build.visit(it)
    return 0
  }
}

/** `Foo::bar(…)` is found in the package `Foo`. */
function call(build: Builder, node: number): number {
  const at = build.field(node, 'function')
  const name = build.textOf(at)
  const cut = name.lastIndexOf('::')
  const space = cut < 0 ? 0 : build.express('name', { name: name.slice(0, cut) })
  const of =
    cut < 0
      ? build.refer('name', at, { role: ROLE.call })
      : build.refer('member', at, { of: space, name: name.slice(cut + 2), role: ROLE.call })
  for (const it of build.children(node)) if (it !== at) build.visit(it)
  return build.express('call', { of })
}

function methodCall(build: Builder, node: number): number {
  const target = build.field(node, 'invocant')
  const isPackage = build.kindName(target) === 'bareword'
  const of = isPackage ? build.refer('name', target) : build.visit(target)
  const at = build.field(node, 'method')
  const found =
    build.kindName(at) === 'method' ? build.refer('member', at, { of, role: ROLE.call }) : 0
  for (const it of build.children(node)) if (it !== target && it !== at) build.visit(it)
  return isPackage && build.textOf(at) === 'new' ? of : build.express('call', { of: found })
}

/** `use parent 'Base'` inherits, `use constant` defines, `use Foo` refers to a package. */
function use(build: Builder, node: number): number {
  const at = build.field(node, 'module')
  const name = build.textOf(at)
  if (name === 'parent' || name === 'base') {
    const draft = build.draft(build.owner)
    for (const it of build.children(node)) {
      if (!build.kindName(it).startsWith('string')) continue
      const base = build.refer('name', it, {
        name: unquoted(build.textOf(it)),
        role: ROLE.inherit,
      })
      if (draft.kind === 'namespace') draft.bases.push(base)
    }
  } else if (name === 'constant') {
    const list = build.child(node, 'list_expression')
    const own = build.child(list, 'autoquoted_bareword')
    if (own >= 0) build.define({ kind: 'variable', name: build.textOf(own), at: own, node })
  } else if (/^[A-Z]/.test(name)) {
    const of = build.refer('name', at, { role: ROLE.import })
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
  }
  return 0
}

const rules: Rules = {
  package_statement: packageStatement,
  subroutine_declaration_statement: subroutine,
  method_declaration_statement: subroutine,
  variable_declaration: declaration,
  anonymous_subroutine_expression: (build, node) =>
    functionLike(build, node, {
      name: () => -1,
      before: (it, at) => {
        it.visit(it.child(at, 'signature'))
      },
    }),
  mandatory_parameter: parameter,
  optional_parameter: parameter,
  slurpy_parameter: parameter,
  for_statement: loop,
  scalar: variable,
  array: variable,
  hash: variable,
  array_element_expression: element('@'),
  hash_element_expression: element('%'),
  function_call_expression: call,
  ambiguous_function_call_expression: call,
  method_call_expression: methodCall,
  use_statement: use,
  block: block(),
  string_literal: text(),
  quoted_word_list: nothing(),
  pod: comment(),
  comment: comment(),
}

export const perl: Language = {
  id: 'perl',
  grammar: 'perl',
  extensions: ['.pl', '.pm', '.t', '.psgi'],
  interpreters: ['perl'],
  rules,
}
