/** Redacts likely secrets in notes: names, text, fields and paths. */
import { ascending } from '../../base/order.ts'
import { contentText } from '../../format/note-outline.ts'
import type { ContextNode } from '../../model/context-document.ts'
import type { Note } from '../../model/note.ts'
import type { NoteCandidate, NoteContent } from '../../model/note-candidate.ts'
import { shownText, type Viewer } from '../redact-output.ts'
import type { QueryOutcome } from './context-document-warnings.ts'

export interface RedactedNotes {
  readonly candidates: readonly NoteCandidate[]
  /** Number of redacted secrets per note id. */
  readonly redacted: ReadonlyMap<string, number>
}

export function redactNotes(viewer: Viewer, candidates: readonly NoteCandidate[]): RedactedNotes {
  const redacted = new Map<string, number>()
  const elsewhere = (text: string): string => shownText(viewer, text).text
  const shown = candidates.map((candidate) => {
    const show = (text: string): string => {
      const result = shownText(viewer, text)
      const { id } = candidate.node
      if (result.redacted > 0) redacted.set(id, (redacted.get(id) ?? 0) + result.redacted)
      return result.text
    }
    const { node, crumbs, steps } = candidate
    const content = redactContent(candidate.content, show)
    return {
      ...candidate,
      content,
      node: {
        ...node,
        name: elsewhere(node.name),
        content: contentText(content),
        ...(node.fields === undefined ? {} : { fields: redactFields(node.fields, show) }),
      },
      crumbs: crumbs.map(elsewhere),
      steps: steps.map((step) => ({ ...step, from: elsewhere(step.from) })),
    }
  })
  return { candidates: shown, redacted }
}

/** The outline is checked as one text: each line of a private key may be a separate child. */
function redactContent(content: NoteContent, show: (text: string) => string): NoteContent {
  const ordered = content.lines.toSorted(ascending((it) => it.place))
  const texts = [content.own, ...ordered.map((it) => it.text)]
  const shown = show(texts.join('\n')).split('\n')
  let from = 0
  const [own = '', ...rest] = texts.map((text) => {
    const to = from + text.split('\n').length
    const lines = shown.slice(from, to).join('\n')
    from = to
    return lines
  })
  const byPlace = new Map(ordered.map(({ place }, at) => [place, rest[at]]))
  return {
    own,
    lines: content.lines.map((it) => ({ ...it, text: byPlace.get(it.place) ?? it.text })),
  }
}

/** Redacts names in warnings before they are shortened. */
export function redactFinding(viewer: Viewer, finding: QueryOutcome): QueryOutcome {
  const shown = (note: Note): Note => ({ ...note, name: shownText(viewer, note.name).text })
  const { walk, passed } = finding
  return {
    ...finding,
    walk: { ...walk, cuts: walk.cuts.map((it) => ({ ...it, note: shown(it.note) })) },
    passed: passed && { ...passed, sources: passed.sources.map(shown) },
  }
}

type NoteFields = NonNullable<ContextNode['fields']>

/** The name of a field may show that its value is a secret. */
function redactFields(fields: NoteFields, show: (text: string) => string): NoteFields {
  const shownValue = (name: string, value: string): string => {
    const head = `${name}: `
    return show(head + value).slice(head.length)
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? shownValue(name, value) : value.map((it) => shownValue(name, it)),
    ]),
  )
}
