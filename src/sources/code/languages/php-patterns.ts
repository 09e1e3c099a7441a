/** What PHP assigns to and declares by assigning: variables, members, lists, parameters. */
import { ROLE } from '../../../model/facts.ts'
import type { Binding, Builder, Patterns } from '../builder.ts'
import { bindName, firstChild, itemOf, REST } from '../rules.ts'
import { classOwner } from './php-names.ts'

/** A variable belongs to its function, and assigning again does not define it again. */
function bindVariable(build: Builder, node: number, binding: Binding): void {
  const named = build.textOf(node)
  if (named === '$this') return
  if (binding.kind === 'parameter') {
    bindName(build, node, binding)
    return
  }
  const scope = build.functionScope()
  const known = build.findIn(scope, named)
  if (known < 0) bindName(build, node, { ...binding, scope })
  else {
    build.refer('name', node, { role: ROLE.write })
    build.addValue(known, binding.value)
  }
}

/** `$this->x = v` declares the field where the class does not; anything else is there already. */
function bindMember(build: Builder, node: number, binding: Binding): void {
  const object = build.field(node, 'object')
  const at = build.field(node, 'name')
  const of = build.visit(object)
  const owner = classOwner(build)
  const isOwn = build.textOf(object) === '$this' && build.kindName(at) === 'name' && owner > 0
  if (build.kindName(at) !== 'name') build.visit(at)
  else build.refer('member', at, { of, role: ROLE.write })
  if (!isOwn) return
  const scope = build.draft(owner).inner
  const known = build.findIn(scope, build.textOf(at))
  if (known >= 0) build.addValue(known, binding.value)
}

function bindPlace(build: Builder, node: number): void {
  build.alsoAs(build.visit(node), ROLE.write)
}

function bindList(build: Builder, node: number, binding: Binding): void {
  for (const it of build.children(node)) {
    if (/variable_name|list_literal|access_expression/.test(build.kindName(it)))
      build.bind(it, { ...binding, value: itemOf(build, binding.value) })
    else build.visit(it)
  }
}

function bindParameter(build: Builder, node: number, binding: Binding): void {
  const type = build.visit(build.field(node, 'type'))
  const expected = type > 0 ? build.express('typed', { of: type }) : 0
  const value = build.visitExpecting(build.field(node, 'default_value'), expected)
  build.visit(build.field(node, 'attributes'))
  const at = build.field(node, 'name')
  const variable = build.kindName(at) === 'by_ref' ? firstChild(build, at) : at
  const isRest = build.kindName(node) === 'variadic_parameter'
  bindName(build, variable, {
    ...binding,
    node,
    type,
    value: build.either([binding.value, value]),
    traits: isRest ? REST : 0,
  })
  if (build.kindName(node) !== 'property_promotion_parameter') return
  const owner = classOwner(build)
  const inner = firstChild(build, variable)
  build.define({
    kind: 'field',
    name: build.textOf(inner),
    at: inner,
    node,
    type,
    value: build.express('name', { name: build.textOf(variable) }),
    scope: build.draft(owner).inner,
    owner,
  })
}

export const patterns: Patterns = {
  variable_name: bindVariable,
  member_access_expression: bindMember,
  scoped_property_access_expression: bindPlace,
  subscript_expression: bindPlace,
  list_literal: bindList,
  array_creation_expression: bindList,
  by_ref: (build, node, binding) => {
    build.bind(firstChild(build, node), binding)
  },
  pair: (build, node, binding) => {
    const [key, value] = build.children(node)
    build.bind(key ?? -1, { ...binding, value: 0 })
    build.bind(value ?? -1, binding)
  },
  simple_parameter: bindParameter,
  variadic_parameter: bindParameter,
  property_promotion_parameter: bindParameter,
}
