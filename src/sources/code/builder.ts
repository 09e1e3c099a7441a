/**
 * Puts the facts of one file together while its tree is visited. A language's rules call it; it
 * knows scopes, definitions and expressions, and no language.
 */
import type {
  Definition,
  DefinitionKind,
  Export,
  Expression,
  Facts,
  Grant,
  Op,
  Provided,
  Scope,
  ScopeKind,
} from '../../model/facts.ts'
import { ROLE, TRAIT } from '../../model/facts.ts'
import { type LanguageState, StateValues } from './language-state.ts'
import { findMentions } from './mentions.ts'
import type { Test } from './narrowing.ts'
import type { Syntax } from './syntax.ts'

/** Visits one node; answers with the expression that it is, or 0. */
export type Visitor = (build: Builder, node: number) => number
/** Takes one node of a pattern apart, and defines the names in it. */
export type PatternVisitor = (build: Builder, node: number, binding: Binding) => void
export type Rules = Readonly<Record<string, Visitor>>
export type Patterns = Readonly<Record<string, PatternVisitor>>

/** What the names of a pattern become. */
export interface Binding {
  readonly kind: DefinitionKind
  readonly value: number
  readonly type: number
  readonly scope: number
  readonly traits: number
  /** The whole declaration. */
  readonly node: number
  /** Receives the definitions, when somebody wants to know them. */
  readonly into?: number[]
}

/** A language's rules by the numbers of its grammar's kinds. */
export interface Tables {
  readonly rules: readonly (Visitor | undefined)[]
  readonly patterns: readonly (PatternVisitor | undefined)[]
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }
export type DefinitionDraft = Omit<Mutable<Definition>, 'parameters' | 'bases'> & {
  parameters: number[]
  bases: number[]
}

/** Facts whose parts may still be written to. */
export interface DraftFacts extends Facts {
  readonly definitions: DefinitionDraft[]
  readonly expressions: Mutable<Expression>[]
}

export interface DefineOptions {
  readonly kind: DefinitionKind
  readonly name: string
  /** Where the name stands; a node, or none for what has no name. */
  readonly at: number
  /** The whole declaration. */
  readonly node: number
  readonly scope?: number
  readonly owner?: number
  readonly type?: number
  readonly value?: number
  readonly traits?: number
}

/** Deeper nesting than any person writes; what is below is left to plain text search. */
const DEEPEST = 400

export class Builder {
  /** Another one while an embedded part is visited. */
  syntax: Syntax
  readonly text: string
  readonly definitions: DefinitionDraft[] = []
  readonly expressions: Mutable<Expression>[] = []
  readonly scopes: Mutable<Scope>[] = []
  readonly exports: Export[] = []
  readonly comments: number[] = []
  readonly provides: Provided[] = []
  readonly grants: Grant[] = []
  settings = ''
  /** Where the visit is. */
  scope = 0
  owner = 0
  /** What the function that the visit is in returns. */
  returns: number[] = []
  /** What a function or object literal at this place is expected to be; 0 when nothing is known. */
  expected = 0
  /** What a function is expected to return, by its definition. */
  readonly wanted = new Map<number, number>()
  /** What has been tested on the way to where the visit is. */
  readonly tests: Test[] = []
  private readonly states = new StateValues()
  private readonly literals = new Map<string, number>()
  private depth = 0
  private readonly declared: Map<string, number>[] = []
  private tables: Tables

  constructor(syntax: Syntax, tables: Tables) {
    this.syntax = syntax
    this.text = syntax.text
    this.tables = tables
    this.scopes.push({ parent: -1, kind: 'file', owner: 0 })
    this.express('unknown', {})
    this.define({ kind: 'file', name: '', at: -1, node: 0, scope: -1, owner: -1 })
    this.draft(0).inner = 0
  }

  /** What the language has remembered of this file. */
  state<T>(state: LanguageState<T>): T {
    return this.states.get(state, this)
  }

  // Nodes.

  kindName(node: number): string {
    return this.syntax.grammar.kindNames[this.syntax.kinds[node] ?? 0] ?? ''
  }

  textOf(node: number): string {
    return node < 0 ? '' : this.text.slice(this.syntax.starts[node], this.syntax.ends[node])
  }

  isNamed(node: number): boolean {
    return this.syntax.grammar.named[this.syntax.kinds[node] ?? 0] === 1
  }

  /** The first child that fills a field, or -1. */
  field(node: number, name: string): number {
    if (node < 0) return -1
    const id = this.syntax.grammar.field(name)
    if (id < 0) return -1
    const { fields, nexts } = this.syntax
    const end = nexts[node] ?? 0
    for (let child = node + 1; child < end; child = nexts[child] ?? end) {
      if (fields[child] === id) return child
    }
    return -1
  }

  fieldsOf(node: number, name: string): number[] {
    const id = this.syntax.grammar.field(name)
    return this.allChildren(node).filter((child) => this.syntax.fields[child] === id)
  }

