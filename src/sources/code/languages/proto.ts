/** Protocol Buffers: messages, enums and services. */
import { type DefinitionKind, ROLE } from '../../../model/facts.ts'
import type { Builder, Rules, Visitor } from '../builder.ts'
import type { Language } from '../language.ts'
import { classLike, comment, firstChild, unquoted } from '../rules.ts'

function holder(kind: DefinitionKind, head: string, body: string): Visitor {
  return (build, node) =>
    classLike(build, node, {
      kind,
      name: (it, at) => firstChild(it, it.child(at, head)),
      body: (it, at) => (body === '' ? at : it.child(at, body)),
    })
}

function field(build: Builder, node: number): number {
  const at = build.child(node, 'identifier')
  const type = build.visit(build.child(node, 'type'))
  if (at >= 0) build.define({ kind: 'field', name: build.textOf(at), at, node, type })
  return 0
}

/** `acme.v1.User.Role`: packages are written small, and lead to no definition of a file. */
function typeName(build: Builder, node: number): number {
  const parts = build.children(node)
  const first = parts.findIndex((it) => /^[A-Z]/.test(build.textOf(it)))
  const [head, ...others] = parts.slice(first < 0 ? -1 : first)
  let expression = head === undefined ? 0 : build.refer('name', head, { role: ROLE.type })
  for (const it of others)
    expression = build.refer('member', it, { of: expression, role: ROLE.type })
  return expression
}

function method(build: Builder, node: number): number {
  const at = firstChild(build, build.child(node, 'rpc_name'))
  const definition = build.define({ kind: 'method', name: build.textOf(at), at, node })
  const [, returned] = build
    .children(node)
    .filter((it) => build.kindName(it) === 'message_or_enum_type')
    .map((it) => typeName(build, it))
  build.draft(definition).type = returned ?? 0
  return 0
}

function importStatement(build: Builder, node: number): number {
  const at = build.field(node, 'path')
  const of = build.refer('module', at, { name: unquoted(build.textOf(at)), role: ROLE.import })
  const value = build.express('import', { of, name: '*' })
  build.define({ kind: 'import', name: '*', at: -1, node, value })
  return 0
}

const rules: Rules = {
  package: (build, node) => {
    const at = build.child(node, 'full_ident')
    build.define({ kind: 'namespace', name: build.textOf(at), at, node })
    return 0
  },
  import: importStatement,
  message: holder('class', 'message_name', 'message_body'),
  enum: holder('enum', 'enum_name', 'enum_body'),
  service: holder('interface', 'service_name', ''),
  rpc: method,
  field,
  map_field: field,
  oneof_field: field,
  enum_field: (build, node) => {
    const at = build.child(node, 'identifier')
    build.define({ kind: 'member', name: build.textOf(at), at, node })
    return 0
  },
  type: (build, node) => build.visit(build.child(node, 'message_or_enum_type')),
  message_or_enum_type: typeName,
  comment: comment(),
}

/** Files of one package know each other's messages when they import them. */
export const proto: Language = {
  id: 'proto',
  grammar: 'proto',
  extensions: ['.proto'],
  rules,
}
