/** GraphQL: types with their fields, and operations and fragments on them. */
import { type DefinitionKind, ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules, Visitor } from '../builder.ts'
import type { Language } from '../language.ts'
import { classLike, comment, markInherited, same } from '../rules.ts'

function nameOf(build: Builder, node: number): number {
  const own = build.child(node, 'name')
  return own >= 0 ? own : build.child(build.child(node, 'fragment_name'), 'name')
}

function type(kind: DefinitionKind, traits = 0): Visitor {
  return (build, node) =>
    classLike(build, node, {
      kind,
      name: nameOf,
      traits: () => traits,
      body: (_, at) => at,
    })
}

function implemented(build: Builder, node: number): number {
  for (const it of build.children(node)) {
    const base = build.visit(it)
    markInherited(build, base)
    if (base > 0 && build.kindName(it) === 'named_type') build.draft(build.owner).bases.push(base)
  }
  return 0
}

/** A field with arguments, or without. */
function field(build: Builder, node: number): number {
  const at = build.child(node, 'name')
  const taken = build.child(node, 'takendefinition')
  const definition = build.define({ kind: 'field', name: build.textOf(at), at, node })
  const draft = build.draft(definition)
  if (taken >= 0) {
    draft.inner = build.open('function', definition)
    build.within(draft.inner, definition, () => build.visit(taken))
  }
  draft.type = build.visit(build.child(node, 'type'))
  for (const it of build.children(node)) if (build.kindName(it) === 'directives') build.visit(it)
  return 0
}

function operation(build: Builder, node: number): number {
  const at = nameOf(build, node)
  if (at < 0) {
    build.visitChildren(node)
    return 0
  }
  const definition = build.define({ kind: 'function', name: build.textOf(at), at, node })
  const inner = build.open('function', definition)
  build.draft(definition).inner = inner
  build.within(inner, definition, () => build.visitChildren(node))
  return 0
}

function description(build: Builder, node: number): number {
  build.comments.push(build.syntax.starts[node] ?? 0, build.syntax.ends[node] ?? 0)
  return 0
}

const rules: Rules = {
  object_type_definition: type('class'),
  interface_type_definition: type('interface'),
  input_object_type_definition: type('class'),
  enum_type_definition: type('enum'),
  union_type_definition: type('type'),
  scalar_type_definition: type('type'),
  directive_definition: type('macro'),
  object_type_extension: type('class', TRAIT.again),
  interface_type_extension: type('interface', TRAIT.again),
  input_object_type_extension: type('class', TRAIT.again),
  enum_type_extension: type('enum', TRAIT.again),
  implements_interfaces: implemented,
  field_definition: field,
  input_value_definition: field,
  enum_value_definition: (build, node) => {
    const at = build.child(build.child(node, 'enum_value'), 'name')
    build.define({ kind: 'member', name: build.textOf(at), at, node })
    return 0
  },
  operation_definition: operation,
  fragment_definition: operation,
  variable_definition: (build, node) => {
    const at = build.child(build.child(node, 'variable'), 'name')
    const annotation = build.visit(build.child(node, 'type'))
    build.define({ kind: 'parameter', name: build.textOf(at), at, node, type: annotation })
    return 0
  },
  variable: (build, node) => build.refer('name', build.child(node, 'name')),
  fragment_spread: (build, node) => build.refer('name', nameOf(build, node), { role: ROLE.call }),
  directive: (build, node) => {
    build.visit(build.child(node, 'arguments'))
    return build.refer('name', build.child(node, 'name'), { role: ROLE.call })
  },
  named_type: (build, node) => build.refer('name', build.child(node, 'name'), { role: ROLE.type }),
  type: same(),
  non_null_type: same(),
  list_type: same(),
  description,
  comment: comment(),
}

/** All types of a schema know each other, whatever file they stand in. */
function finish(build: Builder): void {
  for (const [definition, it] of build.definitions.entries())
    if (it.scope === 0 && definition > 0)
      build.provides.push({ name: `graphql:${it.name}`, definition })
}

export const graphql: Language = {
  id: 'graphql',
  grammar: 'graphql',
  extensions: ['.graphql', '.gql', '.graphqls'],
  rules,
  finish,
}