  /** Named children. */
  children(node: number): number[] {
    const found: number[] = []
    if (node < 0) return found
    const { nexts, kinds, grammar } = this.syntax
    const end = nexts[node] ?? 0
    for (let child = node + 1; child < end; child = nexts[child] ?? end) {
      if (grammar.named[kinds[child] ?? 0] === 1) found.push(child)
    }
    return found
  }

  /** The first named child, or -1. */
  firstChild(node: number): number {
    if (node < 0) return -1
    const { nexts, kinds, grammar } = this.syntax
    const end = nexts[node] ?? 0
    for (let child = node + 1; child < end; child = nexts[child] ?? end) {
      if (grammar.named[kinds[child] ?? 0] === 1) return child
    }
    return -1
  }

  allChildren(node: number): number[] {
    if (node < 0) return []
    const { nexts } = this.syntax
    const found: number[] = []
    const end = nexts[node] ?? 0
    for (let child = node + 1; child < end; child = nexts[child] ?? end) found.push(child)
    return found
  }

  /** The first child of one of these kinds, or -1. */
  child(node: number, ...kinds: readonly string[]): number {
    if (node < 0) return -1
    const { nexts } = this.syntax
    const end = nexts[node] ?? 0
    for (let child = node + 1; child < end; child = nexts[child] ?? end) {
      if (kinds.includes(this.kindName(child))) return child
    }
    return -1
  }

  has(node: number, kind: string): boolean {
    return this.child(node, kind) >= 0
  }

  parent(node: number): number {
    return this.syntax.parents[node] ?? -1
  }

  // Visiting.

  visit(node: number): number {
    if (node < 0 || this.depth > DEEPEST) return 0
    this.depth += 1
    const rule = this.tables.rules[this.syntax.kinds[node] ?? 0]
    let expression = 0
    if (rule === undefined) this.visitChildren(node)
    else expression = rule(this, node)
    this.depth -= 1
    return expression
  }

  /** Goes through a part that is written in another language, at the top of the file. */
  visitEmbedded(syntax: Syntax, tables: Tables): void {
    const before = { syntax: this.syntax, tables: this.tables }
    this.syntax = syntax
    this.tables = tables
    this.within(0, 0, () => this.visit(0))
    this.syntax = before.syntax
    this.tables = before.tables
  }

  /** With nothing expected of what is below. */
  visitChildren(node: number): void {
    const { nexts, kinds, grammar } = this.syntax
    const end = nexts[node] ?? 0
    const { expected } = this
    this.expected = 0
    for (let child = node + 1; child < end; child = nexts[child] ?? end) {
      if (grammar.named[kinds[child] ?? 0] === 1) this.visit(child)
    }
    this.expected = expected
  }

  visitExpecting(node: number, expected: number): number {
    const before = this.expected
    this.expected = expected
    const expression = this.visit(node)
    this.expected = before
    return expression
  }

  bind(node: number, binding: Binding): void {
    if (node < 0) return
    const rule = this.tables.patterns[this.syntax.kinds[node] ?? 0]
    if (rule !== undefined) rule(this, node, binding)
    else this.visit(node)
  }

  // Scopes.

  open(kind: ScopeKind, owner: number): number {
    this.scopes.push({ parent: this.scope, kind, owner })
    return this.scopes.length - 1
  }

  within(scope: number, owner: number, action: () => void): void {
    const scopeBefore = this.scope
    const ownerBefore = this.owner
    const testsBefore = this.tests.length
    this.scope = scope
    this.owner = owner
    action()
    this.tests.length = testsBefore
    this.scope = scopeBefore
    this.owner = ownerBefore
  }

  block(action: () => void): void {
    this.within(this.open('block', this.owner), this.owner, action)
  }

  /** The nearest scope around that is a function's, a class's or the file's. */
  functionScope(from = this.scope): number {
    let scope = from
    while (this.scopes[scope]?.kind === 'block') scope = this.scopes[scope]?.parent ?? 0
    return scope
  }

  /** What the function that the visit is in is expected to return, or 0. */
  expectedReturn(): number {
    const owner = Math.max(0, this.scopes[this.functionScope()]?.owner ?? 0)
    const { type } = this.draft(owner)
    return this.wanted.get(owner) ?? (type > 0 ? this.express('typed', { of: type }) : 0)
  }

  // Definitions.

  define(options: DefineOptions): number {
    const { starts, ends } = this.syntax
    const scope = options.scope ?? this.scope
    const isLocal = this.isLocalScope(scope)
    const at = options.at
    const start = starts[at < 0 ? options.node : at] ?? 0
    this.definitions.push({
      name: options.name,
      kind: options.kind,
      scope,
      inner: -1,
      owner: options.owner ?? this.owner,
      start,
      end: at < 0 ? start : (ends[at] ?? 0),
      from: starts[options.node] ?? 0,
      to: ends[options.node] ?? 0,
      type: options.type ?? 0,
      value: options.value ?? 0,
      parameters: [],
      bases: [],
      traits: (options.traits ?? 0) | (isLocal ? TRAIT.local : 0) | (at < 0 ? TRAIT.anonymous : 0),
    })
    this.enlist(this.definitions.length - 1)
    return this.definitions.length - 1
  }

