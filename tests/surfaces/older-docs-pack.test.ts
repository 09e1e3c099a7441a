/** T10: packs of versions whose chunk ids hashed a final newline are read, and rebuilt by sync. */
import { describe, expect, test } from 'vitest'
import { makeOlder } from '../support/older-pack.ts'
import { readPack } from '../support/pack.ts'
import { recomputedIds } from '../support/recomputed-ids.ts'
import { folderWith, GUIDE } from './support/folder.ts'
import { dossier } from './support/program.ts'

const GUIDE_IDS = ['guide:177d0e2d57', 'guide:240ea17a16']

async function builtFolder(): Promise<string> {
  const folder = folderWith({ 'guide.md': GUIDE })
  expect((await dossier(['ctx', 'build'], { cwd: folder })).status).toBe(0)
  return folder
}

describe('T10 a pack with older ids', () => {
  test('T10 is rebuilt whole by sync, with a notice, and is then valid', async () => {
    const folder = await builtFolder()
    expect(makeOlder(folder)).toEqual(GUIDE_IDS)
    const checked = await dossier(['ctx', 'validate'], { cwd: folder })
    expect(checked).toMatchObject({ status: 1 })
    expect(checked.stdout).toMatch(/^FAIL {2}ids .*\n {8}guide:177d0e2d57 /m)
    const synced = await dossier(['ctx', 'sync'], { cwd: folder })
    expect(synced.stdout).toContain('written 2 chunks from 1 document')
    expect(synced).toMatchObject({
      status: 0,
      stderr: 'Rebuilding the whole pack: its chunk ids have an older format\n',
    })
    const pack = readPack(folder)
    expect(pack.chunks.map((it) => it.id)).toEqual(recomputedIds(pack))
    expect(pack.chunks.map((it) => it.id)).not.toEqual(GUIDE_IDS)
    expect(await dossier(['ctx', 'validate'], { cwd: folder })).toMatchObject({ status: 0 })
    const again = await dossier(['ctx', 'sync'], { cwd: folder })
    expect(again).toMatchObject({ status: 0, stderr: '' })
    expect(again.stdout).toContain('up to date')
  })

  test('T10 answers by its older ids, with a hint to sync', async () => {
    const folder = await builtFolder()
    const [, id = ''] = makeOlder(folder)
    const got = await dossier(['ctx', 'get', '--ids', id], { cwd: folder })
    expect(got.stdout).toContain('A title path names a section')
    expect(got).toMatchObject({
      status: 0,
      stderr:
        'the chunk ids of this pack have an older format; `dossier ctx sync` rebuilds it with the current ones\n',
    })
  })
})
