import { changePartRank } from '../../../packs/evidence/evidence-changes.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { measureAfterChange, renderChange } from './evidence-change-text.ts'
import { budgetInput, flowInput, openFlow, RANK, renderChangeSize } from './flow-input.ts'

export const evidenceRank = operation({
  name: 'evidence rank',
  examples: [{ command: 'dossier evidence rank 100_readme_md 50', purpose: 'before all others' }],
  input: z.strictObject({
    target: required(z.string(), 'The part: its name, its rank, or a prefix of its name.'),
    rank: required(RANK, 'The new rank, from 0 to 999.'),
    ...flowInput,
    ...budgetInput,
  }),
  positional: ['target', 'rank'],
  tool: 'evidence_rank',
  toolWhen: 'flow',
  toolInputs: ['target', 'rank'],
  changes: true,
  run: (world, { budget, target, rank, ...place }) => {
    const flow = openFlow(world, place)
    const change = changePartRank(world, flow, { target, rank: String(rank) })
    return measureAfterChange(world, flow, { change, budget })
  },
  text(outcome, paint) {
    if (outcome.moves.length > 0) return renderChange(outcome, paint)
    const same = paint.faint(`  ${outcome.unchanged[0]?.name} has this rank already`)
    return `${[same, ...renderChangeSize(outcome.size)].join('\n')}\n`
  },
  succeeded: () => true,
})
