/** What a prompt needs to know of the flow in use, besides its commands. */

import { EngineError } from '../../../model/engine-error.ts'
import { listShellVariables } from '../../../packs/evidence/evidence-environment.ts'
import { listPartNames, numberEvidence } from '../../../packs/evidence/evidence-status.ts'
import type { World } from '../../../platform/world.ts'
import { flowIn } from './flow-input.ts'

export function flowFolder(world: World, flow: string): string {
  return flowIn(world, { flow }).folder
}

/** Empty where no flow is in use yet. */
export async function targetsOf(world: World): Promise<readonly string[]> {
  return inFlow(async () => listPartNames(world, flowIn(world, {})), [])
}

export async function variablesIn(world: World): Promise<Readonly<Record<string, string>>> {
  return inFlow(async () => {
    const flow = flowIn(world, {})
    const variables = listShellVariables(flow, await numberEvidence(world, flow))
    return Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  }, {})
}

async function inFlow<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof EngineError && error.code === 'POC_E_FLOW_MISSING') return otherwise
    throw error
  }
}
