/** Call graphs that were recorded while programs ran: what is in them is true, and not all. */
import type { Answers, Reference, Target } from './answers.ts'
import {
  calleePlaces,
  isModule,
  type Range,
  readRange,
  type Source,
  sourceOf,
  standsFor,
} from './javascript-places.ts'
import { type AtPlace, placeKey, referencesAt } from './places.ts'
import { describe } from './references.ts'
import { askAbout, type SetInput, truthRows } from './sets.ts'
import { type Miss, type Row, type SetReport, share } from './tables.ts'

export interface JellyCase {
  readonly case: string
  readonly files: readonly string[] | null
  readonly functions: readonly string[]
  readonly calls: readonly string[]
  readonly fun2fun: readonly (readonly [number, number])[]
  readonly call2fun: readonly (readonly [number, number])[]
  readonly sources: Readonly<Record<string, string | null>>
}

export interface JellyScore {
  readonly of: JellyCase
  readonly calls: readonly JudgedCall[]
  readonly functions: readonly boolean[]
}

interface JudgedCall {
  readonly call: Range
  readonly callee: Range
  readonly isRight: boolean
  /** Whether what is called has a name at all. */
  readonly isNamed: boolean
  readonly ours: readonly Reference[]
}

export async function jellySet(input: SetInput): Promise<SetReport | undefined> {
  const cases = truthRows<JellyCase>(input.data, 'jelly.jsonl')
  if (cases === undefined) return undefined
  const scores: JellyScore[] = []
  for (const of of cases) {
    scores.push(scoreJelly(of, await askAbout(textsOf(of), input.answer)))
  }
  const groups = Map.groupBy(scores, (it) => it.of.case.split('/')[1] ?? '')
  const edges = cases.reduce((sum, it) => sum + it.call2fun.length, 0)
  const kept = scores.reduce((sum, it) => sum + it.calls.length, 0)
  return {
    name: 'Jelly',
    tables: [
      {
        title: 'recorded calls',
        columns: ['calls', 'recall', 'named', 'recall of named', 'targets', 'pairs', 'pair recall'],
        rows: [
          ...[...groups.keys()].toSorted().map((name) => row(name, groups.get(name) ?? [])),
          row('all', scores),
        ],
        headlines: ['recall', 'recall of named', 'pair recall'],
      },
    ],
    misses: scores.flatMap(missesOf),
    notes: [`${edges - kept} of ${edges} recorded calls are left out: the data lacks the sources.`],
  }
}

function row(name: string, scores: readonly JellyScore[]): Row {
  const calls = scores.flatMap((it) => it.calls)
  const named = calls.filter((it) => it.isNamed)
  const pairs = scores.flatMap((it) => it.functions)
  const right = calls.filter((it) => it.isRight).length
  const answered = calls.flatMap((it) => it.ours).filter((it) => it.targets.length > 0)
  const targets = answered.reduce((sum, it) => sum + it.targets.length, 0)
  return {
    name,
    cells: [
      String(calls.length),
      share(right, calls.length),
      String(named.length),
      share(named.filter((it) => it.isRight).length, named.length),
      answered.length === 0 ? '–' : (targets / answered.length).toFixed(2),
      String(pairs.length),
      share(pairs.filter((it) => it).length, pairs.length),
    ],
  }
}

function textsOf(of: JellyCase): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(of.sources).flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
  )
}

export function scoreJelly(of: JellyCase, answers: Answers): JellyScore {
  const sources = new Map([...textsOf(of)].map(([path, text]) => [path, sourceOf(path, text)]))
  const references = referencesAt(answers)
  const range = (text: string | undefined): readonly [Range, Source] | undefined => {
    const found = text === undefined ? undefined : readRange(text, of.files ?? [])
    const source = found === undefined ? undefined : sources.get(found.path)
    return found === undefined || source === undefined ? undefined : [found, source]
  }
  const calls = of.call2fun.flatMap(([from, to]) => {
    const call = range(of.calls[from])
    const callee = range(of.functions[to])
    return call === undefined || callee === undefined ? [] : judgeCall({ call, callee, references })
  })
  const pairs = ourPairs(answers)
  const functions = of.fun2fun.flatMap(([from, to]) => {
    const caller = range(of.functions[from])
    const callee = range(of.functions[to])
    if (caller === undefined || callee === undefined) return []
    return pairs.some((pair) => isCaller(pair, caller) && leadsTo([pair.target], callee))
  })
  return { of, calls, functions }
}

interface CallQuestion {
  readonly call: readonly [Range, Source]
  readonly callee: readonly [Range, Source]
  readonly references: AtPlace<Reference>
}

function judgeCall({ call: [call, source], callee, references }: CallQuestion): JudgedCall {
  const places = calleePlaces(source, call)
  const ours = places.flatMap((place) => references.get(placeKey(place)) ?? [])
  return {
    call,
    callee: callee[0],
    isRight: ours.some(({ targets }) => leadsTo(targets, callee)),
    isNamed: places.length > 0,
    ours,
  }
}

function leadsTo(targets: readonly Target[], [range, source]: readonly [Range, Source]): boolean {
  return targets.some((target) => standsFor(source, target, range))
}

interface Pair {
  readonly path: string
  /** The calling definition; undefined for the module itself. */
  readonly caller:
    | { readonly path: string; readonly line: number; readonly column: number }
    | undefined
  readonly target: Target
}

function ourPairs(answers: Answers): readonly Pair[] {
  return [...answers.files].flatMap(([path, file]) => {
    const places = new Map(
      file.definitions
        .filter(({ kind }) => kind !== 'module')
        .map(({ symbol, line, column }) => [symbol, { path, line, column }]),
    )
    return file.references
      .filter((reference) => reference.call)
      .flatMap(({ from, targets }) =>
        targets.map((target) => ({ path, caller: places.get(from), target })),
      )
  })
}

function isCaller({ path, caller }: Pair, [range, source]: readonly [Range, Source]): boolean {
  if (path !== range.path) return false
  return caller === undefined ? isModule(source, range) : standsFor(source, caller, range)
}

function missesOf({ of, calls }: JellyScore): readonly Miss[] {
  return calls
    .filter((it) => !it.isRight)
    .map(({ call, callee, isNamed, ours }) => {
      const line = (of.sources[call.path] ?? '').split('\n')[call.startLine - 1] ?? ''
      const name = of.case.replace(/^tests\/|\.json$/g, '')
      return {
        place: `${name} ${call.path}:${call.startLine}:${call.startColumn - 1}`,
        source: line,
        expected: `${callee.path}:${callee.startLine}:${callee.startColumn - 1}`,
        ours: ours.flatMap((it) => it.targets.map(describe)).join(', ') || 'nothing',
        tags: `${name} ${isNamed ? 'named' : 'unnamed'}`,
      }
    })
}
