/** An index gives the same answers in every store that it can be written to. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import type { FileRecord, ResolvedFile } from '../../src/model/index-record.ts'
import { realFiles } from '../../src/platform/files.ts'
import { BY_BYTES } from '../../src/store/code/byte-order.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { openJsonlIndex } from '../../src/store/jsonl/reader.ts'
import { openLmdbIndex, verifyLmdbIndex } from '../../src/store/lmdb/reader.ts'
import { BACKENDS, exported, QUESTIONS, sampleOf } from '../support/backends.ts'
import { madeFile, madeResolved, pathOf, SMALL, symbolOf } from '../support/code-records.ts'
import { buildIndex, dumpAt, dumpOf, indexPath, META, writerAt } from '../support/code-store.ts'
import { indexIn } from '../support/indexed-folder.ts'
import { onDisk, temporaryFolder } from '../support/project.ts'

const FILES = Array.from({ length: SMALL.files }, (_, at) => madeFile(at, SMALL))
const RESOLVED = Array.from({ length: SMALL.files }, (_, at) => madeResolved(at, SMALL))

/** Words, paths, keys and names as nobody writes them: not well formed, of any length, in any script. */
const ODD_WORDS = ['\u00fcber', '\uffee', '😀', '𐐀b', 'x'.repeat(2000), 'y'.repeat(2000), 'a b"\n']
const ODD_PATH = `odd/😀 "quoted"\n${'long/'.repeat(400)}ﬀ.ts`

function oddFile(): FileRecord {
  const file = madeFile(99, SMALL)
  const [first] = file.chunks
  const words = ODD_WORDS.toSorted()
  return {
    ...file,
    path: ODD_PATH,
    mtimeMs: 1_700_000_000_000.123,
    facts: Uint8Array.from({ length: 300 }, (_, at) => at % 256),
    chunks: [
      ...file.chunks.map((it) => ({ ...it, uid: `${it.uid}odd`, symbol: '' })),
      // The same uid twice, and a chunk in another one.
      ...(first === undefined ? [] : [{ ...first, start: 10, end: 90, text: 'é\r\n😀' }]),
    ],
    symbols: [
      { ...file.symbols[0], id: symbolOf(0, 0), name: '', kind: 'odd', definition: -1 },
      { ...file.symbols[1], id: 'scip:'.padEnd(3000, 'x'), name: '__proto__' },
    ].map((it) => ({ kind: 'k', definition: 7, start: 1, end: 2, isExported: false, ...it })),
    diagnostics: [{ path: ODD_PATH, code: 'unparsable', message: 'as "odd" as can be' }],
    words: {
      words,
      counts: Uint32Array.from(words.flatMap((_, at) => [at, at % 4, at % 5, at * 1000 + 1])),
      lengths: Uint32Array.from({ length: 20 }, (_, at) => at * 70_000),
    },
  }
}

const ODD_RESOLVED: ResolvedFile = {
  path: ODD_PATH,
  edges: [
    {
      kind: 'call',
      from: '',
      to: symbolOf(0, 0),
      evidence: 'span',
      start: 0,
      end: 0,
      confidence: 1,
    },
    {
      kind: 'test',
      from: 'a',
      to: '',
      evidence: 'tooling',
      start: 1,
      end: 2400,
      confidence: 1 / 3,
    },
    {
      kind: 'call',
      from: 'a',
      to: '\ud800',
      evidence: 'span',
      start: 2e9,
      end: 2e9,
      confidence: 0,
    },
  ],
  unresolved: [
    {
      kind: 'call',
      from: 'a',
      name: '😀',
      start: 0,
      end: 1,
      candidates: [],
      confidence: 0.1234567,
    },
  ],
  asked: ODD_WORDS.map((it) => `name:${it}`),
}

/** One word in every field of very many chunks, and one symbol that everybody calls. */
function manyChunks(): readonly FileRecord[] {
  const options = { ...SMALL, chunksPerFile: 700 }
  return Array.from({ length: 12 }, (_, at) => madeFile(200 + at, options))
}

const PROJECT = `
//- src/a.ts
import { run } from './lib/b'
/** Starts \`run\`, as in src/lib/b.ts. */
export class Delta { method() { return run(missing()) } }
//- src/lib/b.ts
export function run(it: unknown) { return it }
export const same = () => run(1)
//- tests/a.test.ts
import { Delta } from '../src/a'
test('it', () => new Delta().method())
//- core/tool.py
from .other import thing
def make():
    return thing()
//- core/other.py
def thing(): pass
//- README.md
# Delta
See \`run\` in src/lib/b.ts.
//- empty.ts

`

