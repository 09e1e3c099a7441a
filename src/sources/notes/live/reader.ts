/**
 * Reads notes of a running Tana on demand. One reader serves one document: it caches all answers
 * and has a limited number of requests. The API has neither vectors nor ranking; hits are ranked by
 * name.
 */
import { ascending, descending, inOrder } from '../../../base/order.ts'
import { folded, isStopWord, words } from '../../../base/words.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { Note } from '../../../model/note.ts'
import type { NoteHit, NotesQuery, NotesReader, NotesStatus } from '../../../model/notes-index.ts'
import type { Patience } from '../../../platform/http-json.ts'
import { type LiveAccess, type LiveSummary, LocalApi } from './client.ts'
import { createTokenError } from './errors.ts'
import { isSystemNodeName } from './kinds.ts'
import { findLiveNeighbours } from './live-neighbours.ts'
import { buildRecord, isHidden, isPlain } from './live-note.ts'
import { stripMarkup } from './markdown.ts'
import { LiveOwners } from './owners.ts'
import { type LiveQuery, MAX_CONDITIONS } from './query.ts'
import { type LiveLimits, LiveViews } from './views.ts'

export interface LiveNotesOptions extends LiveAccess {
  /** Ids of Tana workspaces; if absent, all open ones. */
  readonly workspaceIds: readonly string[]
  readonly limits?: Partial<LiveLimits>
}

export interface LiveNotes extends NotesReader {
  /** Nodes that Tana fails on, and requests that were skipped at the limit. */
  diagnostics(): readonly Diagnostic[]
}

const LIMITS: LiveLimits = { requests: 500, atOnce: 4, pages: 5 }
/** The user is waiting: the stored copy now is better than a live answer in a minute. */
const PATIENCE: Partial<Patience> = { tries: 3, pauseMs: 200, longestPauseMs: 2000, limitMs: 5000 }

export function openLiveNotes(options: LiveNotesOptions): LiveNotes {
  if (options.token === '') throw createTokenError('the Tana Local API requires a token')
  const patience = { ...PATIENCE, ...options.patience }
  const api = new LocalApi({ ...options, patience })
  const views = new LiveViews(api, options.workspaceIds, { ...LIMITS, ...options.limits })
  const owners = new LiveOwners(views)
  return {
    backend: 'local-api',
    status: () => readStatus(views),
    search: (query) => searchNotes(views, query),
    notes: (ids) => loadNotes(views, owners, ids),
    breadcrumbs: (ids) => loadBreadcrumbs(views, owners, ids),
    around: (ids, wish) => findLiveNeighbours({ views, owners }, ids, wish),
    vectors: async () => new Map(),
    nearest: async () => [],
    close: async () => {},
    diagnostics: () => views.diagnostics,
  }
}

/** The API reports no counts and no signature. */
async function readStatus(views: LiveViews): Promise<NotesStatus> {
  await views.workspaces()
  return { source: 'local-api', notes: 0, tagged: 0, links: 0, signature: '', importedAt: 0 }
}

async function searchNotes(
  views: LiveViews,
  { text, limit }: NotesQuery,
): Promise<readonly NoteHit[]> {
  const asked = selectSearchWords(text)
  if (asked.length === 0) return []
  const conditions = asked.map((it) => ({ textContains: it }))
  const questions: LiveQuery[] = [{ and: conditions }]
  // Matches any of the words: a note with most of them is relevant too.
  if (conditions.length > 1) questions.push({ or: conditions })
  const byName = (await views.search(questions)).flatMap((it) => it ?? [])
  const meant = byName.filter((it) => views.kind(it.id) === 'tag' && matchesName(it, text, asked))
  const tags = [...new Set(meant.map((it) => it.id))].toSorted().slice(0, MAX_CONDITIONS)
  const byTag = tags.length === 0 ? [] : await views.search([{ or: tags.map(hasType) }])
  const found = new Map([...byName, ...byTag.flatMap((it) => it ?? [])].map((it) => [it.id, it]))
  return [...found.values()]
    .filter((it) => !isHidden(views, it.id))
    .map((it) => ({ id: it.id, score: scoreName(it, text, asked) }))
    .toSorted(
      inOrder(
        descending((it) => it.score),
        ascending((it) => it.id),
      ),
    )
    .slice(0, limit)
}

