/**
 * The snapshot tests of three SCIP indexers. The data has their positions and not their sources;
 * those come from the indexers' repositories, where a mirror of them is at hand.
 */
import { join } from 'node:path'
import { checkout } from '../checkout.ts'
import {
  byKind,
  type Compared,
  type CompiledTruth,
  compare,
  compiledMisses,
  precisionTable,
  recallTable,
  referenceTable,
} from './compiled.ts'
import { verdictRow } from './references.ts'
import { lineReader, type SetInput, truthRows } from './sets.ts'
import { readSymbol } from './symbols.ts'
import type { Miss, SetReport } from './tables.ts'

interface Origin {
  readonly language: string
  readonly repo: string
  /** Where the sources of the snapshots stand in the repository. */
  readonly folder: string
}

const ORIGINS: readonly Origin[] = [
  { language: 'typescript', repo: 'sourcegraph/scip-typescript', folder: 'snapshots/input' },
  {
    language: 'python',
    repo: 'sourcegraph/scip-python',
    folder: 'packages/pyright-scip/snapshots/input',
  },
  { language: 'go', repo: 'sourcegraph/scip-go', folder: 'internal/testdata/snapshots/input' },
]

export async function snapshotSet(input: SetInput): Promise<SetReport | undefined> {
  const compared: Compared[] = []
  const misses: Miss[] = []
  const notes: string[] = []
  for (const origin of ORIGINS) {
    const rows = truthRows<OccurrenceRow>(input.data, `scip-${origin.language}.jsonl`)
    if (rows === undefined) continue
    const tree = checkout(input, origin.repo, 'HEAD')
    if (typeof tree === 'string') {
      notes.push(`${origin.language} snapshots are left out: ${tree}`)
      continue
    }
    const folder = join(tree.folder, origin.folder)
    const lineOf = lineReader(folder)
    const stale = staleFiles(rows, lineOf)
    if (stale.size > 0) {
      const names = [...stale].toSorted().join(', ')
      notes.push(`${origin.language} files that have changed since are left out: ${names}`)
    }
    const truth = readTruth(origin.language, rows, stale)
    const result = compare(truth, await input.answer(folder))
    compared.push(result)
    misses.push(...compiledMisses(result, lineOf))
  }
  if (compared.length === 0 && notes.length === 0) return undefined
  return { name: 'SCIP snapshots', tables: tables(compared), misses, notes }
}

function tables(all: readonly Compared[]): SetReport['tables'] {
  return [
    referenceTable(
      'snapshot references',
      all.flatMap((it) => [verdictRow(it.truth.name, it.judged), ...byKind(it, () => true)]),
    ),
    recallTable('snapshot definitions in the truth', all),
    precisionTable('snapshot definitions of ours', all),
  ]
}

interface OccurrenceRow {
  readonly file: string
  readonly line: number
  readonly col: number
  readonly role: 'definition' | 'reference'
  readonly symbol: string
  readonly text?: string
  readonly def?: { readonly file: string; readonly line: number } | null
}

/** Where the text at a position is not what the data says, the source is of another day. */
function staleFiles(
  rows: readonly OccurrenceRow[],
  lineOf: (place: { path: string; line: number }) => string,
): ReadonlySet<string> {
  const stale = rows.filter(
    (row) =>
      row.text !== undefined &&
      !lineOf({ path: row.file, line: row.line }).startsWith(row.text, row.col),
  )
  return new Set(stale.map((row) => row.file))
}

function readTruth(
  name: string,
  rows: readonly OccurrenceRow[],
  stale: ReadonlySet<string>,
): CompiledTruth {
  const fresh = rows.filter((row) => !stale.has(row.file))
  return {
    name,
    covered: new Set(fresh.map((row) => row.file)),
    references: fresh.flatMap(({ file, line, col, symbol, text = '', role, def }) => {
      if (role !== 'reference' || def === undefined || def === null) return []
      const definitions = [{ path: def.file, line: def.line, symbol }]
      const { kind } = readSymbol(symbol)
      return { path: file, line, column: col, text, kind, call: false, definitions }
    }),
    definitions: fresh.flatMap(({ file, line, col, symbol, text, role }) => {
      if (role !== 'definition') return []
      const facts = readSymbol(symbol)
      return { path: file, line, column: col, ...facts, name: facts.name || (text ?? '') }
    }),
  }
}
