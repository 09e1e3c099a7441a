/**
 * Converts pages to records: links get their text, tags their parents, fields their targets.
 * Unresolved links are collected for diagnostics.
 */
import { ascending, inOrder } from '../../../base/order.ts'
import { collapseSpaces } from '../../../base/text.ts'
import type { NoteField, NoteRecord, NoteValue } from '../../../model/note.ts'
import {
  formatWikiLink,
  parseWikiLink,
  renderLines,
  renderName,
  sortEdits,
  type TextEdit,
} from './link-text.ts'
import { isInternal, UUID } from './marks.ts'
import { type DraftNote, indexFrom, type LinkTarget, type PageDraft } from './page-draft.ts'
import type { ResolvedLink, ResolveLink } from './resolve-links.ts'

export interface LinkContext {
  readonly resolve: ResolveLink
  /** The parent of a page: its folder, or the page whose name contains it. */
  findParent(page: PageDraft): string | undefined
  /** Pages whose names place them below this one. */
  pagesBelow(page: PageDraft): readonly string[]
  readonly tally: LinkTally
}

export interface LinkTally {
  inlineReferences: number
  readonly unresolved: { readonly path: string; readonly target: string }[]
}

export function buildPageRecords(page: PageDraft, linking: LinkContext): readonly NoteRecord[] {
  const resolved = page.links.map((it) => linking.resolve(it.target, page))
  const edits = sortEdits([
    ...createLinkEdits(page, resolved, linking),
    ...createHideEdits(page.hidden),
  ])
  const nameEdits = sortEdits([...edits, ...createHideEdits(page.hiddenInNames)])
  const references = page.notes.map(() => new Set<string>())
  for (const [at, link] of page.links.entries()) {
    const place = resolved[at]?.location
    if (link.inField) continue
    if (place !== undefined) references[link.note]?.add(place.note.id)
    if (link.target.form === 'tag') continue
    if (place !== undefined) linking.tally.inlineReferences += 1
    else
      countUnresolved(linking, page, {
        target: link.target,
        isThere: resolved[at]?.exists ?? false,
      })
  }
  const children = listChildren(page)
  return page.notes.map((note, at) => {
    const pointed = references[at] ?? new Set<string>()
    const fields = buildFields(note, { page, linking, pointed })
    if (page.file.isOutline) addTagPages(note, { page, linking, pointed })
    const own = [...(children[at] ?? []), ...(at === 0 ? linking.pagesBelow(page) : [])]
    for (const id of [note.id, ...own]) pointed.delete(id)
    const parent =
      note.parent === undefined ? linking.findParent(page) : page.notes[note.parent]?.id
    const created = note.created ?? page.created
    return {
      id: note.id,
      name:
        typeof note.name === 'string'
          ? stripLinkBrackets(note.name)
          : renderName(page.body, note.name, nameEdits),
      kind: note.kind,
      content: renderLines(page.body, note.content, edits),
      tags: addParentTags(note.tags),
      fields,
      ...(created === undefined ? {} : { created }),
      modified: note.modified ?? page.modified,
      ...(parent === undefined ? {} : { parent }),
      children: own,
      references: [...pointed],
    }
  })
}

function createHideEdits(spans: PageDraft['hidden']): readonly TextEdit[] {
  return spans.map((it) => ({ start: it.start, end: it.end, words: '' }))
}

function createLinkEdits(
  page: PageDraft,
  resolved: readonly ResolvedLink[],
  linking: LinkContext,
): readonly TextEdit[] {
  return page.links.flatMap((link, at) => {
    const { start, end, target } = link
    const led = resolved[at]
    if (target.form === 'markdown')
      return led?.location === undefined ? [] : createHideEdits(target.frame)
    const words = link.words ?? linkText(target, { led, page, linking })
    return words === undefined ? [] : [{ start, end, words }]
  })
}

interface LinkView {
  readonly led: ResolvedLink | undefined
  readonly page: PageDraft
  readonly linking: LinkContext
}

/** Undefined if the link is shown as written. */
function linkText(
  target: Exclude<LinkTarget, { readonly form: 'markdown' }>,
  seen: LinkView,
): string | undefined {
  if (target.form === 'tag') return target.text
  if (target.form === 'block') {
    const place = seen.led?.location
    return place === undefined ? undefined : noteText(place.page, place.note)
  }
  const parts = parseWikiLink(target.text)
  if (seen.led?.isSwapped === true) return parts.page
  return formatWikiLink(parts, { isEmbed: target.isEmbed, keepsPath: seen.page.file.isOutline })
}

/** References inside a referenced block become dots: two blocks could refer to each other. */
function noteText(page: PageDraft, note: DraftNote): string {
  if (typeof note.name === 'string') return note.name
  const edits: TextEdit[] = []
  for (const span of note.name) {
    for (let at = indexFrom(page.links, span.start); at < page.links.length; at += 1) {
      const link = page.links[at]
      if (link === undefined || link.start >= span.end) break
      const { start, end, target } = link
      const look = { isEmbed: false, keepsPath: page.file.isOutline }
      if (target.form === 'wiki')
        edits.push({
          start,
          end,
          words: link.words ?? formatWikiLink(parseWikiLink(target.text), look),
        })
      else if (target.form === 'block') edits.push({ start, end, words: link.words ?? '…' })
      else if (target.form === 'tag') edits.push({ start, end, words: target.text })
    }
  }
  return renderName(page.body, note.name, sortEdits(edits))
}

