/** Several processes at one pack: builders beside builders, readers beside builders. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeCorpus } from './support/corpus.ts'
import { folderWith, leftovers } from './support/folder.ts'
import { served, textOf } from './support/mcp.ts'
import { type BuildJson, dossier, json } from './support/program.ts'

describe('B4 builds at once', () => {
  test('four that start together all succeed and give one good pack', async () => {
    const folder = folderWith({})
    writeCorpus(folder, { files: 40, bytesPerFile: 40_000 })
    const commands = ['build', 'sync', 'build', 'sync']
    const done = await Promise.all(
      commands.map((it) => dossier(['ctx', it, '--json', '--quiet'], { cwd: folder })),
    )
    for (const one of done) {
      expect(one, one.stderr).toMatchObject({ status: 0, stderr: '' })
      expect(json<BuildJson>(one)).toMatchObject({ documents: 40 })
    }
    const valid = await dossier(['ctx', 'validate'], { cwd: folder })
    expect(valid, valid.stdout).toMatchObject({ status: 0 })
    expect(leftovers(folder)).toEqual([])
  })

  test('two that each saw another change give the last state of the documents', async () => {
    const folder = folderWith({})
    writeCorpus(folder, { files: 8, bytesPerFile: 40_000 })
    await dossier(['ctx', 'sync', '--quiet'], { cwd: folder })
    appendFileSync(join(folder, 'page-1.md'), '\n## First change\n\nWords.\n')
    const first = dossier(['ctx', 'sync', '--quiet'], { cwd: folder })
    appendFileSync(join(folder, 'page-2.md'), '\n## Second change\n\nWords.\n')
    const second = dossier(['ctx', 'sync', '--quiet'], { cwd: folder })
    for (const done of await Promise.all([first, second])) expect(done.status).toBe(0)
    const valid = await dossier(['ctx', 'validate'], { cwd: folder })
    expect(valid, valid.stdout).toMatchObject({ status: 0 })
  })
})

describe('B4 a reader beside builds never sees a broken pack', () => {
  test.each([
    ['with texts in the file', ['json', 'json', 'json']],
    ['with texts in the database', ['sqlite', 'sqlite', 'sqlite']],
    ['while the texts move between them', ['sqlite', 'json', 'sqlite', 'json', 'sqlite']],
  ])('%s', async (_, rounds) => {
    const folder = folderWith({})
    writeCorpus(folder, { files: 24, bytesPerFile: 20_000 })
    const first = ['ctx', 'sync', '--chunks-in', rounds[0] ?? 'json', '--quiet']
    await dossier(first, { cwd: folder })
    const { client } = await served(folder, ['-s', '.'])
    const state = { isBuilding: true }
    const builds = rebuild(folder, rounds).finally(() => {
      state.isBuilding = false
    })
    const troubles: string[] = []
    let asked = 0
    for (; state.isBuilding && asked < 20_000; asked += 1) {
      const wanted = { query: 'topic7x3', limit: 1 }
      const answer = await client.callTool({ name: 'search_context', arguments: wanted })
      if (!textOf(answer).includes('Topic 7 → Section 3\n')) troubles.push(textOf(answer))
    }
    await builds
    expect(troubles).toEqual([])
    expect(asked).toBeGreaterThan(20)
  })
})

/** Incremental builds and full ones in turn, each with something to do. */
async function rebuild(folder: string, rounds: readonly string[]): Promise<void> {
  for (const [at, chunksIn] of rounds.entries()) {
    appendFileSync(join(folder, 'page-1.md'), `\n## Round ${at}\n\nWords.\n`)
    const command = at % 2 === 0 ? 'sync' : 'build'
    const args = ['ctx', command, '--quiet', '--chunks-in', chunksIn]
    const done = await dossier(args, { cwd: folder })
    expect(done, done.stderr).toMatchObject({ status: 0 })
  }
}
