/** A pack says everything that its contract names, and does what its request says: T15. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import {
  EDGE_TYPES,
  type Expansion,
  TIE_BREAKERS,
  type TieBreaker,
} from '../../src/model/pack-request.ts'
import { packRequest } from '../../src/packs/context/pack-request.ts'
import {
  dockFiles,
  HARBOR,
  indexedProject,
  itemsOf,
  packIn,
  sectionOf,
  shownIn,
  textOf,
} from '../support/packed.ts'
import { runs } from '../support/property.ts'

/** Of the form that a well-known service gives its tokens; in two parts, so that no scanner minds. */
const SECRET_SAMPLE = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const IDENTITY = { repoId: 'harbor', indexRoot: '', indexSignature: 'sig-1' }

/** More than a small budget holds, so that something is shown by its signature or its title. */
function docks(): Promise<string> {
  const files = [...dockFiles()].slice(0, 12)
  return indexedProject(files.map(([path, text]) => `//- ${path}\n${text}`).join('\n'))
}

describe('T15 seeds', () => {
  test('T15 each seed is an item: with an excerpt, reasons, and the scores of the retrievers', async () => {
    const pack = await packIn(await docks(), { query: 'move the anchor to the jetty' })
    expect(pack.seeds.length).toBeGreaterThan(10)
    for (const seed of pack.seeds) {
      expect(seed.why).toMatchObject({ rule: 'seed', path: [], evidence: [] })
      expect(seed.why.reasons.length).toBeGreaterThan(0)
      expect(seed.excerpt.text).not.toBe('')
      expect(Object.keys(seed.vector).length).toBeGreaterThan(0)
    }
  })

  test('T15 a seed is shown whole where it is short, else by its signature, and says so', async () => {
    const pack = await packIn(await docks(), { query: 'move the anchor to the jetty' })
    for (const { excerpt, range } of pack.seeds) {
      expect(Buffer.byteLength(excerpt.text)).toBeLessThanOrEqual(500)
      expect(excerpt.truncated).toBe(range.end - range.start > 500)
      if (!excerpt.truncated) continue
      expect(excerpt.level).toBe('signature')
      expect(excerpt.truncation).toEqual({ maxBytes: 500, reason: 'seedList' })
    }
    expect(new Set(pack.seeds.map((it) => it.excerpt.truncated)).size).toBe(2)
  })

  test('T15 a secret in the text of a seed is blanked there as well', async () => {
    const folder = await indexedProject(`
//- src/mooring.ts
/** Where the mooring service answers. */
export const mooringToken = '${SECRET_SAMPLE}'
`)
    const pack = await packIn(folder, { query: 'mooring token' })
    expect(pack.seeds[0]?.excerpt.redacted).toBe(1)
    expect(JSON.stringify(pack)).not.toContain(SECRET_SAMPLE)
  })
})

describe('T15 excerpts that are cut', () => {
  test('T15 every excerpt that is not whole says why', async () => {
    const folder = await docks()
    for (const maxTotalTokens of [500, 2000, 8000]) {
      for (const maxBytesPerItem of [300, 4096]) {
        const budgets = { maxTotalTokens, maxBytesPerItem }
        const pack = await packIn(folder, { query: 'move the anchor to the jetty', budgets })
        for (const { excerpt } of [...itemsOf(pack), ...pack.seeds])
          expect(excerpt.truncation === undefined).toBe(!excerpt.truncated)
      }
    }
  })

  test('T15 one that is cut for tokens says maxTotalTokens, one for characters maxTotalChars', async () => {
    const folder = await docks()
    const query = 'move the anchor to the jetty'
    const tokens = await packIn(folder, { query, budgets: { maxTotalTokens: 600 } })
    expect(reasonsIn(tokens)).toContain('maxTotalTokens')
    expect(reasonsIn(tokens)).not.toContain('maxTotalChars')
    const chars = await packIn(folder, { query, budgets: { maxTotalChars: 2000 } })
    expect(reasonsIn(chars)).toContain('maxTotalChars')
    expect(reasonsIn(chars)).not.toContain('maxTotalTokens')
  })

  test('T15 one over the bytes of an item says maxBytesPerItem', async () => {
    const budgets = { maxBytesPerItem: 200 }
    const pack = await packIn(await docks(), { query: 'move the anchor', budgets })
    const whole = itemsOf(pack).filter((it) => it.excerpt.level === 'whole')
    const cut = whole.filter((it) => it.excerpt.truncated)
    expect(cut.length).toBeGreaterThan(0)
    for (const { excerpt } of cut)
      expect(excerpt.truncation).toEqual({ maxBytes: 200, reason: 'maxBytesPerItem' })
  })

  test('T15 lines of imports, which are named alone, say so', async () => {
    const folder = await indexedProject(HARBOR)
    const wish = { query: '', focus: { fileRelPath: 'src/berth.ts', line: 10 } }
    const pack = await packIn(folder, { ...wish, expansion: { edgeTypes: ['import'] } })
    expect(reasonsIn(pack)).toContain('importLines')
  })
})

