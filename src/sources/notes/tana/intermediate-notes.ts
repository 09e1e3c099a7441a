/** The nodes of a Tana Intermediate Format file as notes. Knows nothing of files. */
import { collapseSpaces } from '../../../base/text.ts'
import type { NoteField, NoteKind, NoteRecord, NoteValue } from '../../../model/note.ts'
import { fenceCode, firstNonEmptyLine } from './code-fence.ts'
import type { DiagnosticList } from './diagnostic-list.ts'
import {
  asText,
  asTexts,
  DATE,
  extractLinks,
  type IntermediateFile,
  type IntermediateNode,
  isNode,
  LINKS,
  listChildren,
} from './intermediate-file.ts'
import { formatDate } from './plain-text.ts'
import { asTime } from './raw-doc.ts'

export interface IntermediateNotes {
  readonly seen: number
  inlineReferences(): number
  records(): Iterable<NoteRecord>
}

export function convertIntermediateFile(
  file: IntermediateFile,
  trouble: DiagnosticList,
): IntermediateNotes {
  const all = surveyFile(file, trouble)
  return {
    seen: all.seen,
    inlineReferences: () => all.inlineReferences,
    *records() {
      for (const [uid, name] of all.tags) {
        if (!all.places.has(uid)) yield createTagRecord(uid, name)
      }
      for (const [uid, place] of all.places) {
        if (isNote(all, place)) yield buildRecord(all, { uid, ...place }, trouble)
      }
    },
  }
}

interface NodeContext {
  readonly node: IntermediateNode
  /** The nearest ancestor that is not a field. */
  readonly parent?: string
  readonly isValue: boolean
}

interface FileSurvey {
  readonly places: ReadonlyMap<string, NodeContext>
  readonly tags: ReadonlyMap<string, string>
  /** Uids that are link targets. */
  readonly wanted: ReadonlySet<string>
  readonly seen: number
  readonly inlineReferences: number
}

function surveyFile(file: IntermediateFile, trouble: DiagnosticList): FileSurvey {
  const places = new Map<string, NodeContext>()
  const wanted = new Set<string>()
  let seen = 0
  let inlineReferences = 0
  const steps: NodeContext[] = file.nodes.map((node) => ({ node, isValue: false })).toReversed()
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, parent, isValue } = step
    seen += 1
    const links = [...extractLinks(asText(node.name)), ...extractLinks(asText(node.description))]
    inlineReferences += links.length
    for (const uid of [...links, ...asTexts(node.refs)]) wanted.add(uid)
    const uid = asText(node.uid)
    const isField = node.type === 'field'
    if (!isField && (uid === '' || places.has(uid))) {
      const message =
        uid === '' ? 'A node without a uid was skipped' : 'Occurs twice; the first one is used'
      trouble.add({ code: 'unparsable', path: uid || collapseSpaces(asText(node.name)), message })
    }
    if (!isField && uid !== '' && !places.has(uid)) {
      places.set(uid, parent === undefined ? { node, isValue } : { node, parent, isValue })
    }
    const above = isField ? parent : uid || parent
    for (const child of listChildren(node).toReversed()) {
      const at = above === undefined ? {} : { parent: above }
      steps.push({ node: child, ...at, isValue: isField })
    }
  }
  return { places, tags: listTags(file), wanted, seen, inlineReferences }
}

function listTags(file: IntermediateFile): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const tag of file.supertags) {
    if (!isNode(tag)) continue
    const uid = asText(tag.uid)
    if (uid !== '' && !tags.has(uid)) tags.set(uid, asText(tag.name))
  }
  return tags
}

/** A field value is a separate note if it has more than its text. */
function isNote(all: FileSurvey, { node, isValue }: NodeContext): boolean {
  if (!isValue) return true
  const hasMore = listChildren(node).length > 0 || asTexts(node.supertags).length > 0
  return hasMore || all.wanted.has(asText(node.uid))
}