const SOURCES: Readonly<Record<string, () => Promise<string>>> = {
  'a made index': async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, [...FILES, oddFile()], [...RESOLVED, ODD_RESOLVED])
    return folder
  },
  'an index of a repository': async () => {
    const folder = onDisk(PROJECT)
    await indexIn(folder)
    return folder
  },
  'an empty index': async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, [])
    return folder
  },
}

const NAMES = Object.keys(BACKENDS) as (keyof typeof BACKENDS)[]
const CASES = NAMES.flatMap((backend) => Object.keys(SOURCES).map((it) => [backend, it] as const))

async function opened(source: string, name: keyof typeof BACKENDS) {
  const repository = (await SOURCES[source]?.()) ?? ''
  const truth = openCodeIndex(realFiles, indexPath(repository))
  const folder = await exported(repository, BACKENDS[name])
  const reader = await BACKENDS[name].open(folder)
  onTestFinished(async () => {
    await truth.close()
    await reader.close()
  })
  return { repository, folder, truth, reader }
}

describe.each(CASES)('BK1 in %s, %s', (backend, source) => {
  test('BK1 answers every question as the database does, in its order', async () => {
    const { truth, reader } = await opened(source, backend)
    const sample = await sampleOf(truth)
    for (const [method, question] of Object.entries(QUESTIONS)) {
      const expected = await question(truth, sample)
      expect(await question(reader, sample), method).toEqual(expected)
    }
  })

  test('BK1 says the same when it is dumped', async () => {
    const { truth, reader } = await opened(source, backend)
    expect(await dumpOf(reader)).toBe(await dumpOf(truth))
  })

  test('BK1 has no full-text search, and says so', async () => {
    const { reader } = await opened(source, backend)
    expect((await reader.status()).supports).toEqual({ fullText: false })
    const asked = reader.searchFullText({ words: ['w1'], weights: [1, 1, 1, 1, 1], limit: 5 })
    await expect(asked).rejects.toMatchObject({ code: 'POC_E_NOT_SUPPORTED', hint: /sparse/ })
  })
})

test('BK1 every question of the port is asked', async () => {
  const { truth } = await opened('an empty index', 'lmdb')
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(truth))
  // The first three are of the index that is kept up to date, and no questions of the port.
  const others = ['meta', 'snapshot', 'state', 'searchFullText', 'refresh', 'close', 'constructor']
  const asked = [...Object.keys(QUESTIONS), ...others]
  expect(methods.toSorted()).toEqual(asked.toSorted())
})

describe.each(NAMES)('BK1 in %s', (backend) => {
  test('BK1 what is gone from the index is not written out', async () => {
    const { repository, folder } = await opened('a made index', backend)
    const writer = writerAt(repository)
    await writer.begin()
    await writer.remove([ODD_PATH, pathOf(3)])
    await writer.put([madeFile(4, SMALL, 1)])
    await writer.commit()
    await writer.close()
    const after = await exported(repository, BACKENDS[backend], join(folder, 'after'))
    const reader = await BACKENDS[backend].open(after)
    onTestFinished(() => reader.close())
    expect(await dumpOf(reader)).toBe(await dumpAt(repository))
    expect(await reader.vocabulary('\u00fc', 9)).toEqual([])
  })

  test('BK1 sees another index in its place when it is told to look', async () => {
    const { repository, folder, reader } = await opened('a made index', backend)
    const before = await dumpOf(reader)
    expect(await reader.refresh()).toBe(false)
    await buildIndex(join(repository, 'other'), FILES.slice(0, 3))
    rmSync(folder, { recursive: true })
    await exported(join(repository, 'other'), BACKENDS[backend], folder)
    expect(await dumpOf(reader)).toBe(before)
    expect(await reader.refresh()).toBe(true)
    expect(await dumpOf(reader)).toBe(await dumpAt(join(repository, 'other')))
    expect((await reader.layout()).paths).toHaveLength(3)
    expect(await reader.refresh()).toBe(false)
  })
})