function reasonsIn(pack: ContextPack): readonly string[] {
  return [...new Set(itemsOf(pack).flatMap((it) => it.excerpt.truncation?.reason ?? []))]
}

function typesWith(expansion: Partial<Expansion>): readonly string[] {
  return packRequest({ query: 'x', expansion }, IDENTITY).expansion.edgeTypes
}

describe('T15 budgets that are cut down', () => {
  test('T15 clamped says which field, what was requested and what was applied, hops too', async () => {
    const pack = await packIn(await indexedProject(HARBOR), {
      query: 'berth',
      budgets: { maxItems: 999 },
      expansion: { maxHops: 9 },
    })
    expect(pack.budgets.clamped).toEqual([
      { field: 'maxHops', requested: 9, applied: 4 },
      { field: 'maxItems', requested: 999, applied: 250 },
    ])
    expect(textOf(pack)).toContain('maxHops of 9 was reduced to 4')
    expect(textOf(pack)).toContain('maxItems of 999 was reduced to 250')
  })
})

const MOLE = `
//- src/mole.ts
export function mole(): number {
  return 1
}
//- src/index.ts
export { mole } from './mole.ts'
//- src/walker.ts
import { mole } from './mole.ts'

export function walker(): number {
  return mole() + 1
}
//- test/mole.test.ts
import { mole } from '../src/mole.ts'

test('a mole is long', () => {
  expect(mole()).toBe(1)
})
//- docs/mole.md
# Moles

A \`mole\` of \`src/mole.ts\` keeps the waves out.
`

const AT_MOLE = { query: '', focus: { fileRelPath: 'src/mole.ts', line: 1 } }

describe('T15 edge types', () => {
  test('T15 export alone is enough to walk along exports', async () => {
    const folder = await indexedProject(MOLE)
    const pack = await packIn(folder, { ...AT_MOLE, expansion: { edgeTypes: ['export'] } })
    expect(shownIn(pack, 'exports').join()).toContain('src/index.ts')
    expect(shownIn(pack, 'callers')).toEqual([])
    expect(pack.request.expansion).toMatchObject({
      edgeTypes: ['export'],
      includeExports: true,
      includeImports: false,
      includeDataflow: false,
    })
  })

  test('T15 dataflow alone is enough to walk along the flow of data', () => {
    const { expansion } = packRequest(
      { query: 'x', expansion: { edgeTypes: ['dataflow'] } },
      IDENTITY,
    )
    expect(expansion).toMatchObject({ edgeTypes: ['dataflow'], includeDataflow: true })
  })

  test('T15 an include flag adds its type or takes it away where no types are given', () => {
    expect(typesWith({})).toEqual(['call', 'usage', 'import'])
    expect(typesWith({ includeExports: true })).toEqual(['call', 'usage', 'import', 'export'])
    expect(typesWith({ includeDataflow: true })).toEqual(['call', 'usage', 'import', 'dataflow'])
    expect(typesWith({ includeImports: false })).toEqual(['call', 'usage'])
    expect(typesWith({ edgeTypes: ['call'], includeExports: true })).toEqual(['call', 'export'])
  })

  test.each([
    ['import', 'includeImports'],
    ['export', 'includeExports'],
    ['dataflow', 'includeDataflow'],
  ] as const)('T15 %s among the types and %s false is refused', (type, flag) => {
    const expansion = { edgeTypes: ['call' as const, type], [flag]: false }
    expect(() => packRequest({ query: 'x', expansion }, IDENTITY)).toThrow(
      expect.objectContaining({
        code: 'POC_E_REQUEST_INVALID',
        message: expect.stringContaining(flag),
      }),
    )
  })

  test('T15 code is reached along the types of the request alone, tests and documents always', async () => {
    const folder = await indexedProject(MOLE)
    await fc.assert(
      fc.asyncProperty(fc.subarray([...EDGE_TYPES]), async (edgeTypes) => {
        const pack = await packIn(folder, { ...AT_MOLE, expansion: { edgeTypes } })
        const steps = itemsOf(pack).flatMap((it) => it.why.path.map((step) => step.edgeType))
        const allowed = [
          ...edgeTypes,
          ...(edgeTypes.includes('usage') ? ['inherit'] : []),
          'mention',
          'test',
        ]
        expect(steps.filter((it) => !allowed.includes(it))).toEqual([])
        expect(shownIn(pack, 'tests')).toHaveLength(1)
        expect(shownIn(pack, 'docs')).toHaveLength(1)
      }),
      runs(20),
    )
  })
})

