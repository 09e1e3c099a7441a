import { rankPart } from '../../../packs/evidence/evidence-changes.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { changedText } from './evidence-change-text.ts'
import { flowIn, flowInput } from './flow-input.ts'

export const evidenceRank = operation({
  name: 'evidence rank',
  examples: [{ command: 'dossier evidence rank 100_readme_md 50', purpose: 'before all others' }],
  input: z.strictObject({
    target: required(z.string(), 'The part: its name, its rank, or the beginning of its name.'),
    rank: required(z.string(), 'From 0 to 999; the name has three digits of it.'),
    ...flowInput,
  }),
  positional: ['target', 'rank'],
  tool: 'evidence_rank',
  toolWhen: 'flow',
  toolInputs: ['target', 'rank'],
  changes: true,
  run: (world, { target, rank, ...place }) =>
    rankPart(world, flowIn(world, place), { target, rank }),
  text: (changed, paint) =>
    changed.moves.length > 0
      ? changedText(changed, paint)
      : paint.faint(`  ${changed.unchanged[0]?.name} has this rank already\n`),
  succeeded: () => true,
})
