/** Imports and exports of JavaScript, of both kinds. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { application } from '../call-rules.ts'
import { unquoted } from '../rules.ts'
import { addHeirs } from './ecmascript-heirs.ts'
import { hoisted, isVar } from './ecmascript-names.ts'

export function moduleAt(build: Builder, specifier: number): number {
  return build.refer('module', specifier, {
    name: unquoted(build.textOf(specifier)),
    role: ROLE.import,
  })
}

/** `const { a, b: c } = require('./d')` imports, as does `const e = require('./d').f`. */
export function required(build: Builder, node: number): boolean {
  const value = build.field(node, 'value')
  if (value < 0 || !isRequired(build, value)) return false
  const pattern = build.field(node, 'name')
  const shape = build.kindName(pattern)
  if (shape !== 'identifier' && shape !== 'object_pattern') return false
  const scope = isVar(build, node) ? hoisted(build) : build.scope
  if (shape === 'identifier' && build.kindName(value) === 'member_expression') {
    const of = build.visitExpecting(build.field(value, 'object'), 0)
    const imported = build.refer('import', build.field(value, 'property'), {
      of,
      role: ROLE.import,
    })
    const name = build.textOf(pattern)
    build.define({ kind: 'import', name, at: pattern, node, value: imported, scope })
    return true
  }
  const module = build.visitExpecting(value, 0)
  const bindAs = (at: number, from: number, imported: string): void => {
    const of =
      from < 0
        ? build.express('import', { of: module, name: imported })
        : build.refer('import', from, { of: module, name: imported, role: ROLE.import })
    build.define({ kind: 'import', name: build.textOf(at), at, node, value: of, scope })
  }
  if (shape === 'identifier') {
    bindAs(pattern, -1, '=')
    return true
  }
  for (const child of build.children(pattern)) {
    const kind = build.kindName(child)
    const own = build.field(child, 'value')
    if (kind === 'shorthand_property_identifier_pattern') bindAs(child, child, build.textOf(child))
    else if (kind === 'pair_pattern' && build.kindName(own) === 'identifier')
      bindAs(own, build.field(child, 'key'), build.textOf(build.field(child, 'key')))
    else {
      const isModule = build.expressions[module]?.op === 'module'
      const whole = isModule ? build.express('import', { of: module, name: '=' }) : module
      build.bind(child, { kind: 'variable', value: whole, type: 0, scope, traits: 0, node })
    }
  }
  return true
}

/** `require('./a')`, or something that it exports. */
function isRequired(build: Builder, node: number): boolean {
  const isMember = build.kindName(node) === 'member_expression'
  const at = isMember ? build.field(node, 'object') : node
  if (build.kindName(at) !== 'call_expression') return false
  const specifier = build.firstChild(build.field(at, 'arguments'))
  return (
    build.textOf(build.field(at, 'function')) === 'require' &&
    build.kindName(specifier) === 'string'
  )
}

/** `require('./a')` and `import('./a')` are the module that they name. */
export function callOrRequire(build: Builder, node: number): number {
  const callee = build.field(node, 'function')
  const kind = build.kindName(callee)
  const isRequire = kind === 'identifier' && build.textOf(callee) === 'require'
  if (kind === 'import' || isRequire) {
    const specifier = build.children(build.field(node, 'arguments'))[0] ?? -1
    if (build.kindName(specifier) === 'string') return moduleAt(build, specifier)
  }
  const call = application(build, node, {
    op: 'call',
    callee: 'function',
    args: 'arguments',
    typeArgs: 'type_arguments',
  })
  addHeirs(build, callee, build.expressions[call]?.list ?? [])
  return call
}

export function isModuleExports(build: Builder, node: number): boolean {
  return build.textOf(node) === 'module.exports'
}

/** `module.exports` is the file itself, as `exports` is. */
export function ownExports(build: Builder, node: number): number {
  return build.refer('name', build.field(node, 'property'), { scope: 0 })
}

