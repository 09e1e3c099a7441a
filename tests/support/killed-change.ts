/**
 * A process that changes a flow and is killed at a given step of the file system:
 * `node killed-change.ts <folder> <step> <command>`. Says how many steps it took if it lives.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [folder = '', step = '', command = ''] = process.argv.slice(2)
const STEPS = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'renameSync',
  'mkdirSync',
  'rmSync',
  'symlinkSync',
] as const
let left = Number(step)
let taken = 0

const { quietWorld } = await import('./world.ts')
const { resolveFlow: flowOf } = await import('../../src/evidence/flows.ts')
const { rebaseParts, removeParts, toggleParts } = await import(
  '../../src/packs/evidence/evidence-changes.ts'
)
const { undoChange } = await import('../../src/evidence/history.ts')
const { assemblePrompt } = await import('../../src/packs/evidence/prompt.ts')

const world = quietWorld(folder, { workingFolder: folder })
const flow = flowOf(world, undefined)
for (const name of STEPS) {
  const real = fs[name] as (...args: readonly unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...args: readonly unknown[]) => {
      if (left === 0) process.kill(process.pid, 'SIGKILL')
      left -= 1
      taken += 1
      return real(...args)
    },
  })
}
syncBuiltinESMExports()
if (command === 'rebase') await rebaseParts(world, flow)
if (command === 'remove') await removeParts(world, flow, ['100-199'])
if (command === 'toggle') await toggleParts(world, flow, { target: '100-999', state: 'off' })
if (command === 'undo') await undoChange(world, flow)
if (command === 'assemble') await assemblePrompt(world, flow, {})
process.stdout.write(String(taken))
