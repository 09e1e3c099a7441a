/** Notes as they may be handed out: names, text, fields and the ways between them. */
import type { ContextNode } from '../../model/context-document.ts'
import type { NoteCandidate } from '../../model/note-candidate.ts'
import { shownText, type Viewer } from '../redact-output.ts'

export interface ShownNotes {
  readonly candidates: readonly NoteCandidate[]
  /** How many likely secrets are not in a note, by its id. */
  readonly redacted: ReadonlyMap<string, number>
}

export function shownNotes(viewer: Viewer, candidates: readonly NoteCandidate[]): ShownNotes {
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
    return {
      ...candidate,
      node: {
        ...node,
        name: elsewhere(node.name),
        content: show(node.content),
        ...(node.fields === undefined ? {} : { fields: shownFields(node.fields, show) }),
      },
      crumbs: crumbs.map(elsewhere),
      steps: steps.map((step) => ({ ...step, from: elsewhere(step.from) })),
    }
  })
  return { candidates: shown, redacted }
}

type Fields = NonNullable<ContextNode['fields']>

/** The name of a field may say what its value is. */
function shownFields(fields: Fields, show: (text: string) => string): Fields {
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
