/** Which tests a pack shows, and what it says of files that only import: CP14. */
import { describe, expect, test } from 'vitest'
import type { PackWish } from '../../src/packs/context/pack-request.ts'
import { indexedProject, itemsOf, packIn, sectionOf, shownIn } from '../support/packed.ts'

/** Twenty test files, all of which import what is asked about. */
function importers(more: string): string {
  const files = Array.from(
    { length: 20 },
    (_, at) => `
//- test/a${String(at).padStart(2, '0')}.test.js
'use strict'

const { test } = require('node:test')
const harbor = require('../src/harbor.js')

test('number ${at} of the crates is lifted', (t) => {
${Array.from({ length: 12 }, (__, line) => `  t.assert(lift(${at}, ${line}) === ${at + line})`).join('\n')}
})
`,
  )
  return `
//- src/harbor.js
'use strict'

/** Gives a ship its berth. */
function moorShip (ship) {
  return { ship, berth: 7 }
}

module.exports = { moorShip }
${files.join('')}${more}`
}

const DEBUG: PackWish = { query: 'moorShip gives the wrong berth', intent: 'debug' }

describe('CP14 tests', () => {
  test('CP14 one that calls stands there, and no file that merely imports', async () => {
    const folder = await indexedProject(
      importers(`
//- test/z.test.js
'use strict'

const { moorShip } = require('../src/harbor.js')
const { test } = require('node:test')

test('it works', (t) => {
${Array.from({ length: 30 }, (_, at) => `  const crate${at} = ${at}`).join('\n')}
  t.assert(moorShip('x') === crate1)
})
`),
    )
    const impact = { query: '', intent: 'impact', focus: FOCUS } as const
    for (const wish of [DEBUG, { ...impact, fill: true }]) {
      const pack = await packIn(folder, wish)
      const shown = shownIn(pack, 'tests')
      expect(shown[0]).toMatch(/^test\/z\.test\.js test\('it works'/)
      expect(shown.join()).not.toMatch(/require|use strict/)
    }
    const listed = (await packIn(folder, impact)).impact?.tests.places ?? []
    expect(listed.map((it) => `${it.path} ${it.name}`)).toEqual([
      "test/z.test.js test('it works', (t) => {",
    ])
  })

  test('CP14 nor where one shares words with the question', async () => {
    const folder = await indexedProject(
      importers(`
//- test/z.test.js
'use strict'

test('a wrong berth is not given', (t) => {
  t.assert(wrong(berth))
})
`),
    )
    const shown = shownIn(await packIn(folder, DEBUG), 'tests')
    expect(shown[0]).toMatch(/^test\/z\.test\.js /)
    expect(shown.join()).not.toMatch(/require/)
    const asked = await packIn(folder, { ...DEBUG, query: 'test: a wrong berth is not given' })
    expect(shownIn(asked, 'seeds').join()).toMatch(/test\/z\.test\.js/)
  })

  test('CP14 in a small pack it is at least named', async () => {
    const crates = Array.from({ length: 40 }, (_, at) => `  t.wrong(berth, 'crate ${at}')`)
    const folder = await indexedProject(
      importers(`
//- test/z.test.js
test('a wrong berth is not given', (t) => {
${crates.join('\n')}
})
//- src/more.js
${crates.map((it, at) => `function berth${at} (t) {\n${it}\n  return t.moor(${at})\n}\n`).join('\n')}
`),
    )
    const pack = await packIn(folder, { ...DEBUG, budgets: { maxTotalTokens: 900 } })
    expect(shownIn(pack, 'tests').join()).toMatch(/^test\/z\.test\.js /)
  })

  test('CP14 where there is nothing better, a few of them by their titles', async () => {
    const folder = await indexedProject(importers(''))
    const pack = await packIn(folder, { query: '', intent: 'debug', focus: FOCUS })
    const { items = [] } = sectionOf(pack, 'tests') ?? {}
    expect(items).toHaveLength(3)
    expect(items.map((it) => it.excerpt.level)).toEqual(['title', 'title', 'title'])
  })

  test('CP14 a block of imports or the head of a file is no text worth showing', async () => {
    const folder = await indexedProject(`
//- src/ship.py
"""
What ships are, and what they are made of.

Much more could be said about them.
"""

${Array.from({ length: 30 }, (_, at) => `PART_${at} = 'part ${at}'`).join('\n')}
//- src/moor.py
"""How ships are moored."""

from ship import PART_0


def moor(ship):
    return ship + PART_0
//- src/office.py
${Array.from({ length: 12 }, (_, at) => `import part${at}`).join('\n')}

import moor


def desk():
${Array.from({ length: 40 }, (_, at) => `    chair${at} = part${at % 12}.make(${at})`).join('\n')}
    return chair7
`)
    const pack = await packIn(folder, {
      query: '',
      intent: 'summarize',
      focus: { fileRelPath: 'src/moor.py' },
    })
    const imported = itemsOf(pack).filter((it) => it.why.path.at(-1)?.edgeType === 'import')
    expect(imported.map((it) => [it.fileRelPath, it.excerpt.level])).toContainEqual([
      'src/office.py',
      'title',
    ])
    for (const it of imported) expect(it.excerpt.level).toBe('title')
  })
})

const FOCUS = { fileRelPath: 'src/harbor.js', line: 5 }
