/**
 * What files of data have in common: the keys of the first two levels, by which people find things,
 * and nothing below. Such files can be large, so that JSON and YAML are read from the text itself.
 */
import { lastPart } from '../../../base/paths.ts'
import { TRAIT } from '../../../model/facts.ts'
import type { Builder } from '../builder.ts'

/** Beyond this many keys a file holds data, and its keys are not names that somebody gave. */
const MOST_KEYS = 2000

export interface Key {
  readonly name: string
  readonly start: number
  readonly end: number
  /** The key with its value. */
  readonly from: number
  readonly to: number
}

/** Defines a key of the first level, or of the second when it is told whose; -1 if it is too many. */
export function defineKey(build: Builder, key: Key, owner = 0): number {
  if (key.name === '' || build.definitions.length > MOST_KEYS) return -1
  const scope = owner === 0 ? 0 : innerOf(build, owner)
  const traits = build.findIn(scope, key.name) < 0 ? 0 : TRAIT.again
  const parts = { kind: 'label', name: key.name, at: -1, node: 0, scope, owner } as const
  const definition = build.define(parts)
  Object.assign(build.draft(definition), { ...key, traits })
  return definition
}

function innerOf(build: Builder, definition: number): number {
  const draft = build.draft(definition)
  if (draft.inner < 0)
    draft.inner = build.scopes.push({ parent: 0, kind: 'class', owner: definition }) - 1
  return draft.inner
}

/** Keeps the text of a file that says how modules are found. */
export function keepSettings(build: Builder, path: string, names: RegExp): void {
  if (names.test(lastPart(path))) build.settings = build.text
}