async function sizes(reader: CodeIndexReader): Promise<readonly (readonly number[])[]> {
  const found = await reader.postings(['w0', 'w1'])
  return found.map(({ handles, frequency }) => [handles.length, frequency])
}

describe.each(['jsonl', 'lmdb'] as const)('BK1 in %s', (backend) => {
  test('BK1 lists that are too long for one place are whole', async () => {
    const folder = temporaryFolder()
    const files = manyChunks()
    const hub = symbolOf(200, 0)
    const callers = files.map(({ path }): ResolvedFile => {
      const edges = Array.from({ length: 400 }, (_, at) => ({
        kind: 'call' as const,
        from: `scip:${at}`,
        to: hub,
        evidence: 'callsite' as const,
        start: at * 1000,
        end: at * 1000 + 5,
        confidence: 0.9,
      }))
      return { path, edges, unresolved: [], asked: [] }
    })
    await buildIndex(folder, files, callers)
    const out = await exported(folder, BACKENDS[backend])
    const truth = openCodeIndex(realFiles, indexPath(folder))
    const reader = await BACKENDS[backend].open(out)
    onTestFinished(async () => {
      await truth.close()
      await reader.close()
    })
    expect(await sizes(reader)).toEqual(await sizes(truth))
    expect((await sizes(truth))[0]?.[0]).toBeGreaterThan(17_000)
    expect(await reader.edgesTo([hub])).toEqual(await truth.edgesTo([hub]))
    expect((await reader.edgesTo([hub])).length).toBe(4800)
  })

  test('BK1 texts that are too long for a key are told apart', async () => {
    const folder = temporaryFolder()
    const words = ['a', 'b', 'c'].map((it) => 'x'.repeat(3000) + it)
    const file = madeFile(0, SMALL)
    const counts = Uint32Array.from(words.flatMap((_, at) => [at, at, 0, at + 1]))
    const table = { words, counts, lengths: new Uint32Array(15).fill(1) }
    await buildIndex(folder, [{ ...file, words: table }])
    const reader = await BACKENDS[backend].open(await exported(folder, BACKENDS[backend]))
    onTestFinished(() => reader.close())
    const found = (await reader.postings(words)).map((it) => [...it.counts])
    expect(found).toEqual([[1], [2], [3]])
    const seen: string[] = []
    for (let after = ''; seen.length < 9; after = seen.at(-1) ?? '') {
      const page = await reader.vocabulary(after, 1)
      if (page.length === 0) break
      seen.push(...page)
    }
    expect(seen.toSorted()).toEqual(words)
  })
})

test('BK1 texts are ordered by their bytes', () => {
  const odd = [...ODD_WORDS, '', 'a', 'ab', 'b', '\ue000', '😀a', 'é', '\ud7ff']
  const bytes = odd.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(odd.toSorted(BY_BYTES)).toEqual(bytes)
})

function contentsOf(folder: string, but: readonly string[] = []): ReadonlyMap<string, string> {
  const names = readdirSync(folder)
    .filter((it) => !but.includes(it))
    .toSorted()
  return new Map(names.map((it) => [it, readFileSync(join(folder, it), 'utf8')]))
}

describe('BK2 JSONL', () => {
  test('BK2 is the same bytes for the same content, whenever and however it came about', async () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()]
    await buildIndex(first, FILES, RESOLVED)
    const writer = writerAt(second)
    await writer.begin()
    await writer.put([madeFile(5, SMALL, 1), oddFile()])
    await writer.commit()
    await writer.begin()
    await writer.remove([ODD_PATH])
    await writer.put(FILES.toReversed().map((it) => ({ ...it, mtimeMs: it.mtimeMs + 5000 })))
    await writer.putResolved(RESOLVED)
    await writer.setMeta({ ...META, builtAt: '2027-01-01T00:00:00.000Z' })
    await writer.commit()
    await writer.close()
    const one = contentsOf(await exported(first, BACKENDS.small), ['local.jsonl'])
    const other = contentsOf(await exported(second, BACKENDS.small), ['local.jsonl'])
    expect([...one.keys()].length).toBeGreaterThan(20)
    expect(other).toEqual(one)
    const again = contentsOf(await exported(first, BACKENDS.small, join(first, 'again')))
    expect(again).toEqual(contentsOf(join(first, '.dossier', 'out')))
  })

  test('BK2 has canonical lines, in pieces of the size that is asked for', async () => {
    const { folder } = await opened('a made index', 'small')
    for (const [name, text] of contentsOf(folder, ['manifest.json'])) {
      const lines = text.split('\n').slice(0, -1)
      for (const line of lines) expect(canonicalize(JSON.parse(line))).toBe(line)
      if (name !== 'local.jsonl' && lines.length > 1) expect(text.length).toBeLessThanOrEqual(2000)
    }
  })

  test('BK2 can be read without the times of the machine that made it', async () => {
    const { folder, truth } = await opened('a made index', 'jsonl')
    rmSync(join(folder, 'local.jsonl'))
    const reader = await openJsonlIndex(realFiles, folder)
    expect(await dumpOf(reader)).toBe(await dumpOf(truth))
    expect(new Set((await reader.files()).map((it) => it.mtimeMs))).toEqual(new Set([0]))
    expect((await reader.status()).builtAt).toBe('1970-01-01T00:00:00.000Z')
  })
})

