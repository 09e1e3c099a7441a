/** Who refers to the focus, known and possible, before any text: IM1 to IM3. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packText } from '../../src/format/pack-text.ts'
import type { ContextPack } from '../../src/model/context-pack.ts'
import type { ImpactList } from '../../src/model/impact.ts'
import { indexedProject, itemsOf, packIn } from '../support/packed.ts'

const SHOP = `
//- lib/response.js
const http = require('http')

const res = Object.create(http.ServerResponse.prototype)

module.exports = res

res.send = function send(body) {
  return this.end(body)
}

res.json = function json(value) {
  const text = String(value)
  if (value === null) return this.send('null')
  return this.send(text)
}

res.hello = function hello() {
  return this.json('hello')
}
//- lib/greet.js
const res = require('./response')

function greet() {
  res.hello()
}

module.exports = greet
//- lib/app.js
function handle(request, res) {
  res.send(request.body)
}

function relay(socket) {
  socket.send('x')
}

module.exports = { handle, relay }
//- tools/mail.py
def post(box):
    box.send('letter')
//- test/send.test.js
const res = require('../lib/response')

test('sends', () => {
  res.send('hello')
})

test('unknown', (t) => {
  t.send('hello')
})
`

const FOCUS = { fileRelPath: 'lib/response.js', line: 7 }
const WISH = { query: 'what breaks', intent: 'impact', focus: FOCUS } as const

function listed({ places }: ImpactList): readonly string[] {
  return places.map(({ path, lines, name, depth }) => `${path}:${lines.join(',')} ${name} ${depth}`)
}

describe('IM1 known callers', () => {
  test('IM1 come first, by depth, each with its lines and the function around them', async () => {
    const pack = await packIn(await indexedProject(SHOP), WISH)
    expect(listed(pack.impact?.callers ?? EMPTY)).toEqual([
      'lib/response.js:13,14 res.json 1',
      'lib/response.js:18 res.hello 2',
      'lib/greet.js:4 greet 3',
    ])
    expect(listed(pack.impact?.tests ?? EMPTY)).toEqual([
      "test/send.test.js:4 test('sends', () => { 1",
    ])
    const text = packText(pack, 'markdown')
    expect(text.indexOf('- lib/response.js:13,14 res.json\n')).toBeGreaterThan(0)
    expect(text.indexOf('- lib/response.js:13,14 res.json\n')).toBeLessThan(text.indexOf('```'))
    expect(text).toContain('- lib/response.js:18 res.hello (depth 2 → res.json)\n')
    expect(packText(pack, 'xml')).toContain('<impact>\n')
  })

  test('IM1 each line holds the name that the place refers to', async () => {
    const folder = await indexedProject(SHOP)
    const { impact } = await packIn(folder, WISH)
    const places = [impact?.callers, impact?.tests].flatMap((it) => it?.places ?? [])
    expect(places.length).toBeGreaterThan(2)
    for (const { path, lines, through = 'res.send' } of places) {
      const text = readFileSync(join(folder, path), 'utf8').split('\n')
      for (const line of lines) expect(text[line - 1]).toContain(through.split('.').at(-1))
    }
  })

  test('IM1 what has no room is counted by its folder, and nothing is lost', async () => {
    const callers = Array.from(
      { length: 90 },
      (_, at) =>
        `//- src/${at % 2 === 0 ? 'even' : 'odd'}/caller${at}.ts\nimport { hoist } from '../winch.ts'\n\nexport function lift${at}(): number {\n  return hoist(${at})\n}\n`,
    )
    const folder = await indexedProject(
      `//- src/winch.ts\nexport function hoist(weight: number): number {\n  return weight\n}\n${callers.join('')}`,
    )
    for (const maxTotalTokens of [300, 1000, 2000, 4000, 16_000]) {
      const wish = { query: '', intent: 'impact', focus: { fileRelPath: 'src/winch.ts', line: 1 } }
      const pack = await packIn(folder, { ...wish, budgets: { maxTotalTokens } } as typeof WISH)
      expect(pack.stats.tokens).toBeLessThanOrEqual(maxTotalTokens)
      const list = pack.impact?.callers
      if (list === undefined) {
        expect(maxTotalTokens).toBeLessThan(1000)
        continue
      }
      const shown = list.places.reduce((sum, it) => sum + it.lines.length, 0)
      const more = list.more.reduce((sum, it) => sum + it.count, 0)
      expect(shown + more).toBe(list.count)
      expect(list.count).toBe(90)
      if (more > 0)
        expect(list.more.map((it) => it.path).toSorted()).toEqual(['src/even/', 'src/odd/'])
    }
  })
})

describe('IM2 possible callers', () => {
  test('IM2 are marked and counted, those called like the owner first, tests last', async () => {
    const pack = await packIn(await indexedProject(SHOP), WISH)
    expect(listed(pack.impact?.possible ?? EMPTY)).toEqual([
      'lib/app.js:2 handle 1',
      'lib/app.js:6 relay 1',
      "test/send.test.js:8 test('unknown', (t) => { 1",
    ])
    expect(packText(pack, 'markdown')).toContain(
      'Unresolved calls of `send` that could mean it: 3\n',
    )
  })

  test('IM2 where no caller is known the pack says so', async () => {
    const folder = await indexedProject(`
//- src/a.ts
export class Crate {
  open(): void {}
  close(): void {}
}
//- src/b.ts
export function unpack(it: any): void {
  it.open()
}
`)
    const text = async (line: number): Promise<string> =>
      packText(
        await packIn(folder, { ...WISH, focus: { fileRelPath: 'src/a.ts', line } }),
        'markdown',
      )
    expect(await text(2)).toContain(
      'No caller of `Crate.open` found\nUnresolved calls of `open` that could mean it: 1\n- src/b.ts:2 unpack\n',
    )
    expect(await text(3)).toContain(
      'No caller of `Crate.close` found\nNo unresolved `close` could be one either.\n',
    )
  })
})

test('IM3 the words of the question change no place of the list', async () => {
  const folder = await indexedProject(SHOP)
  const packs: ContextPack[] = []
  for (const query of ['what breaks', 'greet relay socket mail letter', 'send json hello'])
    packs.push(await packIn(folder, { ...WISH, query }))
  expect(packs.map((it) => it.impact)).toEqual(packs.map(() => packs[0]?.impact))
  const paths = packs.map((pack) => itemsOf(pack).map((it) => it.chunkUid))
  expect(paths).toEqual(packs.map(() => paths[0]))
})

test('IM3 with another intent, neighbours are reached from the focus alone', async () => {
  const folder = await indexedProject(SHOP)
  const wish = { ...WISH, intent: 'debug', query: 'greet relay socket letter' } as const
  const pack = await packIn(folder, { ...wish, fill: true })
  const items = itemsOf(pack)
  const focused = items.filter((it) => it.why.rule === 'focus').map((it) => it.chunkUid)
  expect(focused).toHaveLength(1)
  const near = items.filter((it) => it.scores.graphDistance === 1)
  expect(near.length).toBeGreaterThan(0)
  for (const { why } of near)
    expect(why.path.every((it) => `${it.from} ${it.to}`.includes('response.js'))).toBe(true)
})

const EMPTY: ImpactList = { count: 0, isCut: false, places: [], more: [] }
