/**
 * Types that JavaScript writes into comments: `@param {Shop} shop`, `@returns {Promise<Item>}`,
 * `@type {?Options}`. They mean what types mean in TypeScript, but they are no
 * references of the text. TypeScript itself pays them no heed, so neither do we there.
 */

import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { defineState } from '../language-state.ts'
import type { Documented } from '../rules.ts'

/** What the comment before a function says of it; types are expressions, 0 where it says nothing. */
export function documentedFunction(build: Builder, node: number): Documented | undefined {
  const tags = isJavaScript(build) ? tagsBefore(build, statementAt(build, node)) : undefined
  if (tags === undefined) return undefined
  const parameters = tags.filter((it) => it.tag === 'param')
  // No parameter is a type, though one may bear the name of its type.
  const { scope } = build
  return {
    returns: typeIn(build, tags, 'return'),
    receiver: typeIn(build, tags, 'this'),
    parameter(at, index) {
      const name = parameterName(build, at)
      const found =
        name === ''
          ? parameters[index]
          : parameters.find((it) => it.name === name || it.name === `...${name}`)
      return found === undefined ? 0 : typeOf(build, found.type, { scope, aliases: 0 })
    },
  }
}

/** The type that the comment before a variable or a field declares, or 0. */
export function documentedType(build: Builder, node: number): number {
  return isJavaScript(build) ? castType(build, statementAt(build, node)) : 0
}

/** `\/** @type {Shop} *\/ (value)`: the type that a value is said to be of, or 0. */
export function castType(build: Builder, node: number): number {
  const tags = isJavaScript(build) ? tagsBefore(build, node) : undefined
  return tags === undefined ? 0 : typeIn(build, tags, 'type')
}

function isJavaScript(build: Builder): boolean {
  return build.syntax.grammar.name === 'javascript'
}

function typeIn(build: Builder, tags: readonly Tag[], tag: Tag['tag']): number {
  const found = tags.find((it) => it.tag === tag)
  return found === undefined ? 0 : typeOf(build, found.type)
}

/** Of a pattern there is none. */
function parameterName(build: Builder, node: number): string {
  const left = build.field(node, 'left')
  const at = left < 0 ? node : left
  const kind = build.kindName(at)
  if (kind === 'rest_pattern') return parameterName(build, build.firstChild(at))
  return kind === 'identifier' ? build.textOf(at) : ''
}

/** What a comment stands before: the whole statement in which something is defined. */
function statementAt(build: Builder, node: number): number {
  let at = node
  for (;;) {
    const around = build.parent(at)
    if (around < 0 || !WITH_COMMENT.has(build.kindName(around)) || !isFirst(build, at, around))
      return at
    at = around
  }
}

const WITH_COMMENT: ReadonlySet<string> = new Set([
  'export_statement',
  'lexical_declaration',
  'variable_declaration',
  'variable_declarator',
  'assignment_expression',
  'expression_statement',
  'field_definition',
  'pair',
])

/** Further declarators of one statement have comments of their own. */
function isFirst(build: Builder, node: number, around: number): boolean {
  return build.kindName(node) !== 'variable_declarator' || build.firstChild(around) === node
}

interface Tag {
  readonly tag: 'param' | 'return' | 'this' | 'type'
  readonly type: string
  readonly name: string
}

/** Nothing when no comment stands before the node, as before most. */
function tagsBefore(build: Builder, node: number): readonly Tag[] | undefined {
  const { text } = build
  let end = build.syntax.starts[node] ?? 0
  while (end > 0 && text.charCodeAt(end - 1) <= SPACE) end -= 1
  if (text.charCodeAt(end - 1) !== SLASH || text.charCodeAt(end - 2) !== STAR) return undefined
  const comment = text.slice(text.lastIndexOf('/*', end - 3), end)
  return comment.startsWith('/**') ? tagsIn(comment) : undefined
}

const SPACE = 32
const SLASH = 47
const STAR = 42

function tagsIn(comment: string): readonly Tag[] {
  return [...comment.matchAll(TAG)].flatMap((match) => {
    const type = braced(comment, match.index + match[0].length)
    const rest = comment.slice(match.index + match[0].length + type.length + 1)
    const name = /^\s*\[?\s*([\w$.]+)/.exec(rest)?.[1] ?? ''
    // `@param {string} options.name` speaks of a part of a parameter.
    const isPart = match[1] === 'param' && /^[^.]+\./.test(name)
    return isPart ? [] : [{ tag: match[1] as Tag['tag'], type, name }]
  })
}

const TAG = /@(param|return|type|this)s?\s*\{/g

/** No type that a person writes is longer, or deeper. */
const LONGEST = 2000
const DEEPEST = 32

/** What stands between braces, from behind the first one. */
function braced(text: string, from: number): string {
  let depth = 1
  for (let at = from; at < text.length && at < from + LONGEST; at += 1) {
    const it = text[at]
    if (it === '{') depth += 1
    else if (it === '}') depth -= 1
    if (depth === 0) return text.slice(from, at)
  }
  return ''
}

/** Names that stand for others are looked through; not for ever, should they stand for each other. */
const MOST_ALIASES = 4

interface Reading {
  /** Where names are looked up from. */
  readonly scope: number
  /** How many names have been looked through. */
  readonly aliases: number
}

function typeOf(
  build: Builder,
  text: string,
  reading: Reading = { scope: build.scope, aliases: 0 },
): number {
  return new TypeReader(build, text, reading).read()
}

/** Other names for types: those of `@typedef {Options} Settings`, and what `@import` tags name. */
const typeAliases = defineState((build): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const match of build.text.matchAll(/@typedef\s*\{/g)) {
    const from = match.index + match[0].length
    const type = braced(build.text, from)
    const name = /^\s*([\w$]+)/.exec(
      build.text.slice(from + type.length + 1, from + type.length + 99),
    )
    if (name?.[1] !== undefined) found.set(name[1], type)
  }
  for (const [, names = '', from = ''] of build.text.matchAll(IMPORT)) {
    for (const [, own = '', alias = own] of names.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g))
      found.set(alias, `import(${from}).${own}`)
  }
  return found
})

