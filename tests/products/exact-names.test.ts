/** Names that a question spells lead to their definitions: Q10. */
import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/model/candidate.ts'
import { findSeeds } from '../../src/retrieve/seeds.ts'
import { spelledNames } from '../../src/retrieve/spelled-names.ts'
import { understood } from '../../src/retrieve/understand.ts'
import { indexedProject, withIndex } from '../support/packed.ts'

/** What mentions a name far more often than the one place that defines it. */
function mentions(name: string): string {
  return Array.from({ length: 12 }, (_, at) => {
    const lines = Array.from({ length: 6 }, () => `  // ${name}: the ${name} cuts a text`)
    return `export function ${name}User${at}(${name}: string): string {\n${lines.join('\n')}\n  return ${name}\n}\n`
  }).join('\n')
}

const PORT = `
//- src/session.ts
export class Session {
  /** Looks a crate up. */
  get(key: string): string {
    return key
  }
}
//- src/shelf.ts
export class Shelf {
  /** Looks a crate up. */
  get(key: string): string {
    return key + key
  }
}
//- src/session-notes.ts
${mentions('session')}
//- src/trim.ts
export function ltrimstr(whole: string): string {
  return whole.slice(1)
}
//- src/trim-notes.ts
${mentions('trimmed')}
//- src/retries/retries.ts
/** Retries: how many retries the retries of a port may have, and retries again. */
export interface Limits {
  /** The retries of retries. */
  readonly retries: number
  readonly mostRetries: number
}
//- src/again.ts
export function retries(): number {
  return 3
}
//- src/declared.js
class Mail {
  send (letter) {
    return letter
  }
}
module.exports = Mail
//- src/assigned.js
const mail = {}
mail.send = function (letter) {
  return letter
}
module.exports = mail
`

async function seedsOf(query: string): Promise<readonly Seed[]> {
  const folder = await indexedProject(PORT)
  return withIndex(folder, (index) =>
    findSeeds(index, { query: understood(query), provider: 'hybrid', mode: 'mixed', limit: 50 }),
  )
}

describe('Q10 a name that is spelled', () => {
  test.each(['Session', 'session', 'SESSION'])('Q10 alone, in any case: %s', async (query) => {
    const [first] = await seedsOf(query)
    expect(first?.chunk.path).toBe('src/session.ts')
    expect(first?.reasons[0]).toBe('defines `Session` (line 1)')
    expect(first?.terms.map((it) => it.name)).toContain('is spelled in the question')
  })

  test.each([
    ['Session.get', 'src/session.ts', 'Session.get'],
    ['shelf.get()', 'src/shelf.ts', 'shelf.get'],
    ['Shelf#get', 'src/shelf.ts', 'Shelf#get'],
    ['Shelf::get', 'src/shelf.ts', 'Shelf::get'],
  ])('Q10 qualified: %s', async (query, path, name) => {
    const [first] = await seedsOf(query)
    expect(first?.chunk.path).toBe(path)
    expect(first?.reasons[0]).toBe(`defines \`${name}\` (line 3)`)
  })

  test('Q10 qualified by what nothing is called, the name alone leads, and the reason says no more', async () => {
    const [first] = await seedsOf('client.ltrimstr')
    expect(first?.chunk.path).toBe('src/trim.ts')
    expect(first?.reasons[0]).toBe('defines `ltrimstr` (line 1)')
  })

  test.each([
    'why does ltrimstr cut a trimmed text',
    'a trimmed text is cut by `ltrimstr`',
    'what breaks if I change ltrimstr() and how does it look like',
  ])('Q10 in a sentence: %s', async (query) => {
    const [first] = await seedsOf(query)
    expect(first?.chunk.path).toBe('src/trim.ts')
  })

  test('Q10 a function stands before a field of the same name', async () => {
    const [first, second] = await seedsOf('retries')
    expect([first?.chunk.path, second?.chunk.path]).toEqual([
      'src/again.ts',
      'src/retries/retries.ts',
    ])
  })

  test('Q10 what is declared stands before what is assigned', async () => {
    const [first, second] = await seedsOf('send')
    expect([first?.chunk.path, second?.chunk.path]).toEqual(['src/declared.js', 'src/assigned.js'])
  })

  test('Q10 a line that the question points at stands before a name that it spells', async () => {
    const [first, second] = await seedsOf('ltrimstr fails at src/again.ts:2')
    expect([first?.chunk.path, second?.chunk.path]).toEqual(['src/again.ts', 'src/trim.ts'])
  })
})

