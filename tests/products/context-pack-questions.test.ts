/** Whatever is asked: what stands in the middle, odd questions, secrets, and copies. CP7 to CP9. */
import { describe, expect, test } from 'vitest'
import { packText } from '../../src/format/pack-text.ts'
import { INTENTS, RENDERINGS, SEED_PROVIDERS } from '../../src/model/pack-request.ts'
import { focusOn } from '../../src/packs/context/pack-focus.ts'
import type { PackWish } from '../../src/packs/context/pack-request.ts'
import { HARBOR, indexedProject, itemsOf, packIn, withIndex } from '../support/packed.ts'

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

function body(name: string, count: number): string {
  return `export function ${name}(rope: number): number {
  let length = rope
${lines(count, (at) => `  length += rope * ${at} // knot ${name} ${at}`)}
  return length
}`
}

describe('CP7 focus', () => {
  test('CP7 by symbol, by chunk, by file, by file and line', async () => {
    const folder = await indexedProject(HARBOR)
    const symbol = await withIndex(folder, (index) => focusOn(index, 'assignBerth'))
    const byLine = await packIn(folder, {
      query: '',
      focus: { fileRelPath: 'src/berth.ts', line: 10 },
    })
    const [first] = itemsOf(byLine)
    expect(first).toMatchObject({ title: expect.stringContaining('function assignBerth') })
    expect(first?.why.rule).toBe('focus')
    expect(symbol).toEqual({ symbolId: first?.symbolId })
    const others = [symbol, { chunkUid: first?.chunkUid ?? '' }]
    for (const focus of others) {
      const pack = await packIn(folder, { query: '', focus })
      expect(itemsOf(pack).map((it) => it.chunkUid)).toEqual(
        itemsOf(byLine).map((it) => it.chunkUid),
      )
    }
    const whole = await packIn(folder, { query: '', focus: { fileRelPath: 'src/berth.ts' } })
    const focused = itemsOf(whole).filter((it) => it.why.rule === 'focus')
    expect(focused.map((it) => it.fileRelPath)).toEqual(['src/berth.ts', 'src/berth.ts'])
  })

  test('PK6 a private member by its name, as packs and hints write it', async () => {
    const folder = await indexedProject(`
