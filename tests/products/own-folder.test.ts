/** What is made in a repository is not its owner's to commit, unless they say so. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFlow } from '../../src/evidence/flows.ts'
import { buildCodeIndex } from '../../src/packs/index/code-index.ts'
import { dumpOf } from '../support/indexed-folder.ts'
import { build } from '../support/pack.ts'
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

test('W2 a pack of documentation is not indexed, and what lies beside it is', async () => {
  const folder = onDisk(`${PROJECT}
//- docs/guide.md
# Guide

How to moor a ship.
//- docs/_ctx/agent.md
# Agent

Written by a person.
//- other/_ctx/context_pack.json
{ "schema_version": 1, "generator_version": "somebody else's" }
`)
  await build(quietWorld(folder), { segment: 'docs' })
  await build(quietWorld(folder), { segment: 'docs', output: 'elsewhere/pack.json' })
  const outcome = await buildCodeIndex(quietWorld(folder), { path: '.' })
  const left = outcome.skipped.map(({ path, code }) => `${path} ${code}`)
  expect(left).toEqual([
    'docs/_ctx/context.db binary',
    'docs/_ctx/context_pack.json generated',
    'elsewhere/pack.db binary',
    'elsewhere/pack.json generated',
  ])
  const paths = [...(await dumpOf(folder)).matchAll(/^chunk \["([^"]+)"/gm)].map(([, it]) => it)
  expect([...new Set(paths)]).toEqual([
    'a.ts',
    'docs/_ctx/agent.md',
    'docs/guide.md',
    'other/_ctx/context_pack.json',
  ])
})

test('C6 one that is there is left as it is', () => {
  const folder = onDisk(PROJECT)
  mkdirSync(join(folder, '.dossier'))
  createFlow(quietWorld(folder), FLOW)
  expect(readdirSync(join(folder, '.dossier'))).toEqual(['flows'])
})
