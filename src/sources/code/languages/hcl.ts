/** HCL as Terraform uses it: blocks that are known by an address, such as `var.region`. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment, unquoted } from '../rules.ts'

/** What the address of a block begins with; resources begin with their type. */
const PREFIXES: Readonly<Record<string, string>> = {
  variable: 'var',
  module: 'module',
  data: 'data',
  output: 'output',
  provider: 'provider',
}

function block(build: Builder, node: number): number {
  const word = build.textOf(build.child(node, 'identifier'))
  const labels = build.children(node).filter((it) => build.kindName(it) === 'string_lit')
  const body = build.child(node, 'body')
  const at = labels.at(-1)
  const isTop = build.kindName(build.parent(build.parent(node))) === 'config_file'
  const prefix = PREFIXES[word]
  if (isTop && at !== undefined && (prefix !== undefined || word === 'resource')) {
    const words = labels.map((it) => unquoted(build.textOf(it)))
    const name = [...(prefix === undefined ? [] : [prefix]), ...words].join('.')
    const inner = build.child(at, 'template_literal')
    build.define({ kind: 'variable', name, at: inner < 0 ? at : inner, node })
  }
  for (const it of build.children(body)) {
    if (word === 'locals' && build.kindName(it) === 'attribute') local(build, it)
    if (word === 'module' && build.kindName(it) === 'attribute') source(build, it)
    build.visit(it)
  }
  return 0
}

function local(build: Builder, node: number): void {
  const at = build.child(node, 'identifier')
  build.define({ kind: 'variable', name: `local.${build.textOf(at)}`, at, node })
}

function source(build: Builder, node: number): void {
  const value = build.child(node, 'expression')
  const name = unquoted(build.textOf(value))
  if (build.textOf(build.child(node, 'identifier')) === 'source' && /^\.{1,2}\//.test(name))
    build.refer('module', value, { name, role: ROLE.import })
}

/** `data.aws_ami.linux.id` refers to the block `data.aws_ami.linux`. */
function expression(build: Builder, node: number): number {
  const [head, ...others] = build.children(node)
  const isAddress = build.kindName(head ?? -1) === 'variable_expr'
  const word = isAddress ? build.textOf(head ?? -1) : ''
  const length = word === 'data' ? 2 : 1
  const parts = others.slice(0, length)
  const isWhole = parts.length === length && parts.every((it) => build.kindName(it) === 'get_attr')
  if (isAddress && isWhole && !OWN_WORDS.has(word)) {
    const names = parts.map((it) => build.textOf(it).replace(/^\./, ''))
    build.express('name', {
      name: [word, ...names].join('.'),
      scope: 0,
      start: build.syntax.starts[head ?? 0] ?? 0,
      end: build.syntax.ends[parts.at(-1) ?? 0] ?? 0,
      role: ROLE.reference,
    })
  }
  build.visitChildren(node)
  return 0
}

const OWN_WORDS = new Set(['each', 'count', 'self', 'path', 'terraform'])

const rules: Rules = { block, expression, comment: comment() }

/** All files of a folder are one module. */
function finish(build: Builder): void {
  for (const [definition, it] of build.definitions.entries())
    if (it.kind === 'variable') build.provides.push({ name: `hcl:${it.name}`, definition })
}

export const hcl: Language = {
  id: 'hcl',
  grammar: 'hcl',
  extensions: ['.tf', '.hcl', '.tfvars', '.tofu', '.nomad'],
  rules,
  finish,
}
