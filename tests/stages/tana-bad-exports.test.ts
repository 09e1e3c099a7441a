import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom, option, record } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { EngineError } from '../../src/model/engine-error.ts'
import { detectTanaKind } from '../../src/sources/notes/tana/detect.ts'
import { openTanaExport } from '../../src/sources/notes/tana/export-source.ts'
import { type ReadNotes, readNotes } from '../support/notes-source.ts'
import { runs } from '../support/property.ts'
import { tanaWorkspace, writeTanaWorkspace } from '../support/tana-workspace.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'dossier-bad-tana-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

function written(text: string | Uint8Array): string {
  const path = join(FOLDER, 'export.json')
  writeFileSync(path, text)
  return path
}

function readDocs(docs: readonly unknown[]): Promise<ReadNotes> {
  return readNotes(openTanaExport(written(JSON.stringify({ docs })), { blockBytes: 200 }))
}

async function refusal(text: string | Uint8Array): Promise<EngineError> {
  const error = await readNotes(openTanaExport(written(text), { blockBytes: 100 })).then(
    () => new Error('it was read'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof EngineError)) throw error
  return error
}

test('NI8 a truncated export is refused, with the byte where it ends and what to do', async () => {
  const whole = Buffer.from(JSON.stringify(tanaWorkspace()))
  for (const share of [0.1, 0.5, 0.99]) {
    const length = Math.floor(whole.length * share)
    const error = await refusal(whole.subarray(0, length))
    expect(error.code).toBe('POC_E_SOURCE_INVALID')
    expect(error.message).toContain(`at byte ${length}`)
    expect(error.hint).toContain('export it from Tana again')
  }
})

test('NI8 a node that cannot be parsed is refused with its place in the file', async () => {
  const error = await refusal('{"docs":[{"id":"a"},{"id":oops}]}')
  expect(error).toMatchObject({ code: 'POC_E_SOURCE_INVALID' })
  expect(error.message).toContain('at byte 20')
  expect((await refusal('{"docs":[]} more')).message).toContain('unexpected data after the end')
})

test.each([
  ['[1,2]', 'a JSON array'],
  ['', 'empty'],
  ['# Notes\n\nSome text', 'a text that begins with “# Notes'],
  ['{"version":"TanaIntermediateFile V0.1","nodes":[]}', 'version, nodes but no docs'],
  ['{}', 'an empty JSON object'],
  ['PK\u0003\u0004rest', 'a ZIP archive'],
  ['SQLite format 3\0rest', 'an SQLite database'],
  ['\0\0\0', 'a binary file'],
])('NI8 %j is no export, and it is said what it is', async (text, what) => {
  const error = await refusal(text)
  expect(error.code).toBe('POC_E_SOURCE_INVALID')
  expect(error.message).toContain('is not a Tana export')
  expect(error.message).toContain(what)
})

test('NI8 a folder and a file that is not there are said to be so', () => {
  expect(() => openTanaExport(FOLDER)).toThrow('is not a file')
  expect(() => openTanaExport(join(FOLDER, 'none.json'))).toThrow('cannot be read')
})

test('NI8 an empty workspace is read without trouble', async () => {
  const { records, account } = await readDocs([])
  expect(records.size).toBe(0)
  expect(account).toMatchObject({ seen: 0, diagnostics: [] })
})

test('NI8 a ring of owners is opened at its first id, wherever it stands in the file', async () => {
  const ring = [
    { id: 'b', props: { name: 'B', _ownerId: 'c' }, children: ['a'] },
    { id: 'c', props: { name: 'C', _ownerId: 'a' }, children: ['b'] },
    { id: 'a', props: { name: 'A', _ownerId: 'b' }, children: ['c'] },
    { id: 'leaf', props: { name: 'Leaf', _ownerId: 'b' } },
  ]
  for (const docs of [ring, ring.toReversed()]) {
    const { note, account, records } = await readDocs(docs)
    expect(records.size).toBe(4)
    expect(note('a')).not.toHaveProperty('parent')
    expect([note('c').parent, note('b').parent, note('leaf').parent]).toEqual(['a', 'c', 'b'])
    expect(account.diagnostics).toMatchObject([{ code: 'cycle', path: 'a' }])
  }
})

