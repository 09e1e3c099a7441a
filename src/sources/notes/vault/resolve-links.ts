/**
 * Where the links of a vault lead, once all its pages have been read: to a note, to a file that is
 * no note, or nowhere. Says nothing of what they look like.
 */
import { lastPart } from '../../../base/paths.ts'
import type { DraftNote, LinkTarget, PageDraft } from './draft.ts'
import { joined, keyOf, pageIndex } from './page-index.ts'
import { headingKey, type WikiParts, wikiParts } from './words.ts'

export interface Place {
  readonly page: PageDraft
  readonly note: DraftNote
}

export interface Resolved {
  /** Absent where the link leads to no note. */
  readonly place?: Place
  /** Whether there is something, if no note. */
  readonly isThere: boolean
  /** What is written where the alias belongs is the page, and the other way round. */
  readonly isSwapped?: boolean
}

export interface VaultFiles {
  readonly pages: readonly PageDraft[]
  /** Paths of everything else. */
  readonly others: readonly string[]
  readonly folders: readonly string[]
  /** Dendron writes `[[words|page]]`. */
  readonly wordsFirst: boolean
}

export type Resolve = (target: LinkTarget, from: PageDraft) => Resolved

export function linkResolver(vault: VaultFiles): Resolve {
  const index = pageIndex(vault.pages)
  const others = new Set(vault.others.flatMap((it) => [keyOf(it), lastPart(keyOf(it))]))
  const folders = new Set(vault.folders.map(keyOf))
  const blocks = blockIndex(vault.pages)
  const within = placeFinder()
  const found = (page: PageDraft | undefined, parts: WikiParts): Resolved | undefined =>
    page === undefined ? undefined : { place: within(page, parts), isThere: true }
  const wiki = (text: string, from: PageDraft): Resolved => {
    const parts = wikiParts(text)
    if (parts.page === '') return found(from, parts) ?? NOWHERE
    const { alias } = parts
    const swapped = vault.wordsFirst && alias !== undefined ? wikiParts(alias) : undefined
    const second = swapped && found(index.byName(swapped.page, from), swapped)
    if (second !== undefined) return { ...second, isSwapped: true }
    // A number sign may be part of the name, as in `C#`.
    const target = text.replace(/\\?\|.*$/, '')
    const whole = target.includes('#') ? index.byName(target, from) : undefined
    const direct = found(whole, NO_PARTS) ?? found(index.byName(parts.page, from), parts)
    return direct ?? { isThere: others.has(keyOf(parts.page).replace(/^\//, '')) }
  }
  const address = (url: string, from: PageDraft): Resolved => {
    const [path = '', ...anchor] = decoded(url).split('#')
    const parts = wikiParts(`#${anchor.join('#')}`)
    if (path === '') return found(from, parts) ?? NOWHERE
    const direct = found(index.byAddress(path.replace(/\?.*$/, ''), from), parts)
    if (direct !== undefined) return direct
    const folder = keyOf(from.file.path).replace(/[^/]*$/, '')
    const paths = [joined(folder, keyOf(path)), joined('', keyOf(path))]
    const isThere = paths.some((it) => others.has(it) || folders.has(it))
    return { isThere: isThere || isOther(path) }
  }
  return (target, from) => {
    if (target.form === 'wiki' || target.form === 'tag') return wiki(target.text, from)
    if (target.form === 'markdown') return address(target.url, from)
    const place = blocks.get(target.uuid.toLowerCase())
    return place === undefined ? NOWHERE : { place, isThere: true }
  }
}

const NOWHERE: Resolved = { isThere: false }
const NO_PARTS: WikiParts = { page: '', path: [] }

/** An address of a picture or a web page is none of a note, whether it is there or not. */
function isOther(path: string): boolean {
  return (
    path.endsWith('/') || (/\.[a-z0-9]{1,10}$/i.test(path) && !/\.(?:md|markdown)$/i.test(path))
  )
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** Of two blocks with the same id the one in the first page counts: somebody copied a file. */
function blockIndex(pages: readonly PageDraft[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const page of pages) {
    if (!page.file.isOutline) continue
    for (const note of page.notes)
      for (const id of note.blockIds) {
        const key = id.toLowerCase()
        if (!places.has(key)) places.set(key, { page, note })
      }
  }
  return places
}

/** The heading or the block that is meant, or else the page. */
function placeFinder(): (page: PageDraft, parts: WikiParts) => Place {
  const known = new Map<PageDraft, Inside>()
  return (page, parts) => {
    const top = page.notes[0]
    if (top === undefined) throw new Error(`${page.file.path} has no note`)
    if (parts.block === undefined && parts.path.length === 0) return { page, note: top }
    const inside = known.get(page) ?? insideOf(page)
    known.set(page, inside)
    const block = parts.block === undefined ? undefined : inside.blocks.get(keyOf(parts.block))
    return { page, note: block ?? underHeadings(page, inside, parts.path) ?? top }
  }
}

interface Inside {
  readonly headings: ReadonlyMap<string, readonly DraftNote[]>
  readonly blocks: ReadonlyMap<string, DraftNote>
}

function insideOf(page: PageDraft): Inside {
  const headings = new Map<string, DraftNote[]>()
  const blocks = new Map<string, DraftNote>()
  for (const note of page.notes) {
    for (const id of note.blockIds) if (!blocks.has(keyOf(id))) blocks.set(keyOf(id), note)
    if (note.heading === undefined) continue
    const key = headingKey(note.heading)
    const same = headings.get(key)
    if (same === undefined) headings.set(key, [note])
    else same.push(note)
  }
  return { headings, blocks }
}

/** `A#Sub` is the first `Sub` below an `A`, or else the first `Sub`. */
function underHeadings(
  page: PageDraft,
  inside: Inside,
  path: readonly string[],
): DraftNote | undefined {
  const keys = path.map(headingKey)
  const candidates = inside.headings.get(keys.at(-1) ?? '') ?? []
  const isBelow = (note: DraftNote): boolean => {
    let wanted = keys.length - 2
    for (let it = above(page, note); it !== undefined && wanted >= 0; it = above(page, it))
      if (it.heading !== undefined && headingKey(it.heading) === keys[wanted]) wanted -= 1
    return wanted < 0
  }
  return candidates.find(isBelow) ?? candidates[0]
}

function above(page: PageDraft, note: DraftNote): DraftNote | undefined {
  return note.parent === undefined ? undefined : page.notes[note.parent]
}
