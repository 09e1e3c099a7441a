/** Packs that are kept: what is kept can be read, whatever happens to what lies beside it. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import {
  keepPack,
  keptIds,
  keptPack,
  readKeptPack,
} from '../../src/packs/context/pack-artifacts.ts'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import type { World } from '../../src/platform/world.ts'
import { sketchedPack } from '../support/kept-packs.ts'
import { listing, temporaryFolder, withFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

const WHOLE = 'context_packs.jsonl'

function sketches(count: number, length = 200): readonly ContextPack[] {
  return Array.from({ length: count }, (_, at) =>
    sketchedPack({ query: `question ${at}`, text: 'x'.repeat(length) }),
  )
}

async function keepAll(
  world: World,
  packs: readonly ContextPack[],
  maxShardBytes?: number,
): Promise<void> {
  const options = maxShardBytes === undefined ? {} : { maxShardBytes }
  for (const pack of packs) await keepPack(world, { top: world.workingFolder, pack }, options)
}

function shelf(folder: string, name: string): string {
  return join(folder, '.dossier', name)
}

interface ManifestJson {
  readonly pieces: readonly {
    readonly name: string
    readonly bytes: number
    readonly records: number
    readonly sha256: string
  }[]
}

function manifestOf(folder: string): ManifestJson {
  return JSON.parse(readFileSync(shelf(folder, 'context_packs.manifest.json'), 'utf8'))
}

function expectWhole(folder: string): void {
  for (const { name, bytes, records, sha256 } of manifestOf(folder).pieces) {
    const content = readFileSync(shelf(folder, name))
    expect(content.length).toBe(bytes)
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
    expect(content.toString('utf8').trimEnd().split('\n').length).toBe(records)
  }
}

function expectReadable(world: World, packs: readonly ContextPack[]): void {
  for (const pack of packs)
    expect(readKeptPack(world, world.workingFolder, pack.packId)).toEqual(pack)
}

describe('PK1 a pack that is kept', () => {
  test('PK1 is a line of its own, and is read by its id or the beginning of it', async () => {
    const world = quietWorld(temporaryFolder())
    const { workingFolder: folder } = world
    const packs = sketches(3)
    await keepAll(world, packs)
    const lines = readFileSync(shelf(folder, WHOLE), 'utf8').trimEnd().split('\n')
    expect(lines.map((it) => JSON.parse(it))).toEqual(packs)
    expectReadable(world, packs)
    for (const pack of packs) {
      const read = readKeptPack(world, folder, pack.packId.slice(0, 12))
      expect(canonicalPack(read)).toBe(canonicalPack(pack))
    }
    expectWhole(folder)
    expect(listing(folder).filter((it) => it.includes('tmp'))).toEqual([])
  })

  test('PK1 is not kept twice, and one of another version does not stand for it', async () => {
    const folder = temporaryFolder()
    const older = quietWorld(folder, { generator: 'dossier 0.0.1' })
    const world = quietWorld(folder)
    const [pack] = sketches(1)
    if (pack === undefined) throw new Error('no pack')
    await keepAll(older, [pack, pack])
    expect(readFileSync(shelf(folder, WHOLE), 'utf8').trimEnd().split('\n').length).toBe(1)
    expect(keptPack(older, folder, pack.packId)).toEqual(pack)
    expect(keptPack(world, folder, pack.packId)).toBeUndefined()
    const better = { ...pack, createdAt: '2021-01-01T00:00:00.000Z' }
    await keepAll(world, [better])
    expect(keptPack(world, folder, pack.packId)).toEqual(better)
    expect(readKeptPack(world, folder, pack.packId)).toEqual(better)
    expect(keptIds(world, folder)).toEqual([pack.packId])
  })

  test('PK1 one that is not there is an error that names the nearest', async () => {
    const world = quietWorld(temporaryFolder())
    const { workingFolder: folder } = world
    expect(() => readKeptPack(world, folder, 'abc')).toThrow(
      expect.objectContaining({
        code: 'POC_E_PACK_MISSING',
        hint: expect.stringContaining('--write'),
      }),
    )
    const packs = sketches(20)
    await keepAll(world, packs)
    const id = packs[0]?.packId ?? ''
    const mistyped = `${id.slice(0, 40)}0${id.slice(41)}z`
    expect(() => readKeptPack(world, folder, mistyped)).toThrow(
      expect.objectContaining({
        code: 'POC_E_PACK_MISSING',
        hint: expect.stringContaining(`did you mean ${id}`),
      }),
    )
  })
})

describe('PK2 many packs', () => {
  test('PK2 are cut into parts that are no larger than told, with a sidecar', async () => {
    const world = quietWorld(temporaryFolder())
    const { workingFolder: folder } = world
    const packs = sketches(9, 500)
    const size = Buffer.byteLength(JSON.stringify(packs[0])) + 1
    await keepAll(world, packs, 2 * size)
    expect(existsSync(shelf(folder, WHOLE))).toBe(false)
    const names = [0, 1, 2, 3, 4].map((at) => `context_packs.part-000${at}.jsonl`)
    expect(manifestOf(folder).pieces.map((it) => it.name)).toEqual(names)
    for (const { bytes } of manifestOf(folder).pieces) expect(bytes).toBeLessThanOrEqual(2 * size)
    expectWhole(folder)
    const meta = JSON.parse(readFileSync(shelf(folder, 'context_packs.meta.json'), 'utf8'))
    expect(meta).toMatchObject({ schema: 'ContextPack', maxShardBytes: 2 * size, records: 9 })
    expect(meta.parts.map((it: { readonly name: string }) => it.name)).toEqual(names)
    expectReadable(world, packs)
  })

  test('PK2 of exactly the size that is allowed there is one file still', async () => {
    const world = quietWorld(temporaryFolder())
    const packs = sketches(2)
    const sizes = packs.map((it) => Buffer.byteLength(JSON.stringify(it)) + 1)
    const most = (sizes[0] ?? 0) + (sizes[1] ?? 0)
    await keepAll(world, packs, most)
    expect(manifestOf(world.workingFolder).pieces.map((it) => it.name)).toEqual([WHOLE])
    const other = quietWorld(temporaryFolder())
    await keepAll(other, packs, most - 1)
    expect(manifestOf(other.workingFolder).pieces.length).toBe(2)
  })

  test('PK2 however many, however large, however cut: all can be read', async () => {
    const lengths = fc.array(fc.nat(2000), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 8000 }), async (sizes, most) =>
        withFolder(async (folder) => {
          const world = quietWorld(folder)
          const packs = sizes.map((length, at) =>
            sketchedPack({ query: `${at} ünï`, text: '码\u2028'.repeat(length) }),
          )
          await keepAll(world, packs, most)
          expectReadable(world, packs)
          expectWhole(folder)
        }),
      ),
      runs(20),
    )
  })
})

async function kept(): Promise<{ readonly world: World; readonly packs: readonly ContextPack[] }> {
  const world = quietWorld(temporaryFolder())
  const packs = sketches(5)
  await keepAll(world, packs)
  return { world, packs }
}

describe('PK3 damage', () => {
  const DAMAGES: readonly (readonly [string, (text: string) => string])[] = [
    ['a changed letter', (text) => text.replace('xxx', 'yyy')],
    ['a line that lost its end', (text) => text.replace(/"stats".*\n/, '\n')],
    ['a line that is gone', (text) => text.slice(text.indexOf('\n') + 1)],
    ['a line of something else', (text) => text.replace(/^.*\n/, 'not JSON at all\n')],
    ['a line without its break', (text) => text.replace('\n', '')],
  ]

  test.each(DAMAGES)('PK3 %s is told to who asks for it, and to nobody else', async (_, damage) => {
    const { world, packs } = await kept()
    const { workingFolder: folder } = world
    const path = shelf(folder, WHOLE)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, damage(text))
    const broken = packs.filter((it) => {
      try {
        return canonicalPack(readKeptPack(world, folder, it.packId)) !== canonicalPack(it)
      } catch (error) {
        expect(error).toMatchObject({ code: 'POC_E_PACK_CORRUPT' })
        return true
      }
    })
    expect(broken.length).toBeGreaterThan(0)
    expect(broken.length).toBeLessThan(3)
    expect(keptPack(world, folder, broken[0]?.packId ?? '')).toBeUndefined()
    await keepAll(world, broken)
    expectReadable(world, packs)
    expectWhole(folder)
  })

  test('PK3 a file that was cut loses its last packs, and takes new ones', async () => {
    const { world, packs } = await kept()
    const path = shelf(world.workingFolder, WHOLE)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, -300))
    expectReadable(world, packs.slice(0, 4))
    expect(() => readKeptPack(world, world.workingFolder, packs[4]?.packId ?? '')).toThrow(
      expect.objectContaining({ code: 'POC_E_PACK_CORRUPT' }),
    )
    await keepAll(world, sketches(7))
    expectReadable(world, sketches(7))
    expectWhole(world.workingFolder)
  })

  test.each([
    ['is gone', (path: string) => rmSync(path)],
    ['is cut', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 90))],
    [
      'does not match its checksum',
      (path: string) =>
        writeFileSync(path, readFileSync(path, 'utf8').replace('"offset": 0', '"offset": 1')),
    ],
  ])('PK3 a manifest that %s is made anew', async (_, damage) => {
    const { world, packs } = await kept()
    damage(shelf(world.workingFolder, 'context_packs.manifest.json'))
    expectReadable(world, packs)
    await keepAll(world, sketches(6))
    expectReadable(world, sketches(6))
    expectWhole(world.workingFolder)
  })

  test('PK3 a pack that was given to another request is damaged', async () => {
    const world = quietWorld(temporaryFolder())
    const [one, other] = sketches(2)
    if (one === undefined || other === undefined) throw new Error('no packs')
    await keepAll(world, [{ ...one, request: other.request }])
    expect(() => readKeptPack(world, world.workingFolder, one.packId)).toThrow(
      expect.objectContaining({ code: 'POC_E_PACK_CORRUPT' }),
    )
  })

  test('PK3 who is killed before the manifest leaves a pack that the next one takes in', async () => {
    const { world, packs } = await kept()
    const path = shelf(world.workingFolder, 'context_packs.manifest.json')
    const before = readFileSync(path)
    const [sixth, seventh] = sketches(7).slice(5)
    if (sixth === undefined || seventh === undefined) throw new Error('no packs')
    await keepAll(world, [sixth])
    writeFileSync(path, before)
    expectReadable(world, packs)
    await keepAll(world, [seventh])
    expectReadable(world, [...packs, sixth, seventh])
    expectWhole(world.workingFolder)
  })

  test('PK3 who is killed while cutting into parts leaves all that was there', async () => {
    const { world, packs } = await kept()
    const { workingFolder: folder } = world
    writeFileSync(
      shelf(folder, 'context_packs.part-0000.jsonl'),
      readFileSync(shelf(folder, WHOLE)),
    )
    expectReadable(world, packs)
    await keepAll(world, sketches(8), 1)
    expectReadable(world, sketches(8))
    expect(existsSync(shelf(folder, WHOLE))).toBe(false)
  })
})

test('PK4 many processes at once lose nothing', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder()
  const child = fileURLToPath(new URL('../support/keep-packs-child.ts', import.meta.url))
  const names = ['a', 'b', 'c']
  const run = promisify(execFile)
  await Promise.all(names.map((name) => run(process.execPath, [child, folder, name, '12'])))
  const queries = names.flatMap((name) => Array.from({ length: 12 }, (_, at) => `${name} ${at}`))
  const packs = queries.map((query) => sketchedPack({ query, text: 'x'.repeat(2000) }))
  expectReadable(quietWorld(folder), packs)
  expectWhole(folder)
  expect(manifestOf(folder).pieces.reduce((sum, it) => sum + it.records, 0)).toBe(packs.length)
})
