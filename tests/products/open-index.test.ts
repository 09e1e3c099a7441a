/** Indexes that a server keeps open: one state for each question, and never a former one. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildCodeIndex } from '../../src/packs/index/code-index.ts'
import { keepIndexesOpen, withCodeIndex } from '../../src/packs/index/with-code-index.ts'
import type { World } from '../../src/platform/world.ts'
import { indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { onDisk, writeFile } from '../support/project.ts'

const PROJECT = `
//- a.ts
export const one = 1
`

function servingWorld(folder: string, changes: Partial<World> = {}): World {
  const world = threadlessWorld(folder, changes)
  const kept = keepIndexesOpen(world)
  onTestFinished(() => kept.close())
  return world
}

test('PK13 a question sees one state, whoever asks or writes meanwhile', async () => {
  const folder = onDisk(PROJECT)
  const { signature: before } = await indexIn(folder)
  const world = servingWorld(folder)
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const wish = { path: '.', isFresh: false }
  const first = withCodeIndex(world, wish, async ({ index }) => {
    const seen = [await index.signature()]
    entered.resolve()
    await gate.promise
    return [...seen, await index.signature(), String((await index.files()).length)]
  })
  await entered.promise
  writeFile(folder, 'b.ts', 'export const two = 2\n')
  const { signature: after } = await indexIn(folder)
  const second = withCodeIndex(world, wish, ({ index }) => index.signature())
  // Time enough for the second to come between, if it could.
  await new Promise((resolve) => setTimeout(resolve, 50))
  gate.resolve()
  expect(await first).toEqual([before, before, '1'])
  expect(await second).toBe(after)
  expect(after).not.toBe(before)
})

test('T1 files are looked at for every question, whatever the clock says', async () => {
  const folder = onDisk(PROJECT)
  let now = 1_000_000_000_000
  const clock = { now: () => now, recorded: (it: number) => it }
  const world = servingWorld(folder, { clock })
  const count = (): Promise<number> =>
    withCodeIndex(
      world,
      { path: '.', isFresh: true },
      async ({ index }) => (await index.files()).length,
    )
  expect(await count()).toBe(1)
  writeFile(folder, 'b.ts', 'export const two = 2\n')
  expect(await count()).toBe(2)
  writeFile(folder, 'c.ts', 'export const three = 3\n')
  now -= 3_600_000
  expect(await count()).toBe(3)
})

test('T1 an index with vectors is trusted only after an update of this session', async () => {
  const folder = onDisk(PROJECT)
  const world = servingWorld(folder)
  const wish = { path: '.', isFresh: true }
  await buildCodeIndex(world, { path: '.', embed: 'self' })
  const count = (): Promise<number> =>
    withCodeIndex(world, wish, async ({ index }) => (await index.files()).length)
  expect([await count(), await count()]).toEqual([1, 1])
  writeFile(folder, 'b.ts', 'export const two = 2\n')
  expect([await count(), await count()]).toEqual([2, 2])
  writeFile(folder, 'b.ts', 'export const six = 6\n')
  const names = await withCodeIndex(world, wish, async ({ index }) =>
    (await index.chunksInFiles(['b.ts'])).map((it) => it.text),
  )
  expect(names.join()).toContain('six')
})

test('PK13 a question that fails leaves the next one unharmed', async () => {
  const folder = onDisk(PROJECT)
  const world = servingWorld(folder)
  const wish = { path: '.', isFresh: false }
  const ask = (): Promise<string> => withCodeIndex(world, wish, ({ index }) => index.signature())
  await expect(ask()).rejects.toMatchObject({ code: 'POC_E_INDEX_MISSING' })
  const { signature } = await indexIn(folder)
  expect(await ask()).toBe(signature)
  const failing = withCodeIndex(world, wish, () => Promise.reject(new Error('on purpose')))
  await expect(failing).rejects.toThrow('on purpose')
  expect(await ask()).toBe(signature)
  rmSync(join(folder, '.dossier'), { recursive: true })
  writeFile(folder, 'b.ts', 'export const two = 2\n')
  const fresh = withCodeIndex(world, { ...wish, isFresh: true }, ({ index }) => index.signature())
  expect(await fresh).not.toBe(signature)
})
