import { counted } from '../../../base/text.ts'
import { undoChange } from '../../../evidence/history.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { flowIn, flowInput } from './flow-input.ts'

export const evidenceUndo = operation({
  name: 'evidence undo',
  examples: [
    { command: 'dossier evidence undo', purpose: 'after a remove, a toggle, a rebase, an add' },
  ],
  input: z.strictObject(flowInput),
  run: (world, place) => undoChange(world, flowIn(world, place)),
  text({ what, moves, setAside }, paint) {
    const done = [
      ...(moves.length === 0 ? [] : [`${counted(moves.length, 'file')} as before`]),
      ...(setAside.length === 0
        ? []
        : [`${counted(setAside.length, 'file')} set aside in removed/`]),
    ]
    return `${paint.good('✓')} Undone: ${what} (${done.join(', ') || 'focus as before'})\n`
  },
  succeeded: () => true,
})
