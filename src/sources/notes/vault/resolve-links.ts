/**
 * Resolves the links of a vault after all pages have been read: to a note, to another file, or to
 * nothing.
 */
import { lastPart } from '../../../base/paths.ts'
import { headingKey, parseWikiLink, type WikiParts } from './link-text.ts'
import type { DraftNote, LinkTarget, PageDraft } from './page-draft.ts'
import { createPageIndex, normalizeName, resolveRelative } from './page-index.ts'

export interface NoteLocation {
  readonly page: PageDraft
  readonly note: DraftNote
}

export interface ResolvedLink {
  /** Absent if the target is not a note. */
  readonly location?: NoteLocation
  /** Whether the target exists, as a note or another file. */
  readonly exists: boolean
  /** Whether page and alias are swapped in the link. */
  readonly isSwapped?: boolean
}

export interface VaultFiles {
  readonly pages: readonly PageDraft[]
  /** Paths of everything else. */
  readonly others: readonly string[]
  readonly folders: readonly string[]
  /** Dendron writes `[[words|page]]`. */
  readonly hasTextFirst: boolean
}

export type ResolveLink = (target: LinkTarget, from: PageDraft) => ResolvedLink

export function createLinkResolver(vault: VaultFiles): ResolveLink {
  const index = createPageIndex(vault.pages)
  const others = new Set(
    vault.others.flatMap((it) => [normalizeName(it), lastPart(normalizeName(it))]),
  )
  const folders = new Set(vault.folders.map(normalizeName))
  const blocks = indexBlocks(vault.pages)
  const within = createLocationFinder()
  const found = (page: PageDraft | undefined, parts: WikiParts): ResolvedLink | undefined =>
    page === undefined ? undefined : { location: within(page, parts), exists: true }
  const wiki = (text: string, from: PageDraft): ResolvedLink => {
    const parts = parseWikiLink(text)
    if (parts.page === '') return found(from, parts) ?? NOWHERE
    const { alias } = parts
    const swapped = vault.hasTextFirst && alias !== undefined ? parseWikiLink(alias) : undefined
    const second = swapped && found(index.byName(swapped.page, from), swapped)
    if (second !== undefined) return { ...second, isSwapped: true }
    // A number sign may be part of the name, as in `C#`.
    const target = text.replace(/\\?\|.*$/, '')
    const whole = target.includes('#') ? index.byName(target, from) : undefined
    const direct = found(whole, NO_PARTS) ?? found(index.byName(parts.page, from), parts)
    return direct ?? { exists: others.has(normalizeName(parts.page).replace(/^\//, '')) }
  }
  const address = (url: string, from: PageDraft): ResolvedLink => {
    const [path = '', ...anchor] = decodeUrl(url).split('#')
    const parts = parseWikiLink(`#${anchor.join('#')}`)
    if (path === '') return found(from, parts) ?? NOWHERE
    const direct = found(index.byAddress(path.replace(/\?.*$/, ''), from), parts)
    if (direct !== undefined) return direct
    const folder = normalizeName(from.file.path).replace(/[^/]*$/, '')
    const paths = [
      resolveRelative(folder, normalizeName(path)),
      resolveRelative('', normalizeName(path)),
    ]
    const isThere = paths.some((it) => others.has(it) || folders.has(it))
    return { exists: isThere || isOtherFile(path) }
  }
  return (target, from) => {
    if (target.form === 'wiki' || target.form === 'tag') return wiki(target.text, from)
    if (target.form === 'markdown') return address(target.url, from)
    const place = blocks.get(target.uuid.toLowerCase())
    return place === undefined ? NOWHERE : { location: place, exists: true }
  }
}

const NOWHERE: ResolvedLink = { exists: false }
const NO_PARTS: WikiParts = { page: '', path: [] }

/** Links to pictures and web pages never mean a note, even if the file does not exist. */
function isOtherFile(path: string): boolean {
  return (
    path.endsWith('/') || (/\.[a-z0-9]{1,10}$/i.test(path) && !/\.(?:md|markdown)$/i.test(path))
  )
}

function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** For duplicate block ids (a copied file) the first page wins. */
function indexBlocks(pages: readonly PageDraft[]): ReadonlyMap<string, NoteLocation> {
  const places = new Map<string, NoteLocation>()
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

/** The heading or block of the link, else the page. */
function createLocationFinder(): (page: PageDraft, parts: WikiParts) => NoteLocation {
  const known = new Map<PageDraft, PageTargets>()
  return (page, parts) => {
    const top = page.notes[0]
    if (top === undefined) throw new Error(`${page.file.path} has no note`)
    if (parts.block === undefined && parts.path.length === 0) return { page, note: top }
    const inside = known.get(page) ?? indexPageTargets(page)
    known.set(page, inside)
    const block =
      parts.block === undefined ? undefined : inside.blocks.get(normalizeName(parts.block))
    return { page, note: block ?? findByHeadingPath(page, inside, parts.path) ?? top }
  }
}

interface PageTargets {
  readonly headings: ReadonlyMap<string, readonly DraftNote[]>
  readonly blocks: ReadonlyMap<string, DraftNote>
}

function indexPageTargets(page: PageDraft): PageTargets {
  const headings = new Map<string, DraftNote[]>()
  const blocks = new Map<string, DraftNote>()
  for (const note of page.notes) {
    for (const id of note.blockIds)
      if (!blocks.has(normalizeName(id))) blocks.set(normalizeName(id), note)
    if (note.heading === undefined) continue
    const key = headingKey(note.heading)
    const same = headings.get(key)
    if (same === undefined) headings.set(key, [note])
    else same.push(note)
  }
  return { headings, blocks }
}

/** `A#Sub` is the first `Sub` below an `A`, or else the first `Sub`. */
function findByHeadingPath(
  page: PageDraft,
  inside: PageTargets,
  path: readonly string[],
): DraftNote | undefined {
  const keys = path.map(headingKey)
  const candidates = inside.headings.get(keys.at(-1) ?? '') ?? []
  const isBelow = (note: DraftNote): boolean => {
    let wanted = keys.length - 2
    for (
      let it = findParentNote(page, note);
      it !== undefined && wanted >= 0;
      it = findParentNote(page, it)
    )
      if (it.heading !== undefined && headingKey(it.heading) === keys[wanted]) wanted -= 1
    return wanted < 0
  }
  return candidates.find(isBelow) ?? candidates[0]
}

function findParentNote(page: PageDraft, note: DraftNote): DraftNote | undefined {
  return note.parent === undefined ? undefined : page.notes[note.parent]
}