/** Equal in every score; by file, name, line and id they come in different orders. */
const EQUALS = `
//- src/moor.ts
export function moor(rope: number): number {
  return rope + 1
}
${[
  ['d', 'bollardOne'],
  ['c', 'anchorOne'],
  ['b', 'dolphinOne'],
  ['a', 'cleatOne'],
]
  .map(
    ([file = '', name = ''], at) => `//- src/${file}.ts
${Array.from({ length: 4 }, (_, line) => `export const ${file}${line} = '${'x'.repeat(400)}'`)
  .slice(0, at + 1)
  .join('\n')}

export function ${name}(): number {
  return moor(1)
}
`,
  )
  .join('')}`

describe('T15 tie-breakers', () => {
  test.each(TIE_BREAKERS)('T15 %s decides the order of equal items', async (tie) => {
    const folder = await indexedProject(EQUALS.replaceAll('\nexport function ', IMPORTING))
    const pack = await packIn(folder, {
      query: '',
      focus: { fileRelPath: 'src/moor.ts', line: 1 },
      ordering: { stableTieBreakers: [tie] },
    })
    const callers = sectionOf(pack, 'callers')?.items ?? []
    expect(callers).toHaveLength(4)
    expect(new Set(callers.map((it) => it.scores.hybridScore)).size).toBe(1)
    expectOrderedBy(tie, callers)
  })

  test.each(TIE_BREAKERS)('T15 %s decides the order of equal seeds', async (tie) => {
    const names = ['delta', 'carbo', 'bravo', 'alpha']
    const files = names.map(
      (name, at) => `//- src/${name}.ts\n${'\n'.repeat(at)}export const mooring = '${name}'\n`,
    )
    const folder = await indexedProject(files.join(''))
    const pack = await packIn(folder, {
      query: 'mooring',
      seedProvider: 'sparse',
      ordering: { stableTieBreakers: [tie] },
    })
    expect(pack.seeds).toHaveLength(4)
    expect(new Set(pack.seeds.map((it) => it.scores.seedScore)).size).toBe(1)
    expectOrderedBy(tie, pack.seeds)
    expectOrderedBy(tie, sectionOf(pack, 'seeds')?.items ?? [])
  })
})

const IMPORTING = "\nimport { moor } from './moor.ts'\n\nexport function "

type Tied =
  | ContextPack['seeds'][number]
  | NonNullable<ContextPack['sections'][number]>['items'][number]

function expectOrderedBy(tie: TieBreaker, items: readonly Tied[]): void {
  const keys = items.map((it) => (tie === 'startLine' ? it.lines.start : it[tie]) ?? '')
  const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  expect(keys).toEqual(sorted)
}
