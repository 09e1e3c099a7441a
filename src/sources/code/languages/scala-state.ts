/** What reading a file of Scala remembers. */
import { defineState } from '../language-state.ts'

interface ScalaState {
  /** What `_` stands for in the function around; nothing outside of one. */
  placeholder: number | undefined
  /** The scope around the `extension` that is visited. */
  extension: number | undefined
  readonly caseClasses: Set<number>
  readonly packageObjects: Set<number>
}

export const scalaState = defineState<ScalaState>(() => ({
  placeholder: undefined,
  extension: undefined,
  caseClasses: new Set(),
  packageObjects: new Set(),
}))
