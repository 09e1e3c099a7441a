/**
 * One page, read once: front matter, blocks, notes, links and tags. A pure function of its path and
 * its text. Links are resolved later, when all pages are known.
 */
import { ascending, descending, inOrder } from '../../../base/order.ts'
import { lastPart } from '../../../base/paths.ts'
import { parseBlocks } from '../../markdown/blocks.ts'
import { readFrontMatterFields } from '../../markdown/front-matter-fields.ts'
import { buildStructure } from './build-structure.ts'
import { parseFileDay, parseTime } from './dates.ts'
import { findMarks, type PageMarks } from './marks.ts'
import {
  coversOffset,
  type DraftLink,
  type DraftNote,
  type PageDraft,
  type PageFile,
} from './page-draft.ts'
import type { FoundNote, NoteRegion, PageStructure } from './page-structure.ts'
import { interpretProperties, type Properties } from './properties.ts'

export interface PageResult {
  readonly page: PageDraft
  /** Parts of its front matter that could not be parsed. */
  readonly problems: readonly string[]
}

export function readPage(file: PageFile, raw: string): PageResult {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  const matter = parseFrontMatter(text)
  const yaml = readFrontMatterFields(matter.yaml)
  const above = interpretProperties(yaml.fields, file.isOutline)
  const body = text.slice(matter.end)
  const blocks = parseBlocks(body)
  const marks = findMarks(body, blocks)
  const structure = buildStructure({ file, body, blocks, marks, title: above.title })
  const owner = createOwnerLookup(structure.regions)
  const tags = structure.notes.map((): string[] => [])
  for (const it of marks.tags) tags[owner(it.start)]?.push(it.name)
  const own = structure.notes.map((it) => readProperties(it, file.isOutline))
  const page = own[0] ?? NO_PROPERTIES
  const stem = fileStem(file.path)
  const day = parseFileDay(stem)
  const name = file.isOutline ? outlineName(stem) : stem
  const created = above.created ?? page.created ?? (day === undefined ? undefined : parseTime(day))
  return {
    problems: [...(matter.problem === undefined ? [] : [matter.problem]), ...yaml.problems],
    page: {
      file,
      body,
      notes: structure.notes.map((it, at) =>
        draftNote(it, { at, above, own: own[at], tags: tags[at], day, stem: name }),
      ),
      links: assignLinks(marks, structure, owner),
      hidden: structure.hidden,
      hiddenInNames: marks.hiddenInNames,
      aliases: [...above.aliases, ...page.aliases],
      otherNames: listOtherNames(file, [above.title, page.title]),
      ...(day === undefined ? {} : { day }),
      ...(created === undefined ? {} : { created }),
      modified: above.modified ?? page.modified ?? Math.trunc(file.mtimeMs),
    },
  }
}

const NO_PROPERTIES: Properties = { aliases: [], tags: [], fields: [] }

/** In an outline, inline properties act like front matter; in a page they are fields. */
function readProperties(note: FoundNote, isOutline: boolean): Properties {
  if (note.fields.length === 0) return NO_PROPERTIES
  const read = interpretProperties(note.fields, isOutline)
  if (isOutline && note.parent === undefined) return read
  if (isOutline) {
    // Only a page has a title: a block with one has a field of that name.
    const titles = note.fields.filter((it) => it.name === 'title' && it.values.length > 0)
    return { ...read, fields: [...titles, ...read.fields] }
  }
  const fields = note.fields.filter((it) => !/^tags?$/i.test(it.name))
  return { aliases: [], tags: read.tags, fields }
}

interface NoteContext {
  readonly at: number
  readonly above: Properties
  readonly own: Properties | undefined
  readonly tags: readonly string[] | undefined
  readonly day: string | undefined
  readonly stem: string
}

function draftNote(note: FoundNote, saying: NoteContext): DraftNote {
  const isPage = saying.at === 0
  const { above, own = NO_PROPERTIES, tags = [] } = saying
  return {
    id: note.id,
    kind: isPage && saying.day !== undefined ? 'day' : note.kind,
    ...(note.parent === undefined ? {} : { parent: note.parent }),
    start: note.start,
    name: isPage ? pageName(note, saying) : note.name,
    content: note.content,
    tags: [...(isPage ? above.tags : []), ...own.tags, ...tags],
    fields: [...(isPage ? above.fields : []), ...own.fields],
    ...(note.heading === undefined ? {} : { heading: note.heading }),
    blockIds: note.blockIds,
    ...(isPage || own.created === undefined ? {} : { created: own.created }),
    ...(isPage || own.modified === undefined ? {} : { modified: own.modified }),
  }
}

