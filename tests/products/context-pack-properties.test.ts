/** What holds of every pack of every repository: CP10 to CP12. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CodeIndexReader, CodePosition, StoredChunk } from '../../src/model/code-index.ts'
import type { ContextItem, ContextPack } from '../../src/model/context-pack.ts'
import { INTENTS } from '../../src/model/pack-request.ts'
import { canonicalPack } from '../../src/packs/context/pack-id.ts'
import type { PackWish } from '../../src/packs/context/pack-request.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { startPool } from '../../src/platform/pool.ts'
import { BACKENDS, exported } from '../support/backends.ts'
import { repositories } from '../support/generated-repository.ts'
import { indexIn } from '../support/indexed-folder.ts'
import {
  allChunks,
  dockFiles,
  HARBOR,
  indexedProject,
  itemsOf,
  packFrom,
  packIn,
  withIndex,
} from '../support/packed.ts'
import { project, temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

/** What stands before a chunk shifts its place: characters of two units, and ends of two. */
const BEGINNINGS = ['', '// 𝒳 é 中文 🚢\n', '\r\n\r\n', '// ⚓\r\n\r\n\r\n'] as const

const files = fc
  .tuple(repositories, fc.constantFrom(...BEGINNINGS), fc.constantFrom('\n', '\r\n'))
  .map(([list, beginning, lineEnd]) =>
    list.map(([path, statements]): readonly [string, string] => [
      path,
      /\.(?:json|mod)$|ignore$/.test(path)
        ? statements.join('\n')
        : beginning + statements.join('\n\n').replaceAll('\n', lineEnd) + lineEnd,
    ]),
  )

const wish: fc.Arbitrary<PackWish> = fc.record({
  query: fc.constantFrom('alpha', 'make run', 'Delta.method gamma', 'src/a.ts:3', 'Zeta epsilon'),
  intent: fc.constantFrom(...INTENTS),
  fill: fc.boolean(),
  budgets: fc.record({
    maxTotalTokens: fc.integer({ min: 300, max: 3000 }),
    maxBytesPerItem: fc.constantFrom(7, 30, 200, 4096),
  }),
  expansion: fc.record({
    maxHops: fc.integer({ min: 0, max: 4 }),
    includeSameFileNeighbors: fc.boolean(),
    direction: fc.constantFrom('in', 'out', 'both'),
  }),
})

function write(folder: string, list: readonly (readonly [string, string])[]): void {
  for (const [path, text] of list) writeFile(folder, path, text)
}

describe('CP10 what a pack shows is what the files say', () => {
  test('CP10 every part is the text at its range, on its lines', async () => {
    let seen = 0
    await fc.assert(
      fc.asyncProperty(files, wish, async (list, asked) => {
        await withFolder(async (folder) => {
          write(folder, list)
          await indexIn(folder)
          for (const item of itemsOf(await packIn(folder, asked))) {
            seen += item.excerpt.parts.length
            expectTrue(item, readFileSync(join(folder, item.fileRelPath), 'utf8'))
            expect(Buffer.byteLength(item.excerpt.text)).toBeLessThanOrEqual(
              asked.budgets?.maxBytesPerItem ?? 0,
            )
          }
        })
      }),
      runs(25),
    )
    expect(seen).toBeGreaterThan(100)
  })

  test('CP10 so it is in long files with characters of every width', async () => {
    const texts = Array.from({ length: 8 }, (_, file) => {
      const body = Array.from({ length: 60 }, (__, at) => wideLine(at + file)).join('\r\n')
      return `// 𝒳𝒴𝒵 \u00a0\r\n\r\nexport function moor${file}(): void {\r\n${body}\r\n}\r\n`
    })
    const folder = temporaryFolder()
    write(
      folder,
      texts.map((text, at) => [`src/moor-${at}.ts`, text]),
    )
    await indexIn(folder)
    const levels = new Set<string>()
    for (const maxTotalTokens of [300, 500, 900, 2000, 8000]) {
      for (const maxBytesPerItem of [40, 300, 64_000]) {
        const pack = await packIn(folder, {
          query: 'rope 5',
          budgets: { maxTotalTokens, maxBytesPerItem },
        })
        for (const item of itemsOf(pack)) {
          levels.add(item.excerpt.level)
          expectTrue(item, readFileSync(join(folder, item.fileRelPath), 'utf8'))
        }
      }
    }
    expect(levels).toContain('whole')
    expect(levels).toContain('excerpt')
  })
})

