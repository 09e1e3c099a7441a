/** Which files and sections come first: Q12 to Q15. */
import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/model/candidate.ts'
import { findSeeds } from '../../src/retrieve/seeds.ts'
import { understood } from '../../src/retrieve/understand.ts'
import { indexedProject, withIndex } from '../support/packed.ts'

async function seedsIn(project: string, query: string, limit = 50): Promise<readonly Seed[]> {
  const folder = await indexedProject(project)
  return withIndex(folder, (index) =>
    findSeeds(index, { query: understood(query), mode: 'mixed', provider: 'hybrid', limit }),
  )
}

function findTerm(seeds: readonly Seed[], path: string): number {
  const own = seeds.find((it) => it.chunk.path === path)
  return own?.terms.find((it) => it.name === 'is called so')?.value ?? 0
}

function writeTrace(line: number, name: string): string {
  const frame = `  File "/app/port/crane.py", line ${line}, in ${name}`
  return `it is torn\nTraceback (most recent call last):\n${frame}\n`
}

function writePart(member: string): string {
  return `public partial class Crane\n{\n    public int ${member}() { return 1; }\n}\n`
}

function listPaths(seeds: readonly Seed[]): readonly string[] {
  return [...new Set(seeds.map((it) => it.chunk.path))]
}

/** Functions that mention words without being about them. */
function mentions(words: string, count: number, lines = 1): string {
  const comment = `  // ${words}\n`.repeat(lines)
  return Array.from(
    { length: count },
    (_, at) => `export function step${at}(): string {\n${comment}  return '${words}'\n}\n`,
  ).join('\n')
}

describe('Q12 files that are called what the question says', () => {
  const PORT = `
//- src/tide_table.ts
/** When the water is high. */
export function compute(day: number): number {
  return day
}
//- src/harbor.ts
${mentions('the tide table of a port', 6)}
//- src/winch/index.ts
export function turn(rope: string): string {
  return rope
}
//- src/deck.ts
${mentions('a winch on deck turns', 6)}
`

  test('Q12 the stem', async () => {
    const [first] = listPaths(await seedsIn(PORT, 'tide table'))
    expect(first).toBe('src/tide_table.ts')
  })

  test('Q12 the folder of an index file', async () => {
    const [first] = listPaths(await seedsIn(PORT, 'the winch'))
    expect(first).toBe('src/winch/index.ts')
  })

  test('Q12 it counts less in a longer question', async () => {
    const [short = 0, long = 0, other] = await Promise.all(
      [
        'tide table',
        'port deck rope water day: the tide table turns on a winch',
        'tide of a port',
      ].map(async (query) => findTerm(await seedsIn(PORT, query), 'src/tide_table.ts')),
    )
    expect(short).toBeGreaterThan(long)
    expect(long).toBeGreaterThan(0)
    expect(other).toBe(0)
  })
})

describe('Q12 old copies', () => {
  const code = 'export function moorShip(ship: string): string {\n  return ship\n}\n'
  const twice = (old: string, now: string): string =>
    `\n//- ${old}\n// Moors a ship.\n${code}//- ${now}\n${code}`

  test.each([
    ['src/legacy/mooring.ts', 'src/mooring.ts'],
    ['old/mooring.ts', 'mooring.ts'],
    ['src/v1/mooring.ts', 'src/v2/mooring.ts'],
    ['port/v1/mooring.ts', 'port/mooring.ts'],
  ])('Q12 %s comes after %s', async (old, now) => {
    const seeds = await seedsIn(twice(old, now), 'where does a ship moor')
    expect(listPaths(seeds)).toEqual([now, old])
  })

  test('Q12 not where the question says the name of the folder', async () => {
    const project = twice('src/legacy/mooring.ts', 'src/mooring.ts')
    const [first] = listPaths(await seedsIn(project, 'where does a legacy ship moor'))
    expect(first).toBe('src/legacy/mooring.ts')
  })

  test('Q12 a version with no later one, and a folder with no other copy, are current', async () => {
    const project = twice('src/v2/mooring.ts', 'src/mooring.ts')
    const seeds = await seedsIn(project, 'where does a ship moor')
    expect(seeds.flatMap((it) => it.terms).map((it) => it.name)).not.toContain('is an old copy')
  })
})

