/**
 * What a language remembers while one file is visited: namespaces that were opened, members whose
 * type comes later. A language declares the type and the initial value once; `build.state(it)`
 * gives the value that belongs to the file. A file with embedded parts has several.
 */
import type { Builder } from './builder.ts'

export interface LanguageState<T> {
  readonly create: (build: Builder) => T
}

/** The value is created when it is first read. */
export function defineState<T>(create: (build: Builder) => T): LanguageState<T> {
  return { create }
}

/** The values of one file. */
export class StateValues {
  private readonly values = new Map<unknown, unknown>()

  get<T>(state: LanguageState<T>, build: Builder): T {
    if (!this.values.has(state)) this.values.set(state, state.create(build))
    // Only `create` of this very state has put a value under it.
    return this.values.get(state) as T
  }
}