function wideLine(at: number): string {
  return `  moor('🚢 ${'中'.repeat(at % 7)} é rope ${at}')`
}

function expectTrue(item: ContextItem, text: string): void {
  const lineAt = (offset: number): number => text.slice(0, offset).split(/\r\n|\r|\n/).length
  const { parts } = item.excerpt
  const shown = parts.map(({ range }) => text.slice(range.start, range.end))
  expect(item.excerpt.text).toBe(shown.join('\n⋯\n'))
  for (const { range, lines } of [...parts, item]) {
    expect(range.start).toBeGreaterThanOrEqual(item.range.start)
    expect(range.end).toBeLessThanOrEqual(item.range.end)
    expect(lines.start).toBe(lineAt(range.start))
    // A range may end with the end of its last line.
    const before = text.slice(range.start, range.end).replace(/(?:\r\n|\r|\n)+$/, '')
    expect(lineAt(range.start + before.length)).toBeLessThanOrEqual(lines.end)
    expect(lineAt(range.end)).toBeGreaterThanOrEqual(lines.end)
  }
}

describe('CP11 every path is one of the graph', () => {
  test('CP11 real edges from a seed to the item, with evidence that stands in the source', async () => {
    let steps = 0
    await fc.assert(
      fc.asyncProperty(files, wish, fc.nat(), async (list, asked, which) => {
        await withFolder(async (folder) => {
          write(folder, list)
          await indexIn(folder)
          await withIndex(folder, async (index) => {
            // A question would find nearly all of so small a repository.
            const places = await linkedPlaces(index)
            const [chunk] = await index.chunksAt(places.slice(which % (places.length || 1)))
            if (chunk === undefined) return
            const wide = { ...asked.expansion, maxHops: 4, direction: 'both' as const }
            const around = { asked: { ...asked, expansion: wide }, chunk }
            steps += await expectChains(index, folder, around)
          })
        })
      }),
      runs(40),
    )
    expect(steps).toBeGreaterThan(20)
  })

  test('CP11 so it is from everywhere in a repository that hangs together', async () => {
    const folder = await indexedProject(HARBOR)
    const distances = new Set<number>()
    await withIndex(folder, async (index) => {
      for (const chunk of await allChunks(index)) {
        for (const intent of INTENTS) {
          const asked = { query: '', intent, expansion: { maxHops: 4 } }
          await expectChains(index, folder, { asked, chunk })
          const pack = await packFrom(index, { ...asked, focus: { chunkUid: chunk.uid } })
          for (const item of itemsOf(pack)) distances.add(item.scores.graphDistance)
        }
      }
    })
    expect([...distances].toSorted()).toEqual([0, 1, 2, 3])
  })
})

interface Around {
  readonly asked: PackWish
  readonly chunk: StoredChunk
}

/** How many steps there were. */
async function expectChains(
  index: CodeIndexReader,
  folder: string,
  { asked, chunk }: Around,
): Promise<number> {
  const pack = await packFrom(index, { ...asked, query: '', focus: { chunkUid: chunk.uid } })
  for (const item of itemsOf(pack)) await expectChain(index, folder, { pack, item })
  return itemsOf(pack).reduce((sum, it) => sum + it.why.path.length, 0)
}

