/** Converts notes to rows and back, and computes the text that identifies a version of a note. */
import type { Note, NoteField, NoteKind, NoteRecord } from '../../model/note.ts'
import { toWellFormed } from './note-numbers.ts'

/** Fields that few notes have, in one column; `null` if a note has none of them. */
type PackedRest = readonly [content: string, tags: readonly string[], fields: readonly RestField[]]
type RestField = readonly [name: string, values: readonly RestValue[]]
type RestValue = readonly [text: string, target?: string]

/** n, id, name, kind, created, modified, parent, rest. */
export type NoteRow = [
  number,
  string,
  string,
  string,
  number | null,
  number | null,
  string | null,
  string | null,
]

export const NOTE_COLUMNS = 'n, id, name, kind, created, modified, parent, rest'

export function toRow(number: number, record: NoteRecord, rest: string | null): NoteRow {
  const { id, name, kind, created, modified, parent } = record
  return [
    number,
    toWellFormed(id),
    toWellFormed(name),
    kind,
    created ?? null,
    modified ?? null,
    parent === undefined ? null : toWellFormed(parent),
    rest,
  ]
}

export function fromRow(row: NoteRow): Note {
  const [, id, name, kind, created, modified, parent, rest] = row
  const [content, tags, fields] = parseRest(rest)
  return {
    id,
    name,
    kind: kind as NoteKind,
    content,
    tags,
    fields,
    ...(created === null ? {} : { created }),
    ...(modified === null ? {} : { modified }),
    ...(parent === null ? {} : { parent }),
  }
}

export function packRest(note: Note): string | null {
  const { content, tags, fields } = note
  if (content === '' && tags.length === 0 && fields.length === 0) return null
  const rest: PackedRest = [
    content,
    tags,
    fields.map(({ name, values }) => [name, values.map(toValue)]),
  ]
  return JSON.stringify(rest)
}

function toValue({ text, target }: NoteField['values'][number]): RestValue {
  return target === undefined ? [text] : [text, target]
}

export function parseRest(
  rest: string | null,
): [content: string, tags: readonly string[], fields: readonly NoteField[]] {
  if (rest === null) return ['', [], []]
  const [content, tags, fields] = JSON.parse(rest) as PackedRest
  return [
    content,
    tags,
    fields.map(([name, values]) => ({
      name,
      values: values.map(([text, target]) => (target === undefined ? { text } : { text, target })),
    })),
  ]
}

/** The whole record in canonical form. */
export function canonicalText(record: NoteRecord, rest: string | null): string {
  const { id, name, kind, created, modified, parent, children, references } = record
  const head = [id, name, kind, created ?? null, modified ?? null, parent ?? null]
  return JSON.stringify([head, children, references]) + (rest ?? '')
}
