/** Rust's patterns: what `let`, `match` and parameters take apart. */
import { TRAIT } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns } from '../builder.ts'
import { bindName, firstChild, itemOf, items, through } from '../rules.ts'

/** A capital letter means a constant or variant that is compared with, not a new name. */
function bindIdentifier(build: Builder, node: number, binding: Binding): void {
  if (build.textOf(node) === '_') return
  if (binding.kind === 'variable' && /^\p{Lu}/u.test(build.textOf(node))) build.visit(node)
  // A module or a type may have the same name.
  else bindName(build, node, { ...binding, traits: binding.traits | TRAIT.valueOnly })
}

/** What a pattern takes apart: a value of the declared type, where there is one. */
function source(build: Builder, binding: Binding): number {
  return binding.type > 0 ? build.express('typed', { of: binding.type }) : binding.value
}

/** `Some(x)`, `Pair(a, b)`, `Kind::Named(n)`. */
function tupleStruct(build: Builder, node: number, binding: Binding): void {
  const path = build.field(node, 'type')
  const word = build.textOf(path)
  const of = build.express('typed', { of: build.visit(path) })
  const variant = word.slice(word.lastIndexOf(':') + 1)
  const parts = build.children(node).filter((it) => it !== path)
  for (const [index, it] of parts.entries()) {
    let value = 0
    if (word === 'Some' || word === 'Ok' || word === 'Poll::Ready') value = source(build, binding)
    else if (word !== 'Err')
      value = build.either([
        build.express('member', { of, name: `${variant}.${index}` }),
        build.express('member', { of, name: String(index) }),
      ])
    build.bind(it, { ...binding, value, type: 0 })
  }
}

/** `Point { x, y: other, .. }`. */
function struct(build: Builder, node: number, binding: Binding): void {
  const path = build.field(node, 'type')
  const type = build.visit(path)
  const of = build.express('typed', { of: type })
  for (const it of build.children(node)) {
    if (build.kindName(it) !== 'field_pattern') continue
    const at = build.field(it, 'name')
    const value = build.refer('member', at, { of })
    const pattern = build.field(it, 'pattern')
    if (pattern < 0) bindName(build, at, { ...binding, value, type: 0 })
    else build.bind(pattern, { ...binding, value, type: 0 })
  }
}

/** Side by side where the value or the type is written out. */
function tuple(build: Builder, node: number, binding: Binding): void {
  const children = build.children(node)
  const value = build.expressions[binding.value]
  const type = build.expressions[binding.type]
  const isMatched = value?.op === 'collection' && value.list.length === children.length
  const isTyped = type?.op === 'collection' && type.list.length === children.length
  for (const [index, child] of children.entries()) {
    const own = isMatched ? (value.list[index] ?? 0) : itemOf(build, binding.value, String(index))
    build.bind(child, { ...binding, value: own, type: isTyped ? (type.list[index] ?? 0) : 0 })
  }
}

/** `A(x) | B(x)`: the name is one, whichever side it comes from. */
function alternatives(build: Builder, node: number, binding: Binding): void {
  for (const [index, it] of build.children(node).entries())
    build.bind(it, index === 0 ? binding : { ...binding, traits: binding.traits | TRAIT.again })
}

const inside = through({ pattern: firstChild })

export const patterns: Patterns = {
  identifier: bindIdentifier,
  self: bindName,
  shorthand_field_identifier: bindName,
  parameter: (build, node, binding) => {
    through({ pattern: 'pattern', type: 'type' })(build, node, { ...binding, node })
  },
  tuple_pattern: tuple,
  slice_pattern: items(),
  tuple_struct_pattern: tupleStruct,
  struct_pattern: struct,
  or_pattern: alternatives,
  ref_pattern: inside,
  mut_pattern: (build, node, binding) => {
    build.bind(build.children(node).at(-1) ?? -1, binding)
  },
  reference_pattern: (build, node, binding) => {
    build.bind(build.children(node).at(-1) ?? -1, binding)
  },
  captured_pattern: (build, node, binding) => {
    for (const it of build.children(node)) build.bind(it, binding)
  },
  remaining_field_pattern: () => undefined,
}
