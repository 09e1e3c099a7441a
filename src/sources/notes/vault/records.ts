/**
 * Pages as records: links have their words, tags what they extend, fields their targets. What
 * leads nowhere is kept to be told.
 */
import { ascending, inOrder } from '../../../base/order.ts'
import { collapseSpaces } from '../../../base/text.ts'
import type { NoteField, NoteRecord, NoteValue } from '../../../model/note.ts'
import { type DraftNote, firstFrom, type LinkTarget, type PageDraft } from './draft.ts'
import { isInternal, UUID } from './marks.ts'
import type { Resolve, Resolved } from './resolve-links.ts'
import { type Edit, inSequence, rendered, renderedName, wikiParts, wikiWords } from './words.ts'

export interface Linking {
  readonly resolve: Resolve
  /** Where a page lies: its folder, or the page that it is a part of by its name. */
  parentOf(page: PageDraft): string | undefined
  /** Pages that are a part of this one by their names. */
  pagesBelow(page: PageDraft): readonly string[]
  readonly tally: LinkTally
}

export interface LinkTally {
  inlineReferences: number
  readonly unresolved: { readonly path: string; readonly target: string }[]
}

export function pageRecords(page: PageDraft, linking: Linking): readonly NoteRecord[] {
  const resolved = page.links.map((it) => linking.resolve(it.target, page))
  const edits = inSequence([...linkEdits(page, resolved, linking), ...hide(page.hidden)])
  const nameEdits = inSequence([...edits, ...hide(page.hiddenInNames)])
  const references = page.notes.map(() => new Set<string>())
  for (const [at, link] of page.links.entries()) {
    const place = resolved[at]?.place
    if (link.inField) continue
    if (place !== undefined) references[link.note]?.add(place.note.id)
    if (link.target.form === 'tag') continue
    if (place !== undefined) linking.tally.inlineReferences += 1
    else report(linking, page, { target: link.target, isThere: resolved[at]?.isThere ?? false })
  }
  const children = childrenOf(page)
  return page.notes.map((note, at) => {
    const pointed = references[at] ?? new Set<string>()
    const fields = fieldsOf(note, { page, linking, pointed })
    if (page.file.isOutline) addTagPages(note, { page, linking, pointed })
    const own = [...(children[at] ?? []), ...(at === 0 ? linking.pagesBelow(page) : [])]
    for (const id of [note.id, ...own]) pointed.delete(id)
    const parent = note.parent === undefined ? linking.parentOf(page) : page.notes[note.parent]?.id
    const created = note.created ?? page.created
    return {
      id: note.id,
      name:
        typeof note.name === 'string'
          ? plain(note.name)
          : renderedName(page.body, note.name, nameEdits),
      kind: note.kind,
      content: rendered(page.body, note.content, edits),
      tags: withExtended(note.tags),
      fields,
      ...(created === undefined ? {} : { created }),
      modified: note.modified ?? page.modified,
      ...(parent === undefined ? {} : { parent }),
      children: own,
      references: [...pointed],
    }
  })
}

function hide(spans: PageDraft['hidden']): readonly Edit[] {
  return spans.map((it) => ({ start: it.start, end: it.end, words: '' }))
}

function linkEdits(
  page: PageDraft,
  resolved: readonly Resolved[],
  linking: Linking,
): readonly Edit[] {
  return page.links.flatMap((link, at) => {
    const { start, end, target } = link
    const led = resolved[at]
    if (target.form === 'markdown') return led?.place === undefined ? [] : hide(target.frame)
    const words = link.words ?? wordsOf(target, { led, page, linking })
    return words === undefined ? [] : [{ start, end, words }]
  })
}

interface Seen {
  readonly led: Resolved | undefined
  readonly page: PageDraft
  readonly linking: Linking
}

/** Undefined where what is written is all there is to see. */
function wordsOf(
  target: Exclude<LinkTarget, { readonly form: 'markdown' }>,
  seen: Seen,
): string | undefined {
  if (target.form === 'tag') return target.text
  if (target.form === 'block') {
    const place = seen.led?.place
    return place === undefined ? undefined : ownWords(place.page, place.note)
  }
  const parts = wikiParts(target.text)
  if (seen.led?.isSwapped === true) return parts.page
  return wikiWords(parts, { isEmbed: target.isEmbed, keepsPath: seen.page.file.isOutline })
}

/** A block that points at others shows them as dots: two that point at each other would never end. */
function ownWords(page: PageDraft, note: DraftNote): string {
  if (typeof note.name === 'string') return note.name
  const edits: Edit[] = []
  for (const span of note.name) {
    for (let at = firstFrom(page.links, span.start); at < page.links.length; at += 1) {
      const link = page.links[at]
      if (link === undefined || link.start >= span.end) break
      const { start, end, target } = link
      const look = { isEmbed: false, keepsPath: page.file.isOutline }
      if (target.form === 'wiki')
        edits.push({ start, end, words: link.words ?? wikiWords(wikiParts(target.text), look) })
      else if (target.form === 'block') edits.push({ start, end, words: link.words ?? '…' })
      else if (target.form === 'tag') edits.push({ start, end, words: target.text })
    }
  }
  return renderedName(page.body, note.name, inSequence(edits))
}

