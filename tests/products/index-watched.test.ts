/** Following what a watcher reports gives the index of the files as they are: P2. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildCodeIndex } from '../../src/packs/index/code-index.ts'
import { watchCodeIndex } from '../../src/packs/index/watch-index.ts'
import type { WatchListener } from '../../src/platform/watch.ts'
import type { World } from '../../src/platform/world.ts'
import { CHAIN, chain, expectAsFromScratch } from '../support/chain.ts'
import { EditedFolder } from '../support/edited-folder.ts'
import { bursts, repositories } from '../support/generated-repository.ts'
import { threadlessWorld } from '../support/indexed-folder.ts'
import { temporaryFolder, withFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

describe('P2 while it is watched', () => {
  test('P2 following what a watcher reports gives what a build from scratch gives', async (it) => {
    let compared = 0
    const property = fc.asyncProperty(
      repositories,
      bursts(4),
      fc.boolean(),
      (files, edits, isCoarse) =>
        withFolder(async (folder) => {
          const edited = new EditedFolder(folder, files)
          const following = followed(folder)
          try {
            await following.updates.next()
            for (const [at, burst] of edits.entries()) {
              const paths = burst.flatMap((edit) => edited.apply(edit))
              // Always something to read: an update that found nothing to do is not told of.
              const statements = [`Burst ${at}.`]
              edited.apply({ kind: 'write', file: 'burst.md', statements })
              following.tell([...(isCoarse ? paths.map(folderOrSelf) : paths), 'burst.md'])
              const outcome = await following.updates.next()
              await expectAsFromScratch(edited, outcome.value?.signature)
              compared += 1
            }
          } finally {
            await following.end()
          }
        }),
    )
    await fc.assert(property, runs(30))
    await it.annotate(`${compared} states compared, seed ${runs(1).seed}`)
    expect(compared).toBeGreaterThan(30)
  })

  test('P2 rules that have changed hold for what is reported later', async () => {
    const edited = new EditedFolder(temporaryFolder(), [['src/a.ts', ['export const a = 1']]])
    const { updates, tell, end } = followed(edited.folder)
    try {
      await updates.next()
      edited.apply({ kind: 'write', file: 'src/b.ts', statements: ['export const b = 1'] })
      tell(['src/b.ts'])
      await updates.next()
      edited.apply({ kind: 'write', file: '.gitignore', statements: ['b.ts'] })
      tell(['.gitignore'])
      await updates.next()
      await expectAsFromScratch(edited)
      for (const file of ['src/a.ts', 'src/b.ts'])
        edited.apply({ kind: 'write', file, statements: ['export const again = 2'] })
      tell(['src/a.ts', 'src/b.ts'])
      await updates.next()
      await expectAsFromScratch(edited)
    } finally {
      await end()
    }
  })

  test('P2 by force, everything is read again once, not with every change', async () => {
    const edited = await chain()
    const { updates, tell, end } = followed(edited.folder, undefined, true)
    try {
      expect((await updates.next()).value).toMatchObject({ read: 14 })
      edited.apply({ kind: 'write', file: 'a1.ts', statements: ['export const again = 2'] })
      tell(['a1.ts'])
      expect((await updates.next()).value).toMatchObject({ read: 1 })
    } finally {
      await end()
    }
  })

  test.each([
    ['removed', (folder: string) => rmSync(join(folder, '.dossier'), { recursive: true })],
    [
      'replaced',
      (folder: string) => buildCodeIndex(quietWorld(folder), { path: '.', force: true }),
    ],
  ])('P2 an index that is %s meanwhile is followed in its place', async (_, interfere) => {
    const statements = ['export const again = 2']
    const edited = new EditedFolder(temporaryFolder(), CHAIN)
    const { updates, tell, end } = followed(edited.folder)
    try {
      await updates.next()
      for (const file of ['a1.ts', 'a2.ts', 'a3.ts']) {
        edited.apply({ kind: 'write', file, statements })
        tell([file])
        await updates.next()
        await expectAsFromScratch(edited)
        await interfere(edited.folder)
      }
    } finally {
      await end()
    }
  })

  test('P2 the same with the watcher of the system', async () => {
    const edited = new EditedFolder(temporaryFolder(), CHAIN)
    const { updates, end } = followed(edited.folder, {})
    try {
      await updates.next()
      edited.apply({
        kind: 'write',
        file: 'new/deep/d.ts',
        statements: ["export * from '../../a0'"],
      })
      edited.apply({ kind: 'body', at: 3, value: 7 })
      edited.apply({ kind: 'delete', at: 0 })
      await expectSoon(edited, updates)
      edited.apply({ kind: 'rename-folder', at: 11, to: 'moved' })
      edited.apply({ kind: 'write', file: '.gitignore', statements: ['a3.ts'] })
      await expectSoon(edited, updates)
    } finally {
      await end()
    }
  })
})

type Updates = ReturnType<typeof watchCodeIndex>

/** A burst may come as several; it is over when the index is what it has to be. */
async function expectSoon(edited: EditedFolder, updates: Updates): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const isTold = await Promise.race([updates.next().then(() => true), pause(5000, false)])
    if (!isTold) break
    const isEqual = await expectAsFromScratch(edited).then(
      () => true,
      () => false,
    )
    if (isEqual) return
  }
  await expectAsFromScratch(edited)
}

/** Watched by hand, unless told otherwise. */
function followed(folder: string, changes?: Partial<World>, force = false) {
  const over = new AbortController()
  let listener: WatchListener | undefined
  const watcher: World['watcher'] = {
    watchFolder: (_, given) => {
      listener = given
      return Promise.resolve({ close: () => Promise.resolve() })
    },
  }
  const world = threadlessWorld(folder, { signal: over.signal, watcher, ...changes })
  const updates = watchCodeIndex(
    changes === undefined ? world : { ...world, watcher: quietWorld(folder).watcher },
    { path: '.', force },
  )
  return {
    updates,
    tell: (paths: readonly string[]) => listener?.onChanges([...new Set(paths)].toSorted()),
    end: async () => {
      over.abort()
      await updates.return(undefined)
    },
  }
}

function folderOrSelf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path
}
