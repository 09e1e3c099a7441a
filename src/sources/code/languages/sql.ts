/**
 * SQL of no particular dialect: tables and views as classes, columns as their fields, and queries as
 * scopes in which aliases stand for tables. Names are the same in upper and lower case.
 */

import { type DefinitionKind, ROLE } from '../../../model/facts.ts'
import type { Builder, Rules, Visitor } from '../builder.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import { comment, nothing } from '../rules.ts'

/** `"Users"`, `[Users]` and `` `Users` `` name the same as `Users`. */
function plain(build: Builder, node: number): string {
  return build.textOf(node).replace(/^["'`[](.*)["'`\]]$/s, '$1')
}

/** The last part of `schema.name`. */
function lastName(build: Builder, node: number): number {
  const own = build.field(node, 'name')
  return own < 0 ? node : own
}

/** A reference to a table, view or function; the name as the file itself writes its definition. */
function relationName(build: Builder, node: number, role: number): number {
  const at = lastName(build, node)
  return build.refer('name', at, { name: plain(build, at), role })
}

/** A row of what a name stands for. */
function rowOf(build: Builder, of: number): number {
  return of > 0 ? build.express('instance', { of }) : 0
}

function create(kind: DefinitionKind): Visitor {
  return (build, node) => {
    const at = lastName(build, build.child(node, 'object_reference', 'identifier'))
    const definition = build.define({ kind, name: plain(build, at), at, node, scope: 0, owner: 0 })
    const draft = build.draft(definition)
    draft.inner = build.open(kind === 'function' ? 'function' : 'class', definition)
    const owner = build.parent(at)
    build.within(draft.inner, definition, () => {
      for (const it of build.children(node)) if (it !== owner && it !== at) build.visit(it)
    })
    return 0
  }
}

/** The columns of a view are those that its query names. */
function viewColumns(build: Builder, node: number): number {
  const definition = build.owner
  const scope = build.scope
  query(build, node)
  const terms = build.children(build.child(build.child(node, 'select'), 'select_expression'))
  for (const it of terms) {
    const alias = build.field(it, 'alias')
    const value = build.field(it, 'value')
    const isColumn = build.kindName(value) === 'field'
    const at = alias >= 0 ? alias : isColumn ? build.field(value, 'name') : -1
    if (at < 0) continue
    build.define({ kind: 'field', name: plain(build, at), at, node: it, scope, owner: definition })
  }
  return 0
}

interface SqlState {
  /** The table that `ALTER TABLE` changes, where the file defines it. */
  altered: number | undefined
  /** A row of the only table of the query around; 0 when there are several or none. */
  row: number
}

const sqlState = defineState<SqlState>(() => ({ altered: undefined, row: 0 }))

function column(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const { altered } = build.state(sqlState)
  const scope = altered === undefined ? build.scope : build.draft(altered).inner
  const owner = altered ?? build.owner
  build.define({ kind: 'field', name: plain(build, at), at, node, scope, owner })
  const [, ...others] = build.children(node)
  const target = build.child(node, 'object_reference')
  for (const it of others) {
    if (it === target) foreignKey(build, node, target)
    else if (build.kindName(it) !== 'identifier') build.visit(it)
  }
  return 0
}

/** `REFERENCES orgs (id)`. */
function foreignKey(build: Builder, node: number, target: number): void {
  const of = rowOf(build, relationName(build, target, ROLE.type))
  const from = build.syntax.starts[target] ?? 0
  for (const it of build.children(node))
    if (build.kindName(it) === 'identifier' && (build.syntax.starts[it] ?? 0) > from)
      build.refer('member', it, { of, name: plain(build, it) })
}

function constraint(build: Builder, node: number): number {
  const target = build.child(node, 'object_reference')
  for (const it of build.children(node)) {
    if (it === target) foreignKey(build, node, target)
    else if (build.kindName(it) !== 'identifier') build.visit(it)
  }
  return 0
}

/** `ALTER TABLE t ADD COLUMN c` adds to the table when the file defines it. */
function alter(build: Builder, node: number): number {
  const target = build.child(node, 'object_reference')
  const of = relationName(build, target, ROLE.write)
  const home = build.findIn(0, plain(build, lastName(build, target)))
  const columns = build.children(node).filter((it) => it !== target)
  if (home >= 0 && build.draft(home).inner >= 0) {
    const state = build.state(sqlState)
    state.altered = home
    for (const it of columns) build.visit(it)
    state.altered = undefined
    return 0
  }
  const before = build.definitions.length
  build.within(-1, 0, () => {
    for (const it of columns) build.visit(it)
  })
  for (let at = before; at < build.definitions.length; at += 1)
    build.grants.push({ to: of, definition: at })
  return 0
}

/** Tables that a query reads directly, in any of its clauses. */
function relations(build: Builder, node: number): readonly number[] {
  const found: number[] = []
  const look = (at: number): void => {
    for (const it of build.children(at)) {
      const kind = build.kindName(it)
      if (kind === 'relation') found.push(it)
      else if (kind === 'object_reference' && TARGETS.has(build.kindName(at))) found.push(it)
      else if (CLAUSES.has(kind)) look(it)
    }
  }
  look(node)
  return found
}

const CLAUSES = new Set([
  'from',
  'join',
  'cross_join',
  'lateral_join',
  'update',
  'delete',
  'insert',
])
const TARGETS = new Set(['from', 'insert', 'delete', 'update'])

/** A scope with the aliases of its tables; a bare column is that of the only table. */
function query(build: Builder, node: number): number {
  build.block(() => {
    for (const it of build.children(node)) if (build.kindName(it) === 'cte') build.visit(it)
    const tables = relations(build, node)
    const rows = tables.map((it) => relation(build, it))
    const only = rows.length === 1 ? (rows[0] ?? 0) : 0
    const state = build.state(sqlState)
    const { row } = state
    state.row = only
    for (const it of build.children(node)) if (build.kindName(it) !== 'cte') build.visit(it)
    state.row = row
  })
  return 0
}

function relation(build: Builder, node: number): number {
  const isBare = build.kindName(node) === 'object_reference'
  const target = isBare ? node : build.child(node, 'object_reference')
  const role = build.kindName(build.parent(node)) === 'from' ? 0 : writes(build, node)
  const row = target < 0 ? 0 : rowOf(build, relationName(build, target, role))
  const alias = isBare ? -1 : build.field(node, 'alias')
  if (alias >= 0)
    build.define({
      kind: 'variable',
      name: plain(build, alias),
      at: alias,
      node,
      value: row,
    })
  return row
}

function writes(build: Builder, node: number): number {
  const kind = build.kindName(build.parent(node))
  return kind === 'insert' || kind === 'update' || kind === 'delete' ? ROLE.write : 0
}

/** Its name has been read with the query; what is left are subqueries in it. */
function insideRelation(build: Builder, node: number): number {
  const skipped = [build.child(node, 'object_reference'), build.field(node, 'alias')]
  for (const it of build.children(node)) if (!skipped.includes(it)) build.visit(it)
  return 0
}

function field(build: Builder, node: number): number {
  const qualifier = build.child(node, 'object_reference')
  const own = build.field(node, 'name')
  const at = own < 0 ? build.field(node, 'column') : own
  if (at < 0) return 0
  const name = plain(build, at)
  if (qualifier >= 0) {
    const table = relationName(build, qualifier, 0)
    const known = build.find(plain(build, lastName(build, qualifier)))
    const isAlias = known >= 0 && build.draft(known).kind === 'variable'
    return build.refer('member', at, { of: isAlias ? table : rowOf(build, table), name })
  }
  if (build.find(name) >= 0) return build.refer('name', at, { name })
  const { row } = build.state(sqlState)
  return row > 0 ? build.refer('member', at, { of: row, name }) : 0
}

/** A column in a list of columns: `INSERT INTO users (name)`. */
function columnName(build: Builder, node: number): number {
  const own = build.field(node, 'name')
  const at = own < 0 ? build.child(node, 'identifier') : own
  const { row } = build.state(sqlState)
  return at >= 0 && row > 0 ? build.refer('member', at, { of: row, name: plain(build, at) }) : 0
}

/** A common table expression: a table of this query only. */
function cte(build: Builder, node: number): number {
  const at = build.child(node, 'identifier')
  const definition = build.define({ kind: 'class', name: plain(build, at), at, node })
  const inner = build.open('class', definition)
  build.draft(definition).inner = inner
  build.within(inner, definition, () => {
    for (const it of build.children(node))
      if (build.kindName(it) === 'statement') viewColumns(build, it)
  })
  return 0
}

/** An index or trigger: known by its name, on a table. */
function onTable(build: Builder, node: number): number {
  const own = build.field(node, 'column')
  const references = build.children(node).filter((it) => build.kindName(it) === 'object_reference')
  const [first, ...others] = references
  const at = own >= 0 ? own : lastName(build, first ?? -1)
  if (at >= 0) build.define({ kind: 'label', name: plain(build, at), at, node, scope: 0, owner: 0 })
  const [table, ...functions] = own >= 0 ? references : others
  const row = table === undefined ? 0 : rowOf(build, relationName(build, table, 0))
  for (const it of functions) relationName(build, it, ROLE.call)
  const state = build.state(sqlState)
  state.row = row
  for (const it of build.children(node))
    if (it !== own && build.kindName(it) !== 'object_reference') build.visit(it)
  state.row = 0
  return 0
}

function invocation(build: Builder, node: number): number {
  const target = build.child(node, 'object_reference')
  const of = relationName(build, target, ROLE.call)
  for (const it of build.children(node)) if (it !== target) build.visit(it)
  return build.express('call', { of })
}

function argument(build: Builder, node: number): number {
  const at = build.child(node, 'identifier')
  if (at < 0) return 0
  const definition = build.define({ kind: 'parameter', name: plain(build, at), at, node })
  build.draft(build.owner).parameters.push(definition)
  return 0
}

const PROCEDURE = /\bcreate\s+(?:or\s+\w+\s+)?procedure\s+(?:[\w"`[\].]+\.)?["`[]?(\w+)/gi

/** The grammar does not know procedures: they are found by their first words. */
function procedures(build: Builder): void {
  for (const match of build.text.matchAll(PROCEDURE)) {
    const name = match[1] ?? ''
    if (build.findIn(0, name) >= 0) continue
    const definition = build.define({ kind: 'function', name, at: -1, node: 0, scope: 0, owner: 0 })
    const draft = build.draft(definition)
    const next = build.text.slice(match.index + 1).search(/^\s*create\b/im)
    const end = next < 0 ? build.text.length : match.index + 1 + next
    draft.start = match.index + match[0].length - name.length
    draft.end = draft.start + name.length
    draft.from = match.index
    draft.to = match.index + build.text.slice(match.index, end).trimEnd().length
    draft.traits = 0
  }
}

/** Names are folded: a reference is spelled like the definition that it means in this file. */
function finish(build: Builder): void {
  procedures(build)
  const spelled = new Map<string, string>()
  const exact = new Set(build.definitions.map((it) => it.name))
  for (const [index, it] of build.definitions.entries()) {
    const folded = it.name.toLowerCase()
    if (!spelled.has(folded)) spelled.set(folded, it.name)
    if (it.scope === 0 && index > 0)
      build.provides.push({ name: `sql:${folded}`, definition: index })
  }
  for (const [index, it] of build.expressions.entries()) {
    if (it.name === '' || exact.has(it.name)) continue
    const own = spelled.get(it.name.toLowerCase())
    if (own !== undefined) build.expressions[index] = { ...it, name: own }
  }
}

const rules: Rules = {
  create_table: create('class'),
  create_view: create('class'),
  create_materialized_view: create('class'),
  create_type: create('type'),
  create_function: create('function'),
  create_procedure: create('function'),
  create_sequence: create('variable'),
  create_schema: create('namespace'),
  create_database: create('namespace'),
  create_index: onTable,
  create_trigger: onTable,
  create_query: viewColumns,
  column_definition: column,
  constraint,
  alter_table: alter,
  statement: query,
  subquery: query,
  relation: insideRelation,
  field,
  cte,
  invocation,
  function_argument: argument,
  object_reference: nothing(),
  column: columnName,
  drop_table: (build, node) => relationName(build, build.child(node, 'object_reference'), 0),
  drop_view: (build, node) => relationName(build, build.child(node, 'object_reference'), 0),
  comment: comment(),
  marginalia: comment(),
}

export const sql: Language = {
  id: 'sql',
  grammar: 'sql',
  extensions: ['.sql', '.ddl', '.pgsql', '.psql'],
  rules,
  finish,
}
