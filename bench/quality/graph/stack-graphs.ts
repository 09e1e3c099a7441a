/**
 * Assertions of the stack-graphs project: a name at a place is defined on these lines.
 *
 * One source may hold several files, each after a comment with its path; lines are counted over
 * the whole of it.
 */
import type { Answers, Definition, Reference } from './answers.ts'
import { type AtPlace, definitionsAt, placeKey, referencesAt } from './places.ts'
import { askAbout, type SetInput, truthRows } from './sets.ts'
import { type Miss, type Row, type SetReport, share } from './tables.ts'

export interface StackCase {
  readonly lang: string
  readonly case: string
  readonly source: string
  readonly virtual_files: readonly { readonly path: string; readonly from_line: number }[]
  readonly assertions: readonly Assertion[]
}

interface Assertion {
  readonly line: number
  readonly col: number
  /** Empty where the name must not be resolved. */
  readonly defined_lines: readonly number[]
}

/**
 * `equal`: the very lines. `part`: some of the lines and no other, as when an import and what it
 * imports are both expected. `wrong`: a line that is not expected. `none`: nothing, though
 * something is expected.
 */
export type StackVerdict = 'equal' | 'part' | 'wrong' | 'none'

export interface StackJudged {
  readonly of: StackCase
  readonly assertion: Assertion
  readonly lines: readonly number[]
  readonly verdict: StackVerdict
}

export async function stackGraphsSet(input: SetInput): Promise<SetReport | undefined> {
  const cases = truthRows<StackCase>(input.data, 'stack-graphs.jsonl')
  if (cases === undefined) return undefined
  const judged: StackJudged[] = []
  for (const of of cases) {
    judged.push(...judgeStackCase(of, await askAbout(sourcesOf(of), input.answer)))
  }
  const groups = Map.groupBy(judged, (it) => it.of.lang)
  const rows = [...groups.keys()].toSorted().map((lang) => row(lang, groups.get(lang) ?? []))
  const isEmpty = ({ assertion }: StackJudged): boolean => assertion.defined_lines.length === 0
  return {
    name: 'Stack-graphs assertions',
    tables: [
      {
        title: 'assertions',
        columns: ['count', 'equal', 'equal or part', 'wrong', 'none'],
        rows: [
          ...rows,
          row('all', judged),
          row('all, must not resolve', judged.filter(isEmpty)),
          row(
            'all, must resolve',
            judged.filter((it) => !isEmpty(it)),
          ),
        ],
        headlines: ['equal', 'equal or part'],
      },
    ],
    misses: judged.filter((it) => it.verdict !== 'equal').map(asMiss),
    notes: [],
  }
}

function row(name: string, judged: readonly StackJudged[]): Row {
  const part = (...verdicts: readonly StackVerdict[]): string =>
    share(judged.filter((it) => verdicts.includes(it.verdict)).length, judged.length)
  return {
    name,
    cells: [
      String(judged.length),
      part('equal'),
      part('equal', 'part'),
      part('wrong'),
      part('none'),
    ],
  }
}

export function judgeStackCase(of: StackCase, answers: Answers): readonly StackJudged[] {
  const references = referencesAt(answers)
  const definitions = definitionsAt(answers)
  return of.assertions.map((assertion) => {
    const lines = linesAt({ of, assertion, references, definitions })
    return { of, assertion, lines, verdict: verdictOf(assertion.defined_lines, lines) }
  })
}

function verdictOf(expected: readonly number[], ours: readonly number[]): StackVerdict {
  if (ours.some((line) => !expected.includes(line))) return 'wrong'
  if (ours.length === new Set(expected).size) return 'equal'
  return ours.length === 0 ? 'none' : 'part'
}

interface Question {
  readonly of: StackCase
  readonly assertion: Assertion
  readonly references: AtPlace<Reference>
  readonly definitions: AtPlace<Definition>
}

/** A name that stands at its own definition leads to itself. */
function linesAt({ of, assertion, references, definitions }: Question): readonly number[] {
  const place = placeOf(of, assertion)
  const found = references.get(placeKey(place))
  const targets =
    found === undefined
      ? (definitions.get(placeKey(place)) ?? []).map(({ line }) => ({ path: place.path, line }))
      : found.flatMap((reference) => reference.targets)
  const starts = new Map(partsOf(of).map(({ path, from }) => [path, from]))
  const lines = targets.map(({ path, line }) => line + (starts.get(path) ?? 1) - 1)
  return [...new Set(lines)].toSorted((a, b) => a - b)
}

function placeOf(
  of: StackCase,
  { line, col }: Assertion,
): {
  readonly path: string
  readonly line: number
  readonly column: number
} {
  const part = partsOf(of).findLast(({ from }) => from <= line)
  // An assertion may point into the middle of a name.
  const before = (of.source.split('\n')[line - 1] ?? '').slice(0, col)
  const column = col - (/[\p{L}\p{N}_$]*$/u.exec(before)?.[0].length ?? 0)
  return { path: part?.path ?? '', line: line - (part?.from ?? 1) + 1, column }
}

interface Part {
  readonly path: string
  readonly from: number
  /** Of the line after the last. */
  readonly to: number
}

function partsOf(of: StackCase): readonly Part[] {
  const end = of.source.split('\n').length + 1
  const files = of.virtual_files
  const [first] = files
  const alone = of.case.slice(of.case.lastIndexOf('/') + 1)
  if (first === undefined) return [{ path: alone, from: 1, to: end }]
  const parts = files.map(({ path, from_line }, at) => {
    const next = files[at + 1]
    return { path, from: from_line, to: next === undefined ? end : next.from_line - 1 }
  })
  return first.from_line > 2 ? [{ path: alone, from: 1, to: first.from_line - 1 }, ...parts] : parts
}

export function sourcesOf(of: StackCase): ReadonlyMap<string, string> {
  const lines = of.source.split('\n')
  return new Map(
    partsOf(of).map(({ path, from, to }) => [path, lines.slice(from - 1, to - 1).join('\n')]),
  )
}

function asMiss({ of, assertion, lines, verdict }: StackJudged): Miss {
  const { line, col, defined_lines } = assertion
  return {
    place: `${of.case}:${line}:${col}`,
    source: of.source.split('\n')[line - 1] ?? '',
    expected: defined_lines.length === 0 ? 'nothing' : `lines ${defined_lines.join(', ')}`,
    ours: lines.length === 0 ? 'nothing' : `lines ${lines.join(', ')}`,
    tags: `${of.lang} ${verdict}`,
  }
}
