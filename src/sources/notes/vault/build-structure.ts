/**
 * Splits a page into notes. A heading owns the text up to the next one; blocks with an id are also
 * notes, and their text stays in the page; in an outline every bullet is a note. Knows only the
 * positions of links and tags.
 */
import { type Block, endOffset, startOffset } from '../../markdown/blocks.ts'
import { cutAtBullets } from './bullets.ts'
import {
  formatWikiLink,
  headingKey,
  parseWikiLink,
  renderName,
  sortEdits,
  type TextEdit,
} from './link-text.ts'
import { addNamedBlocks } from './named-blocks.ts'
import type { Span } from './page-draft.ts'
import type { PageStructure, PageText, StructureBuilder } from './page-structure.ts'
import { findInlineFields } from './properties.ts'
import { lineStart, nextLineStart, subtractLines } from './spans.ts'

export function buildStructure(page: PageText): PageStructure {
  const claim = createIdClaimer(page.file.id)
  const found = findInlineFields(page.body, page.marks.literal)
  const fields = page.file.isOutline ? found : found.filter((it) => it.field.values.length > 0)
  const building: StructureBuilder = {
    page,
    notes: [],
    regions: [],
    fields,
    hidden: [],
    claimId: claim,
  }
  cutAtHeadings(building)
  if (page.file.isOutline) cutAtBullets(building)
  else {
    assignFields(building)
    addNamedBlocks(building)
  }
  const { notes, regions, hidden } = building
  return { notes, regions, hidden, fieldSpans: fields }
}

function createIdClaimer(page: string): (wish: string) => string {
  const taken = new Set([page])
  const last = new Map<string, number>()
  return (wish) => {
    let id = wish
    for (let number = last.get(wish) ?? 1; taken.has(id); ) {
      number += 1
      last.set(wish, number)
      id = `${wish}~${number}`
    }
    taken.add(id)
    return id
  }
}

function cutAtHeadings(building: StructureBuilder): void {
  const { page, notes, regions, claimId: claim } = building
  const { body, blocks } = page
  const title = findTitleBlock(page)
  const headings = blocks.filter((it) => it.type === 'heading' && it !== title)
  const starts = headings.map((it) => lineStart(body, startOffset(it)))
  const below = title === undefined ? 0 : nextLineStart(body, endOffset(title))
  const first = starts[0] ?? body.length
  notes.push({
    id: page.file.id,
    kind: 'page',
    start: 0,
    name: title === undefined ? [] : findHeadingText(title),
    content: [{ start: Math.min(below, first), end: first }],
    fields: [],
    blockIds: [],
  })
  regions.push({ start: 0, end: first, note: 0 })
  const edits = headings.length === 0 ? [] : createStaticEdits(page)
  const open: { readonly level: number; readonly note: number }[] = []
  for (const [at, heading] of headings.entries()) {
    const level = heading.depth ?? 1
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    const start = starts[at] ?? 0
    const end = starts[at + 1] ?? body.length
    const name = findHeadingText(heading)
    const words = renderName(body, name, edits).replace(/\s\^[\w-]+$/, '')
    const content = { start: Math.min(nextLineStart(body, endOffset(heading)), end), end }
    regions.push({ start, end, note: notes.length })
    const parent = open.at(-1)?.note ?? 0
    open.push({ level, note: notes.length })
    const id = claim(`${page.file.id}#${words}`)
    const lists = { content: [content], fields: [], blockIds: [] }
    notes.push({ id, kind: 'heading', parent, start, name, heading: words, ...lists })
  }
}

/** A leading first-level heading is the title of the page, unless a title is given. */
function findTitleBlock(page: PageText): Block | undefined {
  const first = page.blocks[0]
  if (first?.type !== 'heading' || first.depth !== 1) return undefined
  if (page.title === undefined) return first
  const words = renderName(page.body, findHeadingText(first), createStaticEdits(page))
  return headingKey(words) === headingKey(page.title) ? first : undefined
}

function findHeadingText(heading: Block): readonly Span[] {
  const first = heading.children?.[0]
  const last = heading.children?.at(-1)
  if (first === undefined || last === undefined) return []
  return [{ start: startOffset(first), end: endOffset(last) }]
}

/** Edits that do not depend on other pages. */
function createStaticEdits(page: PageText): readonly TextEdit[] {
  const keepsPath = page.file.isOutline
  return sortEdits([
    ...page.marks.hiddenInNames.map((it) => ({ ...it, words: '' })),
    ...page.marks.links.flatMap(({ start, end, target, words }) => {
      if (target.form !== 'wiki') return []
      const own = formatWikiLink(parseWikiLink(target.text), { isEmbed: target.isEmbed, keepsPath })
      return [{ start, end, words: words ?? own }]
    }),
  ])
}

/** A separate line moves from the text to the fields; a list item also stays in the text. */
function assignFields(building: StructureBuilder): void {
  const { notes, regions, fields } = building
  if (fields.length === 0) return
  let region = 0
  for (const it of fields) {
    while ((regions[region]?.end ?? Number.POSITIVE_INFINITY) <= it.start) region += 1
    notes[regions[region]?.note ?? 0]?.fields.push(it.field)
  }
  const lines = fields.filter((it) => !it.isItem && !/^tags?$/i.test(it.field.name))
  for (const note of notes) note.content = note.content.flatMap((it) => subtractLines(it, lines))
}
