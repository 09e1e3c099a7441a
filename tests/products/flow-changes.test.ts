/** Commands on a flow, one after the other, killed, and undone: nothing is ever lost. */
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFlow, listFlows, resolveFlow, useFlow } from '../../src/evidence/flows.ts'
import { finishInterruptedChange, undoChange } from '../../src/evidence/history.ts'
import { listParts } from '../../src/evidence/parts.ts'
import { EngineError } from '../../src/model/engine-error.ts'
import {
  changePartRank,
  rebaseParts,
  removeParts,
  toggleParts,
} from '../../src/packs/evidence/evidence-changes.ts'
import { clearFocus, focusOnTopic } from '../../src/packs/evidence/evidence-focus.ts'
import { assemblePrompt } from '../../src/packs/evidence/prompt.ts'
import { allTexts, contentsOf, type FlowInFolder, flowWith } from '../support/flow.ts'
import { temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

const NAMES = [
  '080_low.evidence.md',
  '100_flow_sh.evidence.md',
  '110_flow_sh_test.evidence.md',
  '120_notes.evidence.md.skip',
  '300_example.evidence.md',
]

type Step = (it: FlowInFolder) => Promise<unknown>

const target = fc.constantFrom('080', '100', 'flow_sh', '100-199', '300_example', '120', 'example')
const step: fc.Arbitrary<readonly [string, Step]> = fc.oneof(
  fc
    .tuple(target, fc.constantFrom('on', 'off', undefined))
    .map(
      ([it, state]) =>
        [
          `toggle ${it} ${state}`,
          ({ world, flow }: FlowInFolder) => toggleParts(world, flow, { target: it, state }),
        ] as const,
    ),
  fc
    .tuple(target, fc.nat(999))
    .map(
      ([it, rank]) =>
        [
          `rank ${it} ${rank}`,
          ({ world, flow }: FlowInFolder) =>
            changePartRank(world, flow, { target: it, rank: String(rank) }),
        ] as const,
    ),
  fc.constant(['rebase', ({ world, flow }: FlowInFolder) => rebaseParts(world, flow)] as const),
  target.map(
    (it) =>
      [`remove ${it}`, ({ world, flow }: FlowInFolder) => removeParts(world, flow, [it])] as const,
  ),
  fc
    .constantFrom('flow', 'example', 'low notes')
    .map(
      (it) =>
        [`focus ${it}`, ({ world, flow }: FlowInFolder) => focusOnTopic(world, flow, it)] as const,
    ),
  fc.constant(['focus off', ({ world, flow }: FlowInFolder) => clearFocus(world, flow)] as const),
  fc.constant(['undo', ({ world, flow }: FlowInFolder) => undoChange(world, flow)] as const),
)

/** A request that cannot be met changes nothing, and is part of the game. */
async function tried(action: Promise<unknown>): Promise<boolean> {
  try {
    await action
    return true
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

describe('EV7 nothing is lost', () => {
  test('any sequence of commands keeps every text, and undo goes back through all of them', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) =>
        withFolder(async (folder) => {
          const it = flowWith(folder, NAMES)
          const texts = allTexts(it.flow)
          const states = [contentsOf(it.flow)]
          for (const [name, action] of steps) {
            const before = contentsOf(it.flow)
            const isMet = await tried(action(it))
            const now = contentsOf(it.flow)
            expect(allTexts(it.flow), name).toEqual(texts)
            if (!isMet) expect(now, name).toEqual(before)
            else if (name === 'undo') {
              states.pop()
              expect(now, name).toEqual(states.at(-1))
            } else if (JSON.stringify(now) !== JSON.stringify(before) || name.startsWith('focus')) {
              if (name !== 'focus off' || JSON.stringify(now) !== JSON.stringify(before))
                states.push(now)
            }
          }
        }),
      ),
      runs(60),
    ))

  test('remove can be undone, and again what was before it', async () => {
    const { world, flow } = flowWith(temporaryFolder(), NAMES)
    const before = contentsOf(flow)
    await toggleParts(world, flow, { target: '300', state: 'off' })
    const between = contentsOf(flow)
    await removeParts(world, flow, ['100-199'])
    expect(listParts(world.files, flow).parts.map((it) => it.name)).toEqual([
      '000_policy',
      '010_request',
      '080_low',
      '300_example',
    ])
    expect(await undoChange(world, flow)).toMatchObject({ what: 'remove 100-199' })
    expect(contentsOf(flow)).toEqual(between)
    await undoChange(world, flow)
    expect(contentsOf(flow)).toEqual(before)
    await expect(undoChange(world, flow)).rejects.toThrow(/nothing to undo/)
  })

  test('what was renamed by hand since cannot be undone, and stays', async () => {
    const { world, flow } = flowWith(temporaryFolder(), NAMES)
    await toggleParts(world, flow, { target: '300', state: 'off' })
    const evidence = join(flow.folder, 'ctx/evidence')
    renameSync(
      join(evidence, '300_example.evidence.md.skip'),
      join(evidence, '310_mine.evidence.md'),
    )
    const before = contentsOf(flow)
    await expect(undoChange(world, flow)).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringContaining('no longer exists'),
        hint: expect.stringContaining('move changes/000001.json away'),
      }),
    )
    expect(contentsOf(flow)).toEqual(before)
  })

  test('EV7 with the record of a change moved away, nothing is set aside in the same place', async () => {
    const { world, flow } = flowWith(temporaryFolder(), NAMES)
    await toggleParts(world, flow, { target: '100', state: 'off' })
    await removeParts(world, flow, ['300'])
    rmSync(join(flow.folder, 'changes/000002.json'))
    writeFile(flow.folder, 'ctx/evidence/300_example.evidence.md', 'Mine.\n')
    await removeParts(world, flow, ['300'])
    const texts = Object.keys(contentsOf(flow)).filter((it) =>
      it.endsWith('/300_example.evidence.md'),
    )
    expect(texts).toHaveLength(2)
    // The change whose record is gone is passed over.
    await undoChange(world, flow)
    expect((await undoChange(world, flow)).what).toBe('toggle off 100')
  })

  test('files that a person adds, renames and edits are parts like others', async () => {
    const { world, flow } = flowWith(temporaryFolder(), NAMES)
    writeFile(flow.folder, 'ctx/evidence/200_by_hand.evidence.md', 'Mine.\n')
    writeFile(flow.folder, 'ctx/evidence/scratch.txt', 'Not a part.\n')
    await toggleParts(world, flow, { target: 'by_hand', state: 'off' })
    await rebaseParts(world, flow)
    const { parts, strays } = listParts(world.files, flow)
    expect(parts.map((it) => `${it.name} ${it.state}`)).toContain('140_by_hand skipped')
    expect(strays).toEqual(['ctx/evidence/scratch.txt'])
  })
})

