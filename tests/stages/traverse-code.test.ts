/** Walks over the index of real code, from the text of a project to the paths through it. */
import { describe, expect, test } from 'vitest'
import type { StoredChunk } from '../../src/model/code-index.ts'
import { EDGE_KINDS } from '../../src/model/index-record.ts'
import { collectSameFileChunks } from '../../src/traverse/same-file.ts'
import { WALK_CAPS, type WalkRequest, walk } from '../../src/traverse/walk.ts'
import { reading } from '../support/code-store.ts'
import { indexIn } from '../support/indexed-folder.ts'
import { onDisk } from '../support/project.ts'

const FILLER = Array.from({ length: 40 }, (_, at) => `  const value${at} = ${at} // filler`)

const SHOP = `
//- src/price.ts
export function price(item: string) {
  return item.length + tax(item)
}

export function tax(item: string) {
  ${FILLER.join('\n  ')}
  return item.length
}

export function unrelated() {
  ${FILLER.join('\n  ')}
  return 1
}
//- src/cart.ts
import { price } from './price'

export function total(items: readonly string[]) {
  ${FILLER.join('\n  ')}
  return items.map((it) => price(it))
}
//- src/page.ts
import { total } from './cart'

export function page() {
  ${FILLER.join('\n  ')}
  return total(['a'])
}
//- src/lonely.ts
import { unrelated } from './price'

export function lonely() {
  ${FILLER.join('\n  ')}
  return unrelated()
}
//- tests/price.test.ts
import { price } from '../src/price'

test('price', () => {
  expect(price('a')).toBe(1)
})
//- README.md
# Shop

The prices are in \`src/price.ts\`.
`

interface Asked extends Partial<WalkRequest> {
  readonly from: string
}

/** `hops path name`, and for each step `kind` with an arrow. */
async function walked({ from, ...changes }: Asked): Promise<readonly string[]> {
  const folder = onDisk(SHOP)
  await indexIn(folder)
  return reading(folder, async (reader) => {
    const paths = (await reader.files()).map((it) => it.path)
    const starts = (await reader.chunksInFiles(paths)).filter((it) => it.name === from)
    expect(starts).toHaveLength(1)
    const { neighbours } = await walk(reader, {
      starts,
      maxHops: 1,
      kinds: EDGE_KINDS,
      direction: 'both',
      evidenceKinds: [],
      requireEvidence: false,
      strictness: 'warn',
      caps: WALK_CAPS,
      ...changes,
    })
    for (const { evidence, edge } of neighbours.flatMap((it) => it.steps)) {
      const [file] = await reader.chunksAt([{ path: edge.path, offset: edge.start }])
      expect(file?.text).toContain(evidence.text)
    }
    return neighbours.map(({ chunk, steps }) =>
      [
        `${chunk.path} ${chunk.name || chunk.kind}:`,
        ...steps.map((it) => (it.isForward ? `${it.edge.kind}→` : `←${it.edge.kind}`)),
      ].join(' '),
    )
  })
}

describe('TR1 on real code', () => {
  test('TR1 callees are where they are defined, callers where they call', async () => {
    expect(await walked({ from: 'price', kinds: ['call'], direction: 'out' })).toEqual([
      'src/price.ts tax: call→',
    ])
    expect(await walked({ from: 'price', kinds: ['call'], direction: 'in' })).toEqual([
      'src/cart.ts total: ←call',
      'tests/price.test.ts block: ←call',
    ])
  })

  test('TR1 hop by hop', async () => {
    expect(await walked({ from: 'tax', kinds: ['call'], maxHops: 3 })).toEqual([
      'src/price.ts price: ←call',
      'src/cart.ts total: ←call ←call',
      'tests/price.test.ts block: ←call ←call',
      'src/page.ts page: ←call ←call ←call',
    ])
  })
})

describe('TR5 a file is no crossroads', () => {
  test('TR5 who imports, tests or mentions the file of a start is one hop away', async () => {
    const found = await walked({ from: 'tax', kinds: ['import', 'test', 'mention'] })
    expect(found).toEqual([
      'README.md section: ←mention',
      'src/cart.ts total: ←import',
      'src/lonely.ts lonely: ←import',
      'tests/price.test.ts block: ←import',
    ])
  })

  test('TR5 after the first hop nothing is reached by way of a file', async () => {
    const found = await walked({ from: 'page', maxHops: 4 })
    expect(found.some((it) => it.startsWith('src/price.ts price:'))).toBe(true)
    expect(found.filter((it) => it.includes('README.md'))).toEqual([])
    expect(found.filter((it) => it.includes('lonely'))).toEqual([])
  })
})

test('TR7 on real code', async () => {
  const folder = onDisk(SHOP)
  await indexIn(folder)
  await reading(folder, async (reader) => {
    const chunks = await reader.chunksInFiles(['src/price.ts'])
    const named = (name: string): readonly StoredChunk[] => chunks.filter((it) => it.name === name)
    const found = await collectSameFileChunks(reader, named('tax'), 2)
    expect(found.map((it) => it.chunk.name)).toEqual(['price', 'unrelated'])
  })
})
