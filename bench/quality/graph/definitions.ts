/**
 * Precision and recall of definitions. Pure.
 *
 * A definition is found `by line` when the index has one of the same name on the same line, and
 * `by column` when it stands at the very place. The truth knows no local variables and no import
 * bindings, so ours of those kinds are left out of precision.
 */
import type { Definition } from './answers.ts'
import { type Place, placeKey } from './places.ts'
import type { SymbolKind } from './symbols.ts'
import { type Row, share } from './tables.ts'

export interface TruePlace extends Place {
  readonly name: string
  readonly kind: SymbolKind
  readonly isComparable: boolean
}

export interface OurPlace extends Place, Omit<Definition, 'line' | 'column'> {}

export const BEYOND_THE_TRUTH: ReadonlySet<string> = new Set(['local', 'import'])

/** The kind of what the truth has as a reference to an earlier declaration of the same name. */
export const DECLARED_AGAIN = 'declared again'
/** The kind of what a compiler's index has under no name that could be compared. */
export const UNLISTED = 'unlisted'

/** Whether the truth can be expected to have a definition of ours, under a name of ours. */
export function isListed({ kind }: OurPlace): boolean {
  return !BEYOND_THE_TRUTH.has(kind) && kind !== DECLARED_AGAIN && kind !== UNLISTED
}

export const RECALL_COLUMNS = ['in truth', 'recall by line', 'recall by column'] as const
export const PRECISION_COLUMNS = ['ours', 'precision by line', 'precision by column'] as const

export function recallRow(
  name: string,
  truth: readonly TruePlace[],
  ours: readonly OurPlace[],
): Row {
  return { name, cells: shares(truth, ours) }
}

/** How much of ours the truth has. What it has as a device of its own is neither right nor wrong. */
export function precisionRow(
  name: string,
  ours: readonly OurPlace[],
  truth: { readonly all: readonly TruePlace[]; readonly comparable: readonly TruePlace[] },
): Row {
  const devices = new Set(truth.all.filter((it) => !it.isComparable).map(placeKey))
  const wanted = new Set(truth.comparable.map(placeKey))
  const judged = ours.filter(
    (it) =>
      !BEYOND_THE_TRUTH.has(it.kind) && (wanted.has(placeKey(it)) || !devices.has(placeKey(it))),
  )
  return { name, cells: shares(judged, truth.comparable) }
}

function shares(
  wanted: readonly (Place & { readonly name: string })[],
  found: readonly (Place & { readonly name: string })[],
): readonly string[] {
  const lines = new Set(found.map(nameOnLine))
  const columns = new Set(found.map(placeKey))
  return [
    String(wanted.length),
    share(wanted.filter((it) => lines.has(nameOnLine(it))).length, wanted.length),
    share(wanted.filter((it) => columns.has(placeKey(it))).length, wanted.length),
  ]
}

export function nameOnLine({ path, line, name }: Place & { readonly name: string }): string {
  return `${path}:${line} ${name.replace(/^#/, '')}`
}