function killedAt(folder: string, step_: number, command: string) {
  const script = join(import.meta.dirname, '../support/killed-change.ts')
  const done = spawnSync(process.execPath, [script, folder, String(step_), command], {
    encoding: 'utf8',
  })
  if (done.status !== 0 && done.signal !== 'SIGKILL') throw new Error(done.stderr)
  return done
}

describe('EV6 killed at any moment', () => {
  test.each(['rebase', 'remove', 'toggle', 'undo'])(
    'origin: %s is done or not begun, at every step of it',
    async (command) => {
      const { before, after } = await bothSides(command)
      let kills = 0
      // A hundred steps are more than any of them takes: the loop ends by itself.
      for (let at = 0; at < 100; at += 3) {
        const folder = temporaryFolder()
        const { world, flow } = await prepared(folder, command)
        const done = killedAt(folder, at, command)
        await finishInterruptedChange(world, flow)
        const now = JSON.stringify(contentsOf(flow))
        expect([before, after], `${command} killed at step ${at}`).toContain(now)
        if (done.signal !== 'SIGKILL') {
          expect(now).toBe(after)
          break
        }
        kills += 1
      }
      expect(kills).toBeGreaterThan(5)
    },
  )

  test('prompt and plan take their places together', async () => {
    const folder = temporaryFolder()
    const { world, flow } = flowWith(folder, NAMES)
    const first = await assemblePrompt(world, flow, {})
    writeFile(flow.folder, 'ctx/evidence/400_more.evidence.md', 'More.\n')
    for (let at = 0; killedAt(folder, at, 'assemble').signal === 'SIGKILL'; at += 2) {
      await finishInterruptedChange(world, flow)
      const text = new TextDecoder().decode(
        world.files.read(join(flow.folder, 'build/prompt.mdctx')),
      )
      const plan = JSON.parse(
        new TextDecoder().decode(world.files.read(join(flow.folder, 'build/ctxplan.json'))),
      ) as typeof first.plan
      expect(plan.parts.length === first.plan.parts.length).toBe(text === first.text)
    }
  })
})