//- src/pier.ts
export class Pier {
  #length = 3
  #extend(by: number): void {
    this.#length += by
  }
  length(): number {
    this.#extend(1)
    return this.#length
  }
}
`)
    const found = (name: string) => withIndex(folder, (index) => focusOn(index, name))
    const extend = await found('Pier.#extend')
    expect(extend.symbolId).toMatch(/Pier#`?#extend/)
    expect(await found('#extend')).toEqual(extend)
    expect(await found('Pier::#extend()')).toEqual(extend)
    expect((await found('Pier#length')).symbolId).toMatch(/Pier#length\(\)/)
  })

  test('CP7 it comes before what the question finds, however well that is found', async () => {
    const folder = await indexedProject(HARBOR)
    const pack = await packIn(folder, {
      query: 'assignBerth',
      focus: { fileRelPath: 'src/tide.ts', line: 5 },
    })
    expect(itemsOf(pack)[0]).toMatchObject({ fileRelPath: 'src/tide.ts', why: { rule: 'focus' } })
    expect(itemsOf(pack)[1]?.title).toContain('assignBerth')
  })

  test('CP7 it is shown whole before anything else has room, though only some of it matches', async () => {
    const folder = await indexedProject(`
//- src/moor.ts
${body('moor', 60)}
${lines(20, (at) => `//- src/rope-${at}.ts\n${body(`splice${at}`, 6 + at)}`)}
`)
    const focus = { fileRelPath: 'src/moor.ts', line: 3 }
    for (const query of ['', 'rope splice', 'knot 7']) {
      for (const intent of INTENTS) {
        const pack = await packIn(folder, {
          query,
          focus,
          intent,
          budgets: { maxTotalTokens: 1300 },
        })
        const [first] = itemsOf(pack)
        expect(first).toMatchObject({ why: { rule: 'focus' }, excerpt: { level: 'whole' } })
      }
    }
  })

  test('CP7 where it does not fit, there is as much of it as goes beside what surrounds it', async () => {
    const folder = await indexedProject(`
//- src/moor.ts
${body('moor', 60)}
//- src/user.ts
import { moor } from './moor.ts'

export function user(): number {
  return moor(7)
}
`)
    const focus = { fileRelPath: 'src/moor.ts', line: 3 }
    const pack = await packIn(folder, { query: 'knot 7', focus, budgets: { maxTotalTokens: 700 } })
    const [first] = itemsOf(pack)
    expect(first?.excerpt.level).toBe('excerpt')
    expect(first?.excerpt.text.length).toBeGreaterThan(400)
    expect(itemsOf(pack).map((it) => it.fileRelPath)).toContain('src/user.ts')
  })

  test('CP7 on a line between two chunks it is the nearest of them', async () => {
    const folder = await indexedProject(`
//- a.ts
${lines(40, (at) => `export const first${at} = ${at}`)}



${lines(40, (at) => `export const second${at} = ${at}`)}
`)
    for (let line = 1; line <= 83; line += 1) {
      const pack = await packIn(folder, { query: '', focus: { fileRelPath: 'a.ts', line } })
      const [item] = itemsOf(pack)
      expect(item?.lines.start).toBeLessThanOrEqual(line + 2)
      expect(item?.lines.end).toBeGreaterThanOrEqual(line - 2)
    }
  })

  test.each<readonly [string, PackWish['focus']]>([
    ['a file that is not there', { fileRelPath: 'src/nothing.ts' }],
    ['a line beyond the end', { fileRelPath: 'src/tide.ts', line: 1000 }],
    ['the line 0', { fileRelPath: 'src/tide.ts', line: 0 }],
    ['a part of a line', { fileRelPath: 'src/tide.ts', line: 1.5 }],
    ['a line of nothing', { line: 3 }],
    ['a chunk that is not there', { chunkUid: 'xxh64:0000000000000000' }],
    ['a symbol that is not there', { symbolId: 'scip:nothing' }],
    ['two things', { fileRelPath: 'src/tide.ts', symbolId: 'scip:nothing' }],
  ])('CP7 %s is an error that says what to do', async (_, focus) => {
    const folder = await indexedProject(HARBOR)
    const asked = packIn(folder, { query: 'berth', ...(focus === undefined ? {} : { focus }) })
    await expect(asked).rejects.toMatchObject({
      code: 'POC_E_REQUEST_INVALID',
      hint: expect.stringMatching(/\w/),
    })
  })
})

describe('CP7 questions', () => {
  test.each([
    ['Chinese', '泊位在哪里分配'],
    ['control characters', 'berth\0\u0007\u001b[31m\r\u2028depth'],
    ['stop words', 'the of and is'],
    ['punctuation', '?!… -- ;{}[]()'],
    ['half a character', 'berth \ud83d'],
    ['words that nobody uses', 'xylophone quagga'],
    ['special tokens', '<|endoftext|> berth <|im_start|>'],
    ['Markdown', '# berth\n```\n</context>\n'],
  ])('CP7 %s', async (_, query) => {
    const folder = await indexedProject(HARBOR)
    for (const seedProvider of SEED_PROVIDERS.filter((it) => it !== 'ann')) {
      const pack = await packIn(folder, { query, seedProvider })
      for (const rendering of RENDERINGS) expect(packText(pack, rendering)).not.toBe('')
      if (pack.stats.candidates === 0) expect(pack.explain?.notes).not.toEqual([])
    }
  })

  test('CP7 nothing at all is an error, unless something stands in the middle', async () => {
    const folder = await indexedProject(HARBOR)
    for (const query of ['', ' \n\t']) {
      await expect(packIn(folder, { query })).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
      })
    }
    for (const seedProvider of SEED_PROVIDERS.filter((it) => it !== 'ann')) {
      const pack = await packIn(folder, {
        query: '',
        seedProvider,
        focus: { fileRelPath: 'src/tide.ts' },
      })
      expect(itemsOf(pack)[0]?.fileRelPath).toBe('src/tide.ts')
    }
  })

  test('CP7 a megabyte is a question, and a byte more is an error', async () => {
    const folder = await indexedProject(HARBOR)
    for (const piece of ['berth ', 'a/b.ts:1 ', 'aB', '泊位']) {
      const query = piece.repeat(1_048_576 / piece.length).padEnd(1_048_576, '.')
      const pack = await packIn(folder, { query })
      expect(packText(pack, 'markdown').length).toBeLessThan(50_000)
      await expect(packIn(folder, { query: `${query}.` })).rejects.toMatchObject({
        code: 'POC_E_REQUEST_INVALID',
      })
    }
  })

  test('CP7 without vectors there is no search by them, and nothing takes its place', async () => {
    const folder = await indexedProject(HARBOR)
    await expect(packIn(folder, { query: 'berth', seedProvider: 'ann' })).rejects.toMatchObject({
      code: 'POC_E_NOT_SUPPORTED',
    })
  })

  test('CP7 a stack trace leads to the chunk of its line, among many that share more words', async () => {
    const others = lines(
      150,
      (at) => `
//- lib/error-${at}.py
def raise_value_error_${at}(file, line):
    """Most recent call last: a traceback of the file and the line in the module."""
    raise ValueError("value error: bad line in file")
`,
    )
    const folder = await indexedProject(`
//- x/y.py
def quay():
    rope = 1
    return moor(rope)


def moor(rope):
    return rope / 0
${others}`)
    const trace = `Traceback (most recent call last):
  File "/home/somebody/x/y.py", line 3, in <module>
ValueError: bad line in file`
    const pack = await packIn(folder, { query: trace })
    const items = itemsOf(pack)
    expect(items.some((it) => it.fileRelPath === 'x/y.py' && it.lines.start <= 3)).toBe(true)
    expect(pack.seeds.slice(0, 10).map((it) => it.fileRelPath)).toContain('x/y.py')
  })

  test('CP7 code, prose, or both', async () => {
    const folder = await indexedProject(HARBOR)
    const seeds = async (seedMode: 'code' | 'prose' | 'mixed'): Promise<readonly string[]> => {
      const found: string[] = []
      for (const seedProvider of SEED_PROVIDERS.filter((it) => it !== 'ann')) {
        const pack = await packIn(folder, { query: 'ships assignBerth', seedMode, seedProvider })
        found.push(...pack.seeds.map((it) => it.fileRelPath))
      }
      return found
    }
    expect(new Set(await seeds('prose'))).toEqual(new Set(['README.md']))
    expect(await seeds('code')).not.toContain('README.md')
    expect(await seeds('code')).toContain('src/berth.ts')
    expect(await seeds('mixed')).toEqual(expect.arrayContaining(['README.md', 'src/berth.ts']))
  })
})

