/** Which repository a command means, and what its status says of it: PK15, C10. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { write } from './support/folder.ts'
import { harborFolder, indexedHarbor, placesOf } from './support/harbor.ts'
import { dossier, type Finished, json } from './support/program.ts'

function run(folder: string, ...args: readonly string[]): Promise<Finished> {
  return dossier(args, { cwd: folder })
}

test('PK15 in a folder below, the index above is meant, and a path from there', async () => {
  const folder = await indexedHarbor()
  const below = join(folder, 'src')
  write(folder, { 'berths.ts': 'export const decoy = 1\n' })
  const found = json<ContextPack>(
    await run(below, 'pack', 'berth', '--focus', 'berths.ts:1', '--json'),
  )
  expect(found.request.focus).toEqual({ fileRelPath: 'src/berths.ts', line: 1 })
  const fromTheTop = json<ContextPack>(
    await run(below, 'pack', 'berth', '--focus', 'src/berths.ts', '--json'),
  )
  expect(fromTheTop.request.focus).toEqual({ fileRelPath: 'src/berths.ts' })
  expect(json(await run(below, 'status', '--json'))).toMatchObject({ root: folder })
  expect(json(await run(below, 'index', '--json'))).toMatchObject({ root: folder })
  expect(existsSync(join(below, '.dossier'))).toBe(false)
  const own = json<ContextPack>(await run(below, 'pack', 'berth', '.', '--json'))
  expect(placesOf(own)).toContain('berths.ts')
  expect(existsSync(join(below, '.dossier', 'index.db'))).toBe(true)
  expect(json(await run(below, 'status', '--json'))).toMatchObject({ root: below })
})

test('PK15 without an index, the git repository is meant, but where it ignores us', async () => {
  const folder = harborFolder()
  write(folder, { '.git/HEAD': 'ref: refs/heads/main\n', '.gitignore': '/out\n' })
  write(folder, { 'out/berths.ts': 'export const built = 1\n' })
  const [below, ignored] = [join(folder, 'src'), join(folder, 'out')]
  const own = json<ContextPack>(await run(ignored, 'pack', 'berth', '--json'))
  expect(placesOf(own)).toContain('berths.ts')
  rmSync(join(ignored, '.dossier'), { recursive: true })
  expect(json(await run(below, 'status', '--json'))).toMatchObject({
    error: { code: 'POC_E_INDEX_MISSING', message: `there is no index of ${folder}` },
  })
  const whole = json<ContextPack>(await run(below, 'pack', 'berth', '--json'))
  expect(placesOf(whole)).toContain('src/berths.ts')
  expect(existsSync(join(below, '.dossier'))).toBe(false)
  rmSync(join(folder, '.dossier'), { recursive: true })
  expect(json(await run(below, 'index', '--json'))).toMatchObject({ root: folder })
  expect(json(await run(below, 'index', '.', '--json'))).toMatchObject({ root: below })
})

test('C10 the status says what the index was narrowed to', async () => {
  const folder = harborFolder()
  await run(folder, 'index')
  expect((await run(folder, 'status')).stdout).not.toMatch(/include|exclude|scip|embed/)
  await run(folder, 'index', '--include', 'src/**', '--include', '*.md', '--exclude', 'out\u001b')
  await run(folder, 'pack', 'berth')
  const { stdout } = await run(folder, 'status')
  expect(stdout).toMatch(/^ {2}include {5}src\/\*\*, \*\.md$/m)
  expect(stdout).toMatch(/^ {2}exclude {5}out\S*$/m)
  expect(stdout).not.toContain('\u001b')
  await run(folder, 'index', '--embed', 'self')
  expect((await run(folder, 'status')).stdout).toMatch(/^ {2}embed {7}self$/m)
})
