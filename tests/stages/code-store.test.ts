/** The store of the code index: what is put comes back, however it got there. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import { EDGE_KINDS, type FileRecord, type ResolvedFile } from '../../src/model/index-record.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { signatureOfFiles } from '../../src/store/code/signature.ts'
import { madeFile, madeResolved, pathOf, SMALL, symbolOf, wordOf } from '../support/code-records.ts'
import {
  buildIndex,
  dumpAt,
  dumpOf,
  indexPath,
  META,
  reading,
  writerAt,
} from '../support/code-store.ts'
import { temporaryFolder, withFolder } from '../support/project.ts'
import { runs } from '../support/property.ts'

const FILES = Array.from({ length: SMALL.files }, (_, at) => madeFile(at, SMALL))
const RESOLVED = Array.from({ length: SMALL.files }, (_, at) => madeResolved(at, SMALL))
const WORDS = Array.from({ length: SMALL.vocabulary }, (_, at) => wordOf(at))
const WEIGHTS = [1, 6, 3, 2, 1]

async function built(): Promise<{ folder: string; reader: CodeIndexReader }> {
  const folder = temporaryFolder()
  await buildIndex(folder, FILES, RESOLVED)
  return { folder, reader: openCodeIndex(realFiles, indexPath(folder)) }
}

describe('N1 an index that was changed equals one that is built anew', () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant('put'), fc.nat(4), fc.nat(3)) },
    { weight: 5, arbitrary: fc.tuple(fc.constant('resolve'), fc.nat(4), fc.nat(3)) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('remove'), fc.nat(4), fc.constant(0)) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('commit'), fc.nat(0), fc.constant(0)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('undo'), fc.nat(0), fc.constant(0)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('compact'), fc.nat(0), fc.constant(0)) },
  )

  test('N1 for any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        await withFolder(async (folder) => {
          const { files, resolved } = await follow(`${folder}/changed`, steps)
          await buildIndex(`${folder}/fresh`, files.toReversed(), resolved)
          expect(await dumpAt(`${folder}/changed`)).toBe(await dumpAt(`${folder}/fresh`))
          expect(await answersAt(`${folder}/changed`)).toEqual(await answersAt(`${folder}/fresh`))
        })
      }),
      runs(40),
    )
  })

  test('N1 a dump tells every part of an index apart', async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, FILES, RESOLVED)
    const lines = (await dumpAt(folder)).split('\n')
    const kinds = new Set(lines.map((it) => it.split(' ')[0]))
    expect([...kinds].toSorted()).toEqual(
      ` asked chunk corpus edge facts file index provides skipped symbol unresolved word`.split(
        ' ',
      ),
    )
    const entries = FILES.reduce((sum, it) => sum + it.words.counts.length / 4, 0)
    expect(lines.filter((it) => it.startsWith('word '))).toHaveLength(entries)
    expect(lines.filter((it) => it.startsWith('edge '))).toHaveLength(
      SMALL.files * SMALL.edgesPerFile,
    )
  })
})

type Step = readonly [string, number, number]

/** Does the steps to an index, and says what should be in it. */
async function follow(folder: string, steps: readonly Step[]) {
  let kept = { files: new Map<string, FileRecord>(), resolved: new Map<string, ResolvedFile>() }
  let now = copy(kept)
  const writer = writerAt(folder)
  await writer.begin()
  for (const [kind, file, edition] of steps) {
    const path = pathOf(file)
    if (kind === 'put') {
      now.files.set(path, madeFile(file, SMALL, edition))
      now.resolved.delete(path)
      await writer.put([madeFile(file, SMALL, edition)])
    } else if (kind === 'resolve' && now.files.has(path)) {
      now.resolved.set(path, madeResolved(file, SMALL, edition))
      await writer.putResolved([madeResolved(file, SMALL, edition)])
    } else if (kind === 'remove') {
      now.files.delete(path)
      now.resolved.delete(path)
      await writer.remove([path])
    } else if (kind === 'undo') {
      now = copy(kept)
      await writer.rollback()
      await writer.begin()
    } else if (kind !== 'resolve') {
      kept = copy(now)
      await writer.commit()
      if (kind === 'compact') await writer.compact('always')
      await writer.begin()
    }
  }
  await writer.setMeta(META)
  await writer.commit()
  await writer.close()
  return { files: [...now.files.values()], resolved: [...now.resolved.values()] }
}

function copy<T extends Readonly<Record<string, Map<string, unknown>>>>(maps: T): T {
  return Object.fromEntries(Object.entries(maps).map(([key, map]) => [key, new Map(map)])) as T
}

