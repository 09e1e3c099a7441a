/** Names of the files of a context: `<rank>_<kind>.<role>.md`, with `.skip` or as `.link`. */
import { folderOf, lastPart } from '../base/paths.ts'
import { type ContextPart, PART_ROLES, type PartRole, type PartState } from '../model/evidence.ts'

export const FLOWS_FOLDER = '.dossier/flows'
/** Folders inside a flow. */
export const EVIDENCE_FOLDER = 'ctx/evidence'
export const CONTEXT_FOLDER = 'ctx'
export const BUILD_FOLDER = 'build'
export const CHANGES_FOLDER = 'changes'
export const SOURCES_FOLDER = 'sources'

const ROLE = PART_ROLES.join('|')
const NAME = new RegExp(`^(\\d{3})_(.+)\\.(${ROLE})\\.(md|md\\.skip|link)$`)

const STATES: Readonly<Record<string, PartState>> = {
  md: 'active',
  'md.skip': 'skipped',
  link: 'linked',
}

/** Undefined if the file is not a part: people may keep other files beside the parts. */
export function parsePartName(folder: string, file: string): ContextPart | undefined {
  const [, rank, kind, role, extension] = NAME.exec(file) ?? []
  if (rank === undefined || kind === undefined || extension === undefined) return undefined
  const state = STATES[extension]
  if (state === undefined) return undefined
  return {
    path: `${folder}/${file}`,
    name: `${rank}_${kind}`,
    rank,
    kind,
    role: role as PartRole,
    state,
  }
}

const EXTENSIONS: Readonly<Record<PartState, string>> = {
  active: 'md',
  skipped: 'md.skip',
  linked: 'link',
}

/** The path of the part after the given change. */
export function buildPartPath(
  part: ContextPart,
  change: Partial<Pick<ContextPart, 'rank' | 'kind' | 'state'>>,
): string {
  const { rank, kind, role, state } = { ...part, ...change }
  const folder = folderOf(part.path)
  return `${folder}/${rank}_${kind}.${role}.${EXTENSIONS[state]}`
}

/** The sort key of a part, compared by code unit: its path without the state. */
export function orderKey({ path, rank, kind, role }: ContextPart): string {
  return `${folderOf(path)}/${rank}_${kind}.${role}`
}

export function partFileName({ path }: Pick<ContextPart, 'path'>): string {
  return lastPart(path)
}

export const FIRST_RANK = 100
export const LAST_RANK = 999
const RANK_STEP = 10

export function formatRank(rank: number): string {
  return String(rank).padStart(3, '0')
}

/** After all existing parts, including skipped ones: they may become active again. */
export function nextRank(parts: readonly ContextPart[]): string {
  const taken = parts.filter((it) => it.role === 'evidence').map((it) => Number(it.rank))
  const last = Math.max(FIRST_RANK - RANK_STEP, ...taken.filter((it) => it >= FIRST_RANK))
  return formatRank(Math.min(LAST_RANK, last + RANK_STEP))
}

const MAX_KIND_LENGTH = 80

/**
 * The kind derived from a file name: lower case, with `_` for everything but letters, digits and
 * `-`.
 */
export function slugify(name: string): string {
  const kind = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return [...kind].slice(0, MAX_KIND_LENGTH).join('') || 'evidence'
}
