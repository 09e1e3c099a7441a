/** The index after any edits is the index of the files as they are, at the price of the edits: P1, P3, P4. */
import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CodeIndexWriter, IndexLookup } from '../../src/model/code-index.ts'
import {
  buildCodeIndex,
  indexPath,
  openWriter,
  updateCodeIndex,
} from '../../src/packs/index/code-index.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { startPool } from '../../src/platform/pool.ts'
import { chain, expectAsFromScratch, link } from '../support/chain.ts'
import { EditedFolder } from '../support/edited-folder.ts'
import { bursts, repositories } from '../support/generated-repository.ts'
import { dumpOf, indexIn, threadlessWorld } from '../support/indexed-folder.ts'
import { onDisk, temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

describe('P1 any edits', () => {
  test('P1 after every burst the index is the one that a build from scratch gives', async (it) => {
    let compared = 0
    const property = fc.asyncProperty(repositories, bursts(4), (files, edits) =>
      withFolder(async (folder) => {
        const edited = new EditedFolder(folder, files)
        await indexIn(folder)
        for (const burst of edits) {
          for (const edit of burst) edited.apply(edit)
          const { signature } = await indexIn(folder)
          await expectAsFromScratch(edited, signature)
          compared += 1
        }
      }),
    )
    await fc.assert(property, runs(40))
    await it.annotate(`${compared} states compared, seed ${runs(1).seed}`)
    expect(compared).toBeGreaterThan(40)
  })

  test('P1 a file that names itself in the words of another is resolved again', async () => {
    const edited = new EditedFolder(temporaryFolder(), [
      ['a.ts', ['export function make() {', '  function inner() {}', '  return inner', '}']],
      ['b.ts', ["import { make } from './a'", 'make()()']],
    ])
    await indexIn(edited.folder)
    const statements = [
      'export function make() {',
      '  { function inner() {} }',
      '  function inner() {}',
      '  return inner',
      '}',
    ]
    edited.apply({ kind: 'write', file: 'a.ts', statements })
    await indexIn(edited.folder)
    await expectAsFromScratch(edited)
  })

  test('P1 a class that others know by its package is found when it comes, and missed after', async () => {
    const java = 'package p;\nclass A { int m() { return new B().x(); } }'
    const edited = new EditedFolder(temporaryFolder(), [['one/A.java', [java]]])
    await indexIn(edited.folder)
    const other = 'package p;\nclass B { int x() { return 1; } }'
    edited.apply({ kind: 'write', file: 'two/B.java', statements: [other] })
    await indexIn(edited.folder)
    expect(await dumpOf(edited.folder)).toMatch(/edge \["one\/A\.java",.*"call",.*B#x\(\)\./)
    await expectAsFromScratch(edited)
    edited.apply({ kind: 'write', file: 'also/B.java', statements: [other] })
    await indexIn(edited.folder)
    await expectAsFromScratch(edited)
    edited.apply({ kind: 'delete', at: 2 })
    await indexIn(edited.folder)
    await expectAsFromScratch(edited)
  })

  test('P1 what cannot be read any more is not in the index any more', async () => {
    const folder = onDisk('//- a.ts\nexport const a = 1\n//- b.ts\nimport { a } from "./a"\na()\n')
    await indexIn(folder)
    utimesSync(join(folder, 'a.ts'), 1, 1)
    const broken = join(folder, 'a.ts')
    const read: Files['read'] = (path) => {
      if (path === broken) throw new Error(`EIO: i/o error, open '${path}'`)
      return realFiles.read(path)
    }
    const outcome = await indexIn(folder, { files: { ...realFiles, read } })
    expect(outcome).toMatchObject({ files: 1, removed: 1, resolved: 1 })
    expect(outcome.skipped).toEqual([
      { code: 'unreadable', path: 'a.ts', message: "EIO: i/o error, open 'a.ts'" },
    ])
    expect(await dumpOf(folder)).not.toContain('`a.ts`')
    expect(await indexIn(folder)).toMatchObject({ files: 2, read: 1, skipped: [] })
    expect(await dumpOf(folder)).not.toContain('unreadable')
  })
})

describe('P3 the same for everybody', () => {
  test('P3 neither the number of threads nor the order of the disk can be seen', async () => {
    const samples = fc.sample(repositories, { numRuns: 10, seed: runs(1).seed })
    const files = samples.flatMap((each, at) =>
      each.map(([path, statements]) => [`part${at}/${path}`, statements] as const),
    )
    expect(files.length).toBeGreaterThan(64)
    const dumps: string[] = []
    for (const size of [1, 2, 3]) {
      const { folder } = new EditedFolder(temporaryFolder(), files)
      const world = quietWorld(folder, {
        files: { ...realFiles, list: (path) => shuffled(realFiles.list(path), size) },
        extractors: () => startPool(new URL('../../src/extractor.ts', import.meta.url), size),
      })
      await buildCodeIndex(world, { path: '.' })
      dumps.push(await dumpOf(folder))
    }
    expect(dumps[1]).toBe(dumps[0])
    expect(dumps[2]).toBe(dumps[0])
    expect(dumps[0]).toContain('\nedge ')
  })
})

test('P3 indexes that are made at once in one process do not mix', async () => {
  const samples = fc.sample(repositories, { numRuns: 12, seed: runs(1).seed })
  const folders = samples.map((it) => new EditedFolder(temporaryFolder(), it.slice(0, 8)).folder)
  await Promise.all(folders.map((folder) => indexIn(folder)))
  const dumps: string[] = []
  for (const folder of folders) {
    dumps.push(await dumpOf(folder))
    rmSync(join(folder, '.dossier'), { recursive: true })
    await indexIn(folder)
  }
  for (const [at, folder] of folders.entries()) expect(await dumpOf(folder)).toBe(dumps[at])
})

function shuffled<T>(entries: readonly T[], by: number): readonly T[] {
  const at = by % Math.max(1, entries.length)
  return [...entries.slice(at), ...entries.slice(0, at)].toReversed()
}

/** Builds again, and says what it read from the disk. */
async function again(edited: EditedFolder) {
  const paths: string[] = []
  const read: Files['read'] = (path) => {
    paths.push(path.slice(edited.folder.length + 1))
    return realFiles.read(path)
  }
  const outcome = await indexIn(edited.folder, { files: { ...realFiles, read } })
  await expectAsFromScratch(edited, outcome.signature)
  return { ...outcome, paths }
}

/** A writer whose answers about the whole index are counted. */
function counting(writer: CodeIndexWriter): {
  readonly writer: CodeIndexWriter
  readonly wholes: { files: number; meta: number }
} {
  const wholes = { files: 0, meta: 0 }
  const lookup = (it: IndexLookup): IndexLookup =>
    new Proxy(it, {
      get(target, name) {
        if (name === 'meta') wholes.meta += 1
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...values: readonly unknown[]) => {
          if (name === 'files' && values.length === 0) wholes.files += 1
          return Reflect.apply(value, target, values)
        }
      },
    })
  const counted = new Proxy(writer, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name === 'lookup') return lookup(value as IndexLookup)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { writer: counted, wholes }
}

describe('P4 the price of an edit', () => {
  test('P4 without a change nothing is read, resolved or written', async () => {
    const edited = await chain()
    const before = readFileSync(indexPath(edited.folder))
    const { mtimeMs } = statSync(indexPath(edited.folder))
    expect(await again(edited)).toMatchObject({ paths: [], read: 0, resolved: 0, files: 14 })
    expect(readFileSync(indexPath(edited.folder)).equals(before)).toBe(true)
    expect(statSync(indexPath(edited.folder)).mtimeMs).toBe(mtimeMs)
  })

  test('P4 what is reported of paths that nobody knows is not looked for among all', async () => {
    const folder = onDisk(
      '//- a.ts\nexport const a = 1\n//- a-b.ts\n1\n//- a/b.ts\n2\n//- a/c/d.ts\n3\n',
    )
    await indexIn(folder)
    const world = threadlessWorld(folder)
    const counted = counting(openWriter(world, folder))
    const below: string[] = []
    await updateCodeIndex(world, counted.writer, {
      path: '.',
      found(known) {
        for (let at = 0; at < 1000; at += 1) {
          expect(known.below(`build/${at}.o`)).toEqual([])
          expect(known.skippedAt(`build/${at}.o`)).toEqual([])
        }
        below.push(...known.below('a'))
        return { files: [], gone: [], skipped: [], within: [] }
      },
    })
    await counted.writer.close()
    expect(below).toEqual(['a/b.ts', 'a/c/d.ts'])
    expect(counted.wholes.files).toBe(0)
    expect(counted.wholes.meta).toBeLessThan(10)
  })

  test('P4 a touched file is read, and nothing comes of it', async () => {
    const edited = await chain()
    edited.apply({ kind: 'touch', at: 0 })
    expect(await again(edited)).toMatchObject({ paths: ['a0.ts'], read: 0, resolved: 0 })
    expect(await again(edited)).toMatchObject({ paths: [] })
  })

  test('P4 after a checkout, what is the same is told by its content and not parsed', async () => {
    const folder = temporaryFolder()
    const names = Array.from({ length: 20 }, (_, at) => `f${at}.ts`)
    for (const name of names) writeFile(folder, name, `export const ${name.slice(0, -3)} = 1\n`)
    await indexIn(folder)
    for (const name of names) utimesSync(join(folder, name), new Date(), new Date())
    const world = quietWorld(folder, {
      extractors: () => {
        throw new Error('nobody has to read anything')
      },
    })
    expect(await buildCodeIndex(world, { path: '.' })).toMatchObject({ files: 20, read: 0 })
  })

  test('P4 an edit inside a body resolves one file', async () => {
    const edited = await chain()
    const [path, statements] = link(5)
    const changed = statements.map((it) => it.replace('= 1', '= 22 + [].length'))
    edited.apply({ kind: 'write', file: path, statements: changed })
    expect(await again(edited)).toMatchObject({ paths: ['a5.ts'], read: 1, resolved: 1 })
  })

  test('P4 another signature resolves those who ask for it, and nobody else', async () => {
    const edited = await chain()
    const [path, statements] = link(5)
    const changed = statements.map((it) => it.replace('f5()', 'f5(it: string, more = 2)'))
    edited.apply({ kind: 'write', file: path, statements: changed })
    const { paths, read, resolved } = await again(edited)
    expect({ paths, read }).toEqual({ paths: ['a5.ts'], read: 1 })
    expect(resolved).toBeGreaterThanOrEqual(2)
    // Those who call it, and those whose calls return what it returns.
    expect(resolved).toBeLessThanOrEqual(6)
  })

  test('P4 a file behind a barrel that goes away is missed by those who used it', async () => {
    const edited = await chain()
    rmSync(join(edited.folder, 'a10.ts'))
    edited.apply({ kind: 'delete', at: 2 })
    const { removed, read, resolved } = await again(edited)
    expect({ removed, read }).toEqual({ removed: 1, read: 0 })
    expect(resolved).toBeGreaterThanOrEqual(3)
  })

  test('P4 a file that makes an import lead somewhere resolves the importer', async () => {
    const edited = await chain()
    edited.apply({ kind: 'write', file: 'later.ts', statements: ['export const later = () => 1'] })
    expect(await again(edited)).toMatchObject({ paths: ['later.ts'], read: 1, resolved: 2 })
    expect(await dumpOf(edited.folder)).toMatch(/edge \["late\.ts",.*"call",.*`later\.ts`/)
  })

  test('P4 an edit within the grain of the clock is seen, the size being the same', async () => {
    const folder = onDisk('//- a.ts\nexport const a = 1\n')
    const now = new Date()
    utimesSync(join(folder, 'a.ts'), now, now)
    await indexIn(folder)
    writeFile(folder, 'a.ts', 'export const b = 2\n')
    utimesSync(join(folder, 'a.ts'), now, now)
    expect(await indexIn(folder)).toMatchObject({ read: 1 })
  })
})
