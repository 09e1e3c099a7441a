/** Whatever kills an index that is being made, the last state stays and the next run completes: P5. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCodeIndex } from '../../src/packs/index/code-index.ts'
import { EditedFolder } from '../support/edited-folder.ts'
import {
  furtherStatement,
  type GeneratedFiles,
  repositories,
  type Statements,
} from '../support/generated-repository.ts'
import { dumpOf } from '../support/indexed-folder.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'
import { newFolder, removeFolder } from '../surfaces/support/folder.ts'
import { dossier, type ErrorJson, json, startDossier } from '../surfaces/support/program.ts'

const { seed } = runs(1)

const BEFORE: GeneratedFiles = fc
  .sample(repositories, { numRuns: 32, seed })
  .flatMap((files, part) =>
    files.map(([path, statements]) => [`part${part}/${path}`, statements] as const),
  )
/** Every other file is changed. */
const AFTER: GeneratedFiles = BEFORE.map(([path, statements], at) => [
  path,
  at % 2 === 0 ? statements : [...statements, furtherStatement(path, at)],
])

let edited: EditedFolder
/** What builds from scratch say of both states, and how long a build takes here. */
let dumps: readonly string[]
let wholeMs = 0
let fileCount = 0

beforeAll(async () => {
  dumps = [await fromScratch(BEFORE), await fromScratch(AFTER)]
  edited = new EditedFolder(newFolder(), BEFORE)
  const startedAt = performance.now()
  const done = await dossier(['index', '--json', '--quiet'], { cwd: edited.folder })
  wholeMs = performance.now() - startedAt
  fileCount = json<StatusJson>(done).files
  expect(fileCount).toBeGreaterThan(250)
  expect(await dumpOf(edited.folder)).toBe(dumps[0])
})

afterAll(() => removeFolder(edited.folder))

async function fromScratch(files: GeneratedFiles): Promise<string> {
  const { folder } = new EditedFolder(newFolder(), files)
  await buildCodeIndex(quietWorld(folder), { path: '.' })
  const dump = await dumpOf(folder)
  removeFolder(folder)
  return dump
}

function put(path: string, statements: Statements): void {
  edited.apply({ kind: 'write', file: path, statements })
}

interface StatusJson {
  readonly files: number
  readonly signature: string
}

const PERCENT = fc.noBias(fc.integer({ min: 25, max: 100 }))
const MOMENTS = fc.sample(PERCENT, { numRuns: 8, seed })
const ROUNDS = MOMENTS.map((moment, round) => ({ round, moment, isFirst: round % 4 === 3 }))

test.each(ROUNDS)('P5 round $round, first build: $isFirst, killed at $moment %', async (it) => {
  const [before, after] = it.round % 2 === 0 ? dumps : dumps.toReversed()
  if (it.isFirst) rmSync(join(edited.folder, '.dossier'), { recursive: true })
  const target = it.round % 2 === 0 ? AFTER : BEFORE
  for (const [path, statements] of target) put(path, statements)

  const running = startDossier(['index', '--quiet'], { cwd: edited.folder })
  await pause((wholeMs * it.moment) / 100)
  running.child.kill('SIGKILL')
  const { signal, stderr } = await running.finished

  const status = await dossier(['status', '--json'], { cwd: edited.folder })
  if (signal === null || status.status === 0) {
    const { files, signature } = json<StatusJson>(status)
    expect(files, `${stderr}${status.stdout}`).toBe(fileCount)
    // All of the old state, or, if it came too late, all of the new one.
    expect([before, after].map(signatureIn)).toContain(signature)
  } else {
    expect(it.isFirst, status.stderr).toBe(true)
    expect(json<ErrorJson>(status).error.code).toBe('POC_E_INDEX_MISSING')
  }

  await buildCodeIndex(quietWorld(edited.folder), { path: '.' })
  expect(await dumpOf(edited.folder)).toBe(after)
  const names = readdirSync(join(edited.folder, '.dossier'))
  expect(names.filter((name) => name.includes('tmp'))).toEqual([])
})

function signatureIn(dump = ''): string {
  return /^index \["(\w+)"/.exec(dump)?.[1] ?? ''
}
