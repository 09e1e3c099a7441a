/** What the runner asks of an index. It must know neither the engine nor the sets. */

/** What an index says of one repository, position by position. */
export interface Answers {
  /** By path. Lines 1-based, columns 0-based UTF-16. */
  readonly files: ReadonlyMap<string, FileAnswers>
}

export interface FileAnswers {
  readonly definitions: readonly Definition[]
  readonly references: readonly Reference[]
}

export interface Definition {
  readonly name: string
  /** Any word; `local` and `import` are left out of precision, see `definitions.ts`. */
  readonly kind: string
  /** Where the name stands, or the keyword of a thing without a name. */
  readonly line: number
  readonly column: number
  readonly symbol: string
  /** The symbol of what it is part of, where it is part of something. */
  readonly owner?: string
}

export interface Reference {
  readonly name: string
  readonly line: number
  readonly column: number
  /** Called, constructed, or applied as a decorator. */
  readonly call: boolean
  /**
   * Where it leads; empty when unresolved. More than one when the receiver may be several things,
   * or when a variable stands for a function. Best first.
   */
  readonly targets: readonly Target[]
  /** Innermost function-like definition that contains it (its symbol), or the module's. */
  readonly from: string
  /** The dotted name of what it leads to outside the repository: `builtins.len`, `ext.Cls.run`. */
  readonly external?: string
}

export interface Target {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly symbol: string
  readonly confidence: number
}

export type Answer = (folder: string) => Promise<Answers>