function pageName(note: FoundNote, saying: NoteContext): DraftNote['name'] {
  const title = saying.above.title ?? saying.own?.title
  if (title !== undefined) return title
  return note.name.length > 0 ? note.name : (saying.day ?? saying.stem)
}

function assignLinks(
  marks: PageMarks,
  structure: PageStructure,
  owner: (offset: number) => number,
): readonly DraftLink[] {
  return marks.links.map((it) => ({
    ...it,
    note: owner(it.start),
    inField: coversOffset(structure.fieldSpans, it.start),
  }))
}

/** The innermost note at each position. */
function createOwnerLookup(regions: readonly NoteRegion[]): (offset: number) => number {
  const steps = listOwnerChanges(regions)
  return (offset) => {
    let low = 0
    let high = steps.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((steps[middle]?.start ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return steps[low - 1]?.note ?? 0
  }
}

interface OwnerChange {
  readonly start: number
  readonly note: number
}

/** Regions are nested or disjoint, so a stack gives the owner of each position. */
function listOwnerChanges(regions: readonly NoteRegion[]): readonly OwnerChange[] {
  const steps: OwnerChange[] = []
  const open: NoteRegion[] = []
  const closeUpTo = (offset: number): void => {
    for (let top = open.at(-1); top !== undefined && top.end <= offset; top = open.at(-1)) {
      open.pop()
      steps.push({ start: top.end, note: open.at(-1)?.note ?? 0 })
    }
  }
  const outerFirst = inOrder<NoteRegion>(
    ascending((it) => it.start),
    descending((it) => it.end),
    ascending((it) => it.note),
  )
  for (const it of regions.toSorted(outerFirst)) {
    closeUpTo(it.start)
    open.push(it)
    steps.push({ start: it.start, note: it.note })
  }
  closeUpTo(Number.POSITIVE_INFINITY)
  return steps
}

interface FrontMatter {
  readonly yaml: string
  /** Offset of the first character after it. */
  readonly end: number
  readonly problem?: string
}

const CLOSING = /^(?:---|\.\.\.)[ \t]*$/gm
const FIRST_KEY = /^[^\s:#[\]{}<>*!|`%@&-][^:]*:(?:\s|$)/
const TOML = /^\+\+\+[ \t]*\n[\s\S]*?^\+\+\+[ \t]*$\n?/m

/** Without a key on its first line it is a thematic break followed by prose, not front matter. */
function parseFrontMatter(text: string): FrontMatter {
  const opening = /^---[ \t]*\n/.exec(text)?.[0].length
  if (opening === undefined) {
    const toml = text.startsWith('+++') ? TOML.exec(text)?.[0] : undefined
    return toml === undefined
      ? { yaml: '', end: 0 }
      : { yaml: '', end: toml.length, problem: 'TOML front matter is not supported' }
  }
  CLOSING.lastIndex = opening
  const closing = CLOSING.exec(text)
  if (closing === null) return { yaml: '', end: 0 }
  const yaml = text.slice(opening, closing.index)
  const first = yaml.split('\n').find((it) => !/^\s*(?:#.*)?$/.test(it))
  // A heading between two thematic breaks is not a YAML comment.
  const isMatter = first === undefined ? yaml.trim() === '' : FIRST_KEY.test(first)
  if (!isMatter) return { yaml: '', end: 0 }
  return { yaml, end: Math.min(text.length, closing.index + closing[0].length + 1) }
}

/** Outline programs know a page by other names than its file name. */
function listOtherNames(
  file: PageFile,
  titles: readonly (string | undefined)[],
): readonly string[] {
  const given = titles.filter((it) => it !== undefined)
  return file.isOutline ? [outlineName(fileStem(file.path)), ...given] : given
}

/** `a___b` and `a%2Fb` are files of the page `a/b`. */
export function outlineName(stem: string): string {
  const slashed = stem.replaceAll('___', '/')
  try {
    return decodeURIComponent(slashed)
  } catch {
    return slashed
  }
}

export function fileStem(path: string): string {
  return lastPart(path).replace(/\.(?:md|markdown)$/i, '')
}
