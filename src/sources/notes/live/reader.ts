/**
 * Notes of a running Tana, asked for when they are wanted. One reader is for one document: what it
 * has learnt it does not ask for again, and it asks so many questions and no more. The API knows no
 * vectors and no ranking; the ranking here is by names.
 */
import { ascending, descending, inOrder } from '../../../base/order.ts'
import { folded, isStopWord, words } from '../../../base/words.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { Note } from '../../../model/note.ts'
import type { NoteHit, NotesQuery, NotesReader, NotesStatus } from '../../../model/notes-index.ts'
import type { Patience } from '../../../platform/http-json.ts'
import { liveAround } from './around.ts'
import { type LiveAccess, type LiveSummary, LocalApi } from './client.ts'
import { isPlaceName } from './kinds.ts'
import { isHidden, isPlain, recordOf } from './live-note.ts'
import { plainName } from './markdown.ts'
import { LiveOwners } from './owners.ts'
import { type LiveQuery, MOST_CONDITIONS } from './query.ts'
import { unauthorized } from './trouble.ts'
import { type LiveLimits, LiveViews } from './views.ts'

export interface LiveNotesOptions extends LiveAccess {
  /** Ids of Tana's workspaces; none means all that are open. */
  readonly workspaceIds: readonly string[]
  readonly limits?: Partial<LiveLimits>
}

export interface LiveNotes extends NotesReader {
  /** Nodes that Tana fails on, and questions that were left unasked. */
  diagnostics(): readonly Diagnostic[]
}

const LIMITS: LiveLimits = { requests: 500, atOnce: 4, pages: 5 }
/** Somebody waits: rather a kept copy now than the live answer in a minute. */
const PATIENCE: Partial<Patience> = { tries: 3, pauseMs: 200, longestPauseMs: 2000, limitMs: 5000 }

export function openLiveNotes(options: LiveNotesOptions): LiveNotes {
  if (options.token === '') throw unauthorized('the Tana Local API wants a token')
  const patience = { ...PATIENCE, ...options.patience }
  const api = new LocalApi({ ...options, patience })
  const views = new LiveViews(api, options.workspaceIds, { ...LIMITS, ...options.limits })
  const owners = new LiveOwners(views)
  return {
    backend: 'local-api',
    status: () => statusOf(views),
    search: (query) => search(views, query),
    notes: (ids) => notes(views, owners, ids),
    breadcrumbs: (ids) => breadcrumbs(views, owners, ids),
    around: (ids, wish) => liveAround({ views, owners }, ids, wish),
    vectors: async () => new Map(),
    nearest: async () => [],
    close: async () => {},
    diagnostics: () => views.diagnostics,
  }
}

/** That it answers is all that can be known: nothing is counted, and there is nothing to sign. */
async function statusOf(views: LiveViews): Promise<NotesStatus> {
  await views.workspaces()
  return { source: 'local-api', notes: 0, tagged: 0, links: 0, signature: '', importedAt: 0 }
}

async function search(views: LiveViews, { text, limit }: NotesQuery): Promise<readonly NoteHit[]> {
  const asked = wordsOf(text)
  if (asked.length === 0) return []
  const conditions = asked.map((it) => ({ textContains: it }))
  const questions: LiveQuery[] = [{ and: conditions }]
  // Any of the words: a note that has most of them is an answer as well.
  if (conditions.length > 1) questions.push({ or: conditions })
  const byName = (await views.search(questions)).flatMap((it) => it ?? [])
  const meant = byName.filter((it) => views.kind(it.id) === 'tag' && isNamed(it, text, asked))
  const tags = [...new Set(meant.map((it) => it.id))].toSorted().slice(0, MOST_CONDITIONS)
  const byTag = tags.length === 0 ? [] : await views.search([{ or: tags.map(hasType) }])
  const found = new Map([...byName, ...byTag.flatMap((it) => it ?? [])].map((it) => [it.id, it]))
  return [...found.values()]
    .filter((it) => !isHidden(views, it.id))
    .map((it) => ({ id: it.id, score: likeness(it, text, asked) }))
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

/** Words that say something, each once; all of them if none does. */
function wordsOf(text: string): readonly string[] {
  const all = [...new Set(words(text))]
  const telling = all.filter((it) => !isStopWord(it))
  return (telling.length === 0 ? all : telling).slice(0, MOST_CONDITIONS)
}

function isNamed(summary: LiveSummary, text: string, asked: readonly string[]): boolean {
  const name = folded(plainName(summary.name))
  return [text.trim(), ...asked].some((it) => folded(it) === name)
}

const WORTH = { sameName: 4, allWords: 2, words: 1, tagged: 0.5, nothingElse: 0.25 }

function likeness(summary: LiveSummary, text: string, asked: readonly string[]): number {
  const name = plainName(summary.name)
  const inName = folded(name)
  const inTags = summary.tags.map((it) => folded(it.name))
  const isIn = (word: string) => inName.includes(word) || inTags.some((it) => it.includes(word))
  const matched = asked.map(folded).filter(isIn).length
  const own = words(name).length
  return (
    (folded(text.trim()) === inName ? WORTH.sameName : 0) +
    (matched === asked.length ? WORTH.allWords : 0) +
    (WORTH.words * matched) / asked.length +
    (summary.tags.length > 0 ? WORTH.tagged : 0) +
    (own === 0 ? 0 : WORTH.nothingElse * Math.min(1, matched / own))
  )
}

async function notes(
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
    const record = recordOf(views, id, owners.known)
    if (record === undefined) return []
    const { children: _, references: __, ...note } = record
    return [note]
  })
}

async function breadcrumbs(
  views: LiveViews,
  owners: LiveOwners,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const workspaces = new Set((await views.workspaces()).map((it) => it.name))
  await owners.describe(ids.filter((id) => !owners.known.has(id) && views.text(id) !== undefined))
  const isPlace = (name: string) => isPlaceName(name) || workspaces.has(name)
  return new Map(
    ids.map((id) => {
      const path = pathOf(views, owners, id).map(plainName)
      const first = path.findIndex((it) => !isPlace(it))
      return [id, first < 0 ? [] : path.slice(first)]
    }),
  )
}

function pathOf(views: LiveViews, owners: LiveOwners, id: string): readonly string[] {
  const below: string[] = []
  const seen = new Set<string>()
  for (let at = id; !seen.has(at); ) {
    seen.add(at)
    const known = views.summary(at)?.breadcrumb
    if (known !== undefined) return [...known, ...below]
    const owner = owners.known.get(at)?.id
    if (owner === undefined || isHidden(views, owner)) return below
    below.unshift(recordOf(views, owner, owners.known)?.name ?? '')
    at = owner
  }
  return below
}
