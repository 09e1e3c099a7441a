/** Why a document has nothing but what was asked for: links that there are, and that a lens does not follow. */
import { counted } from '../../base/text.ts'
import { titleOf } from '../../format/note-text.ts'
import type { Lens } from '../../model/lens.ts'
import type { Note, RelationType } from '../../model/note.ts'
import { RELATION_TYPES } from '../../model/note.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import type { NotesWalk } from '../../traverse/notes-walk.ts'

export interface PassedLinks {
  readonly sources: readonly Note[]
  /** How many of each type, in the order of the types; none of 0. */
  readonly counts: readonly (readonly [RelationType, number])[]
}

/** Undefined where something was reached, and where there is nothing to reach. */
export async function passedLinks(
  reader: NotesReader,
  { reached }: NotesWalk,
  { priorityTypes }: Lens,
): Promise<PassedLinks | undefined> {
  const types = RELATION_TYPES.filter((it) => !priorityTypes.includes(it))
  const sources = reached.map((it) => it.note)
  if (types.length === 0 || reached.some((it) => it.distance > 0)) return undefined
  const ids = sources.map((it) => it.id)
  const around = await reader.around(ids, { types, limit: MOST_LOOKED_AT, words: [] })
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

/** The rest is counted without a look at it. */
const MOST_LOOKED_AT = 30

const LONGEST_NAME = 48

/** `The coding lens follows reference and field links, and "Page" has none. It has 3 child links, …` */
export function passedWords(lens: Lens, { sources, counts }: PassedLinks): string {
  const [first] = sources
  const isOne = sources.length === 1
  const who = isOne
    ? `"${titleOf(first?.name ?? '', LONGEST_NAME)}" has`
    : `the ${sources.length} notes found have`
  const there = listed(counts.map(([type, count]) => counted(count, `${type} link`)))
  const follows = `The ${lens.name} lens follows ${listed(lens.priorityTypes)} links`
  return `${follows}, and ${who} none. ${isOne ? 'It has' : 'They have'} ${there}, which this lens passes over.`
}

/** `child, parent and field` */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
