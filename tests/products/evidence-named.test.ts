/** Evidence that is named and no file: sections of docs packs and notes, by their ids. EV2, EV13. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseEvidence } from '../../src/evidence/evidence-text.ts'
import { listParts } from '../../src/evidence/parts.ts'
import type { Flow } from '../../src/model/evidence.ts'
import { addEvidence } from '../../src/packs/evidence/evidence-add.ts'
import { checkFreshness, refreshEvidence } from '../../src/packs/evidence/evidence-refresh.ts'
import { importNotes } from '../../src/packs/notes/notes-import.ts'
import type { World } from '../../src/platform/world.ts'
import { flowWith } from '../support/flow.ts'
import { makeOlder } from '../support/older-pack.ts'
import { build, databasePath, readPack, sync } from '../support/pack.ts'
import { onDisk, writeFile } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

function add(world: World, flow: Flow, ...selectors: readonly string[]) {
  return addEvidence(world, flow, { selectors, isLinked: false })
}

/** Title, tags and text of all evidence, in its order. */
function pieces(world: World, flow: Flow): readonly unknown[] {
  return listParts(world.files, flow)
    .parts.filter((it) => it.role === 'evidence')
    .map((it) => {
      const text = readFileSync(join(flow.folder, it.path), 'utf8')
      const { title, provenance, body } = parseEvidence(text)
      return [title, provenance?.tags, body]
    })
}

describe('EV2 documents', () => {
  const PROJECT = `
//- README.md
# Harbor
//- docs/berths.md
# Berths

Forty of them.
//- handbook/tides.md
# Tides

Twice a day.
`

  /** With a pack of each folder, of which the second was built from the inside. */
  async function place() {
    const folder = onDisk(PROJECT)
    await build(quietWorld(folder), { segment: 'docs' })
    await build(quietWorld(join(folder, 'handbook')))
    const idOf = (segment: string) => `doc:${readPack(join(folder, segment)).chunks[0]?.id}`
    return { ...flowWith(folder, []), folder, berths: idOf('docs'), tides: idOf('handbook') }
  }

  test('EV2 a section is found in whichever pack has it, from any folder', async () => {
    const { world, flow, folder, berths, tides } = await place()
    await add({ ...world, workingFolder: join(folder, 'handbook') }, flow, `${berths}#old`)
    await add(world, flow, tides)
    expect(pieces(world, flow)).toEqual([
      ['docs/berths.md (Berths)', ['old'], '# Berths\n\nForty of them.\n'],
      ['handbook/tides.md (Tides)', [], '# Tides\n\nTwice a day.\n'],
    ])
    expect(await checkFreshness(world, flow, { targets: [] })).toMatchObject([
      { status: 'same' },
      { status: 'same' },
    ])
  })

  test('EV13 a section that has changed is found by its title, once the pack says so', async () => {
    const { world, flow, folder, berths } = await place()
    await add(world, flow, berths)
    const all = { targets: [] }
    writeFile(folder, 'docs/berths.md', '# Berths\n\nForty-one of them.\n')
    const before = pieces(world, flow)
    const stale = 'docs/berths.md has changed since its docs pack was built'
    expect(await refreshEvidence(world, flow, all)).toMatchObject([{ trouble: stale }])
    await expect(add(world, flow, berths)).rejects.toMatchObject({
      code: 'POC_E_PACK_STALE',
      hint: 'run `dossier ctx sync --segment docs`',
    })
    expect(pieces(world, flow)).toEqual(before)
    await sync(quietWorld(folder), { segment: 'docs' })
    expect(await refreshEvidence(world, flow, all)).toMatchObject([{ status: 'changed' }])
    expect(pieces(world, flow)).toEqual([
      ['docs/berths.md (Berths)', [], '# Berths\n\nForty-one of them.\n'],
    ])
    expect(await checkFreshness(world, flow, all)).toMatchObject([{ status: 'same' }])
    rmSync(databasePath(join(folder, 'docs')))
    expect(await checkFreshness(world, flow, all)).toMatchObject([{ status: 'same' }])
  })

  test('T10 a section that was picked by an older id is found by its titles after a sync', async () => {
    const { world, flow, folder } = await place()
    const [older = ''] = makeOlder(join(folder, 'docs'))
    await add(world, flow, `doc:${older}`)
    await sync(quietWorld(folder), { segment: 'docs' })
    expect(readPack(join(folder, 'docs')).chunks.map((it) => it.id)).not.toContain(older)
    const all = { targets: [] }
    expect(await checkFreshness(world, flow, all)).toMatchObject([{ status: 'same' }])
    writeFile(folder, 'docs/berths.md', '# Berths\n\nForty-one of them.\n')
    await sync(quietWorld(folder), { segment: 'docs' })
    expect(await refreshEvidence(world, flow, all)).toMatchObject([{ status: 'changed' }])
    expect(pieces(world, flow)).toEqual([
      ['docs/berths.md (Berths)', [], '# Berths\n\nForty-one of them.\n'],
    ])
  })

  test('EV2 what no pack has, and that there is none, are two errors', async () => {
    const { world, flow } = await place()
    await expect(add(world, flow, 'doc:berths:0123456789')).rejects.toMatchObject({
      code: 'POC_E_CHUNK_UNKNOWN',
    })
    const bare = flowWith(onDisk('//- a.md\n# A\n'), [])
    await expect(add(bare.world, bare.flow, 'doc:a:0123456789')).rejects.toMatchObject({
      code: 'POC_E_PACK_MISSING',
      hint: expect.stringContaining('--segment'),
    })
  })
})

describe('EV2 notes', () => {
  const VAULT = `
//- vault/Pier.md
A pier of stone.

## Goals
Two more berths.
`

  async function place() {
    const folder = onDisk(VAULT)
    const found = flowWith(folder, [])
    await importNotes(found.world, { source: 'vault', workspace: undefined, replace: false })
    return { ...found, folder }
  }

  test('EV2 the # of a heading is a part of its id, and what follows another id are tags', async () => {
    const { world, flow } = await place()
    await add(world, flow, 'note:Pier#Goals', 'note:Pier#stone')
    expect(pieces(world, flow)).toEqual([
      ['Goals (note Pier#Goals)', [], '# Goals\n\nTwo more berths.\n'],
      ['Pier (note Pier)', ['stone'], '# Pier\n\nA pier of stone.\n'],
    ])
  })

  test('EV13 a heading is kept current as the heading that it is', async () => {
    const { world, flow, folder } = await place()
    await add(world, flow, 'note:Pier#Goals#plan')
    const all = { targets: [] }
    expect(await checkFreshness(world, flow, all)).toMatchObject([{ status: 'same' }])
    writeFile(folder, 'vault/Pier.md', 'A pier of wood.\n\n## Goals\nThree more berths.\n')
    await importNotes(world, { source: 'vault', workspace: undefined, replace: false })
    await refreshEvidence(world, flow, all)
    expect(pieces(world, flow)).toEqual([
      ['Goals (note Pier#Goals)', ['plan'], '# Goals\n\nThree more berths.\n'],
    ])
  })

  test('EV2 an id that no note has is refused with where ids are said', async () => {
    const { world, flow } = await place()
    await expect(add(world, flow, 'note:Quay')).rejects.toMatchObject({
      code: 'POC_E_SELECTOR_INVALID',
      hint: expect.stringContaining('--format json'),
    })
  })
})
