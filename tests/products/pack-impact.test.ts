/** What a change of the focus reaches, line by line: CP15. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { indexedProject, itemsOf, packIn, shownIn } from '../support/packed.ts'

/** Callers that are copies of each other but for a number, each with two calls far apart. */
const CALLERS = Array.from({ length: 24 }, (_, at) => {
  const lines = Array.from({ length: 20 }, (__, line) => `  const crate${line} = ${line}`)
  return `
//- src/quay${at}.ts
import { hoist } from './winch.ts'

export function unload${at}(crates: number): number {
  const first = hoist(crates)
${lines.join('\n')}
  return first + hoist(crate7)
}`
})

const WINCH = `
//- src/winch.ts
export function hoist(weight: number): number {
  return weight + 1
}
${CALLERS.join('')}
//- src/office.ts
import { unload3 } from './quay3.ts'

export function openDay(): number {
  return unload3(5)
}
//- src/poem.ts
/** To hoist, a hoist, they hoist: the hoist of the winch and its weight. */
export function poem(): string {
  return 'hoist the weight'
}
//- test/winch.test.ts
import { hoist } from '../src/winch.ts'

test('a weight is lifted', () => {
  expect(hoist(1)).toBe(2)
})
`

const HOIST = { fileRelPath: 'src/winch.ts', line: 1 }
const IMPACT = { query: 'hoist weight', intent: 'impact', focus: HOIST } as const

/** `path:line` of every line that the items show. */
function shownLines(pack: ContextPack): ReadonlySet<string> {
  return new Set(
    itemsOf(pack).flatMap(({ fileRelPath, excerpt }) =>
      excerpt.parts.flatMap(({ lines }) =>
        Array.from(
          { length: lines.end - lines.start + 1 },
          (_, at) => `${fileRelPath}:${lines.start + at}`,
        ),
      ),
    ),
  )
}

/** Lines of the callers that call, read from the files. */
function callsIn(folder: string): readonly string[] {
  return CALLERS.flatMap((_, at) => {
    const path = `src/quay${at}.ts`
    const lines = readFileSync(join(folder, path), 'utf8').split('\n')
    return lines.flatMap((line, row) => (line.includes('hoist(') ? [`${path}:${row + 1}`] : []))
  })
}

describe('CP15 impact', () => {
  test('CP15 every line that refers to the focus is shown, of near-copies too, and no body', async () => {
    const folder = await indexedProject(WINCH)
    const pack = await packIn(folder, IMPACT)
    const shown = shownLines(pack)
    const calls = callsIn(folder)
    expect(calls).toHaveLength(2 * CALLERS.length)
    expect(calls.filter((it) => !shown.has(it))).toEqual([])
    expect(pack.stats.dropped.duplicate).toBe(0)
    expect([...shown].filter((it) => it.startsWith('src/quay0.ts:')).length).toBeLessThan(10)
    expect(itemsOf(pack).filter((it) => it.scores.graphDistance > 1)).toEqual([])
    expect(shownIn(pack, 'tests')).toEqual([])
    const filled = await packIn(folder, { ...IMPACT, fill: true })
    const far = itemsOf(filled).filter((it) => it.scores.graphDistance > 1)
    expect(far.map((it) => it.fileRelPath)).toContain('src/office.ts')
    expect(shownIn(filled, 'tests')).toEqual([expect.stringMatching(/^test\/winch\.test\.ts /)])
  })

  test('CP15 in less room, each caller is named before anything further away is', async () => {
    const folder = await indexedProject(WINCH)
    let isTight = false
    for (let maxTotalTokens = 200; maxTotalTokens <= 3000; maxTotalTokens += 200) {
      const pack = await packIn(folder, { ...IMPACT, budgets: { maxTotalTokens } })
      const items = itemsOf(pack)
      const near = items.filter((it) => it.fileRelPath.startsWith('src/quay')).length
      const far = items.filter((it) => it.scores.graphDistance > 1).length
      if (far > 0) expect(near).toBe(CALLERS.length)
      if (near < CALLERS.length) isTight = true
      expect(pack.stats.tokens).toBeLessThanOrEqual(maxTotalTokens)
    }
    expect(isTight).toBe(true)
  })

  test('CP15 what only shares words is shown with fill alone', async () => {
    const folder = await indexedProject(WINCH)
    const paths = async (fill: boolean): Promise<string> => {
      const pack = await packIn(folder, { ...IMPACT, fill, budgets: { maxTotalTokens: 20_000 } })
      return [...itemsOf(pack), ...pack.pointers].map((it) => it.fileRelPath).join()
    }
    expect(await paths(false)).not.toContain('src/poem.ts')
    expect(await paths(true)).toContain('src/poem.ts')
  })

  test('CP15 of several symbols in a chunk, the one on the line of the focus is meant', async () => {
    const folder = await indexedProject(`
//- src/crane.ts
export class Crane {
  lower(depth: number): number {
    return depth
  }
  swing(angle: number): number {
    return angle
  }
}
//- src/lowering.ts
import { Crane } from './crane.ts'

export function bringDown(crane: Crane): number {
  return crane.lower(3)
}
//- src/swinging.ts
import { Crane } from './crane.ts'

export function turnAround(crane: Crane): number {
  return crane.swing(3)
}
`)
    for (const [line, meant, other] of [
      [2, 'src/lowering.ts', 'src/swinging.ts'],
      [5, 'src/swinging.ts', 'src/lowering.ts'],
    ] as const) {
      const focus = { fileRelPath: 'src/crane.ts', line }
      const pack = await packIn(folder, { query: '', intent: 'impact', focus })
      expect(shownIn(pack, 'callers').join()).toContain(meant)
      expect(shownIn(pack, 'callers').join()).not.toContain(other)
      expect(shownLines(pack).has(`${meant}:4`)).toBe(true)
    }
  })
})