function hasType(id: string): LiveQuery {
  return { hasType: id }
}

/** Distinct words without stop words; all words if only stop words remain. */
function selectSearchWords(text: string): readonly string[] {
  const all = [...new Set(words(text))]
  const telling = all.filter((it) => !isStopWord(it))
  return (telling.length === 0 ? all : telling).slice(0, MAX_CONDITIONS)
}

function matchesName(summary: LiveSummary, text: string, asked: readonly string[]): boolean {
  const name = folded(stripMarkup(summary.name))
  return [text.trim(), ...asked].some((it) => folded(it) === name)
}

const NAME_MATCH_WEIGHTS = { sameName: 4, allWords: 2, words: 1, tagged: 0.5, nothingElse: 0.25 }

function scoreName(summary: LiveSummary, text: string, asked: readonly string[]): number {
  const name = stripMarkup(summary.name)
  const inName = folded(name)
  const inTags = summary.tags.map((it) => folded(it.name))
  const isIn = (word: string) => inName.includes(word) || inTags.some((it) => it.includes(word))
  const matched = asked.map(folded).filter(isIn).length
  const own = words(name).length
  return (
    (folded(text.trim()) === inName ? NAME_MATCH_WEIGHTS.sameName : 0) +
    (matched === asked.length ? NAME_MATCH_WEIGHTS.allWords : 0) +
    (NAME_MATCH_WEIGHTS.words * matched) / asked.length +
    (summary.tags.length > 0 ? NAME_MATCH_WEIGHTS.tagged : 0) +
    (own === 0 ? 0 : NAME_MATCH_WEIGHTS.nothingElse * Math.min(1, matched / own))
  )
}

async function loadNotes(
  views: LiveViews,
  owners: LiveOwners,
  ids: readonly string[],
): Promise<readonly Note[]> {
  await views.read(ids.filter((id) => !isPlain(views.summary(id)) && !isHidden(views, id)))
  const read = ids.filter((id) => typeof views.text(id) === 'object')
  await owners.describe(read.filter((id) => views.summary(id) === undefined))
  await views.learnTags(ids)
  owners.learn(read)
  return ids.flatMap((id) => {
    const record = buildRecord(views, id, owners.known)
    if (record === undefined) return []
    const { children: _, references: __, ...note } = record
    return [note]
  })
}

async function loadBreadcrumbs(
  views: LiveViews,
  owners: LiveOwners,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const workspaces = new Set((await views.workspaces()).map((it) => it.name))
  await owners.describe(ids.filter((id) => !owners.known.has(id) && views.text(id) !== undefined))
  const isPlace = (name: string) => isSystemNodeName(name) || workspaces.has(name)
  return new Map(
    ids.map((id) => {
      const path = buildPath(views, owners, id).map(stripMarkup)
      const first = path.findIndex((it) => !isPlace(it))
      return [id, first < 0 ? [] : path.slice(first)]
    }),
  )
}

function buildPath(views: LiveViews, owners: LiveOwners, id: string): readonly string[] {
  const below: string[] = []
  const seen = new Set<string>()
  for (let at = id; !seen.has(at); ) {
    seen.add(at)
    const known = views.summary(at)?.breadcrumb
    if (known !== undefined) return [...known, ...below]
    const owner = owners.known.get(at)?.id
    if (owner === undefined || isHidden(views, owner)) return below
    below.unshift(buildRecord(views, owner, owners.known)?.name ?? '')
    at = owner
  }
  return below
}
