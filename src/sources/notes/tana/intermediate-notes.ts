/** The nodes of a Tana Intermediate Format file as notes. Knows nothing of files. */
import { collapseSpaces } from '../../../base/text.ts'
import type { NoteField, NoteKind, NoteRecord, NoteValue } from '../../../model/note.ts'
import { fenced, firstLine } from './code-fence.ts'
import {
  childNodes,
  DATE,
  type IntermediateFile,
  type IntermediateNode,
  isNode,
  LINKS,
  linksIn,
  text,
  texts,
} from './intermediate-file.ts'
import { dateWords } from './plain-text.ts'
import { time } from './raw-doc.ts'
import type { TroubleList } from './trouble-list.ts'

export interface IntermediateNotes {
  readonly seen: number
  inlineReferences(): number
  records(): Iterable<NoteRecord>
}

export function intermediateNotes(file: IntermediateFile, trouble: TroubleList): IntermediateNotes {
  const all = surveyed(file, trouble)
  return {
    seen: all.seen,
    inlineReferences: () => all.inlineReferences,
    *records() {
      for (const [uid, name] of all.tags) {
        if (!all.places.has(uid)) yield tagRecord(uid, name)
      }
      for (const [uid, place] of all.places) {
        if (isNote(all, place)) yield recordOf(all, { uid, ...place }, trouble)
      }
    },
  }
}

interface Place {
  readonly node: IntermediateNode
  /** The nearest node above that is no field. */
  readonly parent?: string
  readonly isValue: boolean
}

interface Surveyed {
  readonly places: ReadonlyMap<string, Place>
  readonly tags: ReadonlyMap<string, string>
  /** Those that something links to. */
  readonly wanted: ReadonlySet<string>
  readonly seen: number
  readonly inlineReferences: number
}

function surveyed(file: IntermediateFile, trouble: TroubleList): Surveyed {
  const places = new Map<string, Place>()
  const wanted = new Set<string>()
  let seen = 0
  let inlineReferences = 0
  const steps: Place[] = file.nodes.map((node) => ({ node, isValue: false })).toReversed()
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, parent, isValue } = step
    seen += 1
    const links = [...linksIn(text(node.name)), ...linksIn(text(node.description))]
    inlineReferences += links.length
    for (const uid of [...links, ...texts(node.refs)]) wanted.add(uid)
    const uid = text(node.uid)
    const isField = node.type === 'field'
    if (!isField && (uid === '' || places.has(uid))) {
      const message =
        uid === '' ? 'A node without a uid was passed over' : 'Is there twice; the first one counts'
      trouble.note({ code: 'unparsable', path: uid || collapseSpaces(text(node.name)), message })
    }
    if (!isField && uid !== '' && !places.has(uid)) {
      places.set(uid, parent === undefined ? { node, isValue } : { node, parent, isValue })
    }
    const above = isField ? parent : uid || parent
    for (const child of childNodes(node).toReversed()) {
      const at = above === undefined ? {} : { parent: above }
      steps.push({ node: child, ...at, isValue: isField })
    }
  }
  return { places, tags: tagsOf(file), wanted, seen, inlineReferences }
}

function tagsOf(file: IntermediateFile): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const tag of file.supertags) {
    if (!isNode(tag)) continue
    const uid = text(tag.uid)
    if (uid !== '' && !tags.has(uid)) tags.set(uid, text(tag.name))
  }
  return tags
}

/** A value is a note of its own where there is more to it than its text. */
function isNote(all: Surveyed, { node, isValue }: Place): boolean {
  if (!isValue) return true
  const hasMore = childNodes(node).length > 0 || texts(node.supertags).length > 0
  return hasMore || all.wanted.has(text(node.uid))
}

function tagRecord(uid: string, name: string): NoteRecord {
  return {
    id: uid,
    name,
    kind: 'tag',
    content: '',
    tags: [],
    fields: [],
    children: [],
    references: [],
  }
}

interface Named extends Place {
  readonly uid: string
}

function recordOf(all: Surveyed, { uid, node, parent }: Named, trouble: TroubleList): NoteRecord {
  const links = linkCollector(all, uid, trouble)
  const { name, content } = textsOf(all, node, links)
  const { fields, children } = listOf(all, node, links)
  for (const ref of texts(node.refs)) links.refer(ref)
  const tagIds = texts(node.supertags)
  for (const tag of tagIds) links.refer(tag)
  const created = time(node.createdAt)
  const modified = time(node.editedAt)
  return {
    id: uid,
    name,
    kind: kindOf(node),
    content,
    tags: [...new Set(tagIds.flatMap((tag) => all.tags.get(tag) ?? []))],
    fields,
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
    ...(parent === undefined ? {} : { parent }),
    children,
    references: links.references(children),
  }
}

