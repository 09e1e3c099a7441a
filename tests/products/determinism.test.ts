/** Same documents, same bytes: B2. */
import { spawnSync } from 'node:child_process'
import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/platform/clock.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { startThread } from '../../src/platform/thread.ts'
import {
  build,
  canonicalDatabase,
  canonicalPack,
  databasePath,
  packPath,
  sync,
} from '../support/pack.ts'
import { temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

const DOCUMENTS = [
  ['README.md', '# Read\n\nme\n'],
  ['_ctx/agent.md', '# Agent\n'],
  ['agent.md', '# Agent\n\ntwo\n'],
  ['docs/ärger.md', '# Ärger\n\ntext\n'],
  ['docs/zebra.md', '# Zebra\n'],
  ['docs/Istanbul.md', '# IİIı\n'],
  ['docs/deep/10.md', '# 10\n'],
  ['docs/deep/9.md', '# 9\n'],
] as const

/** The files of any folder come back in another order. */
function shuffledFiles(order: readonly number[]): Files {
  return {
    ...realFiles,
    list: (folder) =>
      realFiles
        .list(folder)
        .map((entry, at) => ({ entry, key: order[at % order.length] ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map((it) => it.entry),
  }
}

describe('B2 canonical bytes', () => {
  test('B2 any order of creation, any order of listing', async () => {
    const all = fc.shuffledSubarray([...DOCUMENTS], { minLength: DOCUMENTS.length })
    const order = fc.array(fc.nat(), { minLength: 8, maxLength: 8 })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(all, order, async (documents, keys) => {
        await withFolder(async (above) => {
          const folder = join(above, 'segment')
          for (const [path, text] of documents) writeFile(folder, path, text)
          await build(quietWorld(folder, { files: shuffledFiles(keys) }))
          seen.add(canonicalPack(packPath(folder)))
        })
      }),
      runs(25),
    )
    expect(seen.size).toBe(1)
  })

  test('B2 two builds of the same folder', async () => {
    const folder = temporaryFolder()
    for (const [path, text] of DOCUMENTS) writeFile(folder, path, text)
    await build(quietWorld(folder))
    const before = [canonicalPack(packPath(folder)), canonicalDatabase(databasePath(folder))]
    await build(quietWorld(folder))
    const after = [canonicalPack(packPath(folder)), canonicalDatabase(databasePath(folder))]
    expect(after).toEqual(before)
  })

  test('B2 documents are in code-unit order of their paths', async () => {
    const folder = temporaryFolder()
    for (const [path, text] of DOCUMENTS) writeFile(folder, path, text)
    await build(quietWorld(folder))
    const pack = JSON.parse(readFileSync(packPath(folder), 'utf8')) as {
      readonly docs: readonly { readonly file: string }[]
    }
    expect(pack.docs.map((it) => it.file)).toEqual([
      'README.md',
      '_ctx/agent.md',
      'agent.md',
      'docs/Istanbul.md',
      'docs/deep/10.md',
      'docs/deep/9.md',
      'docs/zebra.md',
      'docs/ärger.md',
    ])
  })

  test('B2 any locale and time zone', () => {
    const folder = temporaryFolder()
    for (const [path, text] of DOCUMENTS) writeFile(folder, path, text)
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
    const packs = [
      { LC_ALL: 'C', TZ: 'UTC' },
      { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' },
      { LC_ALL: 'sv_SE.UTF-8', LANG: 'sv_SE.UTF-8', TZ: 'America/New_York' },
    ].map((env) => {
      const run = spawnSync(process.execPath, [main, 'ctx', 'build', '--quiet'], {
        cwd: folder,
        env: { ...process.env, ...env, SOURCE_DATE_EPOCH: '1700000000' },
        encoding: 'utf8',
      })
      expect(run.stderr).toBe('')
      return readFileSync(packPath(folder), 'utf8')
    })
    expect(new Set(packs).size).toBe(1)
  })

  test('B2 with a writer thread and without', async () => {
    const folder = temporaryFolder()
    const page = Array.from(
      { length: 60 },
      (_, at) => `## Part ${at}\n\n${'some words '.repeat(90)}\n`,
    )
    for (let at = 0; at < 80; at += 1) {
      writeFile(folder, `page-${at}.md`, `# Page ${at}\n\n${page.join('\n')}`)
    }
    await build(quietWorld(folder))
    const alone = [canonicalPack(packPath(folder)), canonicalDatabase(databasePath(folder))]
    let started = 0
    const writerThread = (): ReturnType<typeof startThread> => {
      started += 1
      return startThread(new URL('../../src/worker.ts', import.meta.url))
    }
    await build(quietWorld(folder, { writerThread }))
    const together = [canonicalPack(packPath(folder)), canonicalDatabase(databasePath(folder))]
    expect(started).toBe(1)
    expect(together.map(digestOf)).toEqual(alone.map(digestOf))
  })
})

/** Five megabytes that differ would fill the report. */
function digestOf(text: string): string {
  return `${text.length} ${Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7)}`
}

describe('B2 with SOURCE_DATE_EPOCH', () => {
  test('B2 the whole file is the same, whatever the times of the documents', async () => {
    const clock = createSystemClock('1700000000')
    const folder = temporaryFolder()
    for (const [path, text] of DOCUMENTS) writeFile(folder, path, text)
    await build(quietWorld(folder, { clock }))
    const before = readFileSync(packPath(folder))
    for (const [path] of DOCUMENTS) utimesSync(join(folder, path), 1_600_000_000, 1_600_000_000)
    await build(quietWorld(folder, { clock }))
    expect(readFileSync(packPath(folder)).equals(before)).toBe(true)
    expect(before.toString()).toContain('"created_at": "2023-11-14T22:13:20.000Z"')
  })

  test('B2 an incremental build gives that very file too', async () => {
    const clock = createSystemClock('1700000000')
    const folder = temporaryFolder()
    for (const [path, text] of DOCUMENTS) writeFile(folder, path, text)
    await build(quietWorld(folder, { clock }))
    writeFile(folder, 'docs/zebra.md', '# Other\n')
    await sync(quietWorld(folder, { clock }))
    const incremental = readFileSync(packPath(folder))
    await build(quietWorld(folder, { clock }))
    expect(readFileSync(packPath(folder)).equals(incremental)).toBe(true)
  })

  test.each(['', undefined])('B2 %j is no time, and the clock’s own is written', (value) => {
    expect(createSystemClock(value).recorded(5)).toBe(5)
  })

  test.each(['abc', '-1', '1.5', '1e99'])('B2 %s is refused', (value) => {
    expect(() => createSystemClock(value)).toThrow(
      expect.objectContaining({ code: 'POC_E_REQUEST_INVALID' }),
    )
  })
})