async function prepared(folder: string, command: string): Promise<FlowInFolder> {
  const it = flowWith(folder, NAMES)
  if (command === 'undo') await rebaseParts(it.world, it.flow)
  return it
}

/** What the folder holds before a command and after it, as text. */
async function bothSides(command: string): Promise<{ before: string; after: string }> {
  const folder = temporaryFolder()
  const { flow } = await prepared(folder, command)
  const before = JSON.stringify(contentsOf(flow))
  const done = killedAt(folder, 1_000_000, command)
  expect(done.status).toBe(0)
  const after = JSON.stringify(contentsOf(flow))
  expect(after).not.toBe(before)
  return { before, after }
}

describe('EV17 which flow', () => {
  test('the one that is named, else FLOW_DIR, else the last used', () => {
    const folder = temporaryFolder()
    const world = quietWorld(folder, { workingFolder: folder })
    const about = { policy: 'p', request: 'r' }
    expect(() => resolveFlow(world, undefined)).toThrow(
      expect.objectContaining({ code: 'POC_E_FLOW_MISSING' }),
    )
    const one = createFlow(world, { title: 'Fix the parser!', ...about })
    const two = createFlow(world, {
      title: 'Über größere Pläne, sehr lang und noch länger',
      ...about,
    })
    expect(one.id).toMatch(/^fix-the-parser-\d{8}T\d{6}$/)
    expect(resolveFlow(world, undefined).id).toBe(two.id)
    useFlow(world, one)
    expect(resolveFlow(world, undefined).id).toBe(one.id)
    expect(resolveFlow(world, 'über').id).toBe(two.id)
    expect(resolveFlow(world, two.folder).id).toBe(two.id)
    const told = quietWorld(folder, {
      workingFolder: folder,
      variable: (it) => (it === 'FLOW_DIR' ? two.folder : undefined),
    })
    expect(resolveFlow(told, undefined).id).toBe(two.id)
    expect(resolveFlow(told, one.id).id).toBe(one.id)
    expect(() => resolveFlow(world, 'fix-the-parsr')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(one.id) }),
    )
    expect(listFlows(world).map((it) => [it.id, it.isCurrent])).toEqual([
      [one.id, true],
      [two.id, false],
    ])
  })

  test('from a folder below, and with two flows of one second', () => {
    const folder = temporaryFolder()
    const world = quietWorld(folder, {
      workingFolder: folder,
      clock: { now: () => 0, recorded: () => 0 },
    })
    const about = { title: 'Same', policy: 'p', request: 'r' }
    const one = createFlow(world, about)
    const two = createFlow(world, about)
    expect(two.id).toBe(`${one.id}-2`)
    writeFile(folder, 'deep/er/file.txt', 'x')
    const below = quietWorld(folder, { workingFolder: join(folder, 'deep/er') })
    expect(resolveFlow(below, undefined)).toEqual(two)
  })
})
