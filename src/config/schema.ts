/**
 * The schema of the settings: workspaces of notes, and user lenses. Other keys in the file are
 * kept.
 */
import {
  NOTE_SOURCES,
  type NoteSourceKind,
  RELATION_TYPES,
  type RelationType,
} from '../model/note.ts'
import { z } from '../platform/schema.ts'

/** Also used as a file name, also on case-insensitive file systems. */
const ALIAS = /^[a-z0-9][a-z0-9._-]{0,63}$/

export function isAlias(text: string): boolean {
  return ALIAS.test(text)
}

export const ALIAS_RULE =
  'up to 64 lower-case letters, digits, dots, - and _, starting with a letter or digit'

const nonEmptyText = z.string().check(z.minLength(1))

const workspace = z.looseObject({
  /** Absolute path of a file or folder, or the URL of a Local API. */
  source: nonEmptyText,
  kind: z.enum(NOTE_SOURCES),
  /** The id of the workspace, if a Local API serves several. */
  tanaWorkspace: z.optional(nonEmptyText),
  token: z.optional(nonEmptyText),
})

const lens = z.looseObject({
  /** The lens that provides missing values. */
  extends: z.optional(nonEmptyText),
  priorityTypes: z.optional(z.array(z.enum(RELATION_TYPES)).check(z.minLength(1))),
  boostTags: z.optional(z.array(nonEmptyText)),
  includeFields: z.optional(z.array(nonEmptyText)),
  maxDepth: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
})

export const configSchema = z.looseObject({
  defaultWorkspace: z.optional(nonEmptyText),
  workspaces: z.optional(
    z.record(z.string().check(z.regex(ALIAS, `an alias is ${ALIAS_RULE}`)), workspace),
  ),
  lenses: z.optional(z.record(nonEmptyText, lens)),
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

/** Known keys of each kind of object, to report typos. */
export const KNOWN_KEYS = {
  config: Object.keys(configSchema.shape),
  workspace: Object.keys(workspace.shape),
  lens: Object.keys(lens.shape),
} as const