function createTagRecord(uid: string, name: string): NoteRecord {
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

interface NodeWithUid extends NodeContext {
  readonly uid: string
}

function buildRecord(
  all: FileSurvey,
  { uid, node, parent }: NodeWithUid,
  trouble: DiagnosticList,
): NoteRecord {
  const links = createLinkCollector(all, uid, trouble)
  const { name, content } = buildTexts(all, node, links)
  const { fields, children } = splitFieldsAndChildren(all, node, links)
  for (const ref of asTexts(node.refs)) links.refer(ref)
  const tagIds = asTexts(node.supertags)
  for (const tag of tagIds) links.refer(tag)
  const created = asTime(node.createdAt)
  const modified = asTime(node.editedAt)
  return {
    id: uid,
    name,
    kind: noteKind(node),
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

interface LinkCollector {
  refer(uid: string): void
  /** In the order in which they were met, without those that it owns. */
  references(children: readonly string[]): readonly string[]
}

function createLinkCollector(
  all: FileSurvey,
  from: string,
  trouble: DiagnosticList,
): LinkCollector {
  const found = new Set<string>()
  const missing = new Set<string>()
  return {
    refer: (uid) => {
      const place = all.places.get(uid)
      if (all.tags.has(uid) || (place !== undefined && isNote(all, place))) found.add(uid)
      if (place !== undefined || all.tags.has(uid) || missing.has(uid)) return
      missing.add(uid)
      const message = `Refers to ${uid}, which is not in the file`
      trouble.add({ code: 'unresolved', path: from, message })
    },
    references: (children) => {
      const own = new Set([from, ...children])
      return [...found].filter((uid) => !own.has(uid))
    },
  }
}

interface FieldsAndChildren {
  readonly fields: readonly NoteField[]
  readonly children: readonly string[]
}

function splitFieldsAndChildren(
  all: FileSurvey,
  node: IntermediateNode,
  links: LinkCollector,
): FieldsAndChildren {
  const fields = new Map<string, NoteValue[]>()
  const children = new Set<string>()
  const done = formatDone(node.todoState)
  if (done !== undefined) fields.set('Done', [{ text: done }])
  for (const child of listChildren(node)) {
    if (child.type !== 'field') {
      own(child)
      continue
    }
    const name = resolveWords(all, asText(child.name), links)
    for (const value of listChildren(child)) {
      const made = buildValue(all, value, links)
      if (made !== undefined) fields.set(name, [...(fields.get(name) ?? []), made])
      own(value)
    }
  }

  /** A uid that occurs twice is a child of its first parent. */
  function own(child: IntermediateNode): void {
    const uid = asText(child.uid)
    const place = all.places.get(uid)
    if (place?.node === child && isNote(all, place)) children.add(uid)
  }

  return {
    fields: [...fields].map(([name, values]) => ({ name, values })),
    children: [...children],
  }
}

/** A value that is only a link has the link target as its target. */
const ONLY_LINK = /^\s*(?:\[[^[\]]*\]\()?\[\[([^[\]]+)\]\]\)?\s*$/

function buildValue(
  all: FileSurvey,
  value: IntermediateNode,
  links: LinkCollector,
): NoteValue | undefined {
  const name = resolveWords(all, asText(value.name), links)
  const linked = ONLY_LINK.exec(asText(value.name))?.[1] ?? ''
  const place = all.places.get(linked)
  if (place !== undefined && isNote(all, place)) return { text: name, target: linked }
  const own = all.places.get(asText(value.uid))
  if (own?.node === value && isNote(all, own)) return { text: name, target: asText(value.uid) }
  return name === '' ? undefined : { text: name }
}

interface NameAndContent {
  readonly name: string
  readonly content: string
}

function buildTexts(all: FileSurvey, node: IntermediateNode, links: LinkCollector): NameAndContent {
  const description = resolveWords(all, asText(node.description), links)
  const parts = description === '' ? [] : [description]
  if (node.type === 'codeblock') {
    const code = asText(node.name).trimEnd()
    const content = [...parts, fenceCode(code, asText(node.codeLanguage))].join('\n\n')
    return { name: firstNonEmptyLine(code), content }
  }
  const name = resolveWords(all, asText(node.name), links)
  const url = asText(node.mediaUrl)
  if (url !== '') parts.push(`![${name}](${url})`)
  return { name, content: parts.join('\n\n') }
}

/** Nesting limit of names inside names: two names can refer to each other. */
const MAX_NAME_DEPTH = 2
const UNKNOWN_NAME = '…'

function resolveWords(all: FileSurvey, raw: string, links: LinkCollector): string {
  for (const uid of extractLinks(raw)) links.refer(uid)
  return collapseSpaces(expandLinks(all, raw, MAX_NAME_DEPTH))
}

function expandLinks(all: FileSurvey, raw: string, steps: number): string {
  if (!raw.includes('[[')) return raw
  return raw.replace(LINKS, (_all, alias: string | undefined, uid: string) => {
    if (alias !== undefined && alias !== '') return alias
    if (uid.startsWith(DATE)) return formatDate(uid.slice(DATE.length))
    const tag = all.tags.get(uid)
    const place = all.places.get(uid)
    if (place === undefined) return tag ?? uid
    return steps === 0 ? UNKNOWN_NAME : expandLinks(all, asText(place.node.name), steps - 1)
  })
}

function noteKind({ type }: IntermediateNode): NoteKind {
  if (type === 'date') return 'day'
  if (type === 'image') return 'media'
  return type === 'codeblock' ? 'code' : 'note'
}

function formatDone(state: unknown): string | undefined {
  if (state === 'done') return 'yes'
  return state === 'todo' ? 'no' : undefined
}
