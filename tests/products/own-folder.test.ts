/** What is made in a repository is not its owner's to commit, unless they say so. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFlow } from '../../src/evidence/flows.ts'
import { buildCodeIndex } from '../../src/packs/index/code-index.ts'
import { onDisk } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

const FLOW = { title: 'x', policy: 'p', request: 'r' }
const PROJECT = '\n//- a.ts\nexport const a = 1\n'

test('C6 the folder of an index and of flows ignores itself', async () => {
  const [one, two] = [onDisk(PROJECT), onDisk(PROJECT)]
  await buildCodeIndex(quietWorld(one), { path: '.' })
  createFlow(quietWorld(two), FLOW)
  for (const folder of [one, two]) {
    expect(readFileSync(join(folder, '.dossier', '.gitignore'), 'utf8')).toMatch(/^\*$/m)
  }
})

test('C6 one that is there is left as it is', () => {
  const folder = onDisk(PROJECT)
  mkdirSync(join(folder, '.dossier'))
  createFlow(quietWorld(folder), FLOW)
  expect(readdirSync(join(folder, '.dossier'))).toEqual(['flows'])
})
