/** Elixir: every construct is a call, told apart by the word it begins with. */

import { type DefinitionKind, ROLE, TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns, Rules } from '../builder.ts'
import { argumentsOf } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import { bindName, block, collection, comment, firstChild, itemOf, text } from '../rules.ts'

const MODULES: Readonly<Record<string, DefinitionKind>> = {
  defmodule: 'namespace',
  defprotocol: 'interface',
  defimpl: 'class',
}
const FUNCTIONS: Readonly<Record<string, DefinitionKind>> = {
  def: 'function',
  defp: 'function',
  defdelegate: 'function',
  defguard: 'macro',
  defguardp: 'macro',
  defmacro: 'macro',
  defmacrop: 'macro',
  defn: 'function',
}
const IMPORTS = new Set(['alias', 'import', 'require', 'use'])

function argumentsAt(build: Builder, node: number): readonly number[] {
  return build.children(build.child(node, 'arguments'))
}

function call(build: Builder, node: number): number {
  const target = build.field(node, 'target')
  const word = build.kindName(target) === 'identifier' ? build.textOf(target) : ''
  const args = argumentsAt(build, node)
  if (MODULES[word] !== undefined && args.length > 0) return moduleDefinition(build, node, word)
  if (FUNCTIONS[word] !== undefined && args.length > 0) return definition(build, node, word)
  if (IMPORTS.has(word) && args.length > 0) return importing(build, node, word)
  if (word === 'defstruct' || word === 'defexception') return structure(build, node)
  if (word === 'for' || word === 'with' || word === 'test') return scoped(build, node)
  return application(build, node, target)
}

/** Words of the language itself, which look like calls. */
const FORMS = new Set(
  'case cond if quote raise receive reraise super throw try unless unquote unquote_splicing'.split(
    ' ',
  ),
)

function application(build: Builder, node: number, target: number): number {
  const of = FORMS.has(build.textOf(target)) ? 0 : build.visit(target)
  const hasArguments = build.has(node, 'arguments')
  if (hasArguments || build.kindName(target) === 'identifier') build.alsoAs(of, ROLE.call)
  const list = argumentsOf(build, build.child(node, 'arguments'), { of })
  const body = build.child(node, 'do_block')
  if (body >= 0) build.visit(body)
  return hasArguments ? build.express('call', { of, list }) : of
}

interface ElixirState {
  /** Names of the modules around, the outermost first. */
  modulePath: readonly string[]
  /** Full names by their aliases. */
  readonly aliases: Map<string, string>
}

const elixirState = defineState<ElixirState>(() => ({ modulePath: [], aliases: new Map() }))

function moduleDefinition(build: Builder, node: number, word: string): number {
  const [at, options] = argumentsAt(build, node)
  const isImplementation = word === 'defimpl'
  const own = build.textOf(at ?? -1)
  if (isImplementation) build.visit(at ?? -1)
  const target = pairValue(build, options ?? -1, 'for:')
  const name = isImplementation && target >= 0 ? `${own}.${build.textOf(target)}` : own
  const state = build.state(elixirState)
  const outer = state.modulePath
  const kind = MODULES[word] ?? 'namespace'
  const made = build.define({ kind, name, at: at ?? -1, node })
  const draft = build.draft(made)
  draft.inner = build.open('namespace', made)
  if (!isImplementation)
    build.provides.push({ name: `elixir:${[...outer, own].join('.')}`, definition: made })
  state.modulePath = [...outer, own]
  build.within(draft.inner, made, () => {
    if (target >= 0) build.visit(target)
    build.visitChildren(build.child(node, 'do_block'))
  })
  state.modulePath = outer
  return 0
}

/** The value of `key:` in a list of keywords, or -1. */
function pairValue(build: Builder, node: number, key: string): number {
  if (build.kindName(node) !== 'keywords') return -1
  const pair = build
    .children(node)
    .find((it) => build.textOf(build.field(it, 'key')).trim() === key)
  return pair === undefined ? -1 : build.field(pair, 'value')
}

function definition(build: Builder, node: number, word: string): number {
  const [first, options] = argumentsAt(build, node)
  const isGuarded =
    build.kindName(first ?? -1) === 'binary_operator' &&
    build.textOf(build.field(first ?? -1, 'operator')) === 'when'
  const head = isGuarded ? build.field(first ?? -1, 'left') : (first ?? -1)
  const named = build.kindName(head) === 'call' ? build.field(head, 'target') : head
  if (build.kindName(named) !== 'identifier') return application(build, node, -1)
  const name = build.textOf(named)
  const isAgain = build.findIn(build.scope, name) >= 0
  const isPrivate = word.endsWith('p')
  const traits = (isAgain ? TRAIT.again : 0) | (isPrivate ? TRAIT.private : 0)
  const kind = FUNCTIONS[word] ?? 'function'
  const made = build.define({ kind, name, at: named, node, traits })
  const draft = build.draft(made)
  draft.inner = build.open('function', made)
  build.within(draft.inner, made, () => {
    for (const it of argumentsAt(build, head))
      bindAll(build, it, { kind: 'parameter', value: 0, into: draft.parameters })
    if (isGuarded) build.visit(build.field(first ?? -1, 'right'))
    const body = build.child(node, 'do_block')
    const short = pairValue(build, options ?? -1, 'do:')
    if (body >= 0) build.visit(body)
    draft.value = short >= 0 ? build.visit(short) : lastValue(build, body)
    if (short < 0 && options !== undefined) build.visit(options)
  })
  return 0
}

