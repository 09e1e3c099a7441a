/** Text of C and C++ that has no syntax: the bodies of macros, and what the grammar has not seen. */
import { ascending, inOrder } from '../../../base/order.ts'
import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
  readonly except?: ReadonlySet<string>
  readonly scope?: number
  /** Whether a name before `(` may as well be declared there. */
  readonly isDeclaring?: boolean
}

/** The names in it are referred to. */
export function namesInText(build: Builder, stretch: Stretch): void {
  const { start: from, end: to, except, isDeclaring = false } = stretch
  const scope = stretch.scope ?? build.scope
  for (const match of build.text.slice(from, to).matchAll(TOKENS)) {
    const word = match[1]
    if (word === undefined || except?.has(word) === true || WORDS.has(word)) continue
    const start = from + match.index
    const role = ROLE.reference | (match[2] === undefined || isDeclaring ? 0 : ROLE.call)
    build.express('name', { name: word, start, end: start + word.length, role, scope })
  }
}

const TOKENS =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/.*|(?:\.|->|#|\b\d)\s*\w+|([A-Za-z_]\w*)(\s*\()?/g
const WORDS: ReadonlySet<string> = new Set(
  'if else for while do return sizeof struct union enum static const void int char long short unsigned signed float double switch case default break continue inline extern volatile typedef goto defined'.split(
    ' ',
  ),
)

/** Names in what the grammar has not seen, from within what is around them. */
export function referToHidden(build: Builder): void {
  const { hidden } = build.syntax
  if (hidden.length === 0) return
  // What stands among the parameters of a template sees them.
  const starts = new Map<number, number>()
  for (const { kind, owner, from } of build.definitions)
    if (kind === 'type-parameter' && !starts.has(owner)) starts.set(owner, from)
  const around = build.definitions
    .map(({ from, to, inner }, at) => ({ from: Math.min(from, starts.get(at) ?? from), to, inner }))
    .filter((it) => it.inner >= 0)
    .toSorted(
      inOrder(
        ascending((it) => it.from),
        ascending((it) => -it.to),
        ascending((it) => it.inner),
      ),
    )
  const open: (typeof around)[number][] = []
  let next = 0
  for (let at = 0; at < hidden.length; at += 2) {
    const start = hidden[at] ?? 0
    for (; (around[next]?.from ?? Number.POSITIVE_INFINITY) <= start; next += 1) {
      const it = around[next]
      if (it !== undefined) open.push(it)
    }
    while ((open.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= start) open.pop()
    const inner = open.findLast((it) => it.to > start)?.inner ?? 0
    // What begins with a directive is a branch that is not taken.
    const isDeclaring = build.text[start] === '#'
    namesInText(build, { start, end: hidden[at + 1] ?? 0, scope: inner, isDeclaring })
  }
}
