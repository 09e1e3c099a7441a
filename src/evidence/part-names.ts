/** Names of the files of a context: `<rank>_<kind>.<role>.md`, with `.skip` or as `.link`. */
import { folderOf, lastPart } from '../base/paths.ts'
import { type ContextPart, PART_ROLES, type PartRole, type PartState } from '../model/evidence.ts'

export const FLOWS_FOLDER = '.dossier/flows'
/** Of a flow. */
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

/** Undefined for a file that is no part: a person may keep others beside them. */
export function partOf(folder: string, file: string): ContextPart | undefined {
  const [, rank, kind, role, ending] = NAME.exec(file) ?? []
  if (rank === undefined || kind === undefined || ending === undefined) return undefined
  const state = STATES[ending]
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

const ENDINGS: Readonly<Record<PartState, string>> = {
  active: 'md',
  skipped: 'md.skip',
  linked: 'link',
}

/** The path of the part with something about it changed. */
export function renamed(
  part: ContextPart,
  change: Partial<Pick<ContextPart, 'rank' | 'kind' | 'state'>>,
): string {
  const { rank, kind, role, state } = { ...part, ...change }
  const folder = folderOf(part.path)
  return `${folder}/${rank}_${kind}.${role}.${ENDINGS[state]}`
}

/** What the order of parts goes by, code unit by code unit: the name without what tells the state. */
export function orderKey({ path, rank, kind, role }: ContextPart): string {
  return `${folderOf(path)}/${rank}_${kind}.${role}`
}

export function fileName({ path }: Pick<ContextPart, 'path'>): string {
  return lastPart(path)
}

export const FIRST_RANK = 100
export const LAST_RANK = 999
const RANK_STEP = 10

export function rankText(rank: number): string {
  return String(rank).padStart(3, '0')
}

/** After all that are there, whatever their state: a skipped part may come back. */
export function nextRank(parts: readonly ContextPart[]): string {
  const taken = parts.filter((it) => it.role === 'evidence').map((it) => Number(it.rank))
  const last = Math.max(FIRST_RANK - RANK_STEP, ...taken.filter((it) => it >= FIRST_RANK))
  return rankText(Math.min(LAST_RANK, last + RANK_STEP))
}

const MOST_KIND = 80

/** What a file is called as evidence: lower case, every other character but letters and digits `_`. */
export function kindOf(name: string): string {
  const kind = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return [...kind].slice(0, MOST_KIND).join('') || 'evidence'
}
