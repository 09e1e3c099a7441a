/** What reading a file of Kotlin remembers. */
import { defineState } from '../language-state.ts'

interface KotlinState {
  /** What `this` is in a function that extends a type; 0 in a class. */
  receiver: number
  /** Names of functions that can be called as if they were members. */
  readonly extensions: Set<string>
  /** By node: what a lambda is expected to be. */
  readonly expectedLambdas: Map<number, number>
}

export const kotlinState = defineState<KotlinState>(() => ({
  receiver: 0,
  extensions: new Set(),
  expectedLambdas: new Map(),
}))
