/** T2: sync ends with a pack that validate accepts, whatever was altered before. */
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { validateDocs } from '../../src/packs/docs/docs-validate.ts'
import {
  build,
  canonicalDatabase,
  canonicalPack,
  databasePath,
  packPath,
  sync,
} from '../support/pack.ts'
import { onDisk } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

const PROJECT = `
//- a.md
# A

alpha

## Usage

${'beta words go on and on. '.repeat(20)}
//- b.md
# B

gamma
`

const NOT_A_DATABASE = 'not a database, and long enough to have a header'.repeat(50)

interface Alteration {
  readonly what: string
  /** What sync says of it. */
  readonly said: string
  apply(folder: string): void
}

function sql(what: string, statement: string): Alteration {
  return {
    what,
    said: 'context.db was changed or copied after the last build',
    apply(folder) {
      const database = new DatabaseSync(databasePath(folder))
      database.exec(statement)
      database.close()
    },
  }
}

/** Changes the pack file and keeps its size. */
function edited(what: string, from: string, to: string): Alteration {
  return {
    what,
    said: 'context_pack.json was changed or copied after the last build',
    apply(folder) {
      const text = readFileSync(packPath(folder), 'utf8')
      expect(text).toContain(from)
      writeFileSync(packPath(folder), text.replace(from, to))
    },
  }
}

const ALTERATIONS: readonly Alteration[] = [
  sql('a row’s text', `UPDATE chunks SET text = 'x' WHERE n = 1`),
  sql('a row’s preview', `UPDATE chunks SET preview = 'x' WHERE n = 1`),
  sql('a row that is gone', 'DELETE FROM chunks WHERE n = 1'),
  sql('a document that is gone', `DELETE FROM documents WHERE path = 'b.md'`),
  sql('words that are gone', 'DELETE FROM chunks_fts WHERE rowid = 1'),
  sql('a table of chunks that is gone', 'DROP TABLE chunks'),
  sql('words that are all gone', 'DROP TABLE chunks_fts'),
  {
    ...sql('a table of documents that is gone', 'DROP TABLE documents'),
    said: 'context.db cannot be read: no such table: documents',
  },
  {
    ...sql('a table of settings that is gone', 'DROP TABLE meta'),
    said: 'context.db cannot be read: no such table: meta',
  },
  {
    ...sql('another version', 'PRAGMA user_version = 77'),
    said: 'context.db cannot be read: it has version 77',
  },
  {
    what: 'a database that is none',
    said: 'context.db cannot be read: file is not a database',
    apply: (folder) => writeFileSync(databasePath(folder), NOT_A_DATABASE),
  },
  {
    what: 'a database that was cut',
    said: 'context.db cannot be read: database disk image is malformed',
    apply: (folder) => truncateSync(databasePath(folder), 8192),
  },
  {
    what: 'a database that is gone',
    said: 'context.db is missing',
    apply: (folder) => rmSync(databasePath(folder)),
  },
  edited('a preview in the index', '"preview":"alpha"', '"preview":"omega"'),
  edited('a summary in the digest', '"summary":"A', '"summary":"X'),
  edited('a line number', '"start_line":1', '"start_line":2'),
  edited('JSON that is none', '{', '!'),
  {
    what: 'a pack file that is gone',
    said: 'context_pack.json is missing',
    apply: (folder) => rmSync(packPath(folder)),
  },
  {
    what: 'both files',
    said: 'context.db cannot be read: file is not a database',
    apply(folder) {
      writeFileSync(databasePath(folder), NOT_A_DATABASE)
      writeFileSync(packPath(folder), 'not a pack')
    },
  },
]

function states(folder: string): readonly unknown[] {
  return [packPath(folder), databasePath(folder)].map((path) => [
    readFileSync(path).toString('base64'),
    statSync(path).mtimeMs,
  ])
}

async function isValid(folder: string): Promise<boolean> {
  return (await validateDocs(quietWorld(folder), { segment: '.' })).valid
}

describe.each(['json', 'sqlite'] as const)(
  'T2 sync repairs a pack with texts in %s',
  (chunksIn) => {
    test.each(ALTERATIONS)('T2 $what', async ({ what, said, apply }) => {
      const folder = onDisk(PROJECT)
      await build(quietWorld(folder), { chunksIn, maxChars: 300 })
      const canonical = (): readonly string[] => [
        canonicalPack(packPath(folder)),
        canonicalDatabase(databasePath(folder)),
      ]
      const before = canonical()
      apply(folder)
      const dry = await sync(quietWorld(folder), { dryRun: true })
      expect(dry).toMatchObject({ written: false, repaired: expect.arrayContaining([said]) })
      const report = await sync(quietWorld(folder))
      expect(report).toMatchObject({ written: true, repaired: expect.arrayContaining([said]) })
      expect(await isValid(folder)).toBe(true)
      const after = states(folder)
      expect(await sync(quietWorld(folder))).toMatchObject({ written: false, repaired: [] })
      expect(states(folder)).toEqual(after)
      // Where neither file can be read, nothing is left that could say what the settings were.
      if (what !== 'both files') expect(canonical()).toEqual(before)
    })
  },
)

describe('T2 what is no damage', () => {
  test('T2 a first build and an edited document repair nothing', async () => {
    const folder = onDisk(PROJECT)
    expect(await sync(quietWorld(folder))).toMatchObject({ written: true, repaired: [] })
    writeFileSync(`${folder}/b.md`, '# B\n\ndelta\n')
    expect(await sync(quietWorld(folder))).toMatchObject({ changed: ['b.md'], repaired: [] })
    expect(await isValid(folder)).toBe(true)
  })

  test('T2 both files have the same time, of whole milliseconds, after every build', async () => {
    const folder = onDisk(PROJECT)
    for (const word of ['delta', 'epsilon']) {
      await sync(quietWorld(folder))
      const times = [packPath(folder), databasePath(folder)].map((it) => statSync(it).mtimeMs)
      expect(times[0]).toBe(times[1])
      expect(Number.isInteger(times[0])).toBe(true)
      writeFileSync(`${folder}/b.md`, `# B\n\n${word}\n`)
    }
  })
})