/** What a body gives is its last expression; it has been visited with the body. */
function lastValue(build: Builder, body: number): number {
  const last = build.children(body).at(-1) ?? -1
  const kind = build.kindName(last)
  return kind === 'identifier' ? build.express('name', { name: build.textOf(last) }) : 0
}

function bindAll(
  build: Builder,
  node: number,
  it: { readonly kind: DefinitionKind; readonly value: number; readonly into?: number[] },
): void {
  build.bind(node, { ...it, type: 0, scope: build.scope, traits: 0, node })
}

/** `alias A.{B, C}`, `alias A.B, as: C`, `import A`, `use A`. */
function importing(build: Builder, node: number, word: string): number {
  const [first, options] = argumentsAt(build, node)
  const target = first ?? -1
  const renamed = pairValue(build, options ?? -1, 'as:')
  if (build.kindName(target) === 'dot') {
    const prefix = fullName(build, build.textOf(build.field(target, 'left')))
    for (const it of build.children(build.field(target, 'right')))
      alias(build, node, { at: it, name: `${prefix}.${build.textOf(it)}`, known: it })
    return 0
  }
  const name = fullName(build, build.textOf(target))
  if (word === 'alias')
    return alias(build, node, { at: target, name, known: renamed >= 0 ? renamed : target })
  const of = build.refer('name', target, { name, role: ROLE.import })
  if (word === 'import') {
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
  }
  if (word === 'use') for (const it of argumentsAt(build, node).slice(1)) build.visit(it)
  return 0
}

function alias(
  build: Builder,
  node: number,
  it: { readonly at: number; readonly name: string; readonly known: number },
): number {
  const value = build.refer('name', it.at, { name: it.name, role: ROLE.import, scope: 0 })
  const own = build.textOf(it.known)
  const name = own.slice(own.lastIndexOf('.') + 1)
  build.state(elixirState).aliases.set(name, it.name)
  if (name === it.name) return 0
  const made = build.define({ kind: 'import', name, at: it.known, node, value })
  build.draft(made).start = build.draft(made).end - name.length
  return 0
}

/** The first part of a name may be an alias. */
function fullName(build: Builder, name: string): string {
  const dot = name.indexOf('.')
  const first = dot < 0 ? name : name.slice(0, dot)
  const { modulePath, aliases } = build.state(elixirState)
  const known = first === '__MODULE__' ? modulePath.join('.') : aliases.get(first)
  return known === undefined ? name : known + (dot < 0 ? '' : name.slice(dot))
}

function structure(build: Builder, node: number): number {
  const { kinds, nexts, grammar } = build.syntax
  const atom = grammar.kind('atom')
  const keyword = grammar.kind('keyword')
  for (let it = node + 1; it < (nexts[node] ?? 0); it += 1) {
    if (kinds[it] !== atom && kinds[it] !== keyword) continue
    const name = build.textOf(it).replaceAll(/[:\s]/g, '')
    const isValue = kinds[it] === atom && build.kindName(build.parent(it)) === 'pair'
    if (isValue || !/^\w+[?!]?$/.test(name)) continue
    const made = build.define({ kind: 'field', name, at: it, node: it })
    const draft = build.draft(made)
    draft.start += kinds[it] === atom ? 1 : 0
    draft.end = draft.start + name.length
  }
  return 0
}

function scoped(build: Builder, node: number): number {
  build.block(() => {
    build.visit(build.child(node, 'arguments'))
    build.visit(build.child(node, 'do_block'))
  })
  return 0
}

function operator(build: Builder, node: number): number {
  const word = build.textOf(build.field(node, 'operator'))
  const left = build.field(node, 'left')
  const right = build.field(node, 'right')
  if (word === '=' || word === '<-') {
    const of = build.visit(right)
    bindAll(build, left, { kind: 'variable', value: word === '=' ? of : itemOf(build, of) })
    return of
  }
  const first = build.visit(left)
  const second = build.visit(right)
  if (word === '|>') {
    build.alsoAs(second, ROLE.call)
    return second
  }
  return word === '||' ? build.either([first, second]) : word === '/' ? first : 0
}

