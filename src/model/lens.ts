/** A way of looking at notes: which links lead on, and what is worth more. Data, not code. */
import type { RelationType } from './note.ts'

export interface Lens {
  readonly name: string
  /** The links that are followed, the most wanted first. */
  readonly priorityTypes: readonly RelationType[]
  /** Notes with one of these tags score higher. Compared without case. */
  readonly boostTags: readonly string[]
  /** Fields that are shown even where fields are not asked for. They hide no other. */
  readonly includeFields: readonly string[]
  readonly maxDepth: number
}
