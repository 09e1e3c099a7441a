/** Whether references lead where a compiler says they do. Pure. */
import type { Reference } from './answers.ts'
import { type AtPlace, type Place, placeKey } from './places.ts'
import type { SymbolKind } from './symbols.ts'
import { type Miss, type Row, share } from './tables.ts'

export interface TrueReference extends Place {
  readonly text: string
  readonly kind: SymbolKind
  readonly call: boolean
  /** One, or several where a name stands for more than one thing: a getter with its setter. */
  readonly definitions: readonly TrueDefinition[]
}

export interface TrueDefinition {
  readonly path: string
  readonly line: number
  readonly symbol: string
}

/**
 * `wrong` leads elsewhere, `unresolved` is a reference that leads nowhere, `missing` is a place
 * where the index has no reference.
 */
export type Verdict = 'right' | 'wrong' | 'unresolved' | 'missing'

export interface Judged {
  readonly truth: TrueReference
  readonly verdict: Verdict
  readonly ours: readonly Reference[]
}

export function judgeReferences(
  truth: readonly TrueReference[],
  ours: AtPlace<Reference>,
): readonly Judged[] {
  return truth.map((reference) => {
    const found = candidates(reference, ours)
    return { truth: reference, verdict: verdictOf(reference, found), ours: found }
  })
}

/** A quoted name may be said to begin at its quote or after it; a module's name, anywhere in it. */
function candidates(truth: TrueReference, ours: AtPlace<Reference>): readonly Reference[] {
  const isQuoted = /^['"`]/.test(truth.text)
  const reach = truth.kind === 'module' ? truth.text.length : isQuoted ? 2 : 1
  for (let shift = 0; shift < reach; shift += 1) {
    const found = ours.get(placeKey({ ...truth, column: truth.column + shift }))
    if (found !== undefined) return found
  }
  return []
}

function verdictOf(truth: TrueReference, found: readonly Reference[]): Verdict {
  if (found.length === 0) return 'missing'
  const firsts = found.flatMap((reference) => reference.targets[0] ?? [])
  if (firsts.length === 0) return 'unresolved'
  const isRight = firsts.some((first) => truth.definitions.some((it) => isSame(it, first, truth)))
  return isRight ? 'right' : 'wrong'
}

/** Of a module the file is enough, since it has no line of its own; a Go package is a folder. */
function isSame(
  definition: TrueDefinition,
  target: Pick<Place, 'path' | 'line'>,
  { kind }: TrueReference,
): boolean {
  if (kind !== 'module') return definition.path === target.path && definition.line === target.line
  if (definition.path === target.path) return true
  return definition.path.endsWith('.go') && folderOf(definition.path) === folderOf(target.path)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

export const VERDICT_COLUMNS = ['references', 'right', 'wrong', 'unresolved', 'missing'] as const

export function verdictRow(name: string, judged: readonly Judged[]): Row {
  const count = (verdict: Verdict): number => judged.filter((it) => it.verdict === verdict).length
  const verdicts = (['right', 'wrong', 'unresolved', 'missing'] as const).map(count)
  return {
    name,
    cells: [String(judged.length), ...verdicts.map((number) => share(number, judged.length))],
  }
}

export function missesOf(
  judged: readonly Judged[],
  from: { readonly name: string; readonly lineOf: (place: Place) => string },
): readonly Miss[] {
  return judged
    .filter((it) => it.verdict !== 'right')
    .map(({ truth, verdict, ours }) => ({
      place: `${from.name} ${truth.path}:${truth.line}:${truth.column}`,
      source: from.lineOf(truth),
      expected: truth.definitions.map((it) => `${it.path}:${it.line} ${it.symbol}`).join(' or '),
      ours:
        ours.flatMap((it) => it.targets.map(describe)).join(', ') ||
        (verdict === 'missing' ? 'no reference here' : 'unresolved'),
      tags: `${from.name} ${truth.call ? 'call' : 'use'} ${truth.kind} ${verdict}: ${truth.text}`,
    }))
}

export function describe(target: Place & { readonly confidence: number }): string {
  return `${target.path}:${target.line}:${target.column} (${target.confidence})`
}