/** What a dump does not show: the same things, found in other ways. */
function answersAt(folder: string): Promise<readonly unknown[]> {
  const symbols = [0, 1, 2, 3, 4].flatMap((file) => [0, 1, 2].map((at) => symbolOf(file, at)))
  const search = { weights: WEIGHTS, limit: 5 }
  return reading(folder, (reader) =>
    Promise.all([
      reader.status(),
      reader.edgesFrom(symbols),
      reader.edgesTo(symbols, ['call', 'usage']),
      reader.symbolsNamed(['thing0', 'thing1']),
      reader.definitions(symbols),
      reader.searchFullText({ ...search, words: WORDS.slice(0, 1) }),
      reader.searchFullText({ ...search, words: WORDS.slice(1, 4) }),
      reader.searchFullText({ ...search, words: WORDS.slice(10, 40) }),
    ]),
  )
}

describe('N3 the signature', () => {
  test('N3 is the same for every order, and says what the index was made from', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()]
    const signature = await buildIndex(one, FILES)
    expect(await buildIndex(other, FILES.toReversed(), RESOLVED)).toBe(signature)
    expect(signature).toBe(signatureOfFiles(META, FILES))
    expect(await reading(one, async (it) => (await it.status()).signature)).toBe(signature)
    expect(await reading(one, (it) => it.signature())).toBe(signature)
    expect(signatureOfFiles({ ...META, extractorVersion: 'test-2' }, FILES)).not.toBe(signature)
    expect(signatureOfFiles({ ...META, options: '{}' }, FILES)).not.toBe(signature)
    expect(signatureOfFiles(META, FILES.slice(1))).not.toBe(signature)
  })

  test('N3 follows the content and not the times', async () => {
    const folder = temporaryFolder()
    const signature = await buildIndex(folder, FILES)
    const writer = writerAt(folder)
    await writer.begin()
    await writer.touch([{ path: pathOf(3), size: 1, mtimeMs: 42.5 }])
    expect(writer.lookup.files([pathOf(3)])[0]?.mtimeMs).toBe(42.5)
    expect(await writer.commit()).toBe(signature)
    await writer.begin()
    await writer.put([madeFile(3, SMALL, 1)])
    expect(await writer.commit()).not.toBe(signature)
    await writer.begin()
    await writer.put([madeFile(3, SMALL)])
    expect(await writer.commit()).toBe(signature)
    await writer.close()
  })
})

/** To compare without regard to order. */
function keys(edges: readonly object[]): readonly string[] {
  return edges.map((it) => JSON.stringify(Object.entries(it).toSorted())).toSorted()
}

