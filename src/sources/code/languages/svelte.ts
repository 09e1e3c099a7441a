/** Svelte: markup with blocks of its own, which uses the names of the script beside it. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment, nothing } from '../rules.ts'
import { attributeOf, defineId, embedded, referClasses, stretchOf } from './markup.ts'
import {
  bindLoop,
  bindPattern,
  defineAt,
  readExpression,
  referAs,
  topLevel,
} from './template-expression.ts'

function expression(build: Builder, node: number): number {
  const at = stretchOf(build, node)
  const own = build.textOf(node)
  // `$store` reads what the store holds.
  const store = /^\s*\$([A-Za-z_]\w*)\s*$/.exec(own)?.[1]
  if (store === undefined) return readExpression(build, at)
  const start = at.start + own.indexOf('$') + 1
  return referAs(build, { start, end: start + store.length }, store)
}

/** `{#each items as item, index (item.id)}`. */
function each(build: Builder, node: number): number {
  const [source, names] = ['raw_text_each', 'raw_text_expr'].map((it) => build.child(node, it))
  const of = readExpression(build, stretchOf(build, source ?? -1))
  if (names === undefined || names < 0) return 0
  const at = stretchOf(build, names)
  const key = topLevel(build.textOf(names), '(')
  bindLoop(build, key < 0 ? at : { start: at.start, end: at.start + key }, of)
  if (key >= 0) readExpression(build, { start: at.start + key, end: at.end })
  return 0
}

/** `{:then value}`, `{:catch error}`: what was waited for gets a name. */
function received(build: Builder, node: number): number {
  const names = build.child(node, 'raw_text_expr')
  if (names >= 0) bindPattern(build, stretchOf(build, names))
  return 0
}

function awaiting(build: Builder, node: number): number {
  const source = build.child(node, 'raw_text_await')
  const names = build.child(node, 'raw_text_expr')
  if (source < 0) return names < 0 ? 0 : expression(build, names)
  const value = readExpression(build, stretchOf(build, source))
  if (names >= 0) bindPattern(build, stretchOf(build, names), value)
  return 0
}

/** A snippet is a function of the template: its name outside, its parameters inside. */
function snippet(build: Builder, node: number): number {
  const head = build.child(node, 'snippet_start_expr')
  const at = build.child(head, 'snippet_name')
  const definition = build.define({ kind: 'function', name: build.textOf(at), at, node })
  const inner = build.open('function', definition)
  build.draft(definition).inner = inner
  build.within(inner, definition, () => {
    const parameters = build.child(head, 'raw_text_expr')
    if (parameters >= 0) bindPattern(build, stretchOf(build, parameters))
    for (const it of build.children(node)) if (it !== head) build.visit(it)
  })
  return 0
}

function render(build: Builder, node: number): number {
  const at = build.child(node, 'snippet_name')
  if (at >= 0) build.refer('name', at, { role: ROLE.call })
  const args = build.child(node, 'raw_text_expr')
  return args < 0 ? 0 : expression(build, args)
}

/** `{@const total = a + b}`. */
function constant(build: Builder, node: number): number {
  const at = stretchOf(build, build.child(node, 'raw_text_expr'))
  const middle = topLevel(build.text.slice(at.start, at.end), '=')
  if (middle < 0) return readExpression(build, at)
  const value = readExpression(build, { start: at.start + middle + 1, end: at.end })
  bindPattern(build, { start: at.start, end: at.start + middle }, value)
  return 0
}

const DIRECTIVE = /^(bind|use|transition|in|out|animate|let):([A-Za-z_$][\w$.]*)/

function attribute(build: Builder, node: number): number {
  const it = attributeOf(build, node)
  const [, kind, named] = DIRECTIVE.exec(it.name) ?? []
  const hasValue = build.allChildren(node).length > 1
  if (kind !== undefined && named !== undefined) {
    const start = stretchOf(build, build.child(node, 'attribute_name')).start + kind.length + 1
    const at = { start, end: start + named.length }
    if (kind === 'let' && !hasValue) defineAt(build, at, { name: named, kind: 'variable' })
    else if (kind !== 'let' && (kind !== 'bind' || !hasValue)) readExpression(build, at)
  }
  if (it.name === 'id') defineId(build, it)
  if (it.name === 'class' && build.text.includes('<style')) referClasses(build, it)
  // `class="a {b}"`: the grammar leaves what is in quotes as it is.
  for (const match of it.value.matchAll(/\{([^{}]*)\}/g)) {
    const start = it.at.start + match.index + 1
    readExpression(build, { start, end: start + (match[1] ?? '').length })
  }
  build.visitChildren(node)
  return 0
}

/** A tag that is no element of HTML uses a component. */
function tag(build: Builder, node: number): number {
  const own = build.textOf(node)
  const isClosing = build.kindName(build.parent(node)) === 'end_tag'
  if (!isClosing && (/^[A-Z]/.test(own) || own.includes('.')))
    readExpression(build, stretchOf(build, node))
  return 0
}

function scoped(build: Builder, node: number): number {
  build.block(() => build.visitChildren(node))
  return 0
}

function outside(build: Builder, node: number): number {
  build.visit(build.child(node, 'start_tag'))
  return 0
}

const rules: Rules = {
  raw_text_expr: expression,
  raw_text_each: expression,
  raw_text_await: expression,
  each_start_expr: each,
  await_start_expr: awaiting,
  then_expr: received,
  catch_expr: received,
  const_expr: constant,
  snippet_statement: snippet,
  render_expr: render,
  each_statement: scoped,
  await_statement: scoped,
  then_statement: scoped,
  catch_statement: scoped,
  if_statement: scoped,
  element: scoped,
  attribute,
  tag_name: tag,
  script_element: outside,
  style_element: outside,
  text: nothing(),
  comment: comment(),
}

export const svelte: Language = {
  id: 'svelte',
  grammar: 'svelte',
  extensions: ['.svelte'],
  rules,
  embeds: embedded,
  finish: (build) => {
    build.exports.push({ name: 'default', of: build.express('define', { of: 0 }) })
  },
}
