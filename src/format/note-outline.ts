/**
 * What a note says: its own text, then the outline of its children, one list item for each. An
 * outline that is too long keeps its most relevant lines, in their order.
 */
import { ascending, descending, inOrder } from '../base/order.ts'
import type { NoteContent, OutlineLine } from '../model/note-candidate.ts'
import { grouped, inline, shortened } from './note-text.ts'

/** A child with what is below it. */
export interface OutlineItem {
  readonly name: string
  readonly tags: readonly string[]
  /** Its own text besides its name. */
  readonly content: string
  /** How relevant it is; 0 where nobody knows. */
  readonly score: number
  readonly items: readonly OutlineItem[]
}

export function outlineLines(items: readonly OutlineItem[]): readonly OutlineLine[] {
  const lines: (OutlineLine & { readonly level: number })[] = []
  const add = (all: readonly OutlineItem[], level: number): void => {
    for (const item of all) {
      // A line is kept at least as long as what is below it.
      const text = itemText(item, level)
      lines.push({ text, score: bestScore(item), level, place: lines.length })
      add(item.items, level + 1)
    }
  }
  add(items, 0)
  return lines
    .toSorted(
      inOrder(
        descending((it) => it.score),
        ascending((it) => it.level),
        ascending((it) => it.place),
      ),
    )
    .map(({ text, score, place }) => ({ text, score, place }))
}

function bestScore({ score, items }: OutlineItem): number {
  return items.reduce((best, it) => Math.max(best, bestScore(it)), score)
}

function itemText(item: OutlineItem, level: number): string {
  const indent = '  '.repeat(level)
  const own = item.content.trim().split('\n').map(withoutHeading)
  if (FENCE.test(own[0] ?? '')) return `${indent}- ${own.join(`\n${indent}  `)}`
  const title = `${indent}- ${inline(item.name)}${tagWords(item)}`
  if (item.content.trim() === '') return title
  const text = own.map((line) => (line === '' ? '' : `${indent}  ${line}`)).join('\n')
  return `${title}\n\n${text}${item.items.length > 0 ? '\n' : ''}`
}

const FENCE = /^(?:`{3,}|~{3,})/

/** A heading inside a list would end it. */
function withoutHeading(line: string): string {
  return line.replace(/^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#*)?[ \t]*$/, '**$1**')
}

/** A tag of several words in brackets, so that one sees where it ends; none that the name says. */
export function tagWords({
  name,
  tags,
}: {
  readonly name: string
  readonly tags: readonly string[]
}): string {
  if (tags.length === 0) return ''
  const said = new Set(name.split(' '))
  return tags
    .map((tag) => (/\s/.test(tag) ? `#[[${tag}]]` : `#${tag}`))
    .filter((word) => !(word.includes(' ') ? name.includes(word) : said.has(word)))
    .map((word) => ` ${word}`)
    .join('')
}

/** All of it. */
export function contentText({ own, lines }: NoteContent): string {
  return joined(own, textOf(lines))
}

/** Less of a line than this says nothing, and a line of less than twice as much is not cut. */
const LEAST_OF_LINE = 50

/**
 * At most about so many characters: of the own text, or all of that and the most relevant lines,
 * the last one shortened; followed by how much is left out.
 */
export function contentExcerpt(content: NoteContent, mostChars: number): string {
  const { own, lines } = content
  if (mostChars < own.length || lines.length === 0)
    return shortened(contentText(content), mostChars)
  let room = mostChars - own.length
  const kept: OutlineLine[] = []
  for (const line of lines) {
    if (line.text.length <= room) {
      kept.push(line)
      room -= line.text.length
      continue
    }
    const isCut = room >= LEAST_OF_LINE && line.text.length >= 2 * LEAST_OF_LINE
    if (isCut) kept.push({ ...line, text: shortened(line.text, room) })
    break
  }
  const left = lines.slice(kept.length).reduce((sum, it) => sum + it.text.length + 1, 0)
  if (left === 0) return joined(own, textOf(kept))
  const rest = `- … (${grouped(left)} more characters)`
  return joined(own, kept.length === 0 ? rest : `${textOf(kept)}\n${rest}`)
}

function textOf(lines: readonly OutlineLine[]): string {
  return lines
    .toSorted(ascending((it) => it.place))
    .map((it) => it.text)
    .join('\n')
    .trimEnd()
}

function joined(own: string, outline: string): string {
  return [own, outline].filter((it) => it !== '').join('\n\n')
}