interface Links {
  refer(uid: string): void
  /** In the order in which they were met, without those that it owns. */
  references(children: readonly string[]): readonly string[]
}

function linkCollector(all: Surveyed, from: string, trouble: TroubleList): Links {
  const found = new Set<string>()
  const missing = new Set<string>()
  return {
    refer: (uid) => {
      const place = all.places.get(uid)
      if (all.tags.has(uid) || (place !== undefined && isNote(all, place))) found.add(uid)
      if (place !== undefined || all.tags.has(uid) || missing.has(uid)) return
      missing.add(uid)
      const message = `Refers to ${uid}, which is not in the file`
      trouble.note({ code: 'unresolved', path: from, message })
    },
    references: (children) => {
      const own = new Set([from, ...children])
      return [...found].filter((uid) => !own.has(uid))
    },
  }
}

interface Listed {
  readonly fields: readonly NoteField[]
  readonly children: readonly string[]
}

function listOf(all: Surveyed, node: IntermediateNode, links: Links): Listed {
  const fields = new Map<string, NoteValue[]>()
  const children = new Set<string>()
  const done = doneText(node.todoState)
  if (done !== undefined) fields.set('Done', [{ text: done }])
  for (const child of childNodes(node)) {
    if (child.type !== 'field') {
      own(child)
      continue
    }
    const name = words(all, text(child.name), links)
    for (const value of childNodes(child)) {
      const made = valueOf(all, value, links)
      if (made !== undefined) fields.set(name, [...(fields.get(name) ?? []), made])
      own(value)
    }
  }

  /** Where a uid is there twice, it is a child where it was first. */
  function own(child: IntermediateNode): void {
    const uid = text(child.uid)
    const place = all.places.get(uid)
    if (place?.node === child && isNote(all, place)) children.add(uid)
  }

  return {
    fields: [...fields].map(([name, values]) => ({ name, values })),
    children: [...children],
  }
}

/** A value that is nothing but a link is whom it links to. */
const ONLY_LINK = /^\s*(?:\[[^[\]]*\]\()?\[\[([^[\]]+)\]\]\)?\s*$/

function valueOf(all: Surveyed, value: IntermediateNode, links: Links): NoteValue | undefined {
  const name = words(all, text(value.name), links)
  const linked = ONLY_LINK.exec(text(value.name))?.[1] ?? ''
  const place = all.places.get(linked)
  if (place !== undefined && isNote(all, place)) return { text: name, target: linked }
  const own = all.places.get(text(value.uid))
  if (own?.node === value && isNote(all, own)) return { text: name, target: text(value.uid) }
  return name === '' ? undefined : { text: name }
}

interface NoteTexts {
  readonly name: string
  readonly content: string
}

function textsOf(all: Surveyed, node: IntermediateNode, links: Links): NoteTexts {
  const description = words(all, text(node.description), links)
  const parts = description === '' ? [] : [description]
  if (node.type === 'codeblock') {
    const code = text(node.name).trimEnd()
    const content = [...parts, fenced(code, text(node.codeLanguage))].join('\n\n')
    return { name: firstLine(code), content }
  }
  const name = words(all, text(node.name), links)
  const url = text(node.mediaUrl)
  if (url !== '') parts.push(`![${name}](${url})`)
  return { name, content: parts.join('\n\n') }
}

/** Names inside names inside a name, and no further: two can name each other. */
const STEPS = 2
const UNSAID = '…'

function words(all: Surveyed, raw: string, links: Links): string {
  for (const uid of linksIn(raw)) links.refer(uid)
  return collapseSpaces(resolved(all, raw, STEPS))
}

function resolved(all: Surveyed, raw: string, steps: number): string {
  if (!raw.includes('[[')) return raw
  return raw.replace(LINKS, (_all, alias: string | undefined, uid: string) => {
    if (alias !== undefined && alias !== '') return alias
    if (uid.startsWith(DATE)) return dateWords(uid.slice(DATE.length))
    const tag = all.tags.get(uid)
    const place = all.places.get(uid)
    if (place === undefined) return tag ?? uid
    return steps === 0 ? UNSAID : resolved(all, text(place.node.name), steps - 1)
  })
}

function kindOf({ type }: IntermediateNode): NoteKind {
  if (type === 'date') return 'day'
  if (type === 'image') return 'media'
  return type === 'codeblock' ? 'code' : 'note'
}

function doneText(state: unknown): string | undefined {
  if (state === 'done') return 'yes'
  return state === 'todo' ? 'no' : undefined
}
