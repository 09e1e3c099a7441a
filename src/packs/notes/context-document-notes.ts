/**
 * Turns found notes into candidates of a document, with fields, title, text and the path that led
 * to them.
 */
import { assert } from '../../base/assert.ts'
import { contentText } from '../../format/note-outline.ts'
import { isLongName, titleOf } from '../../format/note-text.ts'
import type { ContextNode, NotesRequest } from '../../model/context-document.ts'
import type { Lens } from '../../model/lens.ts'
import type { Note, NoteField } from '../../model/note.ts'
import type {
  NamedStep,
  NoteCandidate,
  ReachedNote,
  ScoredNote,
} from '../../model/note-candidate.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import { roundedScore } from '../../score/notes-score.ts'
import { shownText, type Viewer } from '../redact-output.ts'
import type { Outlines } from './context-document-outline.ts'

/** The displayed fields of a note, before scoring; its content without its children. */
export type EnrichedNote = Pick<ContextNode, 'name' | 'content' | 'tags' | 'fields'> & {
  readonly isPlain: boolean
}

/** Each note once, even if several queries reached it. */
export function enrichNotes(
  viewer: Viewer,
  reached: readonly ReachedNote[],
  { lens, includeFields }: Pick<NotesRequest, 'lens' | 'includeFields'>,
): ReadonlyMap<string, EnrichedNote> {
  return new Map(
    reached.map(({ note }) => {
      const fields = selectFields(note, lens, includeFields)
      const hasFields = Object.keys(fields).length > 0
      const text = splitTitleAndText(viewer, note)
      const isPlain = !hasFields && note.tags.length === 0 && note.content.trim() === ''
      const enrichedNote = { ...text, tags: note.tags, ...(hasFields ? { fields } : {}), isPlain }
      return [note.id, enrichedNote] as const
    }),
  )
}

/**
 * A long name is a paragraph: its beginning is the title, and all of it the text. Code is both. The
 * title is redacted before it is shortened, for the beginning of a secret may not look like one.
 */
function splitTitleAndText(
  viewer: Viewer,
  { name, content, kind }: Note,
): Pick<ContextNode, 'name' | 'content'> {
  const own = content.trim()
  if (!isLongName(name)) return { name, content: own }
  const isSaid = own !== '' && kind === 'code'
  const text = [...(isSaid ? [] : [name]), ...(own === '' ? [] : [own])].join('\n\n')
  return { name: titleOf(shownText(viewer, name).text), content: text }
}

/** Fields of the lens come first and are always included; they do not hide other fields. */
function selectFields(
  note: Note,
  lens: Lens,
  includeFields: boolean,
): NonNullable<ContextNode['fields']> {
  const wanted = lens.includeFields.map(fieldKey)
  const place = ({ name }: NoteField): number => wanted.indexOf(fieldKey(name))
  const own = wanted.flatMap((_, at) => note.fields.filter((it) => place(it) === at))
  const others = includeFields ? note.fields.filter((it) => place(it) < 0) : []
  const values = new Map<string, readonly string[]>()
  for (const { name, values: more } of [...own, ...others]) {
    const texts = more.map((it) => it.text).filter((text) => text.trim() !== '')
    if (texts.length > 0) values.set(name, [...(values.get(name) ?? []), ...texts])
  }
  return Object.fromEntries(
    [...values].map(([name, texts]) => {
      const [only = '', ...rest] = texts
      return [name, rest.length === 0 ? only : texts]
    }),
  )
}

/** `blocked-by`, `Blocked by` and `blocked_by` are the same field. */
function fieldKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[-_\s]+/g, ' ')
}

/** How many of the best notes get their location: more are never shown as sections. */
const MAX_LOCATED = 200
const TOKENS_PER_LOCATED = 40

interface CandidateParts {
  readonly notes: ReadonlyMap<string, EnrichedNote>
  readonly outlines: Outlines
  readonly request: NotesRequest
}

export async function buildCandidates(
  reader: NotesReader,
  scored: readonly ScoredNote[],
  { notes, outlines, request }: CandidateParts,
): Promise<readonly NoteCandidate[]> {
  const byId = new Map(scored.map((it) => [it.note.id, it.note]))
  const most = Math.min(MAX_LOCATED, Math.ceil(request.maxTokens / TOKENS_PER_LOCATED))
  const isPlaced = request.format === 'markdown'
  const placed = isPlaced
    ? scored
        .slice(0, most)
        .filter(isShownWithRelative)
        .map((it) => it.note.id)
    : []
  const crumbs = placed.length === 0 ? new Map() : await reader.breadcrumbs(placed)
  return scored.map(({ note, score, distance, path, order }): NoteCandidate => {
    const found = notes.get(note.id)
    assert(found, 'every reached note to be enriched')
    const { name, tags, fields } = found
    const content = { own: found.content, lines: outlines.lines.get(note.id) ?? [] }
    const node = {
      id: note.id,
      name,
      content: contentText(content),
      tags,
      ...(fields === undefined ? {} : { fields }),
      score: roundedScore(score.total),
      distance,
      path,
    }
    const steps = path.map((step): NamedStep => {
      const [from, to] = [byId.get(step.from), byId.get(step.to)]
      const field = step.type === 'field' ? fieldBetween(from, to, step.direction) : undefined
      return { ...step, from: from?.name ?? step.from, ...(field === undefined ? {} : { field }) }
    })
    const isPlain = found.isPlain && content.lines.length === 0
    const isWithin = outlines.within.has(note.id)
    return { node, content, isPlain, isWithin, order, crumbs: crumbs.get(note.id) ?? [], steps }
  })
}

/** A child or parent of a shown note has the same location as that note. */
function isShownWithRelative({ path }: ScoredNote): boolean {
  const type = path.at(-1)?.type
  return type !== 'child' && type !== 'parent'
}

function fieldBetween(from: Note | undefined, to: Note | undefined, direction: 'out' | 'in') {
  const [holder, value] = direction === 'out' ? [from, to] : [to, from]
  return holder?.fields.find((it) => it.values.some(({ target }) => target === value?.id))?.name
}