function report(
  linking: Linking,
  page: PageDraft,
  link: { readonly target: LinkTarget; readonly isThere: boolean },
): void {
  if (link.isThere) return
  linking.tally.unresolved.push({ path: page.file.path, target: shown(link.target) })
}

function shown(target: LinkTarget): string {
  if (target.form === 'block') return target.uuid
  return target.form === 'markdown' ? target.url : target.text
}

/** Of each note in the order of the text. */
function childrenOf(page: PageDraft): readonly (readonly string[])[] {
  const children = page.notes.map((): DraftNote[] => [])
  for (const note of page.notes) if (note.parent !== undefined) children[note.parent]?.push(note)
  return children.map((it) => it.toSorted(BY_PLACE).map((note) => note.id))
}

const BY_PLACE = inOrder<DraftNote>(
  ascending((it) => it.start),
  ascending((it) => it.id),
)

interface Pointing {
  readonly page: PageDraft
  readonly linking: Linking
  readonly pointed: Set<string>
}

/** In an outline program a tag is a page, where there is one. */
function addTagPages(note: DraftNote, { page, linking, pointed }: Pointing): void {
  for (const text of note.tags) {
    const place = linking.resolve({ form: 'tag', text }, page).place
    if (place !== undefined) pointed.add(place.note.id)
  }
}

/** Its own, then what they extend: `a/b/c` is an `a/b`, which is an `a`. Case tells none apart. */
function withExtended(tags: readonly string[]): readonly string[] {
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

/** One field for each name, in the order in which they first come. */
function fieldsOf(note: DraftNote, pointing: Pointing): readonly NoteField[] {
  const values = new Map<string, NoteValue[]>()
  for (const { name, values: raw } of note.fields) {
    const known = values.get(name) ?? []
    known.push(...raw.flatMap((it) => fieldValues(it, pointing)))
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

/** Links alone are a value each. Among words the first is what the value is about. */
function fieldValues(raw: string, pointing: Pointing): readonly NoteValue[] {
  const found: ValueLink[] = []
  let text = ''
  let between = ''
  let at = 0
  for (const match of raw.matchAll(IN_VALUE)) {
    const link = valueLink(match[0], match.groups ?? {}, pointing)
    if (link === undefined) continue
    found.push(link)
    text += raw.slice(at, match.index) + link.words
    between += raw.slice(at, match.index)
    at = match.index + match[0].length
  }
  if (found.length === 0) return [{ text: raw }]
  if (BETWEEN.test(between + raw.slice(at)))
    return found.map((it) => ({ text: it.words, ...targetOf(it) }))
  const [first, ...more] = found.filter((it) => it.target !== undefined)
  for (const it of more) if (it.target !== undefined) pointing.pointed.add(it.target)
  return [{ text: text + raw.slice(at), ...targetOf(first) }]
}

function targetOf(link: Partial<ValueLink> | undefined): { readonly target?: string } {
  return link?.target === undefined ? {} : { target: link.target }
}

/** By the names of the groups of the expression above. */
type Groups = Readonly<Record<string, string | undefined>>

function valueLink(
  whole: string,
  groups: Groups,
  { page, linking }: Pointing,
): ValueLink | undefined {
  const target = valueTarget(groups)
  if (target === undefined) return undefined
  const led = linking.resolve(target, page)
  const id = led.place?.note.id
  if (id === undefined) report(linking, page, { target, isThere: led.isThere })
  if (target.form === 'markdown' && id === undefined) return { words: whole }
  const words =
    target.form === 'markdown' ? groups['words'] : wordsOf(target, { led, page, linking })
  return { words: words ?? whole, ...(id === undefined ? {} : { target: id }) }
}

function valueTarget(groups: Groups): LinkTarget | undefined {
  const { wiki, uuid, url, embed } = groups
  if (wiki !== undefined) return { form: 'wiki', text: wiki, isEmbed: embed === '!' }
  if (uuid !== undefined) return { form: 'block', uuid }
  if (url === undefined || !isInternal(url)) return undefined
  return { form: 'markdown', url, frame: [] }
}

/** The title of a front matter may be written as a link. */
function plain(name: string): string {
  return collapseSpaces(
    name.replace(/!?\[\[([^[\]\n]+)\]\]/g, (_, text) =>
      wikiWords(wikiParts(String(text)), { isEmbed: false, keepsPath: false }),
    ),
  )
}
