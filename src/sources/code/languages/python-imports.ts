/** Imports of Python. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'
import { firstChild } from '../rules.ts'
import { variableScope } from './python-patterns.ts'

function dotted(build: Builder, node: number, role: number): number {
  return build.refer('module', node, { name: build.textOf(node).replaceAll(/\s/g, ''), role })
}

/** `import a.b` makes `a` known; `import a.b as c` makes `c` known as `a.b`. */
export function importStatement(build: Builder, node: number): number {
  const scope = variableScope(build)
  for (const it of build.fieldsOf(node, 'name')) {
    if (build.kindName(it) === 'aliased_import') {
      const value = dotted(build, build.field(it, 'name'), ROLE.import)
      const at = build.field(it, 'alias')
      build.define({ kind: 'import', name: build.textOf(at), at, node, value, scope })
    } else {
      const first = firstChild(build, it)
      const whole = dotted(build, it, ROLE.import)
      const top = build.textOf(first)
      const value = build.textOf(it) === top ? whole : build.express('module', { name: top })
      build.define({ kind: 'import', name: top, at: first, node, value, scope })
    }
  }
  return 0
}

export function importFrom(build: Builder, node: number): number {
  const scope = variableScope(build)
  const module = dotted(build, build.field(node, 'module_name'), ROLE.import)
  if (build.has(node, 'wildcard_import')) {
    const value = build.express('import', { of: module, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value, scope })
    return 0
  }
  for (const it of build.fieldsOf(node, 'name')) {
    const isAliased = build.kindName(it) === 'aliased_import'
    const from = isAliased ? build.field(it, 'name') : it
    const at = isAliased ? build.field(it, 'alias') : it
    const value = build.refer('import', from, { of: module, role: ROLE.import })
    build.define({ kind: 'import', name: build.textOf(at), at, node, value, scope })
  }
  return 0
}
