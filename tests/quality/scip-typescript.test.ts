/** Our own code, understood by us and by a compiler: how far the two agree. */
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Compared, compare, compiledMisses } from '../../bench/quality/graph/compiled.ts'
import { precisionRow, recallRow } from '../../bench/quality/graph/definitions.ts'
import { answerByIndex } from '../../bench/quality/graph/engine.ts'
import { placeKey } from '../../bench/quality/graph/places.ts'
import type { Judged, TrueReference } from '../../bench/quality/graph/references.ts'
import { lineReader } from '../../bench/quality/graph/sets.ts'
import { asExamples, type Row } from '../../bench/quality/graph/tables.ts'
import { temporaryFolder, writeFile } from '../support/project.ts'
import { runIndexer } from '../support/scip.ts'
import { scipTruth } from '../support/scip-truth.ts'

const PROJECT = join(import.meta.dirname, '..', '..')

const SETTINGS = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['src'],
}

async function compared(): Promise<{ readonly result: Compared; readonly folder: string }> {
  const folder = temporaryFolder()
  cpSync(join(PROJECT, 'src'), join(folder, 'src'), { recursive: true })
  cpSync(join(PROJECT, 'package.json'), join(folder, 'package.json'))
  writeFile(folder, 'tsconfig.json', JSON.stringify(SETTINGS))
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  const scip = join(temporaryFolder(), 'index.scip')
  runIndexer(folder, scip)
  const truth = scipTruth('src', folder, readFileSync(scip))
  return { result: compare(truth, await answerByIndex(folder)), folder }
}

/**
 * To the compiler, a key of a literal whose type is declared refers to a field of that type, and so
 * does a name in a pattern; to us they are definitions. The compiler does not tell then what
 * variable a key without a value reads.
 */
const OF_KEYS: ReadonlySet<string> = new Set(['field', 'method', 'local'])

function figuresOf({ truth, judged, ours }: Compared) {
  const definedByUs = new Set(ours.map(placeKey))
  const isKey = (it: TrueReference) => OF_KEYS.has(it.kind) && definedByUs.has(placeKey(it))
  const comparable = truth.definitions.filter((it) => it.isComparable)
  const keys = truth.references
    .filter(isKey)
    .map((it) => ({ ...it, name: it.text, isComparable: false }))
  return {
    calls: rightShare(judged.filter((it) => it.truth.call)),
    references: rightShare(judged),
    referencesButKeys: rightShare(judged.filter((it) => !isKey(it.truth))),
    recall: byLine(recallRow('', comparable, ours)),
    precision: byLine(precisionRow('', ours, { all: truth.definitions, comparable })),
    precisionButKeys: byLine(
      precisionRow('', ours, { all: [...truth.definitions, ...keys], comparable }),
    ),
  }
}

test('R2 references and definitions of our own code are those of the compiler', async () => {
  const { result, folder } = await compared()
  const figures = figuresOf(result)
  const misses = asExamples(compiledMisses(result, lineReader(folder)), 40)
  expect(result.judged.length).toBeGreaterThan(5000)
  // What is missing of .95: members of literals of the type Record<…> expect nothing yet.
  expect(figures.calls, misses).toBeGreaterThanOrEqual(0.93)
  // What is missing of .90 and .98: the keys of literals and patterns.
  expect(figures.references, misses).toBeGreaterThanOrEqual(0.875)
  expect(figures.precision, misses).toBeGreaterThanOrEqual(0.89)
  expect(figures.referencesButKeys, misses).toBeGreaterThanOrEqual(0.97)
  expect(figures.precisionButKeys, misses).toBeGreaterThanOrEqual(0.98)
  expect(figures.recall, misses).toBeGreaterThanOrEqual(0.98)
}, 180_000)

function rightShare(judged: readonly Judged[]): number {
  return judged.filter((it) => it.verdict === 'right').length / judged.length
}

function byLine({ cells }: Row): number {
  return Number(cells[1])
}
