/** Incremental builds: B3. What they give is what a build from scratch gives, with less reading. */
import { readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchDocs } from '../../src/packs/docs/docs-search.ts'
import { withDocsIndex } from '../../src/packs/docs/with-docs-index.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import {
  ask,
  build,
  canonicalDatabase,
  canonicalPack,
  databasePath,
  packPath,
  sync,
} from '../support/pack.ts'
import { onDisk, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'].map((it) => `//- ${it}.md\n# Title ${it}\n\nword${it}\n`)
const HOUR_AGO = new Date(Date.now() - 3_600_000)

/** Files that were written long ago: their times can be trusted. */
function aged(folder: string, ...paths: readonly string[]): void {
  for (const path of paths) utimesSync(join(folder, path), HOUR_AGO, HOUR_AGO)
}

function countingFiles(): { readonly files: Files; readonly read: string[] } {
  const read: string[] = []
  const files: Files = {
    ...realFiles,
    read: (path) => {
      read.push(path.slice(path.lastIndexOf('/') + 1))
      return realFiles.read(path)
    },
  }
  return { files, read }
}

function states(folder: string): readonly unknown[] {
  return [packPath(folder), databasePath(folder)].map((path) => ({
    bytes: readFileSync(path).toString('base64'),
    mtimeMs: statSync(path).mtimeMs,
  }))
}

describe('B3 nothing changed', () => {
  test('B3 no byte is written, and no document is read', async () => {
    const folder = onDisk(SIX.join(''))
    aged(folder, 'a.md', 'b.md', 'c.md', 'd.md', 'e.md', 'f.md')
    await build(quietWorld(folder))
    const before = states(folder)
    const { files, read } = countingFiles()
    const report = await sync(quietWorld(folder, { files }))
    expect(report).toMatchObject({ written: false, documents: 6, chunks: 6 })
    expect(report).toMatchObject({ added: [], changed: [], removed: [] })
    expect(states(folder)).toEqual(before)
    expect(read).toEqual([])
  })

  test('B3 a file that was only touched changes nothing', async () => {
    const folder = onDisk(SIX.join(''))
    aged(folder, 'a.md')
    await build(quietWorld(folder))
    const before = states(folder)
    utimesSync(join(folder, 'a.md'), new Date(), new Date())
    expect((await sync(quietWorld(folder))).written).toBe(false)
    expect(states(folder)).toEqual(before)
  })

  test('B3 a document that is no text does not make every sync write', async () => {
    const folder = onDisk(SIX.join(''))
    writeFile(folder, 'image.md', Uint8Array.of(0, 1, 2))
    await build(quietWorld(folder))
    const before = states(folder)
    const report = await sync(quietWorld(folder))
    expect(states(folder)).toEqual(before)
    expect(report.written).toBe(false)
  })
})

describe('B3 something changed', () => {
  test('B3 only what changed is read', async () => {
    const folder = onDisk(SIX.join(''))
    aged(folder, 'a.md', 'b.md', 'c.md', 'd.md', 'e.md', 'f.md')
    await build(quietWorld(folder))
    writeFile(folder, 'c.md', '# Changed\n')
    writeFile(folder, 'new.md', '# New\n')
    rmSync(join(folder, 'f.md'))
    const { files, read } = countingFiles()
    const report = await sync(quietWorld(folder, { files }))
    expect(report).toMatchObject({ added: ['new.md'], changed: ['c.md'], removed: ['f.md'] })
    expect(read).toEqual(['c.md', 'new.md'])
  })

  test('B3 an edit within the clock’s grain, size unchanged, is seen', async () => {
    const folder = onDisk(SIX.join(''))
    // Whole milliseconds, so that the same time can be set again.
    const now = new Date()
    utimesSync(join(folder, 'a.md'), now, now)
    await build(quietWorld(folder))
    const before = statSync(join(folder, 'a.md'))
    writeFile(folder, 'a.md', '# Title z\n\nwordz\n')
    utimesSync(join(folder, 'a.md'), now, now)
    const after = statSync(join(folder, 'a.md'))
    expect([after.size, after.mtimeMs]).toEqual([before.size, before.mtimeMs])
    expect((await sync(quietWorld(folder))).changed).toEqual(['a.md'])
  })

  test.each(['a.md', 'f.md'])('B3 %s is found after each of three edits', async (path) => {
    const folder = onDisk(SIX.join(''))
    await build(quietWorld(folder))
    for (const word of ['first', 'second', 'third']) {
      writeFile(folder, path, `# Edited\n\n${word}\n`)
      expect((await sync(quietWorld(folder))).changed).toEqual([path])
      const found = await ask(folder, (index) => searchDocs(index, word, 5))
      expect(found.hits.map((it) => it.chunk.source_path)).toEqual([path])
    }
  })

  test('B3 a new document that takes over another’s name takes none of its chunks', async () => {
    const folder = onDisk(`${SIX.join('')}//- z/x.md\n# Old\n\nolder\n`)
    await build(quietWorld(folder))
    writeFile(folder, 'x.md', '# New\n\nnewer\n')
    await sync(quietWorld(folder))
    await expectAsFromScratch(folder)
  })

  test('B3 the same, when both say the same', async () => {
    const folder = onDisk(`${SIX.join('')}//- z/x.md\n# Same\n\ntext\n`)
    await build(quietWorld(folder))
    writeFile(folder, 'x.md', '# Same\n\ntext\n')
    await sync(quietWorld(folder))
    await expectAsFromScratch(folder)
  })

  test('B3 a name that an unreadable file took is given back when the file goes', async () => {
    const folder = onDisk(`${SIX.join('')}//- z/x.md\n# Text\n\ntext\n`)
    writeFile(folder, 'y/x.md', 'binary\u0000')
    await build(quietWorld(folder))
    rmSync(join(folder, 'y/x.md'))
    await sync(quietWorld(folder))
    await expectAsFromScratch(folder)
  })

  test('B3 a document that becomes binary leaves the pack', async () => {
    const folder = onDisk(SIX.join(''))
    await build(quietWorld(folder))
    writeFile(folder, 'b.md', Uint8Array.of(0, 1, 2))
    const report = await sync(quietWorld(folder))
    expect(report.documents).toBe(5)
    await expectAsFromScratch(folder)
  })

  test('B3 another root is a build of everything, since paths are relative to it', async () => {
    const folder = onDisk(SIX.map((it) => it.replace('//- ', '//- docs/')).join(''))
    const docs = join(folder, 'docs')
    await build(quietWorld(docs))
    const inside = { pack: canonicalPack(packPath(docs)), database: databasePath(docs) }
    writeFile(docs, 'a.md', '# Title a\n\nanother word\n')
    expect((await sync(quietWorld(folder), { segment: 'docs' })).written).toBe(true)
    const synced = [canonicalPack(packPath(docs)), canonicalDatabase(inside.database)]
    await build(quietWorld(folder), { segment: 'docs' })
    expect(synced).toEqual([canonicalPack(packPath(docs)), canonicalDatabase(inside.database)])
    expect((await sync(quietWorld(folder), { segment: 'docs' })).written).toBe(false)
    writeFile(docs, 'a.md', '# Title a\n\nworda\n')
    await sync(quietWorld(docs))
    expect(canonicalPack(packPath(docs))).toBe(inside.pack)
  })

  test('B3 another limit is a build of everything', async () => {
    const folder = onDisk(`${SIX.join('')}//- long.md\n# Long\n\n${'word '.repeat(200)}\n`)
    await build(quietWorld(folder))
    const report = await sync(quietWorld(folder), { maxChars: 300 })
    expect(report.chunks).toBeGreaterThan(7)
    // And the next sync keeps to it.
    expect((await sync(quietWorld(folder))).written).toBe(false)
  })
})

const PATHS = ['a.md', 'x.md', 'z/x.md', 'b/x.md', 'c.md', 'x.markdown', 'y/c.md', '_ctx/n.md']
const path = fc.constantFrom(...PATHS)
const content = fc.constantFrom(
  '# Same\n\ntext\n',
  '# One\n\nalpha beta\n\n## Two\n\ngamma\n',
  'no heading, café',
  '',
  '---\ntitle: T\n---\n\n## Part\n\nnormalizeTitlePath 数据库\n',
  '# Same\n\ntext\n\n# Same\n\ntext\n',
  `# Long\n\n${'many words here '.repeat(40)}\n`,
  '\0binary',
)
/** What is done, for the report, and how. */
interface Edit {
  readonly what: string
  apply(folder: string): void
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(path, content).map(([to, text]) => ({
    what: `write ${to} ${text}`,
    apply: (folder: string) => writeFile(folder, to, text),
  })),
  path.map((it) => ({
    what: `remove ${it}`,
    apply: (folder: string) => rmSync(join(folder, it), { force: true }),
  })),
  fc.tuple(path, path).map(([from, to]) => ({
    what: `rename ${from} ${to}`,
    apply: (folder: string) => rename(folder, from, to),
  })),
  path.map((it) => ({ what: `touch ${it}`, apply: (folder: string) => touch(folder, it) })),
)

function rename(folder: string, from: string, to: string): void {
  const bytes = readOrUndefined(join(folder, from))
  if (bytes === undefined || from === to) return
  writeFile(folder, to, '')
  renameSync(join(folder, from), join(folder, to))
}

function touch(folder: string, at: string): void {
  if (readOrUndefined(join(folder, at)) !== undefined) aged(folder, at)
}

function readOrUndefined(at: string): Uint8Array | undefined {
  try {
    return readFileSync(at)
  } catch {
    return undefined
  }
}

describe('B3 any sequence of edits', () => {
  test('B3 both files are those of a build from scratch after every sync', async () => {
    const steps = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('json', 'sqlite'), async (groups, chunksIn) => {
        await withFolder(async (folder) => {
          // Enough that stay as they are for a sync not to start over.
          for (const at of [1, 2, 3, 4, 5, 6, 7]) {
            writeFile(folder, `kept-${at}.md`, `# Kept ${at}\n\nalpha ${at}\n`)
          }
          writeFile(folder, 'z/x.md', '# Same\n\ntext\n')
          await build(quietWorld(folder), { chunksIn, maxChars: 300 })
          for (const group of groups) {
            for (const it of group) it.apply(folder)
            await sync(quietWorld(folder))
            await expectAsFromScratch(folder)
          }
        })
      }),
      { ...runs(60), endOnFailure: true },
    )
  })
})

const QUESTIONS = ['alpha', 'same text', 'gamma', 'title path', '数据', 'cafe', 'many', 'kept 3']

/** Builds the same folder anew, elsewhere, and compares all that can be compared. */
async function expectAsFromScratch(folder: string): Promise<void> {
  await withFolder(async (other) => {
    const output = join(other, 'scratch.json')
    const world = quietWorld(folder)
    const pack = JSON.parse(readFileSync(packPath(folder), 'utf8')) as {
      readonly chunks: readonly object[]
      readonly chunking: { readonly max_chars: number }
    }
    const chunksIn = pack.chunks.every((it) => 'text' in it) ? 'json' : 'sqlite'
    await build(world, { output, chunksIn, maxChars: pack.chunking.max_chars })
    expect(canonicalPack(packPath(folder))).toBe(canonicalPack(output))
    const database = canonicalDatabase(databasePath(folder))
    expect(database).toBe(canonicalDatabase(join(other, 'scratch.db')))
    for (const question of QUESTIONS) {
      const found = await ask(folder, (index) => searchDocs(index, question, 20))
      const request = { segment: '.', output }
      const expected = await withDocsIndex(world, request, (it) => searchDocs(it, question, 20))
      expect(found, question).toEqual(expected)
    }
  })
}
