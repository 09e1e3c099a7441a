/** What goes into the assembly of a pack. */
import type { Candidate, Relation, Seed } from '../../model/candidate.ts'
import type { StoredChunk } from '../../model/code-index.ts'
import type { ClampedLimit, Confidence } from '../../model/context-pack.ts'
import type { Impact } from '../../model/impact.ts'
import type { PackChanges } from '../../model/pack-changes.ts'
import type { Budgets, PackRequest } from '../../model/pack-request.ts'
import type { CountTokens } from '../../model/tokens.ts'
import type { Understood } from '../../retrieve/understand.ts'
import type { Walk } from '../../traverse/walk.ts'
import type { StopWatch } from '../stop-watch.ts'
import type { IntentPlan } from './intents.ts'

export interface Findings {
  readonly request: PackRequest
  readonly budgets: Budgets
  readonly clamped: readonly ClampedLimit[]
  readonly query: Understood
  readonly seeds: readonly Seed[]
  /** In the order of the pack. */
  readonly candidates: readonly Candidate[]
  readonly relations: readonly Relation[]
  readonly walked: Walk
  readonly focus: readonly StoredChunk[]
  readonly confidence: Confidence
  readonly impact?: Impact | undefined
  /** Of the diff that the pack is about. */
  readonly changes?: PackChanges
  readonly languageOf: (path: string) => string
}

export interface AssemblyParts {
  readonly countTokens: CountTokens
  readonly plan: IntentPlan
  readonly createdAt: string
  readonly watch: StopWatch
}