  draft(definition: number): DefinitionDraft {
    const draft = this.definitions[definition]
    if (draft === undefined) throw new Error(`no definition ${definition}`)
    return draft
  }

  private isLocalScope(from: number): boolean {
    for (let scope = from; scope > 0; scope = this.scopes[scope]?.parent ?? -1) {
      if (this.scopes[scope]?.kind === 'function') return true
    }
    return false
  }

  /** The first definition of a name in a scope itself, or -1. */
  findIn(scope: number, name: string): number {
    return this.declared[scope]?.get(name) ?? -1
  }

  /** The first definition of a name that can be seen from a scope, or -1. */
  find(name: string, from = this.scope): number {
    for (let scope = from; scope >= 0; scope = this.scopes[scope]?.parent ?? -1) {
      if (this.scopes[scope]?.kind === 'class') continue
      const found = this.findIn(scope, name)
      if (found >= 0) return found
    }
    return -1
  }

  /**
   * Makes a definition that has no name known by one: `const f = () => …` defines the function `f`,
   * not a variable and a function.
   */
  christen(definition: number, options: DefineOptions): void {
    const draft = this.draft(definition)
    const { starts, ends } = this.syntax
    draft.name = options.name
    draft.kind = options.kind
    draft.scope = options.scope ?? this.scope
    draft.owner = options.owner ?? this.owner
    draft.start = starts[options.at] ?? 0
    draft.end = ends[options.at] ?? 0
    draft.from = starts[options.node] ?? 0
    draft.to = ends[options.node] ?? 0
    draft.traits = (draft.traits & ~TRAIT.anonymous) | (options.traits ?? 0)
    this.enlist(definition)
  }

  /** The definition that an expression is, when it is one without a name. */
  anonymous(expression: number): number {
    const it = this.expressions[expression]
    if (it?.op !== 'define') return -1
    return (this.draft(it.of).traits & TRAIT.anonymous) === 0 ? -1 : it.of
  }

  private enlist(definition: number): void {
    const { scope, name } = this.draft(definition)
    if (scope < 0 || name === '') return
    this.declared[scope] ??= new Map()
    const names = this.declared[scope]
    if (!names.has(name)) names.set(name, definition)
  }

  addValue(definition: number, value: number): void {
    if (value === 0) return
    const draft = this.draft(definition)
    if (draft.value === 0) {
      draft.value = value
      return
    }
    const before = this.expressions[draft.value]
    const list = before?.op === 'either' && before.role === 0 ? before.list : [draft.value]
    if (list.length < MOST_VALUES) draft.value = this.express('either', { list: [...list, value] })
  }

  // Expressions.

  express(op: Op, parts: Partial<Omit<Expression, 'op'>>): number {
    this.expressions.push({
      op,
      name: parts.name ?? '',
      of: parts.of ?? 0,
      list: parts.list ?? NONE,
      scope: parts.scope ?? this.scope,
      start: parts.start ?? 0,
      end: parts.end ?? 0,
      role: parts.role ?? 0,
    })
    return this.expressions.length - 1
  }

  /** The same wherever it stands. */
  literal(name: string): number {
    let known = this.literals.get(name)
    if (known === undefined) {
      known = this.express('literal', { name, scope: 0 })
      this.literals.set(name, known)
    }
    return known
  }

  /** An expression that stands in the text as a reference at a node. */
  refer(op: Op, node: number, parts: Omit<Partial<Expression>, 'op'> = NOTHING): number {
    const start = this.syntax.starts[node] ?? 0
    const end = this.syntax.ends[node] ?? 0
    // The parser makes up nodes where something is missing.
    if (start === end && (op === 'name' || op === 'member')) return 0
    this.expressions.push({
      op,
      name: parts.name ?? this.textOf(node),
      of: parts.of ?? 0,
      list: parts.list ?? NONE,
      scope: parts.scope ?? this.scope,
      start,
      end,
      role: (parts.role ?? 0) | ROLE.reference,
    })
    return this.expressions.length - 1
  }

  /** Gives a reference that is there already one more role. */
  alsoAs(expression: number, role: number): void {
    const it = this.expressions[expression]
    if (
      expression > 0 &&
      it !== undefined &&
      (it.op === 'name' || it.op === 'member' || it.op === 'import')
    )
      it.role |= role
  }

  either(list: readonly number[]): number {
    let first = 0
    let count = 0
    for (const it of list) {
      if (it <= 0) continue
      if (count === 0) first = it
      count += 1
    }
    return count <= 1 ? first : this.express('either', { list: list.filter((it) => it > 0) })
  }

  facts(language: string): DraftFacts {
    return {
      language,
      scopes: this.scopes,
      definitions: this.definitions,
      expressions: this.expressions,
      exports: this.exports,
      comments: this.comments,
      mentions: findMentions(this.text, this.comments),
      provides: this.provides,
      grants: this.grants,
      settings: this.settings,
    }
  }
}

const NONE: readonly number[] = []
const NOTHING = {}
/** A variable that is assigned more often than this is not understood better by looking on. */
const MOST_VALUES = 16
