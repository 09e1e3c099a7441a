/** Vectors that are learned from the repository, in the index and out of it: AN1, AN5, AN6. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeCosine } from '../../src/base/byte-vectors.ts'
import type { CodeIndexReader, VectorHit } from '../../src/model/code-index.ts'
import { queryVector } from '../../src/packs/context/query-vector.ts'
import { buildCodeIndex, indexPath } from '../../src/packs/index/code-index.ts'
import type { IndexRequest } from '../../src/packs/index/index-options.ts'
import { exportIndex, importIndex } from '../../src/packs/index/index-transfer.ts'
import { realFiles } from '../../src/platform/files.ts'
import { findSeeds } from '../../src/retrieve/seeds.ts'
import { understood } from '../../src/retrieve/understand.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { loadVectorSearch } from '../../src/store/code/vector-search.ts'
import { openJsonlIndex } from '../../src/store/jsonl/reader.ts'
import { EditedFolder } from '../support/edited-folder.ts'
import { bursts, repositories } from '../support/generated-repository.ts'
import { indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { onDisk, temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { tablesOf, vectorsOf } from '../support/vectors.ts'

const ZOO = `
//- README.md
# Zoo
The keeper feeds animals. Feeding takes food.
//- src/keeper.ts
import { Dog } from './dog.ts'
export function feedAnimals(animals: readonly Dog[], food: string) {
  return animals.map((it) => it.eat(food))
}
//- src/dog.ts
export class Dog { eat(food: string) { return food } }
//- src/ticket.ts
export function sellTicket(visitor: string, price: number) { return { visitor, price } }
//- src/gate.ts
import { sellTicket } from './ticket.ts'
export function letIn(visitor: string) { return sellTicket(visitor, 5) }
//- tests/keeper.test.ts
import { feedAnimals } from '../src/keeper.ts'
feedAnimals([], 'food')
`

function build(folder: string, request: Partial<IndexRequest>) {
  return buildCodeIndex(threadlessWorld(folder), { path: '.', ...request })
}

async function reading<T>(
  folder: string,
  action: (index: CodeIndexReader) => Promise<T>,
): Promise<T> {
  const index = openCodeIndex(realFiles, indexPath(folder))
  try {
    return await action(index)
  } finally {
    await index.close()
  }
}

function seedsFor(
  folder: string,
  query: string,
  { mode = 'mixed', limit = 10 }: { mode?: 'mixed' | 'prose' | 'code'; limit?: number } = {},
) {
  return reading(folder, async (index) => {
    const question = { text: query, understood: understood(query) }
    const vector = await queryVector(threadlessWorld(folder), index, question)
    const asked = { query: question.understood, mode, limit, vector } as const
    return findSeeds(index, { ...asked, provider: 'ann' })
  })
}

describe('AN1 from scratch or not', () => {
  test('AN1 after any edits the vectors are those of a build from scratch', async () => {
    let compared = 0
    const property = fc.asyncProperty(repositories, bursts(2), (files, edits) =>
      withFolder(async (folder) => {
        const edited = new EditedFolder(folder, files)
        await build(folder, { embed: 'self' })
        for (const burst of edits) {
          for (const edit of burst) edited.apply(edit)
          // Without being asked: as the last time.
          const { signature } = await indexIn(folder)
          await withFolder(async (elsewhere) => {
            edited.copyTo(elsewhere)
            const anew = await build(elsewhere, { embed: 'self' })
            expect(vectorsOf(folder)).toEqual(vectorsOf(elsewhere))
            expect(signature).toBe(anew.signature)
          })
          compared += 1
        }
      }),
    )
    await fc.assert(property, runs(12))
    expect(compared).toBeGreaterThan(12)
  })

  test('AN1 nothing is learned again where nothing changed', async () => {
    const folder = onDisk(ZOO)
    const { embedded } = await build(folder, { embed: 'self' })
    expect(embedded).toBeGreaterThan(5)
    expect(await build(folder, {})).toMatchObject({ embedded: 0 })
    expect(await build(folder, { embed: 'self' })).toMatchObject({ embedded: 0 })
  })

  test('AN1 vectors are made for an index that is there without reading a file again', async () => {
    const folder = onDisk(ZOO)
    const edited = new EditedFolder(folder, [['old.ts', ['export const old = 1']]])
    rmSync(join(folder, 'src'), { recursive: true })
    for (const path of ['README.md', 'tests/keeper.test.ts']) rmSync(join(folder, path))
    const plain = await indexIn(folder)
    const made = await build(edited.folder, { embed: 'self' })
    expect(made).toMatchObject({ read: 0, embedded: 1 })
    expect(made.signature).not.toBe(plain.signature)
  })
})

describe('AN5 in the index', () => {
  test('AN5 the nearest are those of the angles, and equals come by path and place', async () => {
    const folder = onDisk(ZOO)
    for (const path of ['c/x.md', 'a/x.md', 'b/x.md'])
      writeFile(folder, path, '# Animals\n\nfood\n')
    await build(folder, { embed: 'self' })
    const { chunks } = vectorsOf(folder)
    await reading(folder, async (index) => {
      for (const { values } of chunks) {
        const found = await index.nearestChunks(values, 5)
        const scores = chunks
          .map((it) => computeCosine(values, it.values))
          .toSorted((a, b) => b - a)
        expect(found.map((it) => it.score)).toEqual(scores.slice(0, 5))
        expect(found).toEqual(found.toSorted(byAngle))
      }
      const all = await index.nearestChunks(chunks[0]?.values ?? new Int8Array(), 1e6)
      expect(all).toHaveLength(chunks.length)
      expect(await index.nearestChunks(new Int8Array(128), 5)).toEqual([])
      await expect(index.nearestChunks(new Int8Array(3).fill(1), 5)).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
      })
    })
  })

  test('AN5 a question finds what it speaks of, in the kind of files that is wanted', async () => {
    const folder = onDisk(ZOO)
    await build(folder, { embed: 'self' })
    const seeds = await seedsFor(folder, 'who feeds the animals')
    const paths = seeds.map((it) => it.chunk.path)
    expect(paths.slice(0, 3).toSorted()).toEqual([
      'README.md',
      'src/keeper.ts',
      'tests/keeper.test.ts',
    ])
    expect(seeds[0]).toMatchObject({ score: 1, reasons: ['ann'] })
    for (const mode of ['prose', 'code'] as const) {
      const ofKind = await seedsFor(folder, 'who sells tickets to animals', { mode, limit: 1 })
      const isProse = ofKind.map((it) => it.chunk.path.endsWith('.md'))
      expect(isProse).toEqual([mode === 'prose'])
    }
    expect(await seedsFor(folder, 'xyzzy plugh')).toEqual([])
  })

  test('AN5 vectors go with their chunks, and all of them when they are not wanted', async () => {
    const folder = onDisk(ZOO)
    const plain = await indexIn(folder)
    const tables = tablesOf(folder)
    const { signature } = await build(folder, { embed: 'self' })
    expect(signature).not.toBe(plain.signature)
    rmSync(join(folder, 'src/ticket.ts'))
    await indexIn(folder)
    const status = await reading(folder, (index) => index.status())
    const { chunks } = vectorsOf(folder)
    expect(chunks.some((it) => it.uid === 'null')).toBe(false)
    expect(chunks.length).toBeLessThanOrEqual(status.chunks)
    expect(status.options).toContain('"embed":{"dimensions":128,"model":"lsa-1","name":"self"}')
    writeFile(folder, 'src/ticket.ts', 'export const price = 5\n')
    await build(folder, { withoutEmbed: true })
    expect(tablesOf(folder)).toEqual(tables)
    expect(await reading(folder, (index) => index.vectorInfo())).toBeUndefined()
    expect(await indexIn(folder)).toMatchObject({ embedded: 0 })
  })
})

function byAngle(a: VectorHit, b: VectorHit): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.start - b.start)
}

describe('AN6 where there are none', () => {
  test('AN6 an index without vectors says so', async () => {
    const folder = onDisk(ZOO)
    await indexIn(folder)
    await expect(seedsFor(folder, 'feeds')).rejects.toMatchObject({ code: 'POC_E_NOT_SUPPORTED' })
    await reading(folder, async (index) => {
      const trouble = { code: 'POC_E_NOT_SUPPORTED', hint: expect.stringContaining('--embed self') }
      await expect(index.nearestChunks(new Int8Array(128).fill(1), 3)).rejects.toMatchObject(
        trouble,
      )
      expect(await index.wordVectors(['feed'])).toEqual([undefined])
    })
  })

  test('AN6 where the extension cannot be loaded, it is an error with a hint', async () => {
    const database = new DatabaseSync(':memory:')
    await expect(loadVectorSearch(database)).rejects.toMatchObject({
      code: 'POC_E_NOT_SUPPORTED',
      hint: expect.stringContaining('--without-embed'),
    })
    database.close()
  })

  test('AN6 an index without vectors is built and asked without the extension', async () => {
    const folder = onDisk(ZOO)
    const source = new URL('../../src/', import.meta.url).href
    const program = `
      let isLoaded = false
      const { registerHooks } = await import('node:module')
      const resolve = (name, context, next) => {
        isLoaded ||= name === 'sqlite-vec'
        return next(name, context)
      }
      registerHooks({ resolve })
      const { buildCodeIndex, indexPath } = await import('${source}packs/index/code-index.ts')
      const { openCodeIndex } = await import('${source}store/code/reader.ts')
      const { composeWorld } = await import('${source}compose.ts')
      const { SILENT } = await import('${source}model/progress.ts')
      const { realFiles } = await import('${source}platform/files.ts')
      const [workingFolder, embed] = process.argv.slice(1)
      const signal = new AbortController().signal
      const world = composeWorld({ workingFolder, signal, progress: SILENT, notice() {} })
      await buildCodeIndex(world, { path: '.', ...(embed ? { embed } : {}) })
      const index = openCodeIndex(realFiles, indexPath(workingFolder))
      await index.postings(['feed'])
      console.log(isLoaded)`
    const isLoaded = (...args: readonly string[]): string =>
      spawnSync(process.execPath, ['--input-type=module', '-e', program, '--', folder, ...args], {
        encoding: 'utf8',
      }).stdout.trim()
    expect(isLoaded()).toBe('false')
    expect(isLoaded('self')).toBe('true')
  })

  test('AN6 other stores carry none; read in again, the next run makes them', async () => {
    const folder = onDisk(ZOO)
    await build(folder, { embed: 'self' })
    const before = vectorsOf(folder)
    const world = threadlessWorld(folder)
    const { folder: artifacts } = await exportIndex(world, { path: '.', backend: 'jsonl' })
    const flat = await openJsonlIndex(realFiles, artifacts)
    await expect(flat.nearestChunks(new Int8Array(128).fill(1), 3)).rejects.toMatchObject({
      code: 'POC_E_NOT_SUPPORTED',
    })
    await flat.close()
    const elsewhere = temporaryFolder()
    await importIndex(threadlessWorld(elsewhere), { path: '.', folder: artifacts })
    expect(await reading(elsewhere, (index) => index.vectorInfo())).toBeUndefined()
    await importIndex(world, { path: '.', folder: artifacts })
    expect(await reading(folder, (index) => index.vectorInfo())).toBeUndefined()
    await indexIn(folder)
    expect(vectorsOf(folder)).toEqual(before)
  })

  test('AN6 a folder with a model, a name that is none, and a model without an endpoint', async () => {
    const folder = onDisk(ZOO)
    await expect(build(folder, { embed: './src' })).rejects.toMatchObject({
      code: 'POC_E_NOT_SUPPORTED',
    })
    for (const request of [{ embed: 'myself' }, { embedModel: 'some-model' }]) {
      await expect(build(folder, request)).rejects.toMatchObject({ code: 'POC_E_REQUEST_INVALID' })
    }
    expect(existsSync(indexPath(folder))).toBe(false)
  })
})
