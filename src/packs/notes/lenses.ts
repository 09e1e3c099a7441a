/** The built-in lenses, and the search for a lens by name. */
import { nearest } from '../../base/nearest.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Lens } from '../../model/lens.ts'

export const LENSES: readonly Lens[] = [
  {
    name: 'general',
    priorityTypes: ['child', 'parent', 'reference', 'field'],
    boostTags: [],
    includeFields: [],
    maxDepth: 3,
  },
  {
    name: 'writing',
    priorityTypes: ['child', 'reference'],
    boostTags: ['note', 'draft', 'writing', 'article'],
    includeFields: [],
    maxDepth: 2,
  },
  {
    name: 'coding',
    priorityTypes: ['reference', 'field'],
    boostTags: ['spec', 'architecture', 'code', 'decision'],
    includeFields: ['status', 'priority', 'assignee'],
    maxDepth: 3,
  },
  {
    name: 'planning',
    priorityTypes: ['child', 'field'],
    boostTags: ['goal', 'milestone', 'task', 'project'],
    includeFields: ['due', 'status', 'blocked-by'],
    maxDepth: 4,
  },
  {
    name: 'meeting-prep',
    priorityTypes: ['reference', 'child'],
    boostTags: ['person', 'meeting', 'action', 'agenda'],
    includeFields: ['attendees', 'date', 'status'],
    maxDepth: 2,
  },
]

/** A user lens takes precedence over a built-in one of the same name. */
export function findLens(name: string, userLenses: readonly Lens[] = []): Lens {
  const lenses = [...userLenses, ...LENSES]
  const found = lenses.find((it) => it.name === name)
  if (found !== undefined) return found
  const names = [...new Set(lenses.map((it) => it.name))]
  const [near] = nearest(name, names, 1)
  const meant = near === undefined ? '' : `did you mean "${near}"? `
  throw new EngineError('POC_E_REQUEST_INVALID', `unknown lens "${name}"`, {
    hint: `${meant}available lenses: ${names.join(', ')}`,
  })
}
