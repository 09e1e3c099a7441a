/** What is inside a macro's call: only tokens, from which paths, members and calls are read. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { itemOf } from '../rules.ts'
import { selfName } from './rust-impl.ts'
import { modulePath } from './rust-use.ts'

export function tokens(build: Builder, node: number): number {
  const macro = build.field(node, 'macro')
  const of = build.visit(macro)
  build.alsoAs(of, ROLE.call)
  const list = values(build, build.child(node, 'token_tree'), 0)
  const named = build.textOf(macro)
  if (named === 'vec') return build.express('collection', { list })
  return PASSING.test(named) ? (list[0] ?? 0) : 0
}

/** Macros that give back what they are given, or what it holds. */
const PASSING = /^(\w+::)*(dbg|pin|ready|try)$/

/** The values between the commas, as far as they are plain chains; of what, if they are fields. */
function values(build: Builder, tree: number, of: number): readonly number[] {
  const { scope } = build
  build.scope = build.open('block', build.owner)
  const found: number[] = []
  const state: State = { current: 0, joint: '', declaring: '', declared: -1, isType: false }
  const children = build.allChildren(tree)
  for (const [index, it] of children.entries()) {
    const kind = build.kindName(it)
    const next = build.textOf(children[index + 1] ?? -1)
    if (state.declaring !== '' && declare(build, it, state)) continue
    if (kind === ',' || kind === ';') {
      if (state.current > 0) found.push(state.current)
      if (kind === ';' && state.declared >= 0) build.addValue(state.declared, state.current)
      state.current = 0
      if (kind === ';') state.declared = -1
    } else if (kind === 'let' || kind === 'for' || (kind === '|' && state.current === 0)) {
      state.declaring = kind
      state.isType = false
    } else if (kind === '.' || kind === '::') {
      state.joint = kind
      continue
    } else if (of > 0 && kind === 'identifier' && next === ':' && state.joint === '')
      build.refer('member', it, { of, role: ROLE.write })
    else chain(build, it, { state, next })
    state.joint = ''
  }
  if (state.current > 0) found.push(state.current)
  build.scope = scope
  return found
}

interface State {
  /** What the tokens since the last comma come to. */
  current: number
  /** `.` or `::` when it has just been read. */
  joint: string
  /** The word that began a declaration, until its end. */
  declaring: string
  declared: number
  isType: boolean
}

/** `let x: T =`, `for x in`, `|x: T|`; false for the token that ends it and is more than that. */
function declare(build: Builder, node: number, state: State): boolean {
  const kind = build.kindName(node)
  const text = build.textOf(node)
  const isEnd =
    state.declaring === '|' ? kind === '|' : kind === '=' || text === 'in' || kind === ';'
  if (isEnd) {
    if (state.declaring !== 'let') state.declared = -1
    state.declaring = ''
    return kind !== ';'
  }
  if (kind === ':') state.isType = true
  else if (kind === ',') state.isType = false
  else if (kind === 'identifier' && (state.isType || /^\p{Lu}/u.test(text))) {
    const type = selfName(build, node) ?? build.refer('name', node, { role: ROLE.type })
    if (state.declared >= 0 && state.isType) {
      const draft = build.draft(state.declared)
      if (draft.type === 0) draft.type = type
    }
  } else if (kind === 'identifier' && text !== '_') {
    build.scope = build.open('block', build.owner)
    state.declared = build.define({ kind: 'variable', name: text, at: node, node })
  }
  return true
}

/** One more part of a path, a member or a call. */
function chain(
  build: Builder,
  node: number,
  it: { readonly state: State; readonly next: string },
): void {
  const { state, next } = it
  const kind = build.kindName(node)
  if (kind === 'token_tree') {
    const bracket = build.textOf(node).charAt(0)
    const { current } = state
    const isMade = bracket === '{' && /^\p{Lu}/u.test(build.expressions[current]?.name ?? '')
    const made = isMade ? build.express('typed', { of: current }) : 0
    const list = values(build, node, made)
    if (current > 0 && bracket === '(') {
      build.alsoAs(current, ROLE.call)
      state.current = build.express('call', { of: current, list })
    } else if (current > 0 && bracket === '[') state.current = itemOf(build, current)
    else if (bracket !== '{') state.current = list.at(-1) ?? 0
    else if (isMade) state.current = made
  } else if (/^(identifier|self|super|crate)$/.test(kind)) {
    const isInside = state.joint === '.' || state.joint === '::'
    if (isInside) state.current = build.refer('member', node, { of: state.current })
    else state.current = next === ':' ? 0 : start(build, node, next)
  } else if (kind !== '&' && kind !== '!' && kind !== '?') {
    if (build.isNamed(node)) build.visit(node)
    state.current = 0
  }
}

function start(build: Builder, node: number, next: string): number {
  const kind = build.kindName(node)
  const isModule = kind === 'crate' || kind === 'super' || (kind === 'self' && next === '::')
  return isModule ? modulePath(build, node) : (selfName(build, node) ?? build.refer('name', node))
}
