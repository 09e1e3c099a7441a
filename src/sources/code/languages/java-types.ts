/** Types of Java and what is written on them: modifiers, annotations, parts of records and enums. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Visitor } from '../builder.ts'
import { argumentsOf } from '../call-rules.ts'
import { type ClassFields, classLike, firstChild } from '../rules.ts'
import { liftBases, MODIFIERS, referInFull } from './jvm.ts'

function bases(build: Builder, node: number): readonly number[] {
  return build
    .children(node)
    .filter((it) => /^(superclass|super_interfaces|extends_interfaces)$/.test(build.kindName(it)))
    .flatMap((it) => build.children(it))
    .flatMap((it) => (build.kindName(it) === 'type_list' ? build.children(it) : [it]))
}

/** A type with its annotations, which stand outside its scope. */
export function javaType(fields: ClassFields = {}): Visitor {
  return (build, node) => {
    annotations(build, node)
    return classLike(build, node, {
      typeParameters: 'type_parameters',
      bases,
      traits: modifiers,
      ...fields,
      before: (it, at, definition) => {
        liftBases(it, definition)
        it.visit(it.child(at, 'permits'))
        fields.before?.(it, at, definition)
      },
    })
  }
}

/** Each part of a record is a field and a method that reads it. */
export function recordParts(build: Builder, node: number): void {
  for (const it of build.children(build.field(node, 'parameters'))) {
    const at = build.field(it, 'name')
    annotations(build, it)
    const own = build.visit(build.field(it, 'type'))
    const options = { name: build.textOf(at), at, node: it, type: own }
    build.define({ ...options, kind: 'field' })
    build.define({ ...options, kind: 'method', traits: TRAIT.again })
  }
}

export function enumConstant(build: Builder, node: number): number {
  annotations(build, node)
  const at = build.field(node, 'name')
  const own = build.owner
  argumentsOf(build, build.field(node, 'arguments'), { of: 0 })
  const definition = build.define({ kind: 'member', name: build.textOf(at), at, node })
  const body = build.field(node, 'body')
  if (body >= 0) {
    const draft = build.draft(definition)
    draft.bases.push(build.express('define', { of: own }))
    draft.inner = build.open('class', definition)
    build.within(draft.inner, definition, () => build.visitChildren(body))
  }
  return 0
}

export function typeParameter(build: Builder, node: number): number {
  const at = build.child(node, 'type_identifier', 'identifier')
  const name = build.textOf(at)
  const traits = TRAIT.typeOnly
  const definition = build.define({ kind: 'type-parameter', name, at, node, traits })
  // The limit may speak of the parameter itself.
  build.draft(definition).type = build.visit(build.child(node, 'type_bound'))
  return 0
}

/** `Outer.Inner`, or `com.acme.Outer.Inner`, in which small letters are packages. */
export function scopedType(build: Builder, node: number): number {
  const parts = build.children(node).filter((it) => /identifier|type/.test(build.kindName(it)))
  const [scope, at] = [parts[0] ?? -1, parts.at(-1) ?? -1]
  const path = build.textOf(scope)
  if (/^[a-z_][\w$]*(\.[a-z_][\w$]*)*$/.test(path))
    return referInFull(build, at, { path, role: ROLE.type })
  return build.refer('member', at, { of: build.visit(scope), role: ROLE.type })
}

export function genericType(build: Builder, node: number): number {
  const of = build.visit(firstChild(build, node))
  const args = build.children(build.child(node, 'type_arguments'))
  return build.express('generic', { of, list: args.map((it) => build.visit(it)) })
}

export function annotation(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const of =
    build.kindName(at) === 'identifier'
      ? build.refer('name', at, { role: ROLE.type })
      : build.visit(at)
  for (const it of build.children(build.field(node, 'arguments'))) {
    const key = build.field(it, 'key')
    if (key >= 0)
      build.refer('member', key, { of: build.express('typed', { of }), role: ROLE.call })
    build.visit(key < 0 ? it : build.field(it, 'value'))
  }
  return 0
}

export function modifiers(build: Builder, node: number): number {
  let traits = 0
  for (const it of build.allChildren(build.child(node, 'modifiers')))
    traits |= MODIFIERS[build.kindName(it)] ?? 0
  return traits
}

export function annotations(build: Builder, node: number): void {
  build.visit(build.child(node, 'modifiers'))
}
