/** Groovy: classes, functions and closures. */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Patterns, Rules } from '../builder.ts'
import { application } from '../call-rules.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import {
  bound,
  classLike,
  comment,
  functionLike,
  name,
  returning,
  text,
  through,
} from '../rules.ts'

/** The package that the file declares. */
const filePackage = defineState<{ name?: string }>(() => ({}))

function classDefinition(build: Builder, node: number): number {
  const expression = classLike(build, node, {
    bases: (it, at) => it.fieldsOf(at, 'superclass'),
  })
  const own = build.expressions[expression]?.of ?? 0
  const { name: space } = build.state(filePackage)
  const prefix = space === undefined ? '' : `${space}.`
  if (build.scope === 0)
    build.provides.push({ name: `java:${prefix}${build.draft(own).name}`, definition: own })
  return expression
}

function definition(build: Builder, node: number): number {
  const isMember = build.scopes[build.scope]?.kind === 'class'
  return functionLike(build, node, {
    kind: isMember ? 'method' : 'function',
    name: 'function',
    returns: (it, at) => {
      const type = it.field(at, 'type')
      return it.kindName(type) === 'identifier' ? type : -1
    },
  })
}

function declaration(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const annotation = build.field(node, 'type')
  const type = build.kindName(annotation) === 'identifier' ? build.visit(annotation) : 0
  const value = build.visit(build.field(node, 'value'))
  const isMember = build.scopes[build.scope]?.kind === 'class'
  const kind = isMember ? 'field' : 'variable'
  if (at >= 0) build.define({ kind, name: build.textOf(at), at, node, type, value })
  return 0
}

function dotted(build: Builder, node: number): number {
  const parts = build.children(node)
  // The grammar leaves `this` out.
  const isOwn = build.text.startsWith('this.', build.syntax.starts[node])
  let expression = isOwn ? build.express('self', {}) : build.visit(parts[0] ?? -1)
  for (const it of isOwn ? parts : parts.slice(1))
    expression = build.refer('member', it, { of: expression })
  return expression
}

function importStatement(build: Builder, node: number): number {
  const target = build.field(node, 'import')
  const parts = build.children(target)
  const at = parts.at(-1) ?? -1
  const full = build.textOf(target)
  const of = build.refer('name', target, { name: full, role: ROLE.import })
  if (at >= 0) build.define({ kind: 'import', name: build.textOf(at), at, node, value: of })
  return 0
}

/** The body of a function, or a function without a name. */
function closure(build: Builder, node: number): number {
  if (build.kindName(build.parent(node)) === 'function_definition') {
    build.block(() => build.visitChildren(node))
    return 0
  }
  const traits = TRAIT.arrow
  const made = build.define({ kind: 'function', name: '', at: -1, node, traits })
  const inner = build.open('function', made)
  build.draft(made).inner = inner
  build.within(inner, made, () => build.visitChildren(node))
  return build.express('define', { of: made })
}

const rules: Rules = {
  identifier: name(),
  groovy_package: (build, node) => {
    const at = build.child(node, 'qualified_name')
    build.state(filePackage).name = build.textOf(at)
    build.define({ kind: 'namespace', name: build.textOf(at), at, node })
    return 0
  },
  groovy_import: importStatement,
  class_definition: classDefinition,
  function_definition: definition,
  declaration,
  function_call: (build, node) =>
    application(build, node, { op: 'call', callee: 'function', args: 'args' }),
  juxt_function_call: (build, node) =>
    application(build, node, { op: 'call', callee: 'function', args: 'args' }),
  dotted_identifier: dotted,
  map_item: (build, node) => build.visit(build.field(node, 'value')),
  closure,
  return: returning(),
  string: text(),
  comment: comment(),
  groovy_doc: comment(),
}

const patterns: Patterns = {
  identifier: bound(),
  parameter: through({ pattern: 'name', value: 'value' }),
}

export const groovy: Language = {
  id: 'groovy',
  grammar: 'groovy',
  extensions: ['.groovy', '.gradle', '.gvy', '.jenkinsfile'],
  fileNames: ['Jenkinsfile'],
  interpreters: ['groovy'],
  rules,
  patterns,
}
