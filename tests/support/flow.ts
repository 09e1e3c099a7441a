/** Flows for tests: real folders with a few pieces of evidence. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { createFlow } from '../../src/evidence/flows.ts'
import type { Flow } from '../../src/model/evidence.ts'
import type { World } from '../../src/platform/world.ts'
import { writeFile } from './project.ts'
import { quietWorld } from './world.ts'

export interface FlowInFolder {
  readonly world: World
  readonly flow: Flow
}

/** Names of evidence files become files with a text of their own. */
export function flowWith(folder: string, names: readonly string[]): FlowInFolder {
  const world = quietWorld(folder, { workingFolder: folder })
  const flow = createFlow(world, { title: 'A task', policy: 'Be exact.', request: 'Do it.' })
  for (const name of names) {
    writeFile(flow.folder, `ctx/evidence/${name}`, `What ${name} says.\n`)
  }
  return { world, flow }
}

/** Every file of a flow but the records of changes, by path, with its text. */
export function contentsOf(flow: Flow): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(flow.folder, { recursive: true, encoding: 'utf8' })
      .map((it) => join(flow.folder, it))
      .filter((it) => statSync(it).isFile())
      .map(
        (it) => [relative(flow.folder, it).replaceAll(sep, '/'), readFileSync(it, 'utf8')] as const,
      )
      .filter(([path]) => /^(?:ctx|removed)\//.test(path))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** The texts of all evidence, wherever it lies now: what must never become less. */
export function allTexts(flow: Flow): readonly string[] {
  return Object.values(contentsOf(flow)).toSorted()
}
