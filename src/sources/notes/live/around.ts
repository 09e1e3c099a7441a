/**
 * What is next to live notes, asked for in rounds for all of them together: their Markdown, what
 * lists say of those that no list has shown yet, their children, whoever links to them, their owners.
 */
import { ascending, descending, inOrder } from '../../../base/order.ts'
import { folded } from '../../../base/words.ts'
import type { NoteRecord, RelationType } from '../../../model/note.ts'
import type { AroundWish, Cut, Neighbour, Surroundings } from '../../../model/notes-index.ts'
import type { LiveSummary } from './client.ts'
import { isHidden, isPlain, ownedBy, recordOf } from './live-note.ts'
import { plainName } from './markdown.ts'
import type { LiveOwners } from './owners.ts'
import type { LiveViews } from './views.ts'

export interface Live {
  readonly views: LiveViews
  readonly owners: LiveOwners
}

export async function liveAround(
  live: Live,
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
  const linkers = wants('reference', 'field') ? await linkersOf(live, shown, wish) : new Map()
  if (wants('parent')) await owners.find(shown)
  return ids.map((id) => surroundingsOf(live, { id, linkers: linkers.get(id) ?? [], wish }))
}

/** Whoever points at each of these, with its text or with a field, the most wanted first. */
async function linkersOf(
  { views }: Live,
  ids: readonly string[],
  wish: AroundWish,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const isTag = (id: string) => views.kind(id) === 'tag'
  const linking = await views.search(ids.map((id) => ({ linksTo: [id] })))
  const tagged = await views.search(ids.filter(isTag).map((id) => ({ hasType: id })))
  const having = new Map(ids.filter(isTag).map((id, at) => [id, tagged[at] ?? []]))
  const linkers = new Map(
    ids.map((id, at) => {
      // With a tag are found those that have one which extends it.
      const own = having.get(id)?.filter((it) => it.tags.some((tag) => tag.id === id)) ?? []
      const all = new Map([...(linking[at] ?? []), ...own].map((it) => [it.id, it]))
      const hits = [...all.values()].filter((it) => it.id !== id && !isHidden(views, it.id))
      return [id, mostWanted(hits, wish).map((it) => it.id)]
    }),
  )
  // Only its own Markdown says whether a note points with its text or with a field.
  await views.read([...linkers.values()].flatMap((it) => it.slice(0, wish.limit)))
  return linkers
}

/** The API lists them in no order that would be the same tomorrow. */
function mostWanted(hits: readonly LiveSummary[], wish: AroundWish): readonly LiveSummary[] {
  const wanted = wish.words.map(folded)
  return hits.toSorted(
    inOrder(
      descending((it) => wordsIn(it.name, wanted)),
      ascending((it) => it.id),
    ),
  )
}

interface Place {
  readonly id: string
  readonly linkers: readonly string[]
  readonly wish: AroundWish
}

interface Group {
  readonly type: RelationType
  readonly direction: 'out' | 'in'
  /** In the order of the source. */
  readonly ids: readonly string[]
  /** Where there are more than are known by id. */
  readonly total?: number
}

function surroundingsOf(live: Live, { id, linkers, wish }: Place): Surroundings {
  const record = recordOf(live.views, id, live.owners.known)
  const neighbours: Neighbour[] = []
  const cut: Cut[] = []
  const groups = record === undefined ? [] : groupsOf(live, record, linkers.slice(0, wish.limit))
  for (const group of groups) {
    const { type, direction } = group
    if (!wish.types.includes(type)) continue
    const given = chosen(live, group.ids, wish)
    neighbours.push(...given.map((it) => ({ id: it, type, direction })))
    const unread = type === 'reference' && direction === 'in' ? linkers.length - wish.limit : 0
    const total = Math.max(group.total ?? 0, group.ids.length) + Math.max(0, unread)
    if (total > given.length) cut.push({ type, direction, total, given: given.length })
  }
  return { id, neighbours, cut }
}

function groupsOf(
  { views, owners }: Live,
  record: NoteRecord,
  linkers: readonly string[],
): readonly Group[] {
  const { id } = record
  const owner = owners.known.get(id)?.id
  const byField = linkers.filter((it) => targetsOf(views, owners, it).includes(id))
  // A note can point with both; one whose Markdown does not show where it points does so in its text.
  const byText = linkers.filter((it) => {
    const linker = recordOf(views, it, owners.known)
    return !byField.includes(it) || linker?.references.includes(id) === true
  })
  return [
    { type: 'child', direction: 'out', ids: record.children, total: childrenOf(views, id) },
    {
      type: 'parent',
      direction: 'in',
      ids: owner === undefined || isHidden(views, owner) ? [] : [owner],
    },
    { type: 'reference', direction: 'out', ids: record.references },
    { type: 'reference', direction: 'in', ids: byText },
    { type: 'field', direction: 'out', ids: targetsOf(views, owners, id) },
    { type: 'field', direction: 'in', ids: byField },
  ]
}

function targetsOf(views: LiveViews, owners: LiveOwners, id: string): readonly string[] {
  const fields = recordOf(views, id, owners.known)?.fields ?? []
  const targets = fields.flatMap((it) => it.values).map((it) => it.target)
  return [...new Set(targets)].filter(
    (it): it is string => it !== undefined && it !== id && !isHidden(views, it),
  )
}

/** With those beyond the pages that were read, and without those that are not shown. */
function childrenOf(views: LiveViews, id: string): number {
  const listing = views.listing(id)
  if (listing === undefined) return views.summary(id)?.childCount ?? 0
  const owned = new Set(ownedBy(views, id))
  const left = listing.children.filter((it) => !owned.has(it.id)).length
  return listing.total - left
}

/** As many as are wished for: those with most of the words, then the first. */
function chosen({ views }: Live, ids: readonly string[], wish: AroundWish): readonly string[] {
  if (ids.length <= wish.limit) return ids
  const wanted = wish.words.map(folded)
  const best = ids
    .map((id, at) => ({ id, at, worth: wordsIn(views.summary(id)?.name ?? '', wanted) }))
    .toSorted(
      inOrder(
        descending((it) => it.worth),
        ascending((it) => it.at),
      ),
    )
    .slice(0, wish.limit)
  return best.toSorted(ascending((it) => it.at)).map((it) => it.id)
}

function wordsIn(name: string, wanted: readonly string[]): number {
  const text = folded(plainName(name))
  return wanted.filter((it) => text.includes(it)).length
}
