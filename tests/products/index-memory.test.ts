/** What building an index takes of memory, which is much wherever the engine has its way. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyString } from '../../src/base/text.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const MEGABYTE = 1_000_000
/** Twice of what it takes; with grammars compiled the usual way it takes three times of this. */
const MOST_MEGABYTES = 1100

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dossier-memory-'))
  mkdirSync(join(folder, '.git'))
  for (const name of ['src', 'tests', 'bench', 'docs']) {
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true })
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('T0 grammars of many languages on several threads are compiled once', () => {
  const start = JSON.stringify(join(PROJECT, 'src', 'start.ts'))
  const script = `const { start } = await import(${start})
    const status = await start(['index', '--quiet', ${JSON.stringify(folder)}])
    process.stderr.write(JSON.stringify({ status, peak: process.resourceUsage().maxRSS / 1000 }))`
  const file = join(folder, 'peak.mjs')
  writeFileSync(file, script)
  const done = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  const { status, peak } = JSON.parse(done.stderr) as { status: number; peak: number }
  expect(status, done.stdout).toBe(0)
  expect(peak).toBeLessThan(MOST_MEGABYTES)
}, 120_000)

test('T0 a kept name does not keep the text that it is from', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  const names = Array.from({ length: 50 }, (_, at) => {
    const text = `${at} a name that is long enough`.padEnd(MEGABYTE, '.')
    return copyString(text.slice(0, 25))
  })
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * MEGABYTE)
  expect(names[7]).toBe('7 a name that is long eno')
  expect(copyString('short')).toBe('short')
})
