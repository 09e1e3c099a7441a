/** Validation: V1, each fault planted and found by its own check; V2, what valid means. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Validation, validateDocs } from '../../src/packs/docs/docs-validate.ts'
import { anyDocument } from '../support/documents.ts'
import { build, databasePath, packPath, sync } from '../support/pack.ts'
import { onDisk, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'
import { quietWorld } from '../support/world.ts'

const PROJECT = `
//- a.md
# A

alpha

## Usage

beta
//- b.md
# B

gamma
`

async function project(): Promise<string> {
  const folder = onDisk(PROJECT)
  await build(quietWorld(folder))
  return folder
}

function validate(folder: string): Promise<Validation> {
  return validateDocs(quietWorld(folder), { segment: '.' })
}

async function failed(folder: string): Promise<readonly string[]> {
  const validation = await validate(folder)
  const names = validation.checks.filter((it) => !it.ok).map((it) => it.name)
  expect(validation.valid).toBe(names.length === 0)
  for (const check of validation.checks) expect(check.ok).toBe(check.problems.length === 0)
  return names
}

interface LoosePack {
  schema_version: number
  source_files: { path: string; sha256: string }[]
  docs: { doc: string; chunk_count: number; total_chars: number; sha256: string }[]
  digest: { source_chunk_ids: string[] }[]
  index: LooseEntry[]
  chunks: (LooseEntry & { text?: string })[]
}

interface LooseEntry {
  id: string
  title_path: string[]
  start_line: number
  end_line: number
  char_count: number
  source_path: string
}

/** Changes the file; the database is left as it was or taken away. */
function plant(folder: string, change: (pack: LoosePack) => void): void {
  const pack = JSON.parse(readFileSync(packPath(folder), 'utf8')) as LoosePack
  change(pack)
  writeFileSync(packPath(folder), JSON.stringify(pack))
}

function first<T>(list: readonly T[]): T {
  const [item] = list
  if (item === undefined) throw new Error('expected an entry')
  return item
}

describe('V1 faults in the file', () => {
  const FAULTS: readonly (readonly [string, string, (pack: LoosePack) => void])[] = [
    [
      'another schema',
      'schema',
      (pack) => {
        pack.schema_version = 2
      },
    ],
    [
      'no schema',
      'schema',
      (pack) => {
        Reflect.deleteProperty(pack, 'schema_version')
      },
    ],
    [
      'an array that is missing',
      'schema',
      (pack) => {
        Reflect.deleteProperty(pack, 'digest')
      },
    ],
    [
      'a repeated id',
      'unique ids',
      (pack) => {
        pack.chunks.push(first(pack.chunks))
      },
    ],
    [
      'a repeated index entry',
      'unique ids',
      (pack) => {
        pack.index.push(first(pack.index))
      },
    ],
    [
      'an index entry too few',
      'index',
      (pack) => {
        pack.index.pop()
      },
    ],
    [
      'a chunk too few',
      'index',
      (pack) => {
        pack.chunks.pop()
      },
    ],
    [
      'lines that differ',
      'index',
      (pack) => {
        first(pack.index).end_line += 1
      },
    ],
    [
      'titles that differ',
      'index',
      (pack) => {
        first(pack.index).title_path = ['Other']
      },
    ],
    [
      'a document’s count',
      'documents',
      (pack) => {
        first(pack.docs).chunk_count += 1
      },
    ],
    [
      'a document too few',
      'documents',
      (pack) => {
        pack.docs.pop()
      },
    ],
    [
      'a chunk’s size',
      'documents',
      (pack) => {
        first(pack.chunks).char_count += 1
        first(pack.index).char_count += 1
      },
    ],
    [
      'a digest that cites nothing',
      'digest',
      (pack) => {
        first(pack.digest).source_chunk_ids = ['a:0000000000']
      },
    ],
    [
      'a range that is elsewhere',
      'line ranges',
      (pack) => {
        first(pack.chunks).start_line = 2
        first(pack.index).start_line = 2
      },
    ],
    [
      'a text that was changed',
      'line ranges',
      (pack) => {
        first(pack.chunks).text = '# A\n\nother'
      },
    ],
    [
      'a text that was changed',
      'database',
      (pack) => {
        first(pack.chunks).text = '# A\n\nother'
      },
    ],
    [
      'an id that was put in by hand',
      'ids',
      (pack) => {
        first(pack.chunks).id = 'a:0123456789'
        first(pack.index).id = 'a:0123456789'
      },
    ],
    [
      'a text that is gone',
      'texts',
      (pack) => {
        delete first(pack.chunks).text
      },
    ],
  ]

  test.each(FAULTS)('V1 %s is found by the check of %s', async (_, check, change) => {
    const folder = await project()
    if (check === 'texts') rmSync(databasePath(folder))
    plant(folder, change)
    expect(await failed(folder)).toContain(check)
  })

  test('V1 a file that is no JSON', async () => {
    const folder = await project()
    writeFileSync(packPath(folder), '{"schema_version": 1, "chu')
    expect(await failed(folder)).toEqual(['schema'])
  })

  test('V1 no pack at all is an error', async () => {
    const folder = onDisk(PROJECT)
    await expect(validate(folder)).rejects.toMatchObject({ code: 'POC_E_PACK_MISSING' })
  })
})

