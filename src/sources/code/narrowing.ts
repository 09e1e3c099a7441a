/**
 * What tests say of a value on the way to where it is used: `if (it instanceof Shop) it.open()`.
 * A value is known by the text that stands for it, `it` or `this.parent`, and by the declaration
 * that its first name has. A language says which tests its conditions are made of.
 */
import type { Test as Kind } from '../../model/facts.ts'
import { TRAIT } from '../../model/facts.ts'
import type { Builder } from './builder.ts'

export interface Test {
  /** The text of what is tested; empty when something was assigned to it since. */
  readonly key: string
  /** What the first name of it means. */
  readonly root: number
  readonly kind: Kind
  readonly holds: boolean
  /** Words that it is tested for: literals, the name of a member. */
  readonly words: readonly string[]
  /** Expressions that it is tested for. */
  readonly operands: readonly number[]
  /** Words and operands as expressions; made when they are first wanted. */
  readonly made: number[]
}

/** The test of what stands at a node, or none when that cannot be followed. */
export function testOf(
  build: Builder,
  node: number,
  it: Pick<Test, 'kind' | 'holds'> & Partial<Pick<Test, 'words' | 'operands'>>,
): readonly Test[] {
  const key = build.textOf(node)
  if (!FOLLOWED.test(key)) return NO_TESTS
  return [{ key, root: rootOf(build, key), words: [], operands: [], made: [], ...it }]
}

const FOLLOWED = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.#?[\p{L}_$][\p{L}\p{N}_$]*)*$/u
export const NO_TESTS: readonly Test[] = []

/** The declaration of its first name; of `this`, the function that it belongs to. */
function rootOf(build: Builder, key: string): number {
  const dot = key.indexOf('.')
  const first = dot < 0 ? key : key.slice(0, dot)
  if (first !== 'this') return build.find(first)
  for (let scope = build.scope; scope > 0; scope = build.scopes[scope]?.parent ?? -1) {
    const { kind, owner } = build.scopes[scope] ?? {}
    const isOwn = kind === 'function' && (build.draft(owner ?? 0).traits & TRAIT.arrow) === 0
    if (isOwn || kind === 'class') return scope
  }
  return 0
}

/** An expression at a node, as what the tests on the way there leave of it. */
export function narrowed(build: Builder, node: number, expression: number): number {
  if (build.tests.length === 0 || expression === 0) return expression
  let of = expression
  let answered: string | undefined
  for (let at = build.tests.length - 1; at >= 0; at -= 1) {
    const test = build.tests[at]
    if (test === undefined || !isAbout(build, test, node)) continue
    const member = test.kind === 'equals' ? test.words[0] : undefined
    // The last answer to a question says all that those before it say.
    if (member !== undefined && member === answered) continue
    answered = member ?? answered
    const name = test.holds ? test.kind : `!${test.kind}`
    of = build.express('narrow', { of, name, list: listOf(build, test) })
  }
  return of
}

function listOf(build: Builder, { words, operands, made }: Test): readonly number[] {
  if (made.length === 0) {
    for (const name of words) made.push(build.literal(name))
    made.push(...operands)
  }
  return made
}

function isAbout(build: Builder, { key, root }: Test, node: number): boolean {
  if (key === '') return false
  const { starts, ends } = build.syntax
  const start = starts[node] ?? 0
  if ((ends[node] ?? 0) - start !== key.length || !build.text.startsWith(key, start)) return false
  return rootOf(build, key) === root
}

/** Visits what is reached only where the tests have been passed. */
export function assuming<T>(build: Builder, tests: readonly Test[], action: () => T): T {
  const before = build.tests.length
  if (tests.length > 0) assume(build, tests)
  const result = action()
  build.tests.length = before
  return result
}

/** From here to the end of the block. */
export function assume(build: Builder, tests: readonly Test[]): void {
  for (const it of tests) build.tests.push(it.kind === 'equals' ? withFormer(build, it) : it)
}

/** `else if`, again and again: what it is not is one question with ever more answers. */
function withFormer(build: Builder, it: Test): Test {
  if (it.holds) return it
  const former = build.tests.findLast((each) => isSameQuestion(each, it))
  return former === undefined ? it : joined(former, it)
}

function isSameQuestion(a: Test, b: Test): boolean {
  const isSame = a.kind === b.kind && a.root === b.root && a.key === b.key && a.holds === b.holds
  return isSame && (a.kind !== 'equals' || a.words[0] === b.words[0])
}

function joined(a: Test, b: Test): Test {
  const words = [...a.words, ...b.words.slice(1)]
  return { ...a, words, operands: [...a.operands, ...b.operands], made: [] }
}

/** What is assigned to is no longer what was tested. */
export function forget(build: Builder, node: number): void {
  if (build.tests.length === 0) return
  const text = build.textOf(node)
  for (let at = 0; at < build.tests.length; at += 1) {
    const it = build.tests[at]
    if (it === undefined || !it.key.startsWith(text)) continue
    const isPart = it.key.length === text.length || it.key.charAt(text.length) === '.'
    if (isPart) build.tests[at] = { ...it, key: '' }
  }
}

/** Conditions are short, and looked at as soon as they have been visited. */
const MOST_BACK = 48

/** The expression that has just been visited at a node, or 0. */
export function visitedAt(build: Builder, node: number): number {
  const { starts, ends } = build.syntax
  const start = starts[node] ?? 0
  const end = ends[node] ?? 0
  const last = build.expressions.length - 1
  for (let at = last; at > Math.max(0, last - MOST_BACK); at -= 1) {
    const it = build.expressions[at]
    if (it?.end !== end || it.start < start) continue
    if (it.op === 'name' || it.op === 'member' || it.op === 'call') return at
  }
  return 0
}

/** `if (…) return`: what follows is reached only where the condition does not hold. */
export function leaves(build: Builder, node: number): boolean {
  const kind = build.kindName(node)
  if (LEAVING.has(kind)) return true
  if (kind !== 'statement_block' && kind !== 'block') return false
  const last = build.children(node).findLast((it) => build.kindName(it) !== 'comment')
  return last !== undefined && leaves(build, last)
}

const LEAVING: ReadonlySet<string> = new Set([
  'return_statement',
  'throw_statement',
  'raise_statement',
  'continue_statement',
  'break_statement',
])

/** Where one of two tests holds: the same question with more answers; else nothing is known. */
export function eitherOf(left: readonly Test[], right: readonly Test[]): readonly Test[] {
  const [a] = left
  const [b] = right
  if (a === undefined || b === undefined || left.length + right.length > 2) return NO_TESTS
  const isMany = a.kind === 'is' || a.kind === 'equals'
  return isMany && a.holds && isSameQuestion(a, b) ? [joined(a, b)] : NO_TESTS
}