const DAMAGES: Readonly<Record<string, (text: string) => string | undefined>> = {
  missing: () => undefined,
  cut: (text) => text.slice(0, -3),
  empty: () => '',
  changed: (text) => text.replace(/[0-9](?=[^0-9]*$)/, (it) => String((Number(it) + 1) % 10)),
}

describe.each(Object.entries(DAMAGES))('BK3 a file that is %s', (name, damage) => {
  test('BK3 is an error in JSONL that names the file, whichever it is', async () => {
    const { folder } = await opened('a made index', 'jsonl')
    for (const [file, text] of contentsOf(folder)) {
      const damaged = damage(text)
      // It may be left out, and a manifest says what is to be there, but not what else there is.
      if (damaged === text || (file === 'local.jsonl' && damaged === undefined)) continue
      if (damaged === undefined) rmSync(join(folder, file))
      else writeFileSync(join(folder, file), damaged)
      const isMissing = file === 'manifest.json' && name === 'missing'
      const asked = openJsonlIndex(realFiles, folder)
      await expect(asked, file).rejects.toMatchObject({
        code: isMissing ? 'POC_E_PACK_MISSING' : 'POC_E_PACK_CORRUPT',
        message: expect.stringContaining(file) as string,
        hint: /index export/,
      })
      writeFileSync(join(folder, file), text)
    }
    await expect(openJsonlIndex(realFiles, folder)).resolves.toBeDefined()
  })

  test('BK3 is an error in LMDB', async () => {
    const repository = (await SOURCES['a made index']?.()) ?? ''
    const folder = await exported(repository, BACKENDS.lmdb)
    const path = join(folder, 'index.mdb')
    const bytes = readFileSync(path)
    if (name === 'missing') rmSync(path)
    else if (name === 'changed') writeFileSync(path, bytes.fill(7, 5000, 5008))
    else writeFileSync(path, bytes.subarray(0, name === 'empty' ? 0 : -4096))
    const code = 'POC_E_PACK_CORRUPT'
    expect(() => verifyLmdbIndex(realFiles, folder)).toThrow(expect.objectContaining({ code }))
    if (name === 'changed') return
    expect(() => openLmdbIndex(realFiles, folder)).toThrow(expect.objectContaining({ code }))
  })
})

test('BK3 what is of another version, another program or another backend is refused', async () => {
  const { folder } = await opened('a made index', 'jsonl')
  const path = join(folder, 'manifest.json')
  const text = readFileSync(path, 'utf8')
  const refusal = async (changed: string): Promise<unknown> => {
    writeFileSync(path, changed)
    return openJsonlIndex(realFiles, folder).catch((error: unknown) => error)
  }
  expect(await refusal(text.replace('"formatVersion": 1', '"formatVersion": 2'))).toMatchObject({
    code: 'POC_E_CONTRACT_VERSION',
  })
  expect(await refusal('{"name":"other"}')).toMatchObject({ code: 'POC_E_PACK_FOREIGN' })
  writeFileSync(path, text)
  expect(() => openLmdbIndex(realFiles, folder)).toThrow(
    expect.objectContaining({ code: 'POC_E_PACK_FOREIGN' }),
  )
  const { folder: other } = await opened('a made index', 'lmdb')
  await expect(openJsonlIndex(realFiles, other)).rejects.toMatchObject({
    code: 'POC_E_PACK_FOREIGN',
  })
})
