/**
 * Expressions of JavaScript inside templates: `{{ user.name }}`, `@click="go(1)"`. There are many
 * and all are short, so that they are read word by word instead of being parsed one by one.
 */
import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { itemOf } from '../rules.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
}

interface Token extends Stretch {
  readonly text: string
}

const TOKEN =
  /\s+|\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\d[\w.]*|[$_\p{L}][$\w\p{L}]*|\?\.|=>|\.\.\.|[\s\S]/uy
const WORD = /^[$_\p{L}]/u
const KEYWORDS = new Set(
  (
    'as async await const delete else false for function if in instanceof let new null of return ' +
    'this true typeof undefined void $event $attrs $slots $refs $emit $props'
  ).split(' '),
)

function tokens(build: Builder, stretch: Stretch): readonly Token[] {
  const found: Token[] = []
  const source = build.text.slice(stretch.start, stretch.end)
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(source); match !== null; match = TOKEN.exec(source)) {
    const text = match[0]
    if (/^(?:\s|\/[/*])/.test(text)) continue
    const start = stretch.start + match.index
    found.push({ text, start, end: start + text.length })
  }
  return found
}

/** Refers to all names of an expression; answers with the value when it is one plain chain. */
export function readExpression(build: Builder, stretch: Stretch): number {
  const list = tokens(build, stretch)
  const own = arrowParameters(list)
  let chain = 0
  for (const [index, token] of list.entries()) {
    const before = list[index - 1]?.text ?? ''
    if (token.text.startsWith('`')) readTemplate(build, token)
    if (!WORD.test(token.text)) {
      if (token.text === '(') build.alsoAs(chain, ROLE.call)
      if (token.text !== '.' && token.text !== '?.' && token.text !== '!') chain = 0
      continue
    }
    const isMember = before === '.' || before === '?.'
    if (isMember) chain = chain > 0 ? refer(build, token, { of: chain }) : 0
    else chain = own.has(token.text) || isNoName(list, index) ? 0 : refer(build, token, { of: 0 })
  }
  return chain
}

/** A keyword, or the key in `{ key: value }`. */
function isNoName(list: readonly Token[], index: number): boolean {
  const before = list[index - 1]?.text ?? ''
  const isKey = list[index + 1]?.text === ':' && (before === '{' || before === ',')
  return isKey || KEYWORDS.has(list[index]?.text ?? '')
}

function readTemplate(build: Builder, token: Token): void {
  for (const match of token.text.matchAll(/\$\{([^}]*)\}/g)) {
    const start = token.start + match.index + 2
    readExpression(build, { start, end: start + (match[1] ?? '').length })
  }
}

function arrowParameters(list: readonly Token[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [index, token] of list.entries()) {
    if (token.text !== '=>') continue
    const last = list[index - 1]?.text ?? ''
    if (last !== ')') {
      found.add(last)
      continue
    }
    for (let at = index - 2; at >= 0 && list[at]?.text !== '('; at -= 1)
      found.add(list[at]?.text ?? '')
  }
  return found
}

function refer(build: Builder, token: Token, parts: { readonly of: number }): number {
  return build.express(parts.of > 0 ? 'member' : 'name', {
    name: token.text,
    of: parts.of,
    start: token.start,
    end: token.end,
    role: ROLE.reference,
  })
}

/** Refers to a name that is spelled differently in the text: `my-thing` means `MyThing`. */
export function referAs(build: Builder, stretch: Stretch, name: string): number {
  return build.express('name', { ...stretch, name, role: ROLE.reference })
}

/** Defines the names of a pattern such as `{ id, name: label = 1 }`. */
export function bindPattern(build: Builder, stretch: Stretch, value = 0): void {
  const list = tokens(build, stretch)
  let isDefault = false
  for (const [index, token] of list.entries()) {
    if (token.text === ',') isDefault = false
    if (token.text === '=') isDefault = true
    if (!WORD.test(token.text) || list[index + 1]?.text === ':') continue
    if (isDefault) {
      if (!KEYWORDS.has(token.text)) refer(build, token, { of: 0 })
      continue
    }
    const own = list.length === 1 ? value : memberOf(build, value, token.text)
    defineAt(build, token, { name: token.text, kind: 'variable', value: own })
  }
}

function memberOf(build: Builder, of: number, name: string): number {
  return of > 0 ? build.express('member', { of, name }) : 0
}

export function defineAt(
  build: Builder,
  stretch: Stretch,
  it: {
    readonly name: string
    readonly kind: 'variable' | 'label' | 'function'
    readonly value?: number
    readonly scope?: number
  },
): number {
  const definition = build.define({ ...it, at: -1, node: 0 })
  const draft = build.draft(definition)
  Object.assign(draft, { ...stretch, from: stretch.start, to: stretch.end, traits: 0 })
  return definition
}

/** `(item, index) in list`, `item, index`: each is what the source holds, and its place. */
export function bindLoop(build: Builder, names: Stretch, source: number): void {
  const text = build.text.slice(names.start, names.end)
  const inside = /^(\s*\(?)([\s\S]*?)\)?\s*$/.exec(text)
  const start = names.start + (inside?.[1] ?? '').length
  const body = inside?.[2] ?? ''
  const comma = topLevel(body, ',')
  const first = comma < 0 ? body.length : comma
  bindPattern(build, { start, end: start + first }, itemOf(build, source))
  if (comma >= 0) bindPattern(build, { start: start + comma + 1, end: start + body.length })
}

/** The first place of a mark that is not inside braces. */
export function topLevel(text: string, mark: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const it = text[at] ?? ''
    if (it === mark && depth === 0) return at
    if ('{[('.includes(it)) depth += 1
    if ('}])'.includes(it)) depth -= 1
  }
  return -1
}
