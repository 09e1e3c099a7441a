/**
 * The notes that a page is made of. Headings own what is below them up to the next one; blocks
 * that have an id of their own can be pointed at, and stay in the text that they stand in; in an
 * outline every bullet is a note. Knows nothing of links and tags but where they stand.
 */
import { type Block, endOffset, startOffset } from '../../markdown/blocks.ts'
import type { Building, PageText, Structure } from './building.ts'
import { cutAtBullets } from './bullets.ts'
import type { Span } from './draft.ts'
import { findBlocks } from './named-blocks.ts'
import { inlineFields } from './properties.ts'
import { afterLine, lineStart, without } from './spans.ts'
import { type Edit, headingKey, inSequence, renderedName, wikiParts, wikiWords } from './words.ts'

export function structureOf(page: PageText): Structure {
  const claim = claims(page.file.id)
  const found = inlineFields(page.body, page.marks.literal)
  const fields = page.file.isOutline ? found : found.filter((it) => it.field.values.length > 0)
  const building: Building = { page, notes: [], regions: [], fields, hidden: [], claim }
  cutAtHeadings(building)
  if (page.file.isOutline) cutAtBullets(building)
  else {
    giveFields(building)
    findBlocks(building)
  }
  const { notes, regions, hidden } = building
  return { notes, regions, hidden, fieldSpans: fields }
}

function claims(page: string): (wish: string) => string {
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

function cutAtHeadings(building: Building): void {
  const { page, notes, regions, claim } = building
  const { body, blocks } = page
  const title = titleBlock(page)
  const headings = blocks.filter((it) => it.type === 'heading' && it !== title)
  const starts = headings.map((it) => lineStart(body, startOffset(it)))
  const below = title === undefined ? 0 : afterLine(body, endOffset(title))
  const first = starts[0] ?? body.length
  notes.push({
    id: page.file.id,
    kind: 'page',
    start: 0,
    name: title === undefined ? [] : headingText(title),
    content: [{ start: Math.min(below, first), end: first }],
    fields: [],
    blockIds: [],
  })
  regions.push({ start: 0, end: first, note: 0 })
  const edits = headings.length === 0 ? [] : staticEdits(page)
  const open: { readonly level: number; readonly note: number }[] = []
  for (const [at, heading] of headings.entries()) {
    const level = heading.depth ?? 1
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    const start = starts[at] ?? 0
    const end = starts[at + 1] ?? body.length
    const name = headingText(heading)
    const words = renderedName(body, name, edits).replace(/\s\^[\w-]+$/, '')
    const content = { start: Math.min(afterLine(body, endOffset(heading)), end), end }
    regions.push({ start, end, note: notes.length })
    const parent = open.at(-1)?.note ?? 0
    open.push({ level, note: notes.length })
    const id = claim(`${page.file.id}#${words}`)
    const lists = { content: [content], fields: [], blockIds: [] }
    notes.push({ id, kind: 'heading', parent, start, name, heading: words, ...lists })
  }
}

/** A heading of the first level above everything is the page's title, unless another one is given. */
function titleBlock(page: PageText): Block | undefined {
  const first = page.blocks[0]
  if (first?.type !== 'heading' || first.depth !== 1) return undefined
  if (page.title === undefined) return first
  const words = renderedName(page.body, headingText(first), staticEdits(page))
  return headingKey(words) === headingKey(page.title) ? first : undefined
}

function headingText(heading: Block): readonly Span[] {
  const first = heading.children?.[0]
  const last = heading.children?.at(-1)
  if (first === undefined || last === undefined) return []
  return [{ start: startOffset(first), end: endOffset(last) }]
}

/** As far as words can be told without knowing the other pages. */
function staticEdits(page: PageText): readonly Edit[] {
  const keepsPath = page.file.isOutline
  return inSequence([
    ...page.marks.hiddenInNames.map((it) => ({ ...it, words: '' })),
    ...page.marks.links.flatMap(({ start, end, target, words }) => {
      if (target.form !== 'wiki') return []
      const own = wikiWords(wikiParts(target.text), { isEmbed: target.isEmbed, keepsPath })
      return [{ start, end, words: words ?? own }]
    }),
  ])
}

/** A line of its own goes from the text to the fields; an item of a list stays where it is as well. */
function giveFields(building: Building): void {
  const { notes, regions, fields } = building
  if (fields.length === 0) return
  let region = 0
  for (const it of fields) {
    while ((regions[region]?.end ?? Number.POSITIVE_INFINITY) <= it.start) region += 1
    notes[regions[region]?.note ?? 0]?.fields.push(it.field)
  }
  const lines = fields.filter((it) => !it.isItem && !/^tags?$/i.test(it.field.name))
  for (const note of notes) note.content = note.content.flatMap((it) => without(it, lines))
}