// Put together, so that no scanner takes this file for one that leaks.
const TOKEN = ['ghp', '_16C7e42F292c6912E7710c83', '8347Ae178B4a'].join('')
const SECRETS = `
//- .env
HARBOR_MASTER=hunter2hunter2
HARBOR_TOKEN=${TOKEN}
//- deploy/tls.key
harbor master key material
//- src/harbor.ts
export const HARBOR_TOKEN = '${TOKEN}'

/** Lets the harbor master in. */
export function harborMaster(): string {
  return login('harbor', HARBOR_TOKEN)
}
`

describe('CP8 secrets', () => {
  test('CP8 a file of credentials is left out, counted and told by its name alone', async () => {
    const folder = await indexedProject(SECRETS)
    const pack = await packIn(folder, { query: 'harbor master token' })
    const paths = [...itemsOf(pack), ...pack.seeds].map((it) => it.fileRelPath)
    expect(new Set(paths)).toEqual(new Set(['src/harbor.ts']))
    expect(pack.stats.dropped.secret).toBe(2)
    expect(pack.explain?.leftOut).toContainEqual(
      expect.objectContaining({ fileRelPath: '.env', reason: 'secret' }),
    )
    expect(JSON.stringify(pack)).not.toContain('hunter2')
  })

  test.each<readonly [string, PackWish]>([
    ['in the question', { query: 'the harbor master in .env' }],
    ['at its end', { query: 'harbor master: config/.env.' }],
    ['in focus', { query: 'harbor master', focus: { fileRelPath: '.env' } }],
  ])('CP8 it is shown to who names it: %s', async (_, wish) => {
    const folder = await indexedProject(SECRETS)
    const pack = await packIn(folder, wish)
    expect(itemsOf(pack).map((it) => it.fileRelPath)).toContain('.env')
    expect(itemsOf(pack).map((it) => it.fileRelPath)).not.toContain('deploy/tls.key')
    expect(pack.stats.dropped.secret).toBe(1)
    // Even then what looks like a token is blanked out.
    expect(JSON.stringify(pack)).not.toContain(TOKEN)
  })

  test.each(['harbor s.key', 'harbor my.env', 'harbor .env.example', 'harbor x.env'])(
    'CP8 the end of another name is no name: %s',
    async (query) => {
      const folder = await indexedProject(SECRETS)
      const paths = itemsOf(await packIn(folder, { query })).map((it) => it.fileRelPath)
      expect(paths).toContain('src/harbor.ts')
      expect(paths).not.toContain('.env')
      expect(paths).not.toContain('deploy/tls.key')
    },
  )

  test('CP8 a token is blanked out wherever the pack would say it, and counted', async () => {
    const folder = await indexedProject(SECRETS)
    for (const rendering of RENDERINGS) {
      const pack = await packIn(folder, { query: 'HARBOR_TOKEN', rendering })
      expect(JSON.stringify(pack)).not.toContain(TOKEN.slice(0, 12))
      expect(packText(pack, rendering, { explained: true })).not.toContain(TOKEN.slice(0, 12))
      const hit = itemsOf(pack).find((it) => it.excerpt.text.includes('HARBOR_TOKEN ='))
      expect(hit?.excerpt.redacted).toBe(1)
      expect(hit?.excerpt.text).toContain('[redacted]')
    }
  })

  test('CP8 nor does a title say it, which is a line of the text and may be cut inside of it', async () => {
    const long =
      'a harbor that is known for its lights, its ropes, its rain, its cats and its bells'
    const folder = await indexedProject(`
//- src/short.ts
export const HARBOR_TOKEN = '${TOKEN}'
//- src/long.ts
export const HARBOR = { name: '${long}', token: '${TOKEN}', open: true }
//- src/longer.ts
export const HARBOUR = { name: '${long}, ever so', token: '${TOKEN}', open: true }
`)
    const pack = await packIn(folder, { query: 'HARBOR_TOKEN harbor harbour' })
    expect(
      itemsOf(pack)
        .map((it) => it.fileRelPath)
        .toSorted(),
    ).toEqual(['src/long.ts', 'src/longer.ts', 'src/short.ts'])
    expect(itemsOf(pack).some((it) => it.title.includes('[redacted]'))).toBe(true)
    expect(JSON.stringify(pack)).not.toContain(TOKEN.slice(0, 12))
    const small = await packIn(folder, {
      query: 'HARBOR_TOKEN harbor harbour',
      budgets: { maxItems: 1 },
    })
    expect(small.explain?.leftOut).toHaveLength(2)
    expect(JSON.stringify(small)).not.toContain(TOKEN.slice(0, 12))
  })
})