const GLOBALS = `
//- src/app/globals.py
from app.local import Proxy

g = Proxy("g")
//- src/app/context.py
class Context:
    def __init__(self):
        self.g = {}
//- tests/test_globals.py
def test_greenlets():
    def g():
        return 42

    assert g() == 42
//- lib/harbor.js
'use strict'
exports.Pier = require('pier')
exports.berth = function berth () { return 1 }
//- test/pier.js
var Pier = require('../lib/harbor').Pier
//- lib/jsonify.js
exports.jsonify = function jsonify (value) { return String(value) }
`

async function seedsOfWord(query: string): Promise<readonly Seed[]> {
  const folder = await indexedProject(GLOBALS)
  return withIndex(folder, (index) =>
    findSeeds(index, { query: understood(query), provider: 'hybrid', mode: 'mixed', limit: 50 }),
  )
}

describe('Q11 a question that is one word', () => {
  test.each(['g', 'G', '`g`', '"g"'])(
    'Q11 of one letter: a value of a module, a field, and a local of a test last: %s',
    async (query) => {
      const seeds = await seedsOfWord(query)
      expect(seeds.map((it) => it.chunk.path)).toEqual([
        'src/app/globals.py',
        'src/app/context.py',
        'tests/test_globals.py',
      ])
      expect(seeds[0]?.reasons[0]).toBe('defines `g` (line 3)')
    },
  )

  test('Q11 what binds a name stands before a test that defines it', async () => {
    const [first, second] = await seedsOfWord('Pier')
    expect([first?.chunk.path, second?.chunk.path]).toEqual(['lib/harbor.js', 'test/pier.js'])
    expect(first?.reasons[0]).toBe('binds `Pier` (line 2)')
  })

  test.each([
    ['jsonif', 'lib/jsonify.js'],
    ['jsonnify', 'lib/jsonify.js'],
    ['globalz', 'src/app/globals.py'],
  ])('Q11 a word that is nowhere leads to the nearest: %s', async (query, path) => {
    const [first] = await seedsOfWord(query)
    expect(first?.chunk.path).toBe(path)
    expect(first?.reasons).toEqual([expect.stringContaining(`nothing is called \`${query}\``)])
    expect(first?.score).toBeLessThan(1)
  })

  test('Q11 a word that is hardly like anything still leads somewhere, and is held unlikely', async () => {
    const seeds = await seedsOfWord('gondola')
    expect(seeds.length).toBeGreaterThan(0)
    for (const seed of seeds) expect(seed.score).toBeLessThan(0.2)
  })
})

describe('Q10 which words may be names', () => {
  test('Q10 words about code, question words and what is too long name nothing', () => {
    expect(spelledNames('how does the function return a value')).toEqual([])
    expect(spelledNames(`${'x'.repeat(100_000)}`)).toEqual([])
    expect(spelledNames(`${'aB'.repeat(100_000)} floats`).map((it) => it.text)).toEqual(['floats'])
  })

  test('Q10 the more a question says besides, the less a name weighs', () => {
    const weights = ['parseUrl crashes', 'parseUrl crashes boats', 'parseUrl crashes boats twain']
    const [one = 0, two = 0, three = 0] = weights.map((it) => spelledNames(it)[0]?.weight)
    expect(one).toBeGreaterThan(two)
    expect(two).toBeGreaterThan(three)
    expect(three).toBeGreaterThan(0)
  })
})
