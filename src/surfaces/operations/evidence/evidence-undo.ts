import { counted } from '../../../base/text.ts'
import { undoChange } from '../../../evidence/history.ts'
import { measureChange } from '../../../packs/evidence/change-size.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { budgetInput, flowInput, openFlow, renderChangeSize } from './flow-input.ts'

export const evidenceUndo = operation({
  name: 'evidence undo',
  examples: [
    { command: 'dossier evidence undo', purpose: 'after a remove, a toggle, a rebase, an add' },
  ],
  input: z.strictObject({ ...flowInput, ...budgetInput }),
  async run(world, { budget, ...place }) {
    const flow = openFlow(world, place)
    const undone = await undoChange(world, flow)
    return { ...undone, size: await measureChange(world, flow, { budget, paths: [] }) }
  },
  text({ what, moves, setAside, size }, paint) {
    const done = [
      ...(moves.length === 0 ? [] : [`${counted(moves.length, 'file')} restored`]),
      ...(setAside.length === 0 ? [] : [`${counted(setAside.length, 'file')} moved to removed/`]),
    ]
    const head = `${paint.good('✓')} Undone: ${what} (${done.join(', ') || 'focus restored'})`
    return `${[head, ...renderChangeSize(size)].join('\n')}\n`
  },
  succeeded: () => true,
})