/** `@name value` sets an attribute of the module, `@name` reads it. */
function unary(build: Builder, node: number): number {
  const operand = build.field(node, 'operand')
  if (build.textOf(build.field(node, 'operator')) !== '@') {
    const of = build.visit(operand)
    build.alsoAs(of, build.textOf(node).startsWith('&') ? ROLE.call : 0)
    return of
  }
  const at = build.kindName(operand) === 'call' ? build.field(operand, 'target') : operand
  const word = build.textOf(at)
  const start = build.syntax.starts[node] ?? 0
  if (/^(?:module|type)?doc$/.test(word)) {
    build.comments.push(start, build.syntax.ends[node] ?? 0)
    return 0
  }
  if (build.kindName(operand) === 'identifier') return build.refer('name', node)
  if (/^(?:typep?|opaque)$/.test(word)) return typeDefinition(build, node, operand)
  for (const it of argumentsAt(build, operand))
    if (!/^(?:spec|callback)$/.test(word)) build.visit(it)
  if (KNOWN_ATTRIBUTES.has(word) || build.findIn(build.scope, `@${word}`) >= 0) return 0
  const made = build.define({ kind: 'variable', name: `@${word}`, at, node })
  build.draft(made).start -= 1
  return 0
}

const KNOWN_ATTRIBUTES = new Set(
  'after_compile before_compile behaviour callback compile derive doc external_resource impl spec'.split(
    ' ',
  ),
)

function typeDefinition(build: Builder, node: number, operand: number): number {
  const [first] = argumentsAt(build, operand)
  const head = build.field(first ?? -1, 'left')
  const at = build.kindName(head) === 'call' ? build.field(head, 'target') : head
  if (at >= 0)
    build.define({ kind: 'type', name: build.textOf(at), at, node, traits: TRAIT.typeOnly })
  return 0
}

function moduleName(build: Builder, node: number): number {
  return build.refer('name', node, { name: nameHere(build, build.textOf(node)) })
}

/** An alias is looked up as it is written; a longer name by what it stands for. */
function nameHere(build: Builder, name: string): string {
  return name.includes('.') ? fullName(build, name) : name
}

const rules: Rules = {
  call,
  alias: moduleName,
  identifier: (build, node) =>
    build.textOf(node) === '__MODULE__'
      ? build.express('define', { of: moduleAround(build) })
      : build.refer('name', node),
  dot: (build, node) => {
    const of = build.visit(build.field(node, 'left'))
    const at = build.field(node, 'right')
    return build.kindName(at) === 'identifier' ? build.refer('member', at, { of }) : 0
  },
  struct: (build, node) => build.express('instance', { of: build.visit(firstChild(build, node)) }),
  map: (build, node) => {
    const of = build.visit(build.child(node, 'struct'))
    build.visit(build.child(node, 'map_content'))
    return of
  },
  binary_operator: operator,
  unary_operator: unary,
  stab_clause: (build, node) => {
    build.block(() => {
      for (const it of build.children(build.field(node, 'left')))
        bindAll(build, it, { kind: 'variable', value: 0 })
      build.visit(build.field(node, 'right'))
    })
    return 0
  },
  do_block: block(),
  list: collection(),
  tuple: collection(),
  string: text(),
  sigil: () => 0,
  comment: comment(),
}

function moduleAround(build: Builder): number {
  for (let it = build.scope; it > 0; it = build.scopes[it]?.parent ?? -1)
    if (build.scopes[it]?.kind === 'namespace') return build.scopes[it]?.owner ?? 0
  return 0
}

/** Every name in a pattern is bound, unless it is pinned or known as what a default is made of. */
function inside(build: Builder, node: number, binding: Binding): void {
  for (const it of build.children(node)) build.bind(it, { ...binding, value: 0 })
}

const patterns: Patterns = {
  identifier: (build, node, binding) => {
    const name = build.textOf(node)
    const known = binding.kind === 'variable' ? build.findIn(binding.scope, name) : -1
    if (name === '_' || name.startsWith('__')) return
    if (known >= 0) {
      build.refer('name', node, { role: ROLE.write })
      build.addValue(known, binding.value)
    } else bindName(build, node, binding)
  },
  tuple: inside,
  list: inside,
  map: inside,
  map_content: inside,
  keywords: inside,
  pair: (build, node, binding) => build.bind(build.field(node, 'value'), { ...binding, value: 0 }),
  binary_operator: (build, node, binding) => {
    const word = build.textOf(build.field(node, 'operator'))
    const shape = build.child(build.field(node, 'left'), 'struct')
    // `%Account{} = account` says what the account is.
    if (word === '=' && shape >= 0) {
      build.bind(build.child(build.field(node, 'left'), 'map_content'), binding)
      build.bind(build.field(node, 'right'), { ...binding, value: build.visit(shape) })
      return
    }
    build.bind(build.field(node, 'left'), binding)
    if (['=', '|', '<>', '=>'].includes(word)) build.bind(build.field(node, 'right'), binding)
    else build.visit(build.field(node, 'right'))
  },
}

export const elixir: Language = {
  id: 'elixir',
  grammar: 'elixir',
  extensions: ['.ex', '.exs'],
  fileNames: ['mix.lock'],
  interpreters: ['elixir'],
  rules,
  patterns,
}