function countUnresolved(
  linking: LinkContext,
  page: PageDraft,
  link: { readonly target: LinkTarget; readonly isThere: boolean },
): void {
  if (link.isThere) return
  linking.tally.unresolved.push({ path: page.file.path, target: formatTarget(link.target) })
}

function formatTarget(target: LinkTarget): string {
  if (target.form === 'block') return target.uuid
  return target.form === 'markdown' ? target.url : target.text
}

/** Of each note in the order of the text. */
function listChildren(page: PageDraft): readonly (readonly string[])[] {
  const children = page.notes.map((): DraftNote[] => [])
  for (const note of page.notes) if (note.parent !== undefined) children[note.parent]?.push(note)
  return children.map((it) => it.toSorted(BY_START).map((note) => note.id))
}

const BY_START = inOrder<DraftNote>(
  ascending((it) => it.start),
  ascending((it) => it.id),
)

interface ReferenceContext {
  readonly page: PageDraft
  readonly linking: LinkContext
  readonly pointed: Set<string>
}

/** In an outline program a tag is a page, where there is one. */
function addTagPages(note: DraftNote, { page, linking, pointed }: ReferenceContext): void {
  for (const text of note.tags) {
    const place = linking.resolve({ form: 'tag', text }, page).location
    if (place !== undefined) pointed.add(place.note.id)
  }
}

/** The tags and then their parents: `a/b/c`, `a/b`, `a`. Case is ignored. */
function addParentTags(tags: readonly string[]): readonly string[] {
  const extended = tags.flatMap((it) => {
    const parts = it.split('/')
    return parts.slice(1).map((_, at) => parts.slice(0, parts.length - 1 - at).join('/'))
  })
  const known = new Set<string>()
  return [...tags, ...extended].filter((it) => {
    const key = it.toLowerCase()
    if (known.has(key) || it === '') return false
    known.add(key)
    return true
  })
}

/** One field per name, in order of first occurrence. */
function buildFields(note: DraftNote, pointing: ReferenceContext): readonly NoteField[] {
  const values = new Map<string, NoteValue[]>()
  for (const { name, values: raw } of note.fields) {
    const known = values.get(name) ?? []
    known.push(...raw.flatMap((it) => parseFieldValues(it, pointing)))
    values.set(name, known)
  }
  return [...values].map(([name, all]) => ({ name, values: all }))
}

const IN_VALUE = new RegExp(
  [
    String.raw`(?<embed>!?)\[\[(?<wiki>[^[\]\n]+)\]\]`,
    String.raw`\(\((?<uuid>${UUID})\)\)`,
    String.raw`\[(?<words>[^[\]\n]*)\]\(<?(?<url>[^)<>\s]+)>?\)`,
  ].join('|'),
  'g',
)
const BETWEEN = /^[\s,;&]*$/

interface ValueLink {
  readonly words: string
  readonly target?: string
}

/** If a value has only links, each link is a value. In other text the first link is the target. */
function parseFieldValues(raw: string, pointing: ReferenceContext): readonly NoteValue[] {
  const found: ValueLink[] = []
  let text = ''
  let between = ''
  let at = 0
  for (const match of raw.matchAll(IN_VALUE)) {
    const link = resolveValueLink(match[0], match.groups ?? {}, pointing)
    if (link === undefined) continue
    found.push(link)
    text += raw.slice(at, match.index) + link.words
    between += raw.slice(at, match.index)
    at = match.index + match[0].length
  }
  if (found.length === 0) return [{ text: raw }]
  if (BETWEEN.test(between + raw.slice(at)))
    return found.map((it) => ({ text: it.words, ...optionalTarget(it) }))
  const [first, ...more] = found.filter((it) => it.target !== undefined)
  for (const it of more) if (it.target !== undefined) pointing.pointed.add(it.target)
  return [{ text: text + raw.slice(at), ...optionalTarget(first) }]
}

function optionalTarget(link: Partial<ValueLink> | undefined): { readonly target?: string } {
  return link?.target === undefined ? {} : { target: link.target }
}

/** By the names of the groups of the expression above. */
type LinkGroups = Readonly<Record<string, string | undefined>>

function resolveValueLink(
  whole: string,
  groups: LinkGroups,
  { page, linking }: ReferenceContext,
): ValueLink | undefined {
  const target = parseValueTarget(groups)
  if (target === undefined) return undefined
  const led = linking.resolve(target, page)
  const id = led.location?.note.id
  if (id === undefined) countUnresolved(linking, page, { target, isThere: led.exists })
  if (target.form === 'markdown' && id === undefined) return { words: whole }
  const words =
    target.form === 'markdown' ? groups['words'] : linkText(target, { led, page, linking })
  return { words: words ?? whole, ...(id === undefined ? {} : { target: id }) }
}

function parseValueTarget(groups: LinkGroups): LinkTarget | undefined {
  const { wiki, uuid, url, embed } = groups
  if (wiki !== undefined) return { form: 'wiki', text: wiki, isEmbed: embed === '!' }
  if (uuid !== undefined) return { form: 'block', uuid }
  if (url === undefined || !isInternal(url)) return undefined
  return { form: 'markdown', url, frame: [] }
}

/** The title of a front matter may be written as a link. */
function stripLinkBrackets(name: string): string {
  return collapseSpaces(
    name.replace(/!?\[\[([^[\]\n]+)\]\]/g, (_, text) =>
      formatWikiLink(parseWikiLink(String(text)), { isEmbed: false, keepsPath: false }),
    ),
  )
}
