import { counted } from '../../../base/text.ts'
import { findDependencies, type PartReference } from '../../../packs/evidence/evidence-deps.ts'
import { z } from '../../../platform/schema.ts'
import { indexDirInput } from '../index/repository-input.ts'
import { required } from '../input.ts'
import { operation } from '../operation.ts'
import { flowInput, openFlow } from './flow-input.ts'

export const evidenceDeps = operation({
  name: 'evidence deps',
  examples: [{ command: 'dossier evidence deps 100_readme_md', purpose: 'both directions' }],
  input: z.strictObject({
    target: required(z.string(), 'The part: its name, its rank, or a prefix of its name.'),
    ...flowInput,
    ...indexDirInput,
  }),
  positional: ['target'],
  run: (world, { target, ...place }) => findDependencies(world, openFlow(world, place), target),
  text({ name, by, referencedBy, refersTo }, paint) {
    const how =
      by === 'names' ? 'by names; run `dossier index` for exact references' : 'by the code index'
    if (referencedBy.length + refersTo.length === 0)
      return `no other evidence refers to ${name}, nor it to any (${how})\n`
    const most = paint.isVerbose ? Number.POSITIVE_INFINITY : MAX_SHOWN
    // Each direction may have half of the screen, and what the other one does not need.
    const inward = Math.max(Math.floor(most / 2), most - refersTo.length)
    const shownInward = referencedBy.slice(0, inward)
    const shownOutward = refersTo.slice(0, most - shownInward.length)
    const lines = [
      ...shownInward.map(renderInward),
      ...renderMore(referencedBy.slice(shownInward.length), 'Referenced by'),
      ...shownOutward.map(renderOutward),
      ...renderMore(refersTo.slice(shownOutward.length), 'Refers to'),
      paint.faint(how),
    ]
    return `${lines.join('\n')}\n`
  },
  succeeded: () => true,
})

/** With a line for the rest of each direction, and the last one, a screen of 40 lines. */
const MAX_SHOWN = 37

function renderInward({ file, line, lines, kind, what }: PartReference): string {
  const places = lines.length === 1 ? '' : `, ${formatLineNumbers(lines)}`
  return `Referenced by ${file}:${line} (${kind} of ${what}${places})`
}

function renderOutward({ file, line, lines, kind, what }: PartReference): string {
  const places = lines.length === 1 ? `line ${line}` : formatLineNumbers(lines)
  return `${VERBS[kind] ?? 'Refers to'} ${what} in ${file} (${places})`
}

const FIRST_PLACES = 3

function formatLineNumbers(lines: readonly number[]): string {
  const first = lines.slice(0, FIRST_PLACES).join(', ')
  return `${lines.length} places: lines ${first}${lines.length > FIRST_PLACES ? ', …' : ''}`
}

function renderMore(rest: readonly PartReference[], what: string): readonly string[] {
  if (rest.length === 0) return []
  const places = rest.reduce((sum, it) => sum + it.lines.length, 0)
  const parts = new Set(rest.map((it) => it.file)).size
  return [
    `${what} … and ${rest.length} more, with ${counted(places, 'place')} in ${counted(parts, 'part')}`,
  ]
}

const VERBS: Readonly<Record<string, string>> = {
  call: 'Calls',
  import: 'Imports',
  usage: 'Uses',
  inherit: 'Extends',
  mention: 'Mentions',
}
