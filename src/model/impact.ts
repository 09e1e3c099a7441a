/** Who refers to what is in focus, as far as an index can tell: places, before any of their text. */
export interface Impact {
  /** What is in focus, by its names. */
  readonly of: string
  /** What refers to it, or to what does, but for tests: the near first. */
  readonly callers: ImpactList
  /** Tests that reach it. */
  readonly tests: ImpactList
  /** References that were not resolved and may mean it. */
  readonly possible: ImpactList
}

export interface ImpactList {
  /** How many lines refer to it, those that are not listed included. */
  readonly count: number
  /** Whether there may be more than that, because not everything was looked at. */
  readonly isCut: boolean
  readonly places: readonly ImpactPlace[]
  /** Files or folders of the lines that are not listed, most first; the last may be `elsewhere`. */
  readonly more: readonly { readonly path: string; readonly count: number }[]
}

export interface ImpactPlace {
  readonly path: string
  /** 1-based, rising. */
  readonly lines: readonly number[]
  /** What they stand in; the title of the chunk where that has no name. */
  readonly name: string
  /** How many steps lead from here to the focus. */
  readonly depth: number
  readonly relation: ImpactRelation
  /** What it refers to instead, where it is further away. */
  readonly through?: string
}

export const IMPACT_RELATIONS = ['call', 'usage', 'inherit', 'import', 'export'] as const
export type ImpactRelation = (typeof IMPACT_RELATIONS)[number]
