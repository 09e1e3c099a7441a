/** The call graphs of PyCG's micro-benchmark: edges between qualified names. */
import type { Answers, Reference } from './answers.ts'
import { EDGE_COLUMNS, type EdgeSets, edge, edgeRow, without } from './edges.ts'
import { placeKey, referencesAt } from './places.ts'
import { moduleName, type PythonScope, pythonScopes } from './python-scopes.ts'
import { askAbout, type SetInput, truthRows } from './sets.ts'
import { type Miss, type SetReport, share } from './tables.ts'

export interface PycgCase {
  readonly case: string
  readonly files: Readonly<Record<string, string>>
  readonly edges: readonly (readonly [string, string])[]
}

interface Scored {
  readonly of: PycgCase
  readonly all: EdgeSets
  /** Without what is called outside the files: built-in functions and packages. */
  readonly inside: EdgeSets
}

export async function pycgSet(input: SetInput): Promise<SetReport | undefined> {
  const cases = truthRows<PycgCase>(input.data, 'pycg.jsonl')
  if (cases === undefined) return undefined
  const scored: Scored[] = []
  for (const of of cases) {
    const sources = new Map(Object.entries(of.files))
    scored.push(scorePycg(of, await askAbout(sources, input.answer)))
  }
  const groups = Map.groupBy(scored, (it) => it.of.case.split('/')[0] ?? '')
  return {
    name: 'PyCG',
    tables: [
      {
        title: 'call edges',
        columns: [...EDGE_COLUMNS, 'cases', 'exactly right'],
        rows: [
          row('all', scored, (it) => it.all),
          row('inside the files', scored, (it) => it.inside),
          ...[...groups.keys()]
            .toSorted()
            .map((name) => row(name, groups.get(name) ?? [], (it) => it.all)),
        ],
        headlines: ['precision', 'recall'],
      },
    ],
    misses: scored.flatMap(missesOf),
    notes: [],
  }
}

function row(
  name: string,
  scored: readonly Scored[],
  of: (it: Scored) => EdgeSets,
): { readonly name: string; readonly cells: readonly string[] } {
  const sets = scored.map(of)
  const exact = sets.filter(isExact)
  const { cells } = edgeRow(name, sets)
  return { name, cells: [...cells, String(sets.length), share(exact.length, sets.length)] }
}

function isExact({ truth, ours }: EdgeSets): boolean {
  return truth.size === ours.size && without(truth, ours).length === 0
}

export function scorePycg(of: PycgCase, answers: Answers): Scored {
  const scopes = Object.entries(of.files).flatMap(([path, text]) => pythonScopes(path, text))
  const ours = callEdges(answers, scopes)
  const inside = insideOf(of)
  return {
    of,
    all: { truth: asSet(of.edges), ours: asSet(ours) },
    inside: {
      truth: asSet(of.edges.filter(([, to]) => inside(to))),
      ours: asSet(ours.filter(([, to]) => inside(to))),
    },
  }
}

function asSet(edges: readonly (readonly [string, string])[]): ReadonlySet<string> {
  return new Set(edges.map(([from, to]) => edge(from, to)))
}

function insideOf(of: PycgCase): (name: string) => boolean {
  const modules = Object.keys(of.files).map(moduleName)
  return (name) =>
    modules.some((module) => module !== '' && (name === module || name.startsWith(`${module}.`)))
}

/** Names are found by position, so that how an index spells its symbols does not matter. */
function callEdges(
  answers: Answers,
  scopes: readonly PythonScope[],
): readonly (readonly [string, string])[] {
  const called = calleeNames(answers, scopes)
  const nameAt = new Map(
    scopes.flatMap((scope) => scope.places.map((place) => [placeKey(place), scope.name])),
  )
  return [...answers.files].flatMap(([path, file]) => {
    const names = new Map(
      file.definitions.flatMap((it) => {
        const name = nameAt.get(placeKey({ ...it, path }))
        return name === undefined || it.kind === 'module' ? [] : [[it.symbol, name] as const]
      }),
    )
    return file.references
      .filter((reference) => reference.call)
      .flatMap((reference) => {
        const from = names.get(reference.from) ?? moduleName(path)
        return called(reference).map((to) => [from, to] as const)
      })
  })
}

/**
 * What a call runs: functions themselves, and of a class its `__init__`, own or inherited. Targets
 * that are neither, such as the variable that holds a function, are passed over.
 */
function calleeNames(
  answers: Answers,
  scopes: readonly PythonScope[],
): (reference: Reference) => readonly string[] {
  const scopeAt = new Map(
    scopes.flatMap((scope) => scope.places.map((place) => [placeKey(place), scope])),
  )
  const functions = new Set(scopes.filter((it) => it.kind === 'function').map((it) => it.name))
  const references = referencesAt(answers)
  const initOf = (scope: PythonScope, seen: readonly PythonScope[]): string | undefined => {
    const own = `${scope.name}.__init__`
    if (functions.has(own)) return own
    for (const base of scope.bases) {
      const [reference] = references.get(placeKey(base)) ?? []
      const [target] = reference?.targets ?? []
      const parent = target === undefined ? undefined : scopeAt.get(placeKey(target))
      if (parent?.kind === 'class' && !seen.includes(parent)) {
        const inherited = initOf(parent, [...seen, parent])
        if (inherited !== undefined) return inherited
      } else if (reference?.external !== undefined) {
        return `${pycgName(reference.external)}.__init__`
      }
    }
    return undefined
  }
  return ({ targets, external }) => {
    const found = targets.flatMap((target) => scopeAt.get(placeKey(target)) ?? [])
    const names = found.flatMap((scope) =>
      scope.kind === 'class' ? (initOf(scope, [scope]) ?? []) : scope.name,
    )
    return found.length === 0 && external !== undefined ? [pycgName(external)] : names
  }
}

const LITERAL_TYPES: Readonly<Record<string, string>> = { str: 'PyStr', dict: 'PyDict' }

/** `builtins.len` is `<builtin>.len`, and `builtins.str.join` is `<**PyStr**>.join`. */
function pycgName(external: string): string {
  const [head, second = '', ...rest] = external.split('.')
  if (head !== 'builtins') return external
  const type = rest.length > 0 ? LITERAL_TYPES[second] : undefined
  return type === undefined
    ? ['<builtin>', second, ...rest].join('.')
    : [`<**${type}**>`, ...rest].join('.')
}

function missesOf({ of, all }: Scored): readonly Miss[] {
  const source = Object.entries(of.files)
    .filter(([, text]) => text.trim() !== '')
    .map(([path, text]) => `${path}: ${text.trim().replaceAll(/\s*\n\s*/g, ' ⏎ ')}`)
    .join(' | ')
  const about = { place: of.case, source }
  return [
    ...without(all.truth, all.ours).map((missed) => ({
      ...about,
      expected: missed,
      ours: 'no such edge',
      tags: `${of.case} missed`,
    })),
    ...without(all.ours, all.truth).map((surplus) => ({
      ...about,
      expected: 'no such edge',
      ours: surplus,
      tags: `${of.case} surplus`,
    })),
  ]
}
