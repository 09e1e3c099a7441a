/** Who refers to what is in focus, as lines that an agent can open. */
import type { Impact, ImpactList, ImpactPlace, ImpactRelation } from '../model/impact.ts'
import { oneLine, shownPath } from './pack-explain.ts'

const LONGEST_NAME = 60

/** No line begins with anything that Markdown or XML reads otherwise. */
export function impactLines({ of, callers, tests, possible }: Impact): readonly string[] {
  const name = oneLine(of, LONGEST_NAME)
  const last = name.split('.').at(-1) ?? name
  return [
    summarizeCallers(name, callers),
    ...listLines(callers),
    ...(tests.count === 0 ? [] : [`Tests that reach it: ${counted(tests)}`, ...listLines(tests)]),
    ...(possible.count === 0
      ? callers.count + tests.count > 0
        ? []
        : [`No unresolved \`${last}\` could be one either.`]
      : [
          `Unresolved calls of \`${last}\` that could mean it: ${counted(possible)}`,
          ...listLines(possible),
        ]),
  ]
}

function summarizeCallers(name: string, callers: ImpactList): string {
  return callers.count === 0
    ? `No caller of \`${name}\` found`
    : `Lines that lead to \`${name}\`: ${counted(callers)}`
}

function counted({ count, isCut }: ImpactList): string {
  return isCut ? `${count} or more` : String(count)
}

function listLines({ places, more }: ImpactList): readonly string[] {
  const left = more.reduce((sum, it) => sum + it.count, 0)
  const where = more.map(({ path, count }) => `${shownPath(path)} ${count}`).join(', ')
  return [...places.map(placeLine), ...(left === 0 ? [] : [`- and ${left} more: ${where}`])]
}

function placeLine({ path, lines, name, depth, relation, through }: ImpactPlace): string {
  const verb = relation === 'call' ? '' : VERBS[relation]
  const to = through === undefined ? '' : `→ ${oneLine(through, LONGEST_NAME)}`
  const notes = [depth > 1 ? `depth ${depth}` : '', verb, to].filter((it) => it !== '')
  const place = `${shownPath(path)}:${lines.join(',')}`
  const end = notes.length === 0 ? '' : ` (${notes.join(' ')})`
  return `- ${place} ${oneLine(name, LONGEST_NAME)}${end}`
}

const VERBS: Readonly<Record<Exclude<ImpactRelation, 'call'>, string>> = {
  usage: 'uses',
  inherit: 'extends',
  import: 'imports',
  export: 'exports',
}