describe('N6 records come back as they were put', () => {
  test('N6 files, chunks and symbols', async () => {
    const { reader } = await built()
    const [stored] = await reader.storedFiles([pathOf(5), 'nothing'])
    const { words: _, ...file } = madeFile(5, SMALL)
    expect(stored).toMatchObject({
      ...file,
      facts: new Uint8Array(file.facts),
      chunks: file.chunks.map((it) => ({ ...it, path: file.path })),
    })
    const uids = file.chunks.map((it) => it.uid)
    expect((await reader.chunks(uids.toReversed())).map((it) => it.uid)).toEqual(uids)
    const [at, beyond] = await reader.chunksAt([
      { path: file.path, offset: 900 },
      { path: file.path, offset: 99_999 },
    ])
    expect([at?.uid, beyond]).toEqual([uids[1], undefined])
    const symbol = file.symbols[1]
    expect(await reader.symbols([symbol?.id ?? ''])).toEqual([{ ...symbol, path: file.path }])
    expect(await reader.symbolsNamed(['thing1'])).toHaveLength(SMALL.files)
    expect(await reader.definitions([symbol?.id ?? ''])).toEqual([
      {
        symbol: symbol?.id,
        path: file.path,
        start: symbol?.start,
        end: symbol?.end,
        chunkUid: uids[1],
      },
    ])
    await reader.close()
  })

  test('N6 edges, by their ends and by where they stand, with the text that supports them', async () => {
    const { reader } = await built()
    const all = RESOLVED.flatMap((it) => it.edges.map((edge) => ({ ...edge, path: it.path })))
    const symbol = symbolOf(4, 1)
    expect(keys(await reader.edgesTo([symbol]))).toEqual(keys(all.filter((it) => it.to === symbol)))
    expect(keys(await reader.edgesFrom([symbol, symbol], ['call', 'import']))).toEqual(
      keys(all.filter((it) => it.from === symbol && ['call', 'import'].includes(it.kind))),
    )
    const chunk = FILES[4]?.chunks[1]
    const inside = all.filter((it) => it.path === pathOf(4) && it.start >= 800 && it.start < 1600)
    const found = await reader.edgesInChunks([chunk?.uid ?? ''])
    expect(keys(found)).toEqual(keys(inside))
    expect(found.length).toBeGreaterThan(0)
    const [edge] = found.filter((it) => it.end <= 1600)
    const [evidence] = edge === undefined ? [] : await reader.evidence([edge])
    const text = chunk?.text.slice((edge?.start ?? 0) - 800, (edge?.end ?? 0) - 800)
    expect(evidence).toMatchObject({ kind: edge?.evidence, path: pathOf(4), text })
    expect(evidence?.id).toMatch(/^ev:[0-9a-f]{16}$/)
    expect(evidence?.startLine).toBe(
      21 + (chunk?.text.slice(0, (edge?.start ?? 0) - 800).split('\n').length ?? 0) - 1,
    )
    const { path: _, ...unresolved } = (await reader.unresolvedInFiles([pathOf(4)]))[0] ?? {
      path: '',
    }
    expect(RESOLVED[4]?.unresolved).toContainEqual(unresolved)
    await reader.close()
  })

  test('N6 the status counts what is there', async () => {
    const { reader } = await built()
    const status = await reader.status()
    const edges = RESOLVED.flatMap((it) => it.edges)
    expect(status).toMatchObject({
      files: SMALL.files,
      bytes: FILES.reduce((sum, it) => sum + it.size, 0),
      chunks: SMALL.files * SMALL.chunksPerFile,
      symbols: SMALL.files * SMALL.chunksPerFile,
      unresolved: RESOLVED.flatMap((it) => it.unresolved).length,
      edges: Object.fromEntries(
        EDGE_KINDS.map((kind) => [kind, edges.filter((it) => it.kind === kind).length]),
      ),
      languages: [
        { language: 'typescript', files: 9 },
        { language: 'python', files: 3 },
      ],
      skipped: META.skipped,
      builtAt: META.builtAt,
      extractorVersion: META.extractorVersion,
    })
    await reader.close()
  })

  test('N6 resolving sees what the transaction has written', async () => {
    const folder = temporaryFolder()
    const writer = writerAt(folder)
    await writer.begin()
    await writer.put(FILES)
    const { lookup } = writer
    expect(lookup.exists(pathOf(1))).toBe(true)
    expect(lookup.exists('src')).toBe(false)
    expect(lookup.filesInFolder('src/area-1/part-1')).toEqual([pathOf(1)])
    expect(lookup.filesBelow('src/area-1')).toContain(pathOf(1))
    expect(lookup.filesBelow('src/area')).toEqual([])
    expect(lookup.facts(pathOf(1))).toEqual(new Uint8Array(FILES[1]?.facts ?? []))
    expect(lookup.text(pathOf(1))).toBe(FILES[1]?.chunks.map((it) => it.text).join(''))
    expect(lookup.definitionsProvided('thing0').map((it) => it.path)).toEqual(
      FILES.map((it) => it.path).toSorted(),
    )
    expect(lookup.symbolsInFile(pathOf(1))).toEqual(FILES[1]?.symbols)
    expect(lookup.symbolsNamed('thing2', 1000)).toHaveLength(SMALL.files)
    await writer.putResolved(RESOLVED)
    const key = RESOLVED[7]?.asked[3] ?? ''
    const dependents = RESOLVED.filter((it) => it.asked.includes(key)).map((it) => it.path)
    expect(lookup.dependents([key, 'path:nobody/asked'])).toEqual(dependents.toSorted())
    await writer.put([madeFile(7, SMALL, 2)])
    expect(lookup.dependents([key])).toEqual(dependents.filter((it) => it !== pathOf(7)).toSorted())
    await writer.close()
  })
})

describe('N2 readers', () => {
  test('N2 see one state until they look again, while another is written', async () => {
    const folder = temporaryFolder()
    await buildIndex(folder, FILES, RESOLVED)
    const readers = [1, 2].map(() => openCodeIndex(realFiles, indexPath(folder)))
    const before = await dumpAt(folder)
    const writer = writerAt(folder)
    await writer.begin()
    await writer.put([madeFile(1, SMALL, 5)])
    for (const it of readers) expect(await dumpOf(it)).toBe(before)
    await writer.remove([pathOf(2)])
    await writer.commit()
    for (const it of readers) expect(await dumpOf(it)).toBe(before)
    expect(await readers[0]?.refresh()).toBe(true)
    expect(await readers[0]?.refresh()).toBe(false)
    expect(await readers[0]?.files([pathOf(2)])).toEqual([])
    expect(await readers[1]?.files([pathOf(2)])).toHaveLength(1)
    await writer.close()
    for (const it of readers) await it.close()
    expect(await dumpAt(folder)).not.toBe(before)
  })
})
