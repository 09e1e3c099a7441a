/** How a note got into a document, and what was not looked at, in words. */
import type { RelationType } from '../model/note.ts'
import type { NamedStep } from '../model/note-candidate.ts'
import type { Cut } from '../model/notes-index.ts'
import { grouped, titleOf } from './note-text.ts'

/** In a line about how something got here, a name is a reminder. */
const LONGEST_NAME = 48

/** `child of Threat model ‹ referenced by SOC Defender`: the last step first. */
export function howWords(steps: readonly NamedStep[]): string {
  return steps.toReversed().map(stepWords).join(' ‹ ')
}

function stepWords(step: NamedStep): string {
  const { type, direction, field = 'field' } = step
  const from = titleOf(step.from, LONGEST_NAME)
  switch (type) {
    case 'child':
      return `child of ${from}`
    case 'parent':
      return `parent of ${from}`
    case 'reference':
      return direction === 'out' ? `referenced by ${from}` : `refers to ${from}`
    case 'field':
      return direction === 'out' ? `\`${field}\` of ${from}` : `has ${from} as \`${field}\``
  }
}

/** What a line of an outline is to the line above it, where it is not simply part of it. */
export function labelWords({ type, direction, field = 'field' }: NamedStep): string {
  switch (type) {
    case 'child':
      return ''
    case 'parent':
      return 'part of'
    case 'reference':
      return direction === 'out' ? 'refers to' : 'referenced by'
    case 'field':
      return direction === 'out' ? field : `${field} of`
  }
}

/** `Inbox: 60 of 1,204 children looked at.` */
export function cutWords(name: string, { type, direction, total, given }: Cut): string {
  const what = MANY[type][direction]
  return `${titleOf(name, LONGEST_NAME)}: ${grouped(given)} of ${grouped(total)} ${what} looked at.`
}

const MANY: Readonly<Record<RelationType, Readonly<Record<'out' | 'in', string>>>> = {
  child: { out: 'children', in: 'children' },
  parent: { out: 'parents', in: 'parents' },
  reference: { out: 'references', in: 'notes that refer to it' },
  field: { out: 'field values', in: 'notes that have it as a field' },
}
