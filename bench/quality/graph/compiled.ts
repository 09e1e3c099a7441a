/** The tables over what a compiler says of one tree: references, definitions, file edges. Pure. */
import type { Answers } from './answers.ts'
import {
  nameOnLine,
  type OurPlace,
  PRECISION_COLUMNS,
  precisionRow,
  RECALL_COLUMNS,
  recallRow,
  type TruePlace,
} from './definitions.ts'
import { type Place, placeKey, referencesAt } from './places.ts'
import {
  type Judged,
  judgeReferences,
  missesOf,
  type TrueReference,
  VERDICT_COLUMNS,
  verdictRow,
} from './references.ts'
import { DEVICES } from './symbols.ts'
import type { Miss, Row, Table } from './tables.ts'

/** What is true of one tree. Files that it does not name are left out. */
export interface CompiledTruth {
  readonly name: string
  readonly covered: ReadonlySet<string>
  readonly references: readonly TrueReference[]
  readonly definitions: readonly TruePlace[]
}

export interface Compared {
  readonly truth: CompiledTruth
  readonly judged: readonly Judged[]
  readonly ours: readonly OurPlace[]
}

export function compare(truth: CompiledTruth, answers: Answers): Compared {
  return {
    truth,
    judged: judgeReferences(truth.references, referencesAt(answers)),
    ours: ourDefinitions(truth, answers),
  }
}

function ourDefinitions(truth: CompiledTruth, answers: Answers): readonly OurPlace[] {
  return [...answers.files].flatMap(([path, file]) =>
    truth.covered.has(path) ? file.definitions.map((it) => ({ ...it, path })) : [],
  )
}

export function referenceTable(title: string, rows: readonly Row[]): Table {
  return { title, columns: VERDICT_COLUMNS, rows, headlines: ['right'] }
}

export function byKind(compared: Compared, only: (judged: Judged) => boolean): readonly Row[] {
  const groups = Map.groupBy(compared.judged.filter(only), ({ truth }) => truth.kind)
  return [...groups.keys()]
    .toSorted()
    .map((kind) => verdictRow(`${compared.truth.name}, ${kind}`, groups.get(kind) ?? []))
}

export function recallTable(title: string, all: readonly Compared[]): Table {
  const rows = all.flatMap(({ truth: { name, definitions }, ours }) => {
    const groups = Map.groupBy(definitions, kindInTable)
    return [
      recallRow(
        `${name}, comparable`,
        definitions.filter((it) => it.isComparable),
        ours,
      ),
      recallRow(`${name}, everything`, definitions, ours),
      ...[...groups.keys()]
        .toSorted()
        .map((kind) => recallRow(`${name}, ${kind}`, groups.get(kind) ?? [], ours)),
    ]
  })
  return { title, columns: RECALL_COLUMNS, rows, headlines: ['recall by line'] }
}

function kindInTable({ kind, isComparable }: TruePlace): string {
  const isInTypeLiteral = !isComparable && !DEVICES.has(kind)
  return isInTypeLiteral ? `${kind} of a type literal` : kind
}

export function precisionTable(title: string, all: readonly Compared[]): Table {
  const rows = all.flatMap(({ truth: { name, definitions }, ours }) => {
    const comparable = definitions.filter((it) => it.isComparable)
    const groups = Map.groupBy(ours, (it) => it.kind)
    return [
      precisionRow(`${name}, comparable`, ours, { all: definitions, comparable }),
      precisionRow(`${name}, everything`, ours, { all: definitions, comparable: definitions }),
      ...[...groups.keys()].toSorted().map((kind) =>
        precisionRow(`${name}, our ${kind}`, groups.get(kind) ?? [], {
          all: definitions,
          comparable,
        }),
      ),
    ]
  })
  return { title, columns: PRECISION_COLUMNS, rows, headlines: ['precision by line'] }
}

/** References first, then definitions that we lack, then definitions that only we have. */
export function compiledMisses(
  compared: Compared,
  lineOf: (place: Place) => string,
): readonly Miss[] {
  const { truth, judged, ours } = compared
  const { name } = truth
  const known = new Set(ours.map(nameOnLine))
  const places = new Set(truth.definitions.flatMap((it) => [nameOnLine(it), placeKey(it)]))
  const lacking = truth.definitions.filter((it) => it.isComparable && !known.has(nameOnLine(it)))
  const surplus = ours.filter(
    (it) =>
      it.kind !== 'local' &&
      it.kind !== 'import' &&
      !places.has(nameOnLine(it)) &&
      !places.has(placeKey(it)),
  )
  return [
    ...missesOf(judged, { name, lineOf }),
    ...lacking.map((it) => ({
      place: `${name} ${placeKey(it)}`,
      source: lineOf(it),
      expected: `a definition of ${it.name}`,
      ours: 'none on this line',
      tags: `${name} definition ${it.kind} lacking`,
    })),
    ...surplus.map((it) => ({
      place: `${name} ${placeKey(it)}`,
      source: lineOf(it),
      expected: 'no definition',
      ours: `${it.kind} ${it.name}`,
      tags: `${name} definition ${it.kind} surplus`,
    })),
  ]
}
