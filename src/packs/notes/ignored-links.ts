/**
 * Explains why a document has only the requested notes: they have links that the lens does not
 * follow.
 */
import { counted } from '../../base/text.ts'
import { titleOf } from '../../format/note-text.ts'
import type { Lens } from '../../model/lens.ts'
import type { Note, RelationType } from '../../model/note.ts'
import { RELATION_TYPES } from '../../model/note.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import type { NotesWalk } from '../../traverse/notes-walk.ts'

export interface IgnoredLinks {
  readonly sources: readonly Note[]
  /** Non-zero counts per link type, in the order of the types. */
  readonly counts: readonly (readonly [RelationType, number])[]
}

/** Undefined if something was reached, or if there are no links. */
export async function findIgnoredLinks(
  reader: NotesReader,
  { reached }: NotesWalk,
  { priorityTypes }: Lens,
): Promise<IgnoredLinks | undefined> {
  const types = RELATION_TYPES.filter((it) => !priorityTypes.includes(it))
  const sources = reached.map((it) => it.note)
  if (types.length === 0 || reached.some((it) => it.distance > 0)) return undefined
  const ids = sources.map((it) => it.id)
  const around = await reader.around(ids, { types, limit: MAX_CHECKED_SOURCES, words: [] })
  const near = await reader.notes(around.flatMap((it) => it.neighbours.map(({ id }) => id)))
  const visible = new Set(near.filter((it) => it.kind !== 'system').map((it) => it.id))
  const counts = types.map((type): readonly [RelationType, number] => {
    const given = around.flatMap((it) => it.neighbours).filter((it) => it.type === type)
    const cut = around.flatMap((it) => it.cut).filter((it) => it.type === type)
    const more = cut.reduce((sum, it) => sum + it.total - it.given, 0)
    return [type, given.filter((it) => visible.has(it.id)).length + more]
  })
  const some = counts.filter(([, count]) => count > 0)
  return some.length === 0 ? undefined : { sources, counts: some }
}

/** Sources beyond this are not checked. */
const MAX_CHECKED_SOURCES = 30

const MAX_NAME_LENGTH = 48

/** `The coding lens follows reference and field links, and "Page" has none. It has 3 child links, …` */
export function describeIgnoredLinks(lens: Lens, { sources, counts }: IgnoredLinks): string {
  const [first] = sources
  const isOne = sources.length === 1
  const who = isOne
    ? `"${titleOf(first?.name ?? '', MAX_NAME_LENGTH)}" has`
    : `the ${sources.length} notes found have`
  const there = joinWords(counts.map(([type, count]) => counted(count, `${type} link`)))
  const follows = `The ${lens.name} lens follows ${joinWords(lens.priorityTypes)} links`
  return `${follows}, and ${who} none. ${isOne ? 'It has' : 'They have'} ${there}, which this lens does not follow.`
}

/** `child, parent and field` */
function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
