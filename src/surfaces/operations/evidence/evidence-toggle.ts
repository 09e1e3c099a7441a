import { EngineError } from '../../../model/engine-error.ts'
import { toggleParts } from '../../../packs/evidence/evidence-changes.ts'
import { z } from '../../../platform/schema.ts'
import { optional, required } from '../input.ts'
import { operation } from '../operation.ts'
import { measureAfterChange, renderChange } from './evidence-change-text.ts'
import { budgetInput, flowInput, openFlow } from './flow-input.ts'

export const evidenceToggle = operation({
  name: 'evidence toggle',
  examples: [
    { command: 'dossier evidence toggle 100_readme_md', purpose: 'the other way round' },
    { command: 'dossier evidence toggle off 300-399', purpose: 'a whole band' },
    { command: 'dossier evidence toggle on 300-399', purpose: 'and back' },
  ],
  input: z.strictObject({
    target: required(
      z.string(),
      'A name, a three-digit rank, a range such as 300-399, or a prefix of a name.',
    ),
    state: optional(z.string(), 'on or off (default: toggles the current state).'),
    ...flowInput,
    ...budgetInput,
  }),
  positional: ['target', 'state'],
  tool: 'evidence_toggle',
  toolWhen: 'flow',
  toolInputs: ['target', 'state'],
  changes: true,
  run: (world, { budget, target, state, ...place }) => {
    const flow = openFlow(world, place)
    const change = toggleParts(world, flow, parseToggleArguments(target, state))
    return measureAfterChange(world, flow, { change, budget })
  },
  text: renderChange,
  succeeded: () => true,
})

/** `toggle off 300-399` and `toggle 300-399 off` are the same wish. */
function parseToggleArguments(target: string, state: string | undefined) {
  if (isState(target) && state !== undefined) return { target: state, state: target }
  if (state === undefined && !isState(target)) return { target, state: undefined }
  if (state !== undefined && isState(state)) return { target, state }
  throw new EngineError(
    'POC_E_REQUEST_INVALID',
    `cannot tell which part to toggle: ${[target, state].filter((it) => it !== undefined).join(' ')}`,
    {
      hint: 'write `toggle <part>`, `toggle on <part>` or `toggle off <part>`',
    },
  )
}

function isState(text: string): text is 'on' | 'off' {
  return text === 'on' || text === 'off'
}
