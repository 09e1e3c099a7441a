/** R: functions are values that are assigned to names. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { bindName, block, comment, functionLike, text, unquoted } from '../rules.ts'

function operator(build: Builder, node: number): number {
  const word = build.textOf(build.field(node, 'operator'))
  const isRight = word === '->' || word === '->>'
  const target = build.field(node, isRight ? 'rhs' : 'lhs')
  const source = build.field(node, isRight ? 'lhs' : 'rhs')
  if (!/^(?:<<?-|=|->>?)$/.test(word)) {
    build.visitChildren(node)
    return 0
  }
  const value = build.visitExpecting(source, 0)
  if (build.kindName(target) !== 'identifier') {
    build.visit(target)
    return value
  }
  const name = build.textOf(target)
  const scope = word.includes('<<') || word.includes('>>') ? 0 : build.functionScope()
  const known = build.findIn(scope, name)
  const literal = build.anonymous(value)
  if (known >= 0) {
    build.refer('name', target, { role: ROLE.write })
    build.addValue(known, value)
  } else if (literal >= 0)
    build.christen(literal, { kind: 'function', name, at: target, node, scope })
  else bindName(build, target, { kind: 'variable', value, type: 0, scope, traits: 0, node })
  return value
}

function call(build: Builder, node: number): number {
  const callee = build.field(node, 'function')
  const args = build.children(build.field(node, 'arguments'))
  const values = args.map((it) => build.field(it, 'value')).filter((it) => it >= 0)
  const word = build.textOf(callee)
  const first = values[0] ?? -1
  if (word === 'source' && build.kindName(first) === 'string') {
    const name = unquoted(build.textOf(first))
    const of = build.refer('module', first, { name, role: ROLE.import })
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value, scope: 0, owner: 0 })
    return 0
  }
  if (word === 'library' || word === 'require') return 0
  const of = build.visit(callee)
  build.alsoAs(of, ROLE.call)
  return build.express('call', { of, list: values.map((it) => build.visitExpecting(it, 0)) })
}

const rules: Rules = {
  identifier: (build, node) => build.refer('name', node),
  binary_operator: operator,
  function_definition: (build, node) =>
    functionLike(build, node, { name: () => -1, parameters: () => -1, before: bindParameters }),
  call,
  extract_operator: (build, node) => {
    const of = build.visit(build.field(node, 'lhs'))
    const at = build.field(node, 'rhs')
    return build.kindName(at) === 'identifier' ? build.refer('member', at, { of }) : 0
  },
  namespace_operator: () => 0,
  braced_expression: block(),
  for_statement: (build, node) => {
    const at = build.field(node, 'variable')
    build.visit(build.field(node, 'sequence'))
    if (at >= 0)
      build.define({
        kind: 'variable',
        name: build.textOf(at),
        at,
        node: at,
        scope: build.functionScope(),
      })
    return build.visit(build.field(node, 'body'))
  },
  string: text(),
  comment: comment(),
}

/** The grammar counts the commas between parameters as their equals. */
function bindParameters(build: Builder, node: number, definition: number): void {
  for (const it of build.fieldsOf(build.field(node, 'parameters'), 'parameter')) {
    const at = build.field(it, 'name')
    const value = build.visit(build.field(it, 'default'))
    const made = build.define({ kind: 'parameter', name: build.textOf(at), at, node: it, value })
    build.draft(definition).parameters.push(made)
  }
}

/** The files of a package's folder are one space of names. */
function finish(build: Builder): void {
  for (const [definition, it] of build.definitions.entries())
    if (it.scope === 0 && it.name !== '' && it.kind !== 'import')
      build.provides.push({ name: `r:${it.name}`, definition })
}

export const r: Language = {
  id: 'r',
  grammar: 'r',
  extensions: ['.r'],
  fileNames: ['.Rprofile'],
  interpreters: ['Rscript'],
  rules,
  finish,
}
