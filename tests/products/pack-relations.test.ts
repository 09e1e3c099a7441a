/** What a question is about, and how the other items relate to it: CP18, CP19, CP20, F10. */
import { expect, test } from 'vitest'
import { whyOf } from '../../src/format/pack-explain.ts'
import { overviewLines } from '../../src/format/pack-overview.ts'
import { indexedProject, itemsOf, packIn, sectionOf, shownIn } from '../support/packed.ts'

const DOCKS = `
//- src/quay.ts
import { tieRope } from './rope.ts'
import { logArrival } from './log.ts'

/** Moors a vessel at its quay. */
export function moorVessel(vessel: string): string {
  logArrival(vessel)
  return tieRope(vessel)
}
//- src/rope.ts
export function tieRope(what: string): string {
  return what + ' is moored with a rope at the quay'
}
//- src/log.ts
export function logArrival(name: string): void {
  console.log(name)
}
//- src/pilot.ts
import { moorVessel } from './quay.ts'

/** Guides a vessel to the quay where it is moored. */
export function guideVessel(vessel: string): string {
  return moorVessel(vessel)
}
//- src/weather.ts
/** Whether a vessel may be moored in this wind. */
export function isCalm(wind: number): boolean {
  return wind < 4
}
//- test/quay.test.ts
import { moorVessel } from '../src/quay.ts'

test('a vessel is moored', () => {
  moorVessel('Anna')
})
`

test('CP18 what calls, is called by or tests the best is in that section, though words matched', async () => {
  const pack = await packIn(await indexedProject(DOCKS), { query: 'moorVessel at the quay' })
  expect(shownIn(pack, 'seeds').join()).toMatch(/^src\/quay\.ts export function moorVessel/)
  expect(shownIn(pack, 'callers').join()).toMatch(/src\/pilot\.ts export function guideVessel/)
  expect(shownIn(pack, 'callees').join()).toMatch(/src\/rope\.ts export function tieRope/)
  expect(shownIn(pack, 'tests').join()).toMatch(/test\/quay\.test\.ts/)
  const caller = sectionOf(pack, 'callers')?.items.filter((it) => it.symbolId !== undefined) ?? []
  expect(caller.map((it) => whyOf([it]))[0]).toMatch(/^calls `moorVessel` \(line 5\); matches `/)
  expect(pack.relations).toContainEqual(
    expect.objectContaining({ edgeType: 'call', line: 5, from: caller[0]?.chunkUid }),
  )
})

test('CP18 what shares words only is related, and says which', async () => {
  const pack = await packIn(await indexedProject(DOCKS), {
    query: 'moorVessel at the quay',
    fill: true,
  })
  const related = sectionOf(pack, 'related')?.items ?? []
  const [weather] = related.filter((it) => it.fileRelPath === 'src/weather.ts')
  expect(weather?.why).toMatchObject({ rule: 'seed', path: [] })
})

test('CP18 every relation is between two items of the pack', async () => {
  const folder = await indexedProject(DOCKS)
  for (const fill of [true, false]) {
    const pack = await packIn(folder, { query: 'moored vessel at the quay', fill })
    const uids = new Set(itemsOf(pack).map((it) => it.chunkUid))
    for (const { from, to } of pack.relations) {
      expect(uids.has(from) && uids.has(to)).toBe(true)
    }
  }
})

test('CP19 a callee that shares no word is named, with the call', async () => {
  const pack = await packIn(await indexedProject(DOCKS), { query: 'moorVessel at the quay' })
  const callee = itemsOf(pack).find((it) => it.fileRelPath === 'src/log.ts')
  expect(callee === undefined ? '' : whyOf([callee])).toBe('called by `moorVessel` (src/quay.ts:6)')
})

test('F10 a pack says at its top how its items relate', async () => {
  const folder = await indexedProject(DOCKS)
  const pack = await packIn(folder, { query: 'moorVessel at the quay', fill: true })
  expect(overviewLines(pack)).toEqual([
    'guideVessel → moorVessel → tieRope; tested by test/quay.test.ts:1',
    'moorVessel → logArrival; tested by test/quay.test.ts:1',
  ])
  const few = { ...pack, sections: pack.sections.slice(0, 1) }
  expect(overviewLines(few)).toEqual([])
})

test('CP20 of a long comment the first paragraph and the best lines are shown, and all of the code', async () => {
  const filler = Array.from({ length: 40 }, (_, at) => ` * Rule ${at} says nothing of interest.`)
  filler[20] = ' * The tide must be high.'
  const folder = await indexedProject(`
//- src/lock.ts
/**
 * Opens the lock for a barge.
 *
${filler.join('\n')}
 */
export function openLock(barge: string): string {
  return barge + ' passes'
}
`)
  const pack = await packIn(folder, { query: 'openLock needs a high tide' })
  const [item] = itemsOf(pack)
  expect(item?.excerpt.level).toBe('excerpt')
  expect(item?.excerpt.text).toContain('Opens the lock for a barge.')
  expect(item?.excerpt.text).toContain('The tide must be high.')
  expect(item?.excerpt.text).toContain("return barge + ' passes'")
  expect(item?.excerpt.text).not.toContain('Rule 35')
  const whole = await packIn(folder, { query: 'openLock needs a high tide', fill: true })
  expect(itemsOf(whole)[0]?.excerpt.level).toBe('whole')
})