/** Where something calls, uses or imports something else. */
async function linkedPlaces(index: CodeIndexReader): Promise<readonly CodePosition[]> {
  const records = await index.storedFiles((await index.files()).map((it) => it.path))
  return records.flatMap(({ edges }) =>
    edges
      .filter((it) => it.from !== it.to)
      .map(({ path, start }): CodePosition => ({ path, offset: start })),
  )
}

async function expectChain(
  index: CodeIndexReader,
  folder: string,
  { pack, item }: { readonly pack: ContextPack; readonly item: ContextItem },
): Promise<void> {
  const { path, evidence } = item.why
  const isHung = item.scores.seedScore === 0 && item.why.rule !== 'same-file-neighbor'
  expect(path.length > 0).toBe(isHung)
  if (isHung) expect(path).toHaveLength(item.scores.graphDistance)
  let here = new Set([pack.request.focus.chunkUid])
  let confidence = 1
  for (const [at, step] of path.entries()) {
    const edges = (await index.edgesFrom([step.from])).filter(
      (it) => it.to === step.to && it.kind === step.edgeType,
    )
    const found = await index.evidence(edges)
    const which = found.findIndex((it) => it.id === step.evidenceId)
    const [edge, proof] = [edges[which], found[which]]
    expect(edge).toBeDefined()
    if (edge === undefined || proof === undefined) return
    const source = readFileSync(join(folder, proof.path), 'utf8')
    expect(source.slice(proof.start, proof.end)).toBe(proof.text)
    // That a test is one of a file may be known by their names alone.
    if (step.edgeType !== 'test') expect(proof.text).not.toBe('')
    expect(evidence[at]).toMatchObject({
      evidenceId: proof.id,
      kind: proof.kind,
      fileRelPath: proof.path,
      line: proof.startLine,
    })
    confidence *= edge.confidence
    const [place] = await index.chunksAt([{ path: edge.path, offset: edge.start }])
    const targets = await chunksOf(index, edge.to)
    const sources = new Set([...(await chunksOf(index, edge.from)), place?.uid ?? ''])
    const isAt = (uids: ReadonlySet<string>): boolean => [...uids].some((uid) => here.has(uid))
    here = new Set([...(isAt(sources) ? targets : []), ...(isAt(targets) ? sources : [])])
  }
  if (!isHung) return
  expect(here).toContain(item.chunkUid)
  expect(item.scores.evidenceScore).toBeCloseTo(confidence, 5)
}

async function chunksOf(index: CodeIndexReader, symbol: string): Promise<ReadonlySet<string>> {
  const definitions = await index.definitions([symbol])
  return new Set(definitions.map((it) => it.chunkUid).filter((uid) => uid !== ''))
}