describe('V1 faults in the database', () => {
  const FAULTS: readonly (readonly [string, string])[] = [
    ['another text', `UPDATE chunks SET text = 'x' WHERE n = 1`],
    ['a chunk too few', 'DELETE FROM chunks WHERE n = 1'],
    ['another id', `UPDATE chunks SET id = 'a:0000000000' WHERE n = 1`],
    [
      'a chunk too many',
      `INSERT INTO chunks SELECT 99, 'x:0', doc, title_path, source_path,
      heading_level, char_count, line_count, start_line, end_line, part, 9, preview, parts, text
      FROM chunks WHERE n = 1`,
    ],
    ['words that are gone', 'DELETE FROM chunks_fts WHERE rowid = 1'],
  ]

  test.each(FAULTS)('V1 %s', async (_, statement) => {
    const folder = await project()
    const database = new DatabaseSync(databasePath(folder))
    database.exec(statement)
    database.close()
    expect(await failed(folder)).toEqual(['database'])
  })

  test('V1 a database that is no database', async () => {
    const folder = await project()
    writeFileSync(
      databasePath(folder),
      'not a database, and long enough to have a header'.repeat(50),
    )
    expect(await failed(folder)).toEqual(['database'])
  })

  test('V1 no database is no fault', async () => {
    const folder = await project()
    rmSync(databasePath(folder))
    expect(await failed(folder)).toEqual([])
  })
})

describe('V1 sources', () => {
  test.each([
    ['stale', 'a.md has changed', (folder: string) => writeFile(folder, 'a.md', '# Other\n')],
    ['missing', 'b.md is missing', (folder: string) => rmSync(join(folder, 'b.md'))],
    ['new', 'c.md is new', (folder: string) => writeFile(folder, 'c.md', '# C\n')],
    ['no text any more', 'a.md has changed', (folder: string) => writeFile(folder, 'a.md', '\0')],
  ])('V1 %s', async (_, problem, change) => {
    const folder = await project()
    change(folder)
    const { checks } = await validate(folder)
    expect(checks.filter((it) => !it.ok).map((it) => [it.name, it.problems])).toEqual([
      ['sources', [problem]],
    ])
    await sync(quietWorld(folder))
    expect(await failed(folder)).toEqual([])
  })

  test('V1 a pack with paths from another root, whose documents are as they were', async () => {
    const folder = await project()
    const above = quietWorld(join(folder, '..'))
    const request = { segment: folder }
    const { checks } = await validateDocs(above, request)
    expect(checks.filter((it) => !it.ok).map((it) => [it.name, it.problems])).toEqual([
      ['sources', [expect.stringContaining('another --repo-root')]],
    ])
    await sync(above, request)
    expect((await validateDocs(above, request)).valid).toBe(true)
  })

  test('V1 a new file that is no document is not new', async () => {
    const folder = await project()
    writeFile(folder, 'image.md', '\0')
    expect(await failed(folder)).toEqual([])
  })
})

describe('V2 a pack that was just built is valid', () => {
  test('V2 for any documents at any limit', async () => {
    const documents = fc.array(anyDocument, { minLength: 1, maxLength: 4 })
    const limit = fc.integer({ min: 200, max: 400 })
    await fc.assert(
      fc.asyncProperty(
        documents,
        limit,
        fc.constantFrom('json', 'sqlite'),
        async (list, maxChars, chunksIn) => {
          await withFolder(async (folder) => {
            for (const [at, { text }] of list.entries()) writeFile(folder, `doc-${at}.md`, text)
            await build(quietWorld(folder), { maxChars, chunksIn })
            const { checks } = await validate(folder)
            expect(checks.filter((it) => !it.ok)).toEqual([])
          })
        },
      ),
      runs(120),
    )
  })
})
