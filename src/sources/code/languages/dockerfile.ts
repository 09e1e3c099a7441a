/** Dockerfiles: stages, and the variables that are set for them. */
import { ROLE } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { comment } from '../rules.ts'

function from(build: Builder, node: number): number {
  const image = build.child(node, 'image_spec')
  const used = build.field(image, 'name')
  if (build.findIn(0, build.textOf(used)) >= 0) build.refer('name', used)
  const at = build.field(node, 'as')
  if (at >= 0) build.define({ kind: 'label', name: build.textOf(at), at, node })
  return 0
}

function variable(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  const name = build.textOf(at)
  if (build.findIn(0, name) >= 0) build.refer('name', at, { role: ROLE.write })
  else build.define({ kind: 'variable', name, at, node })
  return 0
}

/** `--from=build`: an earlier stage. */
function parameter(build: Builder, node: number): number {
  const name = build.textOf(node).replace(/^--from=/, '')
  if (build.findIn(0, name) < 0) return 0
  const end = build.syntax.ends[node] ?? 0
  return build.express('name', { name, start: end - name.length, end, role: ROLE.reference })
}

/** Variables are used in any text, also where the grammar does not look. */
function finish(build: Builder): void {
  for (const match of build.text.matchAll(/\$\{?([A-Za-z_]\w*)/g)) {
    const name = match[1] ?? ''
    const end = match.index + match[0].length
    if (build.findIn(0, name) >= 0)
      build.express('name', { name, start: end - name.length, end, role: ROLE.reference })
  }
}

const rules: Rules = {
  from_instruction: from,
  arg_instruction: variable,
  env_pair: variable,
  param: parameter,
  comment: comment(),
}

export const dockerfile: Language = {
  id: 'dockerfile',
  grammar: 'dockerfile',
  extensions: ['.dockerfile', '.containerfile'],
  fileNames: ['Dockerfile', 'Containerfile'],
  rules,
  finish,
}