export function importStatement(build: Builder, node: number): number {
  const from = build.field(node, 'source')
  if (from < 0) {
    build.visitChildren(node)
    return 0
  }
  const module = moduleAt(build, from)
  const bindImport = (
    at: number,
    imported: { readonly name: string; readonly of: number },
  ): void => {
    build.define({ kind: 'import', name: build.textOf(at), at, node, value: imported.of })
  }
  for (const clause of build.children(build.child(node, 'import_clause'))) {
    const kind = build.kindName(clause)
    if (kind === 'identifier')
      bindImport(clause, {
        name: 'default',
        of: build.refer('import', clause, { of: module, name: 'default', role: ROLE.import }),
      })
    else if (kind === 'namespace_import') {
      const at = build.firstChild(clause)
      const of = build.refer('import', at, { of: module, name: '*', role: ROLE.import })
      bindImport(at, { name: '*', of })
    } else {
      for (const specifier of build.children(clause)) {
        const at = build.field(specifier, 'name')
        const alias = build.field(specifier, 'alias')
        const own = unquoted(build.textOf(at))
        const of = build.refer('import', at, { of: module, name: own, role: ROLE.import })
        if (alias >= 0) build.refer('import', alias, { of: module, name: own, role: ROLE.import })
        bindImport(alias < 0 ? at : alias, { name: own, of })
      }
    }
  }
  return 0
}

export function exportStatement(build: Builder, node: number): number {
  const from = build.field(node, 'source')
  const declaration = build.field(node, 'declaration')
  const value = build.field(node, 'value')
  const clause = build.child(node, 'export_clause')
  const isDefault = build.has(node, 'default')
  if (declaration >= 0 || value >= 0) {
    const before = build.definitions.length
    const expression = build.visitExpecting(declaration >= 0 ? declaration : value, 0)
    if (isDefault || build.has(node, '=')) {
      const own = build.expressions[expression]
      knownAs(build, expression, { name: 'default', at: build.child(node, 'default'), node })
      const of = own?.op === 'define' ? expression : expression || firstDefinition(build, before)
      build.exports.push({ name: isDefault ? 'default' : '=', of })
      if (own?.op === 'define') build.draft(own.of).traits |= TRAIT.exported
    } else exportNew(build, before)
  } else if (from >= 0) exportFrom(build, { clause, node, module: moduleAt(build, from) })
  else if (clause >= 0) {
    for (const it of build.children(clause)) exportSpecifier(build, it, 0)
  } else build.visitChildren(node)
  return 0
}

interface Nameless {
  readonly name: string
  readonly at: number
  readonly node: number
}

/** A function or class that is exported without a name is known by what it is exported as. */
export function knownAs(build: Builder, value: number, { name, at, node }: Nameless): void {
  const literal = build.anonymous(value)
  if (literal < 0 || at < 0) return
  const draft = build.draft(literal)
  if (draft.kind !== 'function' && draft.kind !== 'class') return
  if (draft.name !== '') draft.traits &= ~TRAIT.anonymous
  else build.christen(literal, { kind: draft.kind, name, at, node, scope: -1 })
}

function firstDefinition(build: Builder, from: number): number {
  return from < build.definitions.length ? build.express('define', { of: from }) : 0
}

/** All that a declaration defined at this level is exported under its own name. */
function exportNew(build: Builder, from: number): void {
  for (let at = from; at < build.definitions.length; at += 1) {
    const draft = build.draft(at)
    if (draft.scope !== build.scope || draft.name === '' || draft.owner !== build.owner) continue
    draft.traits |= TRAIT.exported
    if (build.scope === 0)
      build.exports.push({ name: draft.name, of: build.express('define', { of: at }) })
  }
}

function exportFrom(
  build: Builder,
  it: { readonly clause: number; readonly node: number; readonly module: number },
): void {
  if (it.clause >= 0) {
    for (const specifier of build.children(it.clause)) exportSpecifier(build, specifier, it.module)
    return
  }
  const namespace = build.child(it.node, 'namespace_export')
  const at = namespace < 0 ? -1 : build.firstChild(namespace)
  if (at >= 0) build.refer('import', at, { of: it.module, name: '*', role: ROLE.export })
  build.exports.push({ name: at < 0 ? '*' : unquoted(build.textOf(at)), of: it.module })
}

function exportSpecifier(build: Builder, node: number, module: number): void {
  if (build.kindName(node) !== 'export_specifier') return
  const at = build.field(node, 'name')
  const alias = build.field(node, 'alias')
  const own = unquoted(build.textOf(at))
  const refer = (place: number): number =>
    module > 0
      ? build.refer('import', place, { of: module, name: own, role: ROLE.export })
      : build.refer('name', place, { name: own, role: ROLE.export })
  const of = refer(at)
  // The new name stands for the same thing.
  if (alias >= 0) refer(alias)
  build.exports.push({ name: alias < 0 ? own : unquoted(build.textOf(alias)), of })
}
