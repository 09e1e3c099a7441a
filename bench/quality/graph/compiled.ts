/** The tables over what a compiler says of one tree: references, definitions, file edges. Pure. */
import type { Answers } from './answers.ts'
import {
  BEYOND_THE_TRUTH,
  DECLARED_AGAIN,
  isListed,
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

/**
 * Of a name that is declared several times (overloads, a setter, a second `def`) the truth has one
 * declaration as the definition, and the others as references to it or not at all. To us each of
 * them, with its parameters, is a definition; they are neither right nor wrong.
 */
function ourDefinitions(truth: CompiledTruth, answers: Answers): readonly OurPlace[] {
  const referred = new Set(truth.references.map(placeKey))
  const defined = new Set(truth.definitions.map(placeKey))
  return [...answers.files].flatMap(([path, { definitions }]) => {
    if (!truth.covered.has(path)) return []
    const places = definitions.map((it) => ({ ...it, path }))
    const known = new Set(places.filter((it) => defined.has(placeKey(it))).map(declaration))
    const again = new Set(
      places
        .filter((it) => !defined.has(placeKey(it)))
        .filter(
          (it) => referred.has(placeKey(it)) || (isFunction(it) && known.has(declaration(it))),
        )
        .map(({ symbol }) => symbol),
    )
    const isAgain = ({ kind, symbol, owner = '' }: OurPlace): boolean =>
      !BEYOND_THE_TRUTH.has(kind) && (again.has(symbol) || again.has(owner))
    return places.map((it) => (isAgain(it) ? { ...it, kind: DECLARED_AGAIN } : it))
  })
}

function declaration({ owner, name }: OurPlace): string {
  return `${owner} ${name}`
}

function isFunction({ kind }: OurPlace): boolean {
  return kind === 'function' || kind === 'method'
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
      precisionRow(`${name}, comparable`, ours.filter(isListed), {
        all: definitions,
        comparable,
      }),
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
    (it) => isListed(it) && !places.has(nameOnLine(it)) && !places.has(placeKey(it)),
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
