import { type Dependencies, dependenciesOf } from '../../../packs/evidence/evidence-deps.ts'
import { z } from '../../../platform/schema.ts'
import { indexDirInput } from '../index/repository-input.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { flowIn, flowInput } from './flow-input.ts'

export const evidenceDeps = operation({
  name: 'evidence deps',
  examples: [{ command: 'dossier evidence deps 100_readme_md', purpose: 'both directions' }],
  input: z.strictObject({
    target: required(z.string(), 'The part: its name, its rank, or the beginning of its name.'),
    ...flowInput,
    ...indexDirInput,
  }),
  positional: ['target'],
  run: (world, { target, ...place }) => dependenciesOf(world, flowIn(world, place), target),
  text({ name, by, referencedBy, refersTo }, paint) {
    const lines = [
      ...referencedBy.map((it) => `Referenced by ${it.file}:${it.line} (${it.kind} of ${it.what})`),
      ...refersTo.map(
        (it) => `${VERBS[it.kind] ?? 'Refers to'} ${it.what} in ${it.file} (line ${it.line})`,
      ),
    ]
    const how = by === 'names' ? 'by names; `dossier index` makes this exact' : 'by the code index'
    if (lines.length === 0) return `no other evidence refers to ${name}, nor it to any (${how})\n`
    return `${lines.join('\n')}\n${paint.faint(how)}\n`
  },
  succeeded: () => true,
})

const VERBS: Readonly<Record<Dependencies['refersTo'][number]['kind'], string>> = {
  call: 'Calls',
  import: 'Imports',
  usage: 'Uses',
  inherit: 'Extends',
  mention: 'Mentions',
}
