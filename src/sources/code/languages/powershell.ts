/** PowerShell: functions, classes and variables; names are the same in upper and lower case. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment } from '../rules.ts'

interface Opened {
  readonly kind: 'function' | 'class' | 'enum' | 'method' | 'constructor'
  readonly at: number
  readonly scope?: number
}

/** Defines what has a body, and visits what is in it. */
function open(build: Builder, node: number, it: Opened): number {
  const { kind, at } = it
  const made = build.define({
    kind,
    name: build.textOf(at),
    at,
    node,
    scope: it.scope ?? build.scope,
  })
  const draft = build.draft(made)
  draft.inner = build.open(kind === 'class' || kind === 'enum' ? 'class' : 'function', made)
  build.within(draft.inner, made, () => {
    for (const child of build.children(node)) if (child !== at) build.visit(child)
  })
  return made
}

function classStatement(build: Builder, node: number): number {
  const [at, ...bases] = build.children(node).filter((it) => build.kindName(it) === 'simple_name')
  const made = open(build, node, { kind: 'class', at: at ?? -1 })
  for (const it of bases)
    build.draft(made).bases.push(build.refer('name', it, { role: ROLE.type | ROLE.inherit }))
  return 0
}

function method(build: Builder, node: number): number {
  const at = build.child(node, 'simple_name')
  const isConstructor = build.textOf(at) === build.draft(build.owner).name
  open(build, node, { kind: isConstructor ? 'constructor' : 'method', at })
  return 0
}

function plain(build: Builder, node: number): string {
  return build.textOf(node).replace(/^\$\{?(?:script:|global:|local:|private:)?|\}$/gi, '')
}

/** The name of `$x` is `x`. */
function withoutSign(build: Builder, definition: number): void {
  const draft = build.draft(definition)
  const written = build.text.slice(draft.start, draft.end)
  draft.start += Math.max(0, written.indexOf(draft.name))
  draft.end = draft.start + draft.name.length
}

function define(kind: 'field' | 'parameter' | 'member') {
  return (build: Builder, node: number): number => {
    const at = build.child(node, 'variable', 'simple_name')
    for (const it of build.children(node)) if (it !== at) build.visit(it)
    if (at < 0) return 0
    const made = build.define({ kind, name: plain(build, at), at, node })
    withoutSign(build, made)
    if (kind === 'parameter' && build.owner > 0) build.draft(build.owner).parameters.push(made)
    return 0
  }
}

/** The first assignment to a name in a function defines it. */
function assignment(build: Builder, node: number): number {
  const value = build.field(node, 'value')
  build.visit(value)
  const left = build.child(node, 'left_assignment_expression')
  const text = build.textOf(left)
  if (!/^\$[\w:]+$/.test(text)) {
    build.visit(left)
    return 0
  }
  const at = lowest(build, left)
  const name = plain(build, at)
  const scope = /^\$(?:script|global):/i.test(text) ? 0 : build.functionScope()
  const owner = scope === 0 ? 0 : build.owner
  if (build.findIn(scope, name) >= 0) build.refer('name', at, { name, role: ROLE.write })
  else withoutSign(build, build.define({ kind: 'variable', name, at, node, scope, owner }))
  return 0
}

function lowest(build: Builder, node: number): number {
  let at = node
  for (let next = node; next >= 0; next = build.firstChild(next)) at = next
  return at
}

function variable(build: Builder, node: number): number {
  const name = plain(build, node)
  if (/^(?:this)$/i.test(name)) return build.express('self', {})
  return /^(?:_|true|false|null|args|input|env:.*|PS\w+|\?|\$)$/i.test(name)
    ? 0
    : build.refer('name', node, { name })
}

function member(build: Builder, node: number): number {
  const [object, , ...others] = build.children(node)
  const of = build.visit(object ?? -1)
  const at = build.child(build.child(node, 'member_name'), 'simple_name')
  for (const it of others) build.visit(it)
  const role = build.kindName(node) === 'invokation_expression' ? ROLE.call : 0
  return at < 0 ? 0 : build.refer('member', at, { of, role })
}

/** A command is a function of a script, unless it begins a file. */
function command(build: Builder, node: number): number {
  const named = build.field(node, 'command_name')
  const inner = build.child(named, 'command_name')
  const at = inner < 0 ? named : inner
  const word = build.textOf(at)
  const elements = build.field(node, 'command_elements')
  const path = build.child(elements, 'generic_token')
  const isModule = /^import-module$/i.test(word) && /[\\/]/.test(build.textOf(path))
  const file = isModule ? path : /\.ps1$/i.test(word) ? at : -1
  if (file >= 0) {
    const of = build.refer('module', file, { role: ROLE.import })
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value, scope: 0, owner: 0 })
  } else if (/^[A-Za-z][\w-]*$/.test(word)) build.refer('name', at, { role: ROLE.call })
  build.visit(elements)
  return 0
}

/** A reference is spelled like the definition that it means in this file. */
function finish(build: Builder): void {
  const exact = new Set(build.definitions.map((it) => it.name))
  const folded = new Map(
    build.definitions.toReversed().map((it) => [it.name.toLowerCase(), it.name]),
  )
  for (const [at, it] of build.expressions.entries()) {
    const own = folded.get(it.name.toLowerCase())
    if (it.name !== '' && own !== undefined && !exact.has(it.name))
      build.expressions[at] = { ...it, name: own }
  }
  for (const it of build.definitions)
    if (it.kind === 'function' && it.scope === 0) it.traits |= TRAIT.exported
}

const rules: Rules = {
  function_statement: (build, node) => {
    open(build, node, { kind: 'function', at: build.child(node, 'function_name') })
    return 0
  },
  class_statement: classStatement,
  enum_statement: (build, node) => {
    open(build, node, { kind: 'enum', at: build.child(node, 'simple_name') })
    return 0
  },
  class_method_definition: method,
  class_property_definition: define('field'),
  enum_member: define('member'),
  script_parameter: define('parameter'),
  class_method_parameter: define('parameter'),
  assignment_expression: assignment,
  variable,
  member_access: member,
  invokation_expression: member,
  command,
  type_identifier: (build, node) => build.refer('name', node, { role: ROLE.type }),
  comment: comment(),
}

export const powershell: Language = {
  id: 'powershell',
  grammar: 'powershell',
  extensions: ['.ps1', '.psm1', '.psd1'],
  interpreters: ['pwsh', 'powershell'],
  rules,
  finish,
}
