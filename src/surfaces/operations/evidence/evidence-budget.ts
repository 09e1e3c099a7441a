import { ascending, descending, inOrder } from '../../../base/order.ts'
import { counted } from '../../../base/text.ts'
import { bar } from '../../../format/bar.ts'
import { readFlowStatus } from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { renderBudgetBar } from './evidence-status.ts'
import { budgetInput, flowInput, formatShare, openFlow } from './flow-input.ts'

const WIDTH = 20

export const evidenceBudget = operation({
  name: 'evidence budget',
  examples: [{ command: 'dossier evidence budget', purpose: 'the largest parts first' }],
  input: z.strictObject({ ...flowInput, ...budgetInput }),
  run: (world, { budget, ...place }) => readFlowStatus(world, openFlow(world, place), { budget }),
  text(status, paint) {
    const { tokens, budget, bands, parts } = status
    const shown = parts
      .filter((it) => it.state !== 'skipped')
      .toSorted(
        inOrder(
          descending((it) => it.tokens),
          ascending((it) => it.path),
        ),
      )
    const lines = [
      `${renderBudgetBar(tokens / budget)} ${tokens} / ${budget} tokens (${formatShare(tokens, budget)})`,
      paint.strong('By rank'),
      ...bands.map(
        (it) =>
          `  ${it.from}-${it.to}  ${bar(it.tokens / budget, WIDTH)} ${it.tokens} tokens, ${counted(it.parts, 'part')}${it.skipped === 0 ? '' : `, ${it.skipped} skipped`}  ${paint.faint(it.purpose)}`,
      ),
      paint.strong('By part'),
      ...shown.map(
        (it) => `  ${bar(it.tokens / budget, WIDTH)} ${String(it.tokens).padStart(6)}  ${it.name}`,
      ),
    ]
    return `${lines.join('\n')}\n`
  },
  succeeded: () => true,
})