const IMPORT = /^[ \t/*]*@import\s*\{([^}]{0,2000})\}\s*from\s*((["'])[^"'\n]+\3)/gm

const TOKEN = /\s*(\.\.\.|\.<|=>|\[\]|[\w$]+|"[^"]*"|'[^']*'|\S)/g

/** Reads what can be followed of a type: names, their arguments, lists, alternatives. */
class TypeReader {
  readonly #build: Builder
  readonly #tokens: readonly string[]
  readonly #reading: Reading
  #at = 0
  #depth = 0

  constructor(build: Builder, text: string, reading: Reading) {
    this.#build = build
    this.#tokens = [...text.replaceAll(/\n\s*\*/g, ' ').matchAll(TOKEN)].map((it) => it[1] ?? '')
    this.#reading = reading
  }

  /** Nothing of a type that is not understood to its end. */
  read(): number {
    const type = this.#union()
    this.#takes('=')
    return this.#at === this.#tokens.length ? type : 0
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at += 1
    return true
  }

  #union(): number {
    if (this.#depth > DEEPEST) return this.#stop()
    this.#depth += 1
    const list: number[] = []
    do list.push(this.#single())
    while (this.#takes('|') || this.#takes('&'))
    this.#depth -= 1
    return this.#build.either(list)
  }

  #single(): number {
    while (this.#takes('?') || this.#takes('!') || this.#takes('...'));
    let type = this.#primary()
    while (this.#takes('[]'))
      type = type === 0 ? 0 : this.#build.express('collection', { list: [type], role: ROLE.type })
    return type
  }

  #primary(): number {
    if (this.#takes('(')) {
      const inner = this.#union()
      return this.#takes(')') ? inner : this.#stop()
    }
    if (this.#takes('{')) return this.#literal()
    const isValue = this.#takes('typeof')
    const name = this.#tokens[this.#at] ?? ''
    if (!/^[\w$"']/.test(name)) return this.#stop()
    this.#at += 1
    if (name === 'import' && this.#takes('(')) return this.#imported()
    if (!/^[A-Za-z_$]/.test(name)) return 0
    const { scope, aliases } = this.#reading
    const alias = aliases < MOST_ALIASES ? this.#build.state(typeAliases).get(name) : undefined
    if (alias !== undefined && !isValue)
      return typeOf(this.#build, alias, { scope, aliases: aliases + 1 })
    const of = this.#build.express('name', { name, scope, role: isValue ? 0 : ROLE.type })
    const named = this.#members(of)
    return isValue ? this.#build.express('typeof', { of: named }) : this.#applied(named)
  }

  /** Members that a comment writes out are not looked into. */
  #literal(): number {
    for (let depth = 1; depth > 0; this.#at += 1) {
      const token = this.#tokens[this.#at]
      if (token === undefined) return this.#stop()
      if (token === '{') depth += 1
      if (token === '}') depth -= 1
    }
    return 0
  }

  #imported(): number {
    const specifier = (this.#tokens[this.#at] ?? '').slice(1, -1)
    this.#at += 1
    if (!this.#takes(')') || !this.#takes('.')) return this.#stop()
    const name = this.#tokens[this.#at] ?? ''
    this.#at += 1
    const module = this.#build.express('module', { name: specifier })
    const of = this.#build.express('import', { of: module, name, role: ROLE.type })
    return this.#applied(this.#members(of))
  }

  #members(from: number): number {
    let of = from
    while (this.#takes('.')) {
      const name = this.#tokens[this.#at] ?? ''
      this.#at += 1
      of = this.#build.express('member', { of, name, role: ROLE.type })
    }
    return of
  }

  #applied(of: number): number {
    if (!this.#takes('<') && !this.#takes('.<')) return of
    const list: number[] = []
    do list.push(this.#union())
    while (this.#takes(','))
    return this.#takes('>') ? this.#build.express('generic', { of, list }) : this.#stop()
  }

  /** What is not understood is left unread, so that the whole counts as unknown. */
  #stop(): number {
    this.#at = this.#tokens.length + 1
    return 0
  }
}
