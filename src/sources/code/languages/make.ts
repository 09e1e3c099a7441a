/** Makefiles: targets and variables. */
import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment } from '../rules.ts'

/** A target is known by its name, unless it is a pattern or one of make's own. */
function rule(build: Builder, node: number): number {
  const [targets] = build.children(node)
  for (const at of build.children(targets ?? -1)) {
    const name = build.textOf(at)
    if (build.kindName(at) !== 'word' || name.includes('%') || /^\.[A-Z_]+$/.test(name)) continue
    const traits = build.findIn(0, name) < 0 ? 0 : TRAIT.again
    const definition = build.define({ kind: 'label', name, at, node, traits })
    const draft = build.draft(definition)
    draft.to = draft.from + build.textOf(node).trimEnd().length
  }
  for (const it of build.children(node)) if (it !== targets) build.visit(it)
  return 0
}

function prerequisites(build: Builder, node: number): number {
  for (const it of build.children(node)) {
    if (build.kindName(it) !== 'word') build.visit(it)
    else if (!build.textOf(it).includes('%')) build.refer('name', it)
  }
  return 0
}

function assignment(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  build.visitChildren(node)
  const known = build.findIn(0, build.textOf(at))
  if (known >= 0) build.refer('name', at, { role: ROLE.write })
  else build.define({ kind: 'variable', name: build.textOf(at), at, node })
  return 0
}

function reference(build: Builder, node: number): number {
  const [at] = build.children(node)
  if (build.kindName(at ?? -1) !== 'word' || at === undefined) build.visitChildren(node)
  else build.refer('name', at)
  return 0
}

function include(build: Builder, node: number): number {
  for (const at of build.children(build.field(node, 'filenames'))) {
    if (build.kindName(at) !== 'word') continue
    const of = build.refer('module', at, { role: ROLE.import })
    const value = build.express('import', { of, name: '*' })
    build.define({ kind: 'import', name: '*', at: -1, node, value })
  }
  return 0
}

const rules: Rules = {
  rule,
  prerequisites,
  variable_assignment: assignment,
  define_directive: assignment,
  variable_reference: reference,
  include_directive: include,
  comment: comment(),
}

export const make: Language = {
  id: 'make',
  grammar: 'make',
  extensions: ['.mk', '.mak', '.make'],
  fileNames: ['Makefile', 'makefile', 'GNUmakefile'],
  interpreters: ['make'],
  rules,
}
