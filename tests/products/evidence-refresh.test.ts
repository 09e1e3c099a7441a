/** Ranges of lines are followed through changes of their files, at both ends. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyPatch } from 'diff'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addEvidence } from '../../src/packs/evidence/evidence-add.ts'
import { refreshEvidence } from '../../src/packs/evidence/evidence-refresh.ts'
import { followLines } from '../../src/packs/evidence/follow-lines.ts'
import { createUnifiedDiff, MAX_CHANGES } from '../../src/packs/evidence/unified-diff.ts'
import { flowWith } from '../support/flow.ts'
import { temporaryFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

function of(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`)
}

/** A flow with one range of a file of 40 lines. */
async function flowWithLines(selector: string) {
  const folder = temporaryFolder()
  const { world, flow } = flowWith(folder, [])
  const change = (lines: readonly string[]) => writeFile(folder, 'a.txt', `${lines.join('\n')}\n`)
  change(of(1, 40))
  await addEvidence(world, flow, { selectors: [selector], isLinked: false })
  const refresh = () => refreshEvidence(world, flow, { targets: [] })
  const text = () => readFileSync(join(flow.folder, 'ctx/evidence/100_a_txt.evidence.md'), 'utf8')
  const body = () => text().split('\n').slice(4, -2)
  return { change, refresh, text, body }
}

interface Edit {
  readonly after: readonly string[]
  readonly span: string
  readonly body: readonly string[]
}

/** Of lines 10 to 20. */
const EDITS: Readonly<Record<string, Edit>> = {
  'lines inserted inside': {
    after: [...of(1, 14), 'new', ...of(15, 40)],
    span: '10:21',
    body: [...of(10, 14), 'new', ...of(15, 20)],
  },
  'lines inserted before and inside': {
    after: ['top', ...of(1, 12), 'new', ...of(13, 40)],
    span: '11:22',
    body: [...of(10, 12), 'new', ...of(13, 20)],
  },
  'lines removed inside': {
    after: [...of(1, 13), ...of(17, 40)],
    span: '10:17',
    body: [...of(10, 13), ...of(17, 20)],
  },
  'lines removed at the start': {
    after: [...of(1, 9), ...of(12, 40)],
    span: '10:18',
    body: of(12, 20),
  },
  'lines removed at the end': {
    after: [...of(1, 18), ...of(21, 40)],
    span: '10:18',
    body: of(10, 18),
  },
  'lines removed over both edges': {
    after: [...of(1, 7), ...of(12, 18), ...of(23, 40)],
    span: '8:14',
    body: of(12, 18),
  },
  'the first line changed': {
    after: [...of(1, 9), 'first', ...of(11, 40)],
    span: '10:20',
    body: ['first', ...of(11, 20)],
  },
  'the last line changed, and others inserted before': {
    after: ['top', ...of(1, 19), 'last', ...of(21, 40)],
    span: '11:21',
    body: [...of(10, 19), 'last'],
  },
  'lines inserted right before and right after': {
    after: [...of(1, 9), 'x', ...of(10, 20), 'y', ...of(21, 40)],
    span: '11:21',
    body: of(10, 20),
  },
}

describe('T17 refresh of a range of lines', () => {
  test.each(Object.entries(EDITS))('T17 follows both ends: %s', async (_, edit) => {
    const it = await flowWithLines('a.txt::10,20#kept')
    it.change(edit.after)
    await it.refresh()
    expect(it.body()).toEqual(edit.body)
    expect(it.text()).toContain(`; span=lines=${edit.span}; tags=kept -->`)
    // And further from there.
    it.change(['above', ...edit.after])
    await it.refresh()
    expect(it.body()).toEqual(edit.body)
  })

  test('T17 follows the start of lines that go to the end', async () => {
    const it = await flowWithLines('a.txt::30')
    it.change(['top', ...of(1, 40), 'end'])
    await it.refresh()
    expect(it.text()).toContain('; span=lines=31:EOF -->')
    expect(it.body()).toEqual([...of(30, 40), 'end'])
  })

  test('T17 says that all of the lines are gone, and keeps the evidence', async () => {
    const it = await flowWithLines('a.txt::10,20')
    it.change([...of(1, 5), ...of(25, 40)])
    expect(await it.refresh()).toMatchObject([
      { status: 'gone', trouble: 'lines 10–20 of a.txt have been removed: it has 21 lines' },
    ])
    expect(it.body()).toEqual(of(10, 20))
  })

  test('T17 whatever comes and goes, lines of the range that stay are in it and others are not', () => {
    const edits = fc.array(fc.record({ stays: fc.boolean(), comes: fc.nat(2) }), {
      minLength: 3,
      maxLength: 12,
    })
    fc.assert(
      fc.property(edits, fc.nat(), fc.nat(), (lines, one, other) => {
        const [start = 1, end = 1] = [
          (one % lines.length) + 1,
          (other % lines.length) + 1,
        ].toSorted((a, b) => a - b)
        const before = lines.map((_, at) => `old ${at + 1}`)
        const after = lines.flatMap(({ stays, comes }, at) => [
          ...(stays ? [`old ${at + 1}`] : []),
          ...Array.from({ length: comes }, (__, nth) => `new ${at + 1} ${nth}`),
        ])
        const range = followLines(before, after, { start, end })
        const inside = (at: number) => at >= start && at <= end && lines[at - 1]?.stays === true
        const kept = before.filter((_, at) => inside(at + 1))
        if (kept.length > 0) expect(range).toBeDefined()
        if (range === undefined) return
        const shown = after.slice(range.start - 1, range.end)
        expect(shown.filter((it) => it.startsWith('old'))).toEqual(kept)
      }),
      runs(500),
    )
  })
})

describe('EV13 a unified diff', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'x\r', '-', '@@ -1 +1 @@'), {
    maxLength: 12,
  })

  test('leads from one text to the other', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { text } = createUnifiedDiff({}, before, after)
        expect(text === '').toBe(
          before.join('\n') === after.join('\n') && before.length === after.length,
        )
        const [from, to] = [before, after].map((it) => it.map((line) => `${line}\n`).join(''))
        expect(applyPatch(from ?? '', text, { autoConvertLineEndings: false })).toBe(to)
      }),
      runs(500),
    )
  })

  test('replaces every line where too many have changed', () => {
    const before = of(1, MAX_CHANGES)
    const { text } = createUnifiedDiff(
      {},
      before,
      before.map((it) => `new ${it}`),
    )
    expect(text.split('\n', 2)).toEqual([`@@ -1,${MAX_CHANGES} +1,${MAX_CHANGES} @@`, '-line 1'])
  })

  test('counts the lines that differ from the text because a secret is redacted', () => {
    const key = `sk-ant-api03-${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7z'.repeat(3)}`
    const { text, redactedLines } = createUnifiedDiff({}, ['a'], ['a', `key = "${key}"`])
    expect(redactedLines).toBe(1)
    expect(text).not.toContain(key)
    expect(createUnifiedDiff({ revealsSecrets: true }, ['a'], [key]).text).toContain(key)
  })
})
