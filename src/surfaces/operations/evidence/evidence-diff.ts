import { checkFreshness } from '../../../packs/evidence/evidence-refresh.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { compareParts, refreshInput, renderFreshness } from './evidence-refresh.ts'

export const evidenceDiff = operation({
  name: 'evidence diff',
  examples: [
    { command: 'dossier evidence diff', purpose: 'all evidence; exit status 1 if any differs' },
  ],
  input: z.strictObject(refreshInput),
  positional: ['targets'],
  run: (world, input) => compareParts(world, input, checkFreshness),
  text: ({ parts }, paint) => renderFreshness(parts, paint, 'Changed'),
  isExact: () => true,
  succeeded: ({ parts }) => parts.every((it) => it.status !== 'changed' && it.status !== 'gone'),
})
