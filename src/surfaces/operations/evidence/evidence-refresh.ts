import { measureChange } from '../../../packs/evidence/change-size.ts'
import {
  type PartFreshness,
  type RefreshRequest,
  refreshEvidence,
} from '../../../packs/evidence/evidence-refresh.ts'
import { noticeRedacted } from '../../../packs/redact-output.ts'
import { z } from '../../../platform/schema.ts'
import type { World } from '../../../platform/world.ts'
import { indexDirInput } from '../index/repository-input.ts'
import { optional, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import {
  applyFlowLocation,
  budgetInput,
  flowInput,
  openFlow,
  renderChangeSize,
} from './flow-input.ts'

export const refreshInput = {
  targets: withDefault(
    z.array(z.string()),
    [],
    'Names, ranks, ranges or prefixes of names (default: all evidence).',
  ),
  workspace: optional(z.string(), 'Workspace of notes for note:id.'),
  ...revealInput,
  ...flowInput,
  ...indexDirInput,
}

export const evidenceRefresh = operation({
  name: 'evidence refresh',
  examples: [
    { command: 'dossier evidence refresh', purpose: 'all of it; `evidence undo` takes it back' },
  ],
  input: z.strictObject({ ...refreshInput, ...budgetInput }),
  positional: ['targets'],
  async run(world, { budget, ...input }) {
    const { parts } = await compareParts(world, input, refreshEvidence)
    const paths = parts.filter((it) => it.status === 'changed').map((it) => it.path)
    return { parts, size: await measureChange(world, openFlow(world, input), { budget, paths }) }
  },
  text: ({ parts, size }, paint) =>
    `${renderFreshness(parts, paint, 'Updated')}${renderChangeSize(size).join('\n')}\n`,
  isExact: () => true,
  succeeded: ({ parts }) => parts.every((it) => it.status !== 'gone'),
})

interface CompareInput extends RefreshRequest {
  readonly reveal: boolean
  readonly repo?: string | undefined
  readonly flow?: string | undefined
  readonly followLinks: boolean
}

/** What `evidence diff` and `evidence refresh` have in common. */
export async function compareParts(
  world: World,
  { reveal, targets, workspace, ...place }: CompareInput,
  compare: typeof refreshEvidence,
): Promise<{ readonly parts: readonly PartFreshness[] }> {
  const flow = openFlow(world, place)
  const here = withReveal(applyFlowLocation(world, place), reveal)
  const parts = await compare(here, flow, { targets, workspace })
  noticeRedacted(
    world,
    parts.reduce((sum, it) => sum + it.redacted, 0),
  )
  return { parts }
}

export function renderFreshness(
  parts: readonly PartFreshness[],
  paint: Paint,
  done: string,
): string {
  const told = parts.flatMap(({ name, status, diff, moved, trouble }) => {
    if (status === 'changed') {
      const what = diff === '' ? 'its lines are unchanged, but the rest of the file is not' : ''
      return [
        `${paint.good('✓')} ${done}: ${paint.strong(name)} ${what}`.trimEnd(),
        ...(moved === undefined ? [] : [`  Range: ${moved.from} → ${moved.to}`]),
        ...(diff === '' ? [] : [diff.trimEnd()]),
      ]
    }
    return status === 'gone' ? [`${paint.bad('✗')} Gone: ${name}: ${trouble ?? ''}`] : []
  })
  const same = parts.filter((it) => it.status === 'same' || it.status === 'linked').length
  const written = parts.filter((it) => it.status === 'written').map((it) => it.name)
  const without =
    written.length === 0 ? [] : [paint.faint(`  without a source: ${written.join(', ')}`)]
  return `${[...told, `${same} of ${parts.length} unchanged`, ...without].join('\n')}\n`
}