test('NI8 a node that owns itself or is its own child is there, without that', async () => {
  const { note, account } = await readDocs([
    { id: 'own', props: { name: 'Own', _ownerId: 'own' }, children: ['own', 'kid', 'own'] },
    { id: 'kid', props: { name: 'Kid', _ownerId: 'own' } },
  ])
  expect(note('own')).toMatchObject({ children: ['kid'], references: [] })
  expect(note('own')).not.toHaveProperty('parent')
  expect(account.diagnostics.map((it) => [it.code, it.path])).toEqual([
    ['cycle', 'own'],
    ['cycle', 'own'],
  ])
})

test('NI8 missing nodes are counted, and the first of them are told', async () => {
  const span = '<span data-inlineref-node="nowhere"></span>'
  const docs = Array.from({ length: 30 }, (_, at) => ({
    id: `n${at}`,
    props: { name: `see ${span}` },
    children: ['missing', 'SYS_A13'],
  }))
  const { account, note } = await readDocs(docs)
  expect(account.unresolved).toBe(60)
  expect(account.diagnostics).toHaveLength(21)
  expect(account.diagnostics[0]).toMatchObject({ code: 'unresolved', path: 'n0' })
  expect(account.diagnostics.at(-1)?.message).toBe('40 more of this kind')
  expect(note('n0').references).toEqual([])
})

test('NI8 of nodes with the same id the first counts, and one without an id is passed over', async () => {
  const { note, account, records } = await readDocs([
    { id: 'twice', props: { name: 'First' } },
    { id: 'twice', props: { name: 'Second' } },
    { props: { name: 'Nobody' } },
    'text',
    null,
    { id: 'bare' },
    { id: 'odd', props: 7, children: 'none', modifiedTs: 'x' },
    { id: 'ünïcode', props: { name: 'Ünï' }, children: [5, 'twice'] },
  ])
  expect(note('twice').name).toBe('First')
  expect([...records.keys()]).toEqual(['twice', 'ünïcode'])
  expect(note('ünïcode').references).toEqual(['twice'])
  expect(account.seen).toBe(8)
  expect(account.diagnostics.map((it) => it.code)).toEqual(Array(4).fill('unparsable'))
})

const id = constantFrom('a', 'b', 'c', 'd', 'e', 'w', 'w_TRASH', 'w_STASH', 'SYS_A13', 'SYS_V03')
const anyDoc = record({
  id,
  props: record(
    {
      name: constantFrom('', 'x', '  - y:', '<span data-inlineref-node="a"></span>'),
      _ownerId: id,
      _metaNodeId: id,
      _docType: constantFrom('tuple', 'metanode', 'tagDef', 'attrDef', 'search', 'chat', 'viewDef'),
    },
    { requiredKeys: [] },
  ),
  children: option(array(id, { maxLength: 5 }), { nil: [] }),
})

test('NI8 whatever points at whatever, reading ends, and parents and children agree', async () => {
  await assert(
    asyncProperty(array(anyDoc, { maxLength: 12 }), async (docs) => {
      const { records, account } = await readDocs(docs)
      expect(account.seen).toBe(docs.length)
      for (const start of records.values()) {
        const chain = new Set<string>()
        for (let at = start.parent; at !== undefined; at = records.get(at)?.parent) {
          expect(chain.has(at)).toBe(false)
          chain.add(at)
        }
      }
    }),
    runs(400),
  )
})

test('NI12 the kind of a file is told from its first bytes', () => {
  expect(detectTanaKind(writeTanaWorkspace(FOLDER))).toBe('tana-export')
  expect(kindOf('{"storeData":{"docs":[]}}')).toBe('tana-export')
  expect(kindOf(`{"editors":["${'x'.repeat(200_000)}"],"docs":[]}`)).toBe('tana-export')
  expect(kindOf('{"version":"TanaIntermediateFile V0.1","nodes":[]}')).toBe('tana-intermediate')
  expect(kindOf('{"nodes":[],"summary":{}}')).toBe('tana-intermediate')
  expect(kindOf('{"name":"package","version":"1.0.0"}')).toBeUndefined()
  expect(kindOf('{"x":{"docs":[]}}')).toBeUndefined()
  expect(kindOf('[]')).toBeUndefined()
  expect(kindOf('')).toBeUndefined()
  expect(detectTanaKind(FOLDER)).toBeUndefined()
  expect(detectTanaKind(join(FOLDER, 'none'))).toBeUndefined()
})

function kindOf(text: string): ReturnType<typeof detectTanaKind> {
  return detectTanaKind(written(text))
}
