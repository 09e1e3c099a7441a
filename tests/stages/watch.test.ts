/** Watching a folder: W4. Real folders, the real system, and no more patience than needed. */
import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { pollingWatcher, systemWatcher, type Watcher } from '../../src/platform/watch.ts'
import { temporaryFolder, writeFile } from '../support/project.ts'

interface Seen {
  readonly batches: (readonly string[])[]
  readonly troubles: string[]
  /** Waits until every one of the paths was reported, and fails by the clock of the test. */
  until(...paths: readonly string[]): Promise<void>
  close(): Promise<void>
}

async function watch(
  folder: string,
  watcher: Watcher,
  ignore: readonly string[] = [],
): Promise<Seen> {
  const batches: (readonly string[])[] = []
  const troubles: string[] = []
  const watching = await watcher.watchFolder(folder, {
    onChanges: (paths) => batches.push(paths),
    onTrouble: (error) => troubles.push(error.message),
    ignore,
  })
  onTestFinished(() => watching.close())
  const until = async (...paths: readonly string[]): Promise<void> => {
    let seen = new Set(batches.flat())
    for (let at = 0; at < 1000 && paths.some((it) => !seen.has(it)); at += 1) {
      await sleep(10)
      seen = new Set(batches.flat())
    }
    expect([...seen]).toEqual(expect.arrayContaining([...paths]))
  }
  return { batches, troubles, until, close: () => watching.close() }
}

const WATCHERS = [
  { name: 'system', watcher: systemWatcher },
  { name: 'polling', watcher: pollingWatcher(50) },
] as const

for (const { name, watcher } of WATCHERS) {
  test(`W4 ${name}: what comes, changes and goes is told by its path`, async () => {
    const folder = temporaryFolder()
    writeFile(folder, 'src/old.ts', 'old')
    writeFile(folder, 'src/gone.ts', 'gone')
    const seen = await watch(folder, watcher)
    writeFile(folder, 'src/new file ü.ts', 'new')
    writeFile(folder, 'src/old.ts', 'longer')
    rmSync(join(folder, 'src/gone.ts'))
    await seen.until('src/new file ü.ts', 'src/old.ts', 'src/gone.ts')
    for (const batch of seen.batches) expect(batch).toEqual([...new Set(batch)].toSorted())
    expect(seen.troubles).toEqual([])
  })

  test(`W4 ${name}: nothing is told of folders that nobody wants to hear of`, async () => {
    const folder = temporaryFolder()
    const quiet = ['.git', 'node_modules', '.dossier', 'a/node_modules', 'out', 'pages/[id]']
    for (const it of quiet) writeFile(folder, `${it}/x/before`, '')
    const seen = await watch(folder, watcher, ['out', 'pages/[id]'])
    for (const it of quiet) writeFile(folder, `${it}/x/after`, '')
    writeFile(folder, 'b/node_modules/x/y', '')
    writeFile(folder, 'outer.txt', '')
    writeFile(folder, '.gitignore', '')
    await seen.until('outer.txt', '.gitignore')
    // Changes are reported in order: after the last one, those before it have been.
    writeFile(folder, 'last.txt', '')
    await seen.until('last.txt')
    const heard = [...new Set(seen.batches.flat())].filter((it) => it !== 'b')
    expect(heard.toSorted()).toEqual(['.gitignore', 'last.txt', 'outer.txt'])
  })

  test(`W4 ${name}: nothing is told after closing`, async () => {
    const folder = temporaryFolder()
    const seen = await watch(folder, watcher)
    writeFile(folder, 'a.txt', '')
    await seen.close()
    const before = seen.batches.length
    writeFile(folder, 'b.txt', '')
    await sleep(300)
    expect(seen.batches.length).toBe(before)
  })

  test(`W4 ${name}: a folder that is not there is an error at once`, async () => {
    const missing = join(temporaryFolder(), 'missing')
    const start = async (): Promise<unknown> =>
      watcher.watchFolder(missing, { onChanges: () => undefined, onTrouble: () => undefined })
    await expect(start()).rejects.toThrow('ENOENT')
  })
}

