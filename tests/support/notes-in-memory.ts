/**
 * Notes in memory behind the reader's port, for stages and for scores that are computed by hand:
 * nothing between the records and the answers but the rules that the port states.
 */
import { ascending, descending, inOrder } from '../../src/base/order.ts'
import { stems } from '../../src/base/words.ts'
import type { NoteField, NoteRecord, RelationType } from '../../src/model/note.ts'
import { RELATION_TYPES } from '../../src/model/note.ts'
import type {
  AroundWish,
  Neighbour,
  NotesReader,
  Surroundings,
} from '../../src/model/notes-index.ts'

/** 2026-01-15, noon. */
export const NOW = Date.UTC(2026, 0, 15, 12)
const DAY = 86_400_000

export interface NoteSpec extends Partial<Omit<NoteRecord, 'id' | 'children' | 'fields'>> {
  readonly children?: readonly string[]
  /** A value that starts with `@` is the note with that id. */
  readonly fields?: Readonly<Record<string, string | readonly string[]>>
  readonly daysAgo?: number
}

/** Records by id; a note is called by its id unless it says otherwise, and owners follow from children. */
export function recordsOf(specs: Readonly<Record<string, NoteSpec>>): readonly NoteRecord[] {
  const owners = new Map<string, string>()
  for (const [id, { children = [] }] of Object.entries(specs)) {
    for (const child of children) if (!owners.has(child)) owners.set(child, id)
  }
  return Object.entries(specs).map(([id, spec]) => {
    const { daysAgo, fields = {}, ...rest } = spec
    const parent = owners.get(id)
    return {
      id,
      name: id,
      kind: 'note',
      content: '',
      tags: [],
      references: [],
      children: [],
      ...(daysAgo === undefined ? {} : { modified: NOW - daysAgo * DAY }),
      ...(parent === undefined ? {} : { parent }),
      ...rest,
      fields: Object.entries(fields).map(([name, value]) => fieldOf(name, value, specs)),
    }
  })
}

function fieldOf(
  name: string,
  value: string | readonly string[],
  specs: Readonly<Record<string, NoteSpec>>,
): NoteField {
  const values = typeof value === 'string' ? [value] : value
  return {
    name,
    values: values.map((text) => {
      const target = text.slice(1)
      if (!text.startsWith('@')) return { text }
      return { text: specs[target]?.name ?? target, target }
    }),
  }
}

export interface InMemoryOptions {
  readonly vectors?: ReadonlyMap<string, Float32Array>
}

export function notesInMemory(
  records: readonly NoteRecord[],
  { vectors }: InMemoryOptions = {},
): NotesReader {
  const byId = new Map(records.map((it) => [it.id, it]))
  const links = new Map<string, Neighbour[]>(records.map((it) => [it.id, []]))
  const link = (from: string, neighbour: Neighbour): void => {
    if (byId.has(neighbour.id)) links.get(from)?.push(neighbour)
  }
  for (const { id, children, references, fields } of records) {
    for (const child of children) {
      link(id, { id: child, type: 'child', direction: 'out' })
      link(child, { id, type: 'parent', direction: 'in' })
    }
    for (const [type, targets] of [
      ['reference', references],
      ['field', fields.flatMap((it) => it.values.flatMap(({ target }) => target ?? []))],
    ] as const) {
      for (const target of targets) {
        link(id, { id: target, type, direction: 'out' })
        link(target, { id, type, direction: 'in' })
      }
    }
  }
  return {
    backend: 'sqlite',
    status: async () => ({
      source: 'tana-export',
      notes: records.length,
      tagged: records.filter((it) => it.tags.length > 0).length,
      links: [...links.values()].reduce((sum, it) => sum + it.length, 0) / 2,
      signature: '',
      importedAt: NOW,
      ...(vectors === undefined
        ? {}
        : { vectors: { name: 'endpoint', model: 'by-hand', dimensions: 2, url: '' } as const }),
    }),
    search: async ({ text, limit }) => {
      const wanted = new Set(stems(text))
      return records
        .filter((it) => it.kind !== 'system')
        .map((it) => {
          const values = it.fields.flatMap((field) => field.values.map((value) => value.text))
          const own = stems([it.name, it.content, ...it.tags, ...values].join(' '))
          const said = [...wanted].filter((word) => own.includes(word)).length
          return { id: it.id, score: said / (1 + Math.log(1 + own.length)) }
        })
        .filter((it) => it.score > 0)
        .toSorted(
          inOrder(
            descending((it) => it.score),
            ascending((it) => it.id),
          ),
        )
        .slice(0, limit)
    },
    notes: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    breadcrumbs: async (ids) => new Map(ids.map((id) => [id, crumbsOf(byId, id)])),
    around: async (ids, wish) => ids.map((id) => surroundings(id, links.get(id) ?? [], wish)),
    vectors: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const vector = vectors?.get(id)
          return vector === undefined ? [] : [[id, vector] as const]
        }),
      ),
    nearest: async (vector, limit) =>
      [...(vectors ?? [])]
        .map(([id, own]) => ({
          id,
          score: own.reduce((sum, x, d) => sum + x * (vector[d] ?? 0), 0),
        }))
        .toSorted(
          inOrder(
            descending((it) => it.score),
            ascending((it) => it.id),
          ),
        )
        .slice(0, limit),
    close: async () => undefined,
  }
}

/** The first ones where there are too many: nothing here looks at words. */
function surroundings(id: string, links: readonly Neighbour[], wish: AroundWish): Surroundings {
  const groups = RELATION_TYPES.filter((type) => wish.types.includes(type)).flatMap((type) =>
    (['out', 'in'] as const).map((direction) => ({
      type,
      direction,
      all: links.filter((it) => it.type === type && it.direction === direction),
    })),
  )
  return {
    id,
    neighbours: groups.flatMap((it) => it.all.slice(0, wish.limit)),
    cut: groups
      .filter((it) => it.all.length > wish.limit)
      .map(({ type, direction, all }) => ({
        type: type satisfies RelationType,
        direction,
        total: all.length,
        given: wish.limit,
      })),
  }
}

function crumbsOf(byId: ReadonlyMap<string, NoteRecord>, id: string): readonly string[] {
  const crumbs: string[] = []
  const seen = new Set([id])
  let owner = byId.get(id)?.parent
  while (owner !== undefined && !seen.has(owner)) {
    seen.add(owner)
    const note = byId.get(owner)
    if (note !== undefined && note.kind !== 'system') crumbs.unshift(note.name)
    owner = note?.parent
  }
  return crumbs
}
