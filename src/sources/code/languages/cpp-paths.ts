/** Paths of C++: `a::b::C<T>::f`. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { firstChild } from '../rules.ts'

/** Where a path begins: with a name that is looked up from here, or in the file's own scope. */
export const HERE = -1
const GLOBAL = -2

/** Read from left to right. */
export function qualified(build: Builder, node: number, of = HERE): number {
  const scope = build.field(node, 'scope')
  const before = scope < 0 ? GLOBAL : pathPart(build, scope, { of, isLast: false })
  return pathPart(build, build.field(node, 'name'), { of: before, isLast: true })
}

export interface Step {
  /** What the path so far leads to; `HERE` at its beginning. */
  readonly of: number
  readonly isLast: boolean
}

export function pathPart(build: Builder, node: number, step: Step): number {
  const kind = build.kindName(node)
  if (kind === 'qualified_identifier') return qualified(build, node, step.of)
  if (kind.startsWith('template_')) {
    const of = pathPart(build, build.field(node, 'name'), step)
    const list = build.children(build.field(node, 'arguments')).map((it) => build.visit(it))
    return kind === 'template_type' ? build.express('generic', { of, list }) : of
  }
  if (kind === 'dependent_name') return pathPart(build, firstChild(build, node), step)
  if (kind === 'decltype' || node < 0) return build.visit(node)
  const role = !step.isLast || kind === 'type_identifier' ? ROLE.type : 0
  if (step.of === HERE) {
    const scope = step.isLast ? build.scope : pastVariables(build, build.textOf(node))
    return build.refer('name', node, { role, scope })
  }
  if (step.of === GLOBAL) return build.refer('name', node, { role, scope: 0 })
  return build.refer('member', node, { of: step.of, role })
}

/** Before `::` stands no variable, even if one of that name is nearer. */
function pastVariables(build: Builder, name: string): number {
  let past = build.scope
  for (let scope = past; scope >= 0; scope = build.scopes[scope]?.parent ?? -1) {
    const found = build.findIn(scope, name)
    if (found < 0) continue
    if (!VALUES.has(build.draft(found).kind)) break
    past = build.scopes[scope]?.parent ?? 0
  }
  return past
}

const VALUES: ReadonlySet<string> = new Set(['variable', 'parameter', 'field'])

/** Refers to everything before the last `::`. */
export function qualifierOf(build: Builder, node: number): number {
  let of = HERE
  for (let at = node; build.kindName(at) === 'qualified_identifier'; at = build.field(at, 'name')) {
    const scope = build.field(at, 'scope')
    of = scope < 0 ? GLOBAL : pathPart(build, scope, { of, isLast: false })
  }
  return Math.max(of, 0)
}

export function qualifierText(build: Builder, node: number): string {
  const parts: string[] = []
  for (let at = node; build.kindName(at) === 'qualified_identifier'; at = build.field(at, 'name')) {
    const scope = build.field(at, 'scope')
    const isTemplate = build.kindName(scope) === 'template_type'
    parts.push(build.textOf(isTemplate ? build.field(scope, 'name') : scope))
  }
  return parts.filter((it) => it !== '').join('::')
}