test('W4 a burst is a handful of calls, and every path of it is told', async () => {
  const folder = temporaryFolder()
  const seen = await watch(folder, systemWatcher)
  const names = Array.from({ length: 500 }, (_, at) => `f${at}.txt`)
  for (const it of names) writeFile(folder, it, it)
  await seen.until(...names)
  expect(seen.batches.length).toBeLessThan(10)
})

test('W4 a folder that was moved in is watched to its ground', async () => {
  const folder = temporaryFolder()
  const outside = temporaryFolder()
  writeFile(outside, 'in/deep/er/old.ts', 'old')
  const seen = await watch(folder, systemWatcher)
  renameSync(join(outside, 'in'), join(folder, 'in'))
  await seen.until('in')
  await sleep(300)
  writeFile(folder, 'in/deep/er/old.ts', 'changed')
  await seen.until('in/deep/er/old.ts')
  // Out, changed and in again: what was known of the first one must not stand in the way.
  renameSync(join(folder, 'in'), join(outside, 'in'))
  await sleep(300)
  renameSync(join(outside, 'in'), join(folder, 'in'))
  await sleep(300)
  writeFile(folder, 'in/deep/er/second.ts', 'new')
  await seen.until('in/deep/er/second.ts')
})

test('W4 folders made in one go are watched to their ground', async () => {
  const folder = temporaryFolder()
  const seen = await watch(folder, systemWatcher)
  mkdirSync(join(folder, 'a/b/c/d'), { recursive: true })
  await seen.until('a')
  await sleep(300)
  writeFile(folder, 'a/b/c/d/file.ts', '')
  await seen.until('a/b/c/d/file.ts')
})

test('W4 a folder can be watched through a link, and links in it are not followed', async () => {
  const folder = temporaryFolder()
  const outside = temporaryFolder()
  const link = join(outside, 'link')
  symlinkSync(folder, link)
  writeFile(outside, 'target/x.txt', '')
  symlinkSync(join(outside, 'target'), join(folder, 'out'))
  const seen = await watch(link, systemWatcher)
  writeFile(outside, 'target/x.txt', 'changed')
  writeFile(folder, 'in.txt', '')
  await seen.until('in.txt')
  expect(seen.batches.flat()).toEqual(['in.txt'])
})

test.skipIf(process.platform !== 'linux')(
  'W4 where the system has no watch left, the folder is looked at every two seconds',
  async () => {
    const folder = temporaryFolder()
    writeFile(folder, 'a.txt', '')
    // All file descriptors of a process are taken until watching has begun.
    const script = `
      import { closeSync, openSync, writeFileSync } from 'node:fs'
      import '@parcel/watcher'
      import { systemWatcher } from ${JSON.stringify(join(import.meta.dirname, '../../src/platform/watch.ts'))}
      const taken = []
      try { for (;;) taken.push(openSync('/dev/null')) } catch {}
      closeSync(taken.pop())
      let watching
      watching = await systemWatcher.watchFolder(${JSON.stringify(folder)}, {
        onChanges: async (paths) => { console.log('changes', paths.join()); await watching.close() },
        onTrouble: (error) => console.log('trouble', error.message),
      })
      for (const it of taken) closeSync(it)
      writeFileSync(${JSON.stringify(join(folder, 'b.txt'))}, 'b')`
    const child = spawn(
      'sh',
      ['-c', 'ulimit -n 128; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { cwd: join(import.meta.dirname, '../..') },
    )
    let said = ''
    child.stdout.on('data', (data) => (said += String(data)))
    child.stderr.on('data', (data) => (said += String(data)))
    await new Promise((resolve) => child.on('close', resolve))
    expect(said).toMatch(/^trouble .*scanning every 2 s instead\nchanges .*b\.txt\n$/)
    expect(said).toContain(basename(folder))
  },
)
