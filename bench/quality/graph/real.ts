/** Whole repositories, indexed by a compiler: the nearest thing to everyday use. */
import { readdirSync } from 'node:fs'
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
import { EDGE_COLUMNS, type EdgeSets, edge, edgeRow, fileEdges } from './edges.ts'
import { placeKey } from './places.ts'
import { type TrueReference, verdictRow } from './references.ts'
import { jsonLines, lineReader, type SetInput, truthRows } from './sets.ts'
import { readSymbol } from './symbols.ts'
import type { Miss, SetReport } from './tables.ts'

export async function realSet(input: SetInput): Promise<SetReport | undefined> {
  const commits = baseCommits(input.data)
  const compared: Compared[] = []
  const edges = new Map<string, EdgeSets>()
  const misses: Miss[] = []
  const notes: string[] = []
  for (const stem of stems(input.data)) {
    const repo = stem.replace('__', '/')
    const tree = checkout(input, repo, commits.get(repo) ?? 'HEAD')
    if (typeof tree === 'string') {
      notes.push(`${repo} is left out: ${tree}`)
      continue
    }
    const truth = readTruth(input.data, stem)
    const answers = await input.answer(tree.folder)
    const result = compare(truth, answers)
    compared.push(result)
    misses.push(...compiledMisses(result, lineReader(tree.folder)))
    edges.set(truth.name, {
      truth: trueEdges(truth),
      ours: fileEdges(answers, truth.covered),
    })
  }
  if (compared.length === 0 && notes.length === 0) return undefined
  return { name: 'Real repositories', tables: tables(compared, edges), misses, notes }
}

function tables(
  all: readonly Compared[],
  edges: ReadonlyMap<string, EdgeSets>,
): SetReport['tables'] {
  return [
    referenceTable(
      'calls',
      all.map(({ truth, judged }) =>
        verdictRow(
          truth.name,
          judged.filter((it) => it.truth.call),
        ),
      ),
    ),
    referenceTable(
      'all references',
      all.map(({ truth, judged }) => verdictRow(truth.name, judged)),
    ),
    referenceTable(
      'calls by kind',
      all.flatMap((it) => byKind(it, (judged) => judged.truth.call)),
    ),
    referenceTable(
      'all references by kind',
      all.flatMap((it) => byKind(it, () => true)),
    ),
    {
      title: 'file edges',
      columns: EDGE_COLUMNS,
      rows: [...edges].map(([name, sets]) => edgeRow(name, [sets])),
      headlines: ['precision', 'recall'],
    },
    recallTable('definitions in the truth', all),
    precisionTable('definitions of ours', all),
  ]
}

function stems(data: string): readonly string[] {
  const folder = join(data, 'graph-truth', 'real', 'open')
  try {
    const names = readdirSync(folder).flatMap((name) => /^(.*)\.refs\.jsonl$/.exec(name)?.[1] ?? [])
    return names.toSorted()
  } catch {
    return []
  }
}

/** The trees are those of the tasks about commits, which name the commit. */
function baseCommits(data: string): ReadonlyMap<string, string> {
  const path = join(data, 'commit-loc', 'open', 'tasks.jsonl')
  const tasks = jsonLines<{ readonly repo: string; readonly base_commit: string }>(path) ?? []
  return new Map(tasks.map((task) => [task.repo, task.base_commit]))
}

interface ReferenceRow {
  readonly file: string
  readonly line: number
  readonly col: number
  readonly text: string
  readonly symbol: string
  readonly def_file: string
  readonly def_line: number
  readonly call: boolean
}

interface DefinitionRow {
  readonly symbol: string
  readonly file: string
  readonly line: number
  readonly col: number
}

function readTruth(data: string, stem: string): CompiledTruth {
  const references = truthRows<ReferenceRow>(data, `real/open/${stem}.refs.jsonl`) ?? []
  const definitions = truthRows<DefinitionRow>(data, `real/open/${stem}.defs.jsonl`) ?? []
  return {
    name: stem.replace(/^.*__/, ''),
    covered: new Set([...references, ...definitions].map((row) => row.file)),
    references: mergeByPlace(references),
    definitions: definitions.map(({ file, line, col, symbol }) => ({
      path: file,
      line,
      column: col,
      ...readSymbol(symbol),
    })),
  }
}

/** Several rows of one place are one reference that may rightly lead to any of them. */
function mergeByPlace(rows: readonly ReferenceRow[]): readonly TrueReference[] {
  const places = Map.groupBy(rows, ({ file, line, col }) =>
    placeKey({ path: file, line, column: col }),
  )
  return [...places.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    return {
      path: first.file,
      line: first.line,
      column: first.col,
      text: first.text,
      kind: readSymbol(first.symbol).kind,
      call: same.some((row) => row.call),
      definitions: same.map((row) => ({
        path: row.def_file,
        line: row.def_line,
        symbol: row.symbol,
      })),
    }
  })
}

function trueEdges({ references }: CompiledTruth): ReadonlySet<string> {
  return new Set(
    references.flatMap(({ path, definitions }) =>
      definitions.filter((it) => it.path !== path).map((it) => edge(path, it.path)),
    ),
  )
}
