/** Vectors of notes: asked for once, kept with what they are of, and of use to a document. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildNotesContext } from '../../src/packs/notes/notes-context.ts'
import { embedNotes } from '../../src/packs/notes/notes-embed.ts'
import { importNotes } from '../../src/packs/notes/notes-import.ts'
import { listNotes } from '../../src/packs/notes/notes-list.ts'
import { syncNotes } from '../../src/packs/notes/notes-sync.ts'
import type { World } from '../../src/platform/world.ts'
import { startEndpoint } from '../support/vectors.ts'
import { quietWorld } from '../support/world.ts'

const PAGES: Readonly<Record<string, string>> = {
  Lighthouse:
    '---\nstatus: active\n---\nThe lamp must turn every night. #project\n\nSee [[Oil]].\n',
  Oil: 'Two barrels a month. #task\n',
  Harbour: 'Boats come in at night, past [[Lighthouse]].\n',
}

async function vault(changes: Partial<World> = {}): Promise<{ world: World; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-embed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'vault'))
  for (const [name, text] of Object.entries(PAGES)) {
    writeFileSync(join(folder, 'vault', `${name}.md`), text)
  }
  const world = quietWorld(folder, changes)
  await importNotes(world, { source: 'vault', replace: false })
  return { world, folder }
}

function asking(text: string) {
  return {
    queries: [{ text, weight: 1 }],
    lens: 'general',
    depth: 2,
    maxTokens: 4000,
    includeFields: true,
    format: 'json' as const,
    now: Date.UTC(2026, 0, 15),
    offline: false,
  }
}

const BY = { embedModel: 'one', force: false }

describe('NC13 notes embed', () => {
  test('NC13 asks once for each note, with its tags, name, fields and text', async () => {
    const { world, folder } = await vault()
    const endpoint = await startEndpoint()
    const first = await embedNotes(world, { ...BY, embed: endpoint.url })
    expect(first).toMatchObject({ workspace: 'main', model: 'one', notes: 3, embedded: 3 })
    expect(first.trouble).toBeUndefined()
    expect(endpoint.texts().toSorted()).toEqual([
      'Harbour. Boats come in at night, past Lighthouse.',
      '[project] Lighthouse. status: active. The lamp must turn every night. #project\n\nSee Oil.',
      '[task] Oil. Two barrels a month. #task',
      'dossier',
    ])
    // By the same, as the last time: nothing but how long its vectors are.
    expect(await embedNotes(world, { force: false })).toMatchObject({ embedded: 0 })
    expect(endpoint.texts()).toEqual(['dossier'])
    writeFileSync(join(folder, 'vault', 'Oil.md'), 'Three barrels a month. #task\n')
    await syncNotes(world, {})
    expect(await embedNotes(world, { force: false })).toMatchObject({ embedded: 1 })
    expect(endpoint.texts()).toContain('[task] Oil. Three barrels a month. #task')
    expect(await embedNotes(world, { force: true })).toMatchObject({ embedded: 3 })
  })

  test('NC13 another model takes the place of the former one', async () => {
    const { world } = await vault()
    const { url } = await startEndpoint()
    await embedNotes(world, { ...BY, embed: url })
    expect(await embedNotes(world, { embedModel: 'two', force: false })).toMatchObject({
      model: 'two',
      embedded: 3,
    })
    const { workspaces } = await listNotes(world)
    expect(workspaces[0]?.copy?.embedder).toBe('two')
  })

  test('NC13 a document says whose vectors it was measured with, and scores by them', async () => {
    const { world } = await vault()
    const plain = await buildNotesContext(world, asking('lamp'))
    expect(plain.document.meta.embedder).toBeUndefined()
    await embedNotes(world, { ...BY, embed: (await startEndpoint()).url })
    const { document } = await buildNotesContext(world, asking('lamp'))
    expect(document.meta.embedder).toBe('one')
    expect(document.nodes.map((it) => it.score)).not.toEqual(
      plain.document.nodes.map((it) => it.score),
    )
    expect((await buildNotesContext(world, asking('lamp'))).text).toBe(
      (await buildNotesContext(world, asking('lamp'))).text,
    )
  })

  test('NC13 an endpoint that is gone makes a document less exact, and it says so', async () => {
    const { world } = await vault()
    let isGone = false
    const { url } = await startEndpoint((_, response) => {
      if (isGone) response.writeHead(500).end('gone')
      return isGone
    })
    await embedNotes(world, { ...BY, embed: url })
    isGone = true
    const { document } = await buildNotesContext(world, asking('lamp'))
    expect(document.nodes[0]?.name).toBe('Lighthouse')
    expect(document.meta.warnings?.join(' ')).toContain(
      'Similarity was computed only against the first note',
    )
  })

  test('NC13 what was had before an endpoint failed is kept, and gone on with', async () => {
    const { world, folder } = await vault()
    for (let at = 0; at < 200; at += 1) {
      writeFileSync(join(folder, 'vault', `N${at}.md`), `Note ${at}.\n`)
    }
    await syncNotes(world, {})
    let answers = 0
    const { url } = await startEndpoint((_, response) => {
      answers += 1
      const isOver = answers > 5
      if (isOver) response.writeHead(400).end('no more')
      return isOver
    })
    const first = await embedNotes(world, { ...BY, embed: url })
    expect(first.trouble?.message).toContain('no more')
    expect(first.embedded).toBe(128)
    const second = await embedNotes(world, { ...BY, embed: (await startEndpoint()).url })
    expect(second).toMatchObject({ embedded: 75, trouble: undefined })
  })

  test.each([
    ['no embedding endpoint', { force: false }, 'POC_E_REQUEST_INVALID', '--embed'],
    [
      'no model',
      { embed: 'http://127.0.0.1:9/v1', force: false },
      'POC_E_REQUEST_INVALID',
      '--embed-model',
    ],
    ['not a URL', { embed: 'ollama', force: false }, 'POC_E_REQUEST_INVALID', '--embed'],
    ['vectors of its own', { embed: 'self', force: false }, 'POC_E_NOT_SUPPORTED', '--embed http'],
    ['no such workspace', { workspace: 'x', force: false }, 'POC_E_WORKSPACE_UNKNOWN', 'main'],
  ])('NC13 %s', async (...[, request, code, hint]) => {
    const { world } = await vault()
    await expect(embedNotes(world, request)).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    })
  })
})
