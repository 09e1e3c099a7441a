/** Our judge of packs against the rules, and against the scorer that came with the data: E8. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { judge, meanScores, missed } from '../../bench/quality/packs/judge.ts'
import {
  type Piece,
  type Prediction,
  writePredictions,
} from '../../bench/quality/packs/predictions.ts'
import { comparisonOf, type Row, tablesOf } from '../../bench/quality/packs/report.ts'
import { withSection } from '../../bench/quality/packs/results-section.ts'
import { type PackTask, readTasks, tasksFile } from '../../bench/quality/packs/tasks.ts'
import { temporaryFolder } from '../support/project.ts'
import { hasShared } from '../support/shared-data.ts'

const TASK: PackTask = {
  id: 't',
  set: 'commit',
  repo: 'a/b',
  commit: '',
  queries: new Map([['raw', 'q']]),
  gold: [
    {
      path: 'x',
      ranges: [
        { start: 3, end: 4 },
        { start: 4, end: 6 },
      ],
      functions: [
        { start: 1, end: 8 },
        { start: 20, end: 30 },
      ],
    },
    { path: 'y', ranges: [{ start: 1, end: 1 }], functions: [] },
  ],
}

function piece(path: string, start: number, end: number): Piece {
  return { path, start, end, tokens: 10 }
}

describe('E8 a prediction is judged', () => {
  test('E8 by the rank of the first right file', () => {
    const { hit1, hit5, hit10, mrr } = judge(TASK, {
      files: ['a', 'b', 'y', 'x'],
      pack: [],
      budget: 9,
    })
    expect({ hit1, hit5, hit10, mrr }).toEqual({ hit1: 0, hit5: 1, hit10: 1, mrr: 1 / 3 })
  })

  test('E8 by the share of lines, each counted once, and of functions that are touched', () => {
    const pack = [piece('x', 5, 9), piece('x', 5, 5), piece('z', 1, 99)]
    expect(judge(TASK, { files: [], pack, budget: 100 })).toMatchObject({
      lineRec: 2 / 5,
      symRec: 1 / 2,
    })
  })

  test('E8 only as far as the budget goes', () => {
    const pack = [piece('z', 1, 1), piece('x', 1, 9), piece('y', 1, 1)]
    expect(judge(TASK, { files: [], pack, budget: 20 }).lineRec).toBe(4 / 5)
    expect(judge(TASK, { files: [], pack, budget: 19 }).lineRec).toBe(0)
  })

  test('E8 what was not asked is not found; a task without functions has no share of them', () => {
    expect(missed(TASK)).toEqual({ hit1: 0, hit5: 0, hit10: 0, mrr: 0, lineRec: 0, symRec: 0 })
    const plain = { ...TASK, gold: TASK.gold.slice(1) }
    expect(missed(plain).symRec).toBeUndefined()
  })
})

function row(id: string, scores: Partial<Row>): Row {
  return {
    ...missed(TASK),
    id,
    set: 'commit',
    repo: `r/${id}`,
    variant: 'raw',
    budget: 8000,
    isFilled: true,
    cost: { tokens: 0, precision: 0, named: 0 },
    milliseconds: 1,
    ...scores,
  }
}

describe('E8 reports', () => {
  test('E8 the marks stand beside the figures, then each repository', () => {
    const [table] = tablesOf([row('b', { hit1: 1, lineRec: 0.5 }), row('a', {})])
    expect(table?.lines.map((it) => it[0])).toEqual([
      'all',
      'BM25, all files',
      'BM25, sources only',
      'aim',
      'r/a',
      'r/b',
    ])
    expect(table?.lines[0]).toEqual(['all', '2', '.50', '.00', '.00', '.00', '.25', '.00'])
  })

  test('E8 two runs are compared task by task', () => {
    const before = [row('a', { hit1: 1 }), row('b', {}), row('c', { mrr: 0.5 })]
    const now = [row('a', {}), row('b', { hit1: 1 }), row('c', { mrr: 1 }), row('d', { hit1: 1 })]
    const [table] = comparisonOf(now, before)
    expect(table?.lines.slice(0, 1)).toEqual([['hit1', '.33', '.33', '1', '1']])
    expect(table?.lines[3]).toEqual(['mrr', '.17', '.33', '1', '0'])
  })
})

/** Right files at changing ranks, and pieces that hold a changing part of what is wanted. */
function madeUp(task: PackTask, at: number): Prediction {
  const others = Array.from({ length: at % 12 }, (_, each) => `other${each}`)
  const pack = task.gold.flatMap(({ path, ranges }) =>
    ranges.map(({ start, end }, each) => ({
      path,
      start: start - (at % 3),
      end: Math.max(start - (at % 3), end - ((at + each) % 4)),
      tokens: 60 + (at % 7) * 20,
    })),
  )
  const files = [...others, ...task.gold.map((it) => it.path)]
  return {
    id: task.id,
    set: 'commit',
    variant: 'raw',
    budget: 500,
    files,
    pack,
    isFilled: true,
    named: 0,
    milliseconds: 0,
  }
}

test('E8 the tables take the place of those before, and the text around them stays', () => {
  const first = withSection('# Results\n\nText.\n', 'one')
  expect(first).toMatch(
    /^# Results\n\nText\.\n\n## Context packs\n\n<!-- packs: begin -->\n\none\n/,
  )
  const second = withSection(`${first}\nAfter.\n`, 'two')
  expect(second).toBe(`${first.replace('one', 'two')}\nAfter.\n`)
})

describe.skipIf(!hasShared('score.mjs'))(
  'E8 beside the scorer of the data (needs shared data)',
  () => {
    const data = fileURLToPath(new URL('../../../shared/data/eval', import.meta.url))

    test('E8 both give the same figures', () => {
      const tasks = readTasks(data, 'commit') ?? []
      const predictions = tasks.map((task, at) => madeUp(task, at))
      const folder = temporaryFolder()
      writePredictions(folder, predictions)
      const args = [
        join(data, 'score.mjs'),
        tasksFile(data, 'commit'),
        join(folder, 'predictions-commit-500.jsonl'),
        '--budget',
        '500',
        '--by',
        'none',
      ]
      const [, head = '', line = ''] = execFileSync(process.execPath, args, {
        encoding: 'utf8',
      }).split('\n')
      const cells = line.split('\t')
      const theirs = Object.fromEntries(head.split('\t').map((name, at) => [name, cells[at]]))
      const ours = meanScores(
        tasks.map((task, at) => judge(task, predictions[at] ?? madeUp(task, at))),
      )
      expect(tasks.length).toBeGreaterThan(100)
      expect({
        hit1: ours.hit1.toFixed(3),
        hit5: ours.hit5.toFixed(3),
        hit10: ours.hit10.toFixed(3),
        rr: ours.mrr.toFixed(3),
        lineRec: ours.lineRec.toFixed(3),
        symRec: ours.symRec?.toFixed(3),
      }).toEqual({
        hit1: theirs['hit1'],
        hit5: theirs['hit5'],
        hit10: theirs['hit10'],
        rr: theirs['rr'],
        lineRec: theirs['lineRec'],
        symRec: theirs['symRec'],
      })
    })
  },
)