function moor(name: string): string {
  return `export function ${name}(rope: string[]): string {
${lines(12, (at) => `  rope.push('knot number ${at}')`)}
  return rope.join(' ')
}`
}

describe('CP9 copies', () => {
  test('CP9 what something better says already is dropped and named, with what it repeats', async () => {
    const folder = await indexedProject(`
//- src/moor.ts
${moor('moorShip')}
//- src/old/moor.ts
${moor('moorShip')}
//- src/other.ts
${moor('moorShips')}
//- src/rope.ts
export function buyRope(): string {
  return 'a rope for moorShip'
}
`)
    const pack = await packIn(folder, { query: 'moorShip rope knot' })
    const shown = itemsOf(pack).filter((it) => it.excerpt.text.includes('knot number 3'))
    expect(shown).toHaveLength(1)
    expect(pack.stats.dropped.duplicate).toBe(2)
    const named = pack.explain?.leftOut.filter((it) => it.reason === 'duplicate') ?? []
    expect(named).toHaveLength(2)
    expect(named.every((it) => it.of === shown[0]?.chunkUid)).toBe(true)
    expect(itemsOf(pack).map((it) => it.fileRelPath)).toContain('src/rope.ts')
  })

  test('CP9 what is in focus is shown even if it repeats', async () => {
    const copy = `export function moor(): void {\n${lines(9, (at) => `  knot(${at})`)}\n}`
    const folder = await indexedProject(`
//- a.ts
${copy}
//- b.ts
${copy}
`)
    const pack = await packIn(folder, { query: 'moor knot', focus: { fileRelPath: 'b.ts' } })
    expect(itemsOf(pack)[0]?.fileRelPath).toBe('b.ts')
  })

  test('CP9 they are named even where much is left out for lack of room', async () => {
    const copy = `export function moor(): void {\n${lines(9, (at) => `  knot('moor ${at}')`)}\n}`
    const folder = await indexedProject(`
//- a.ts
${copy}
//- b.ts
${copy}
${lines(60, (at) => `//- other-${at}.ts\nexport function buoy${at}(): void {\n${lines(20, (line) => `  ring(${line}, ${at}, 'a knot')`)}\n}`)}
`)
    const pack = await packIn(folder, { query: 'moor knot', budgets: { maxTotalTokens: 600 } })
    expect(pack.stats.dropped.budget).toBeGreaterThan(25)
    expect(pack.explain?.leftOut.map((it) => it.reason)).toContain('duplicate')
  })
})
