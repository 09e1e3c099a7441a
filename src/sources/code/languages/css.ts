/** CSS: what selectors name, custom properties and animations, and where they are used. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import { comment, firstChild, unquoted } from '../rules.ts'

/** Defines a name that stands at a node, with the sigil before it where there is one. */
function label(
  build: Builder,
  at: number,
  it: { readonly node: number; readonly sigil?: string; readonly scope?: number },
): number {
  const sigil = it.sigil ?? ''
  const scope = it.scope ?? 0
  const name = sigil + build.textOf(at)
  const traits = build.findIn(scope, name) < 0 ? 0 : TRAIT.again
  const definition = build.define({
    kind: 'label',
    name,
    at,
    node: it.node,
    traits,
    scope,
    owner: 0,
  })
  build.draft(definition).start -= sigil.length
  return definition
}

/** A rule names each class and id once, however often they stand in its selectors. */
function ruleSet(build: Builder, node: number): number {
  const seen = new Set<string>()
  const selectors = build.child(node, 'selectors')
  const { kinds, nexts, grammar } = build.syntax
  const classSelector = grammar.kind('class_selector')
  const idSelector = grammar.kind('id_selector')
  const end = selectors < 0 ? 0 : (nexts[selectors] ?? 0)
  for (let it = selectors + 1; it < end; it += 1) {
    const isClass = kinds[it] === classSelector
    if (!isClass && kinds[it] !== idSelector) continue
    const at = build.child(it, isClass ? 'class_name' : 'id_name')
    const sigil = isClass ? '.' : '#'
    const key = sigil + build.textOf(at)
    if (at < 0 || seen.has(key)) continue
    seen.add(key)
    label(build, at, { node, sigil })
  }
  for (const it of build.children(node)) if (it !== selectors) build.visit(it)
  return 0
}

function declaration(build: Builder, node: number): number {
  const [property, ...values] = build.children(node)
  const own = build.textOf(property ?? -1)
  if (own.startsWith('--') && property !== undefined) customProperty(build, property, node)
  const isAnimation = /^(?:-\w+-)?animation(?:-name)?$/.test(own)
  for (const it of values) {
    if (isAnimation && build.kindName(it) === 'plain_value') animation(build, it)
    else build.visit(it)
  }
  return 0
}

/** What is set for the whole page is known to all its stylesheets. */
function customProperty(build: Builder, at: number, node: number): void {
  const definition = label(build, at, { node })
  const rule = build.parent(build.parent(node))
  const selectors = build.textOf(build.child(rule, 'selectors'))
  const isOfRule = build.kindName(rule) === 'rule_set'
  if (isOfRule && !/(?:^|,)\s*(?::root|html)\b/.test(selectors)) return
  build.provides.push({ name: `css:${build.textOf(at)}`, definition })
}

/** Names of animations are apart from those of a script in the same file. */
const animationScope = defineState(
  (build) => build.scopes.push({ parent: 0, kind: 'block', owner: 0 }) - 1,
)

/** `animation: fade 1s ease`: only the name of an animation is a reference. */
function animation(build: Builder, node: number): void {
  if (!ANIMATION_WORDS.has(build.textOf(node)))
    build.refer('name', node, { scope: build.state(animationScope) })
}

const ANIMATION_WORDS = new Set(
  (
    'alternate alternate-reverse auto backwards both ease ease-in ease-in-out ease-out forwards ' +
    'infinite inherit initial linear none normal paused reverse revert running step-end ' +
    'step-start unset'
  ).split(' '),
)

function call(build: Builder, node: number): number {
  const args = build.child(node, 'arguments')
  const first = firstChild(build, args)
  const isVariable = build.textOf(build.child(node, 'function_name')) === 'var'
  for (const it of build.children(args)) {
    if (it === first && isVariable && build.textOf(it).startsWith('--'))
      build.refer('name', it, { scope: 0 })
    else build.visit(it)
  }
  return 0
}

/** `@import "a.css"`, `@import url(a.css)`; the same for `@use` and `@forward` of Sass. */
function importStatement(build: Builder, node: number): number {
  const [target] = build.children(node)
  const isCall = build.kindName(target ?? -1) === 'call_expression'
  const at = isCall ? firstChild(build, build.child(target ?? -1, 'arguments')) : (target ?? -1)
  importAt(build, at, node)
  return 0
}

function importAt(build: Builder, at: number, node: number): void {
  const name = unquoted(build.textOf(at))
  if (name === '') return
  const module = build.refer('module', at, { name, role: ROLE.import })
  const value = build.express('import', { of: module, name: '*' })
  build.define({ kind: 'import', name: '*', at: -1, node, value, scope: 0, owner: 0 })
}

function atRule(build: Builder, node: number): number {
  const [keyword, target] = build.children(node)
  const word = build.textOf(keyword ?? -1)
  if (build.kindName(target ?? -1) === 'string_value' && (word === '@use' || word === '@forward'))
    importAt(build, target ?? -1, node)
  else if (word === '@property' && target !== undefined && build.textOf(target).startsWith('--'))
    customProperty(build, target, node)
  build.visitChildren(node)
  return 0
}

function keyframes(build: Builder, node: number): number {
  const at = build.child(node, 'keyframes_name')
  if (at >= 0) label(build, at, { node, scope: build.state(animationScope) })
  build.visit(build.child(node, 'keyframe_block_list'))
  return 0
}

const rules: Rules = {
  rule_set: ruleSet,
  declaration,
  call_expression: call,
  import_statement: importStatement,
  keyframes_statement: keyframes,
  at_rule: atRule,
  comment: comment(),
  js_comment: comment(),
}

export const css: Language = {
  id: 'css',
  grammar: 'css',
  extensions: ['.css', '.pcss', '.postcss'],
  rules,
}
