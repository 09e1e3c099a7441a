/** What the prompt needs to know about the flow in use. */

import { EngineError } from '../../../model/engine-error.ts'
import { listShellVariables } from '../../../packs/evidence/evidence-environment.ts'
import { listPartNames, numberEvidence } from '../../../packs/evidence/evidence-status.ts'
import type { World } from '../../../platform/world.ts'
import { openFlow } from './flow-input.ts'

export function findFlowFolder(world: World, flow: string): string {
  return openFlow(world, { flow }).folder
}

/** Empty if no flow is in use. */
export async function listTargets(world: World): Promise<readonly string[]> {
  return withCurrentFlow(async () => listPartNames(world, openFlow(world, {})), [])
}

export async function readVariables(world: World): Promise<Readonly<Record<string, string>>> {
  return withCurrentFlow(async () => {
    const flow = openFlow(world, {})
    const variables = listShellVariables(flow, await numberEvidence(world, flow))
    return Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  }, {})
}

async function withCurrentFlow<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof EngineError && error.code === 'POC_E_FLOW_MISSING') return otherwise
    throw error
  }
}
