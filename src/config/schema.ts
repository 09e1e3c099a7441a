/**
 * What a person may set: their workspaces of notes, and lenses of their own. Whatever else stands in
 * the file is somebody's, and stays.
 */
import {
  NOTE_SOURCES,
  type NoteSourceKind,
  RELATION_TYPES,
  type RelationType,
} from '../model/note.ts'
import { z } from '../platform/schema.ts'

/** Also the name of a file, on systems that do not tell capitals apart as well. */
const ALIAS = /^[a-z0-9][a-z0-9._-]{0,63}$/

export function isAlias(text: string): boolean {
  return ALIAS.test(text)
}

export const ALIAS_RULE = 'up to 64 lower-case letters, digits, dots, - and _, no sign first'

const some = z.string().check(z.minLength(1))

const workspace = z.looseObject({
  /** A file or a folder, absolute, or where a Local API answers. */
  source: some,
  kind: z.enum(NOTE_SOURCES),
  /** Which one, where a Local API serves several. */
  tanaWorkspace: z.optional(some),
  token: z.optional(some),
})

const lens = z.looseObject({
  /** The lens that says whatever this one does not. */
  extends: z.optional(some),
  priorityTypes: z.optional(z.array(z.enum(RELATION_TYPES)).check(z.minLength(1))),
  boostTags: z.optional(z.array(some)),
  includeFields: z.optional(z.array(some)),
  maxDepth: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
})

export const configSchema = z.looseObject({
  defaultWorkspace: z.optional(some),
  workspaces: z.optional(
    z.record(z.string().check(z.regex(ALIAS, `an alias is ${ALIAS_RULE}`)), workspace),
  ),
  lenses: z.optional(z.record(some, lens)),
})

export interface WorkspaceSettings {
  readonly source: string
  readonly kind: NoteSourceKind
  readonly tanaWorkspace?: string | undefined
  readonly token?: string | undefined
}

export interface LensSettings {
  readonly extends?: string | undefined
  readonly priorityTypes?: readonly RelationType[] | undefined
  readonly boostTags?: readonly string[] | undefined
  readonly includeFields?: readonly string[] | undefined
  readonly maxDepth?: number | undefined
}

/** Keys in the order of the file. */
export interface Config {
  readonly defaultWorkspace: string | undefined
  readonly workspaces: ReadonlyMap<string, WorkspaceSettings>
  readonly lenses: ReadonlyMap<string, LensSettings>
}

/** What an object of each kind may hold, to tell what is a slip of the pen. */
export const KNOWN_KEYS = {
  config: Object.keys(configSchema.shape),
  workspace: Object.keys(workspace.shape),
  lens: Object.keys(lens.shape),
} as const
