/** The baseline of the graph runner, and how its figures are shown. */
import { expect, test } from 'vitest'
import { answerByNames } from '../../bench/quality/graph/names.ts'
import { askAbout } from '../../bench/quality/graph/sets.ts'
import { asExamples, beside, type SetReport } from '../../bench/quality/graph/tables.ts'

test('R1 resolves by name alone: first the same file, else the least nested elsewhere', async () => {
  const sources = new Map([
    ['a.py', 'def f():\n    pass\n\ndef g():\n    f()\n'],
    ['b.py', 'f()\nh()\n'],
  ])
  const { files } = await askAbout(sources, answerByNames)
  const calls = [...files].flatMap(([path, file]) =>
    file.references.map((it) => [path, it.name, it.call, it.targets[0]?.line, it.from]),
  )
  expect(calls).toEqual([
    ['a.py', 'pass', false, undefined, 'a.py:1:4 f'],
    ['a.py', 'f', true, 1, 'a.py:4:4 g'],
    ['b.py', 'f', true, 1, 'b.py'],
    ['b.py', 'h', true, undefined, 'b.py'],
  ])
})

test('R1 shows the baseline beside each row', () => {
  const [joined] = beside([report('0.900')], [report('0.400')])
  expect(joined?.tables[0]?.columns).toEqual(['count', 'right', 'right by name'])
  expect(joined?.tables[0]?.rows[0]?.cells).toEqual(['4', '0.900', '0.400'])
})

test('R1 takes examples evenly from the misses', () => {
  const misses = Array.from({ length: 10 }, (_, index) => ({
    place: `p${index}`,
    source: ' x ',
    expected: 'e',
    ours: 'o',
    tags: 't',
  }))
  const shown = asExamples(misses, 2)
  expect(shown.match(/^p\d/gm)).toEqual(['p0', 'p5'])
  expect(shown).toContain('2 of 10 misses')
})

function report(right: string): SetReport {
  const rows = [{ name: 'hono', cells: ['4', right] }]
  const table = { title: 'calls', columns: ['count', 'right'], rows, headlines: ['right'] }
  return { name: 'set', tables: [table], misses: [], notes: [] }
}