/** The files of any folder come back in another order. */
function shuffled(order: readonly number[]): Files {
  return {
    ...realFiles,
    list: (folder) =>
      realFiles
        .list(folder)
        .map((entry, at) => ({ entry, key: order[at % order.length] ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map((it) => it.entry),
  }
}

const WISHES: readonly PackWish[] = [
  { query: 'alpha run' },
  { query: 'make', seedProvider: 'sparse', budgets: { maxTotalTokens: 700 } },
  { query: 'alpha0 alpha', seedProvider: 'sparse' },
  { query: 'Delta method src/a.ts', intent: 'impact', rendering: 'xml' },
]

async function packsOf(index: CodeIndexReader): Promise<readonly string[]> {
  const packs: string[] = []
  for (const it of WISHES) packs.push(canonicalPack(await packFrom(index, it)))
  return packs
}

describe('CP12 nothing else changes a byte', () => {
  test('CP12 the order of files on disk, and the history of the index', async () => {
    const order = fc.array(fc.nat(), { minLength: 7, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(files, order, async (list, keys) => {
        const straight = await packsAfter(async (folder) => {
          write(folder, list)
          await indexIn(folder)
        })
        const crooked = await packsAfter(async (folder) => {
          // First another text in some, then others that go away, then what is wanted.
          const others = list.map(([path], at): readonly [string, string] => [
            at % 3 === 0 ? path : `gone/${path}`,
            'export function alpha() { return 1 }\n',
          ])
          write(folder, others)
          await indexIn(folder)
          write(folder, list.toReversed())
          await indexIn(folder)
          for (const [path] of others) {
            if (path.startsWith('gone/')) realFiles.remove(join(folder, path))
          }
          await indexIn(folder, { files: shuffled(keys) })
        })
        expect(crooked).toEqual(straight)
      }),
      runs(12),
    )
  })

  test('CP12 nor among more equals than can be looked at', async () => {
    const equals = Array.from({ length: 240 }, (_, at): readonly [string, string] => [
      `src/${at % 7}/part-${at}.ts`,
      `export function alpha${at % 2}(it: string[]): void {\n  it.push('run make ${at}')\n}\n`,
    ])
    const straight = await packsAfter(async (folder) => {
      write(folder, equals)
      await indexIn(folder)
    })
    const crooked = await packsAfter(async (folder) => {
      for (const most of [100, 170, 240]) {
        const some = equals.toReversed().slice(0, most)
        write(folder, [...some, ['src/3/part-3.ts', `// ${most}\n`], ['z.ts', `// ${most}\n`]])
        await indexIn(folder)
      }
      write(folder, equals)
      realFiles.remove(join(folder, 'z.ts'))
      await indexIn(folder)
    })
    expect(crooked).toEqual(straight)
  })

  test('CP12 the store', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (list) => {
        await withFolder(async (folder) => {
          write(folder, list)
          await indexIn(folder)
          const wanted = await withIndex(folder, packsOf)
          for (const [name, backend] of Object.entries(BACKENDS)) {
            const place = await exported(folder, backend, join(folder, '.dossier', name))
            const reader = await backend.open(place)
            expect(await packsOf(reader)).toEqual(wanted)
            await reader.close()
          }
        })
      }),
      runs(8),
    )
  })

  test('CP12 the number of workers', async () => {
    const packs = new Set<string>()
    for (const size of [1, 3]) {
      const folder = temporaryFolder()
      write(folder, [...dockFiles(), ...project(HARBOR)])
      const extractors = (): ReturnType<typeof startPool> =>
        startPool(new URL('../../src/extractor.ts', import.meta.url), size)
      await indexIn(folder, { extractors })
      packs.add(canonicalPack(await packIn(folder, { query: 'move the anchor to the berth' })))
    }
    expect(packs.size).toBe(1)
  })

  test('CP12 the locale and the time zone, and with a pinned time not one byte of the file', async () => {
    const folder = await indexedProject(`${HARBOR}
//- src/ärger/İstanbul.ts
export function iIıİ(berth: string): string {
  return berth.toLocaleUpperCase()
}
//- src/zebra/istanbul.ts
export function IIII(berth: string): string {
  return berth
}
`)
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
    const outputs = [
      { LC_ALL: 'C', TZ: 'UTC' },
      { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' },
      { LC_ALL: 'sv_SE.UTF-8', LANG: 'sv_SE.UTF-8', TZ: 'America/New_York' },
    ].map((env) => {
      const args = ['context-pack', '--query', 'IIII BERTH İSTANBUL', '--json', '--quiet']
      const run = spawnSync(process.execPath, [main, ...args], {
        cwd: folder,
        env: { ...process.env, ...env, SOURCE_DATE_EPOCH: '1700000000' },
        encoding: 'utf8',
      })
      expect(run.stderr).toBe('')
      return run.stdout
    })
    expect(new Set(outputs).size).toBe(1)
    expect(outputs[0]).toContain('ContextPack')
  })
})

async function packsAfter(prepare: (folder: string) => Promise<void>): Promise<readonly string[]> {
  return withFolder(async (folder) => {
    await prepare(folder)
    return withIndex(folder, packsOf)
  })
}