test('Q12 of a partial class, the file with its bare name comes first', async () => {
  const seeds = await seedsIn(
    `
//- Port/Crane.Loads.cs
// The crane: every crane of the crane yard.
${writePart('Load')}
//- Port/Crane.cs
${writePart('Lift')}
//- Port/Crane.Zones.cs
// The crane: every crane of the crane yard.
${writePart('Zone')}
`,
    'Crane',
  )
  expect(seeds[0]?.chunk.path).toBe('Port/Crane.cs')
})

test('Q13 one large file leaves places for others', async () => {
  const large = mentions('anchor chain anchor chain', 60, 30)
  const small = Array.from({ length: 12 }, (_, at) => {
    return `//- src/small${at}.ts\nexport function drop${at}(): string {\n  return 'anchor chain'\n}\n`
  }).join('')
  const seeds = await seedsIn(`\n//- src/chain.ts\n${large}${small}`, 'the anchor chain', 30)
  const ofLarge = seeds.filter((it) => it.chunk.path === 'src/chain.ts').length
  expect(seeds).toHaveLength(30)
  expect(ofLarge).toBe(18)
  expect(seeds[0]?.chunk.path).toBe('src/chain.ts')
})

describe('Q14 how something is done', () => {
  const PORT = `
//- README.md
# Port

A port for ships.

## Berthing a vessel

Call the harbor master, then wait.

## Leaving

Wave.
//- src/berth.ts
${mentions('berthing a vessel: the vessel is berthing', 30)}
`

  test.each(['How do I berth a vessel?', 'how to berth vessels', 'How can we berth a vessel'])(
    'Q14 %s',
    async (query) => {
      const seeds = await seedsIn(PORT, query)
      const titles = seeds.slice(0, 3).map((it) => it.chunk.title)
      expect(titles).toContain('Port > Berthing a vessel')
      expect(seeds.slice(0, 3).map((it) => it.chunk.title)).not.toContain('Port > Leaving')
    },
  )

  test('Q14 a question of another form leaves documents behind the source', async () => {
    const seeds = await seedsIn(PORT, 'fix berthing a vessel twice')
    const place = seeds.findIndex((it) => it.chunk.path === 'README.md')
    expect(place === -1 || place > 2).toBe(true)
  })

  test('Q14 code alone, where code is asked for', async () => {
    const folder = await indexedProject(PORT)
    const query = understood('How do I berth a vessel?')
    const seeds = await withIndex(folder, (index) =>
      findSeeds(index, { query, mode: 'code', provider: 'hybrid', limit: 50 }),
    )
    expect(listPaths(seeds)).toEqual(['src/berth.ts'])
  })
})

describe('Q15 a trace of another version', () => {
  const body = '    rope = rope + 1\n'.repeat(40)
  const PORT = `
//- port/crane.py
def lower(rope):
${body}    return rope


def lift(rope):
${body}    return rope
`
  test('Q15 the name wins where line and name disagree, and the reason says so', async () => {
    const [first] = await seedsIn(PORT, writeTrace(2, 'lift'))
    expect(first?.chunk.text).toContain('def lift')
    expect(first?.reasons[0]).toBe('the question names `lift` (line 45)')
  })

  test('Q15 the line counts where it is in the function, or the file has none of that name', async () => {
    const [inside] = await seedsIn(PORT, writeTrace(60, 'lift'))
    expect(inside?.reasons[0]).toBe('the question names line 60')
    const [unknown] = await seedsIn(PORT, writeTrace(2, 'vanish'))
    expect(unknown?.reasons[0]).toBe('the question names line 2')
  })
})
