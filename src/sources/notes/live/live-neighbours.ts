/**
 * Finds the neighbours of live notes, with batched requests for all of them together: their
 * Markdown, summaries that no list has given yet, their children, the notes that link to them,
 * their owners.
 */
import { ascending, descending, inOrder } from '../../../base/order.ts'
import { folded } from '../../../base/words.ts'
import type { NoteRecord, RelationType } from '../../../model/note.ts'
import type { AroundWish, Cut, Neighbour, Surroundings } from '../../../model/notes-index.ts'
import type { LiveSummary } from './client.ts'
import { buildRecord, isHidden, isPlain, listOwned } from './live-note.ts'
import { stripMarkup } from './markdown.ts'
import type { LiveOwners } from './owners.ts'
import type { LiveViews } from './views.ts'

export interface LiveState {
  readonly views: LiveViews
  readonly owners: LiveOwners
}

export async function findLiveNeighbours(
  live: LiveState,
  ids: readonly string[],
  wish: AroundWish,
): Promise<readonly Surroundings[]> {
  const { views, owners } = live
  const wants = (...types: readonly RelationType[]) => wish.types.some((it) => types.includes(it))
  const shown = ids.filter((id) => !isHidden(views, id))
  const inner = shown.filter((id) => !isPlain(views.summary(id)))
  await views.read(inner)
  const readable = inner.filter((id) => typeof views.text(id) !== 'string')
  await owners.describe(readable.filter((id) => views.summary(id) === undefined))
  await views.learnTags(readable.filter((id) => views.kind(id) === 'tag'))
  const parents = readable.filter((id) => views.summary(id)?.childCount !== 0)
  if (wants('child')) await views.list(parents)
  owners.learn(readable)
  const linkers = wants('reference', 'field') ? await findLinkers(live, shown, wish) : new Map()
  if (wants('parent')) await owners.find(shown)
  return ids.map((id) => buildSurroundings(live, { id, linkers: linkers.get(id) ?? [], wish }))
}

/** The notes that link to each of these, by text or by field, best match first. */
async function findLinkers(
  { views }: LiveState,
  ids: readonly string[],
  wish: AroundWish,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const isTag = (id: string) => views.kind(id) === 'tag'
  const linking = await views.search(ids.map((id) => ({ linksTo: [id] })))
  const tagged = await views.search(ids.filter(isTag).map((id) => ({ hasType: id })))
  const having = new Map(ids.filter(isTag).map((id, at) => [id, tagged[at] ?? []]))
  const linkers = new Map(
    ids.map((id, at) => {
      // A search by tag also finds notes whose tag extends it.
      const own = having.get(id)?.filter((it) => it.tags.some((tag) => tag.id === id)) ?? []
      const all = new Map([...(linking[at] ?? []), ...own].map((it) => [it.id, it]))
      const hits = [...all.values()].filter((it) => it.id !== id && !isHidden(views, it.id))
      return [id, sortByMatchingWords(hits, wish).map((it) => it.id)]
    }),
  )
  // Only the Markdown of a note shows whether it links by text or by field.
  await views.read([...linkers.values()].flatMap((it) => it.slice(0, wish.limit)))
  return linkers
}

/** Sorted: the API returns hits in an unstable order. */
function sortByMatchingWords(
  hits: readonly LiveSummary[],
  wish: AroundWish,
): readonly LiveSummary[] {
  const wanted = wish.words.map(folded)
  return hits.toSorted(
    inOrder(
      descending((it) => countMatchingWords(it.name, wanted)),
      ascending((it) => it.id),
    ),
  )
}

interface LinkedNode {
  readonly id: string
  readonly linkers: readonly string[]
  readonly wish: AroundWish
}

interface NeighbourGroup {
  readonly type: RelationType
  readonly direction: 'out' | 'in'
  /** In the order of the source. */
  readonly ids: readonly string[]
  /** Set if there are more than the known ids. */
  readonly total?: number
}

function buildSurroundings(live: LiveState, { id, linkers, wish }: LinkedNode): Surroundings {
  const record = buildRecord(live.views, id, live.owners.known)
  const neighbours: Neighbour[] = []
  const cut: Cut[] = []
  const groups = record === undefined ? [] : buildGroups(live, record, linkers.slice(0, wish.limit))
  for (const group of groups) {
    const { type, direction } = group
    if (!wish.types.includes(type)) continue
    const given = chooseByWords(live, group.ids, wish)
    neighbours.push(...given.map((it) => ({ id: it, type, direction })))
    const unread = type === 'reference' && direction === 'in' ? linkers.length - wish.limit : 0
    const total = Math.max(group.total ?? 0, group.ids.length) + Math.max(0, unread)
    if (total > given.length) cut.push({ type, direction, total, given: given.length })
  }
  return { id, neighbours, cut }
}

function buildGroups(
  { views, owners }: LiveState,
  record: NoteRecord,
  linkers: readonly string[],
): readonly NeighbourGroup[] {
  const { id } = record
  const owner = owners.known.get(id)?.id
  const byField = linkers.filter((it) => fieldTargets(views, owners, it).includes(id))
  // A note can link by both. If its Markdown does not show the link, it counts as a link by text.
  const byText = linkers.filter((it) => {
    const linker = buildRecord(views, it, owners.known)
    return !byField.includes(it) || linker?.references.includes(id) === true
  })
  return [
    { type: 'child', direction: 'out', ids: record.children, total: countChildren(views, id) },
    {
      type: 'parent',
      direction: 'in',
      ids: owner === undefined || isHidden(views, owner) ? [] : [owner],
    },
    { type: 'reference', direction: 'out', ids: record.references },
    { type: 'reference', direction: 'in', ids: byText },
    { type: 'field', direction: 'out', ids: fieldTargets(views, owners, id) },
    { type: 'field', direction: 'in', ids: byField },
  ]
}

function fieldTargets(views: LiveViews, owners: LiveOwners, id: string): readonly string[] {
  const fields = buildRecord(views, id, owners.known)?.fields ?? []
  const targets = fields.flatMap((it) => it.values).map((it) => it.target)
  return [...new Set(targets)].filter(
    (it): it is string => it !== undefined && it !== id && !isHidden(views, it),
  )
}

/** Includes children beyond the pages that were read, and excludes hidden ones. */
function countChildren(views: LiveViews, id: string): number {
  const listing = views.listing(id)
  if (listing === undefined) return views.summary(id)?.childCount ?? 0
  const owned = new Set(listOwned(views, id))
  const left = listing.children.filter((it) => !owned.has(it.id)).length
  return listing.total - left
}

/** Up to the limit: those that match most words, then the first. */
function chooseByWords(
  { views }: LiveState,
  ids: readonly string[],
  wish: AroundWish,
): readonly string[] {
  if (ids.length <= wish.limit) return ids
  const wanted = wish.words.map(folded)
  const best = ids
    .map((id, at) => ({ id, at, worth: countMatchingWords(views.summary(id)?.name ?? '', wanted) }))
    .toSorted(
      inOrder(
        descending((it) => it.worth),
        ascending((it) => it.at),
      ),
    )
    .slice(0, wish.limit)
  return best.toSorted(ascending((it) => it.at)).map((it) => it.id)
}

function countMatchingWords(name: string, wanted: readonly string[]): number {
  const text = folded(stripMarkup(name))
  return wanted.filter((it) => text.includes(it)).length
}
