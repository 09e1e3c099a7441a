/** Texts of notes made fit for a place in a document: as a title, shorter, or under a heading. */
import { collapseSpaces, offsetAfter } from '../base/text.ts'
import { closed, fenceAfter, type OpenFence } from './fences.ts'

/** Longer names are paragraphs, and a title is the beginning of one. */
const LONGEST_TITLE = 100

export function isLongName(name: string): boolean {
  return name.length > LONGEST_TITLE && offsetAfter(name, 0, LONGEST_TITLE) < name.length
}

/** The name on one line; the beginning of a long one, up to a word's end. */
export function titleOf(name: string, longest = LONGEST_TITLE): string {
  const line = collapseSpaces(name)
  const end = offsetAfter(line, 0, longest)
  if (end === line.length) return line
  const cut = line.slice(0, offsetAfter(line, 0, longest - 1))
  const space = cut.lastIndexOf(' ')
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** `1,204`: the same in every locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/**
 * At most so many characters of the beginning, up to the end of a line, a sentence or at least a
 * word, with how much is left. A fence that is cut is closed.
 */
export function shortened(text: string, mostChars: number): string {
  const most = offsetAfter(text, 0, mostChars)
  if (most >= text.length) return text
  const head = text.slice(0, most)
  const end = lastEnd(head)
  const kept = withoutBareFence(head.slice(0, end).trimEnd())
  const left = `(${grouped(text.length - kept.length)} more characters)`
  const lines = kept.split('\n')
  // Behind a line that ends a fence nothing may stand, or it ends none.
  const isInFence = isOpenAfter(lines.slice(0, -1))
  const isOpen = isOpenAfter(lines)
  return isOpen || isInFence ? `${closed(lines).join('\n')}\n… ${left}` : `${kept} … ${left}`
}

function isOpenAfter(lines: readonly string[]): boolean {
  return closed(lines).length > lines.length
}

/** A fence that is cut right after its first line would have nothing in it. */
function withoutBareFence(text: string): string {
  const lines = text.split('\n')
  const before = lines.slice(0, -1)
  const isOpened = isOpenAfter(lines) && !isOpenAfter(before)
  return isOpened && before.length > 0 ? before.join('\n').trimEnd() : text
}

/** Where to cut: as late as possible, but not in the middle of what a good place was near to. */
function lastEnd(head: string): number {
  const least = head.length * LEAST_KEPT
  const line = head.lastIndexOf('\n')
  if (line >= least) return line
  let sentence = -1
  for (const match of head.matchAll(SENTENCE_END)) sentence = match.index + match[0].length
  if (sentence >= least) return sentence
  const space = head.lastIndexOf(' ')
  return space >= least ? space : head.length
}

const LEAST_KEPT = 0.6
const SENTENCE_END = /[.!?。！？]["'”’)\]]*(?=\s|$)/g

/** The content without a first heading that only says the name, all headings below this level. */
export function under(content: string, level: number, name: string): string {
  const lines = headed(content.trim().split(/\r\n|\r|\n/))
  const first = lines[0]
  const isNamed = first?.level !== undefined && collapseSpaces(first.text) === collapseSpaces(name)
  const own = isNamed ? lines.slice(1) : lines
  const highest = own.reduce((least, it) => Math.min(least, it.level ?? least), LOWEST_HEADING)
  const shift = Math.max(0, level + 1 - highest)
  const moved = own.map((it) =>
    it.level === undefined
      ? it.text
      : `${'#'.repeat(Math.min(LOWEST_HEADING, it.level + shift))} ${it.text}`,
  )
  return closed(moved).join('\n').trim()
}

const LOWEST_HEADING = 6

interface Line {
  readonly text: string
  /** Of a heading; its text is then without the marks. */
  readonly level?: number
}

/** Which lines are headings, of either kind, and which only look so inside a fence. */
function headed(lines: readonly string[]): readonly Line[] {
  const found: Line[] = []
  let fence: OpenFence | undefined
  for (const text of lines) {
    const isInside = fence !== undefined
    fence = fenceAfter(text, fence)
    if (isInside || fence !== undefined) {
      found.push({ text })
      continue
    }
    const before = found.at(-1)
    const line = UNDERLINE.exec(text)?.[1]
    const isTitled = before !== undefined && before.level === undefined && TITLE.test(before.text)
    if (line !== undefined && isTitled) {
      found[found.length - 1] = { text: before.text.trim(), level: line === '=' ? 1 : 2 }
      continue
    }
    const heading = HEADING.exec(text)
    found.push(
      heading === null ? { text } : { text: heading[2] ?? '', level: (heading[1] ?? '').length },
    )
  }
  return found
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*$/
const UNDERLINE = /^ {0,3}([=-])\1*[ \t]*$/
/** A line of a paragraph: no list, quote, fence, table or code. */
const TITLE = /^ {0,3}(?![-+*>|`~#]|\d+[.)]\s)\S/

/** A text on one line that begins no list, heading, quote or fence, whatever it begins with. */
export function inline(text: string): string {
  const line = collapseSpaces(text)
  const number = NUMBERED.exec(line)
  if (number !== null) return `${number[1]}\\${line.slice((number[1] ?? '').length)}`
  return BLOCK_START.test(line) ? `\\${line}` : line
}

const NUMBERED = /^(\d{1,9})(?=[.)](?:\s|$))/
const BLOCK_START = /^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|`{3,}|~{3,}|\||([-_*=])\s*(?:\1\s*)*$)/

/** Lines of a text without their list marks. A block that others refer to is both a line and a note. */
export function linesIn(content: string): ReadonlySet<string> {
  return new Set(content.split('\n').map((it) => it.replace(LIST_MARK, '').trim()))
}

export const LIST_MARK = /^\s*(?:[-+*]|\d{1,9}[.)])\s+(?:\[.\]\s+)?/
