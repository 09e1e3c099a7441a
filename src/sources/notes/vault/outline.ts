/**
 * The bullets of an outline program's page. Each is a separate block with the more indented lines
 * below it; its indentation determines its parent:
 *
 *     - TODO Call [[Ann]]
 *       due:: 2025-12-13
 *     	- about the offer
 *
 * The text of the lines is not interpreted here.
 */
import { coversOffset, type Span } from './page-draft.ts'
import { indentColumns, listLines, removeIndent } from './spans.ts'

export interface OutlineBullet {
  /** Index among the bullets; absent at the top. */
  readonly parent?: number
  /** `2.1`: the first one below the second one at the top. */
  readonly ordinal: string
  /** Its lines, without its children. */
  readonly region: Span
  readonly lines: readonly BulletLine[]
}

export interface BulletLine extends Span {
  /** Start of the whole line, including its indentation. */
  readonly lineStart: number
}

export interface Outline {
  readonly bullets: readonly OutlineBullet[]
  /** Text outside of bullets. */
  readonly rest: readonly Span[]
}

interface OpenBullet {
  readonly at: number
  readonly width: number
  readonly ordinal: string
  children: number
}

const MARKER = /-(?:[ \t]+|$)/y

/** `first` is how many bullets the page had at the top before this stretch of it. */
export function parseOutline(
  text: string,
  stretch: Span & { readonly first: number },
  literal: readonly Span[],
): Outline {
  const bullets: (OutlineBullet & {
    readonly lines: BulletLine[]
    readonly region: MutableSpan
  })[] = []
  const rest: Span[] = []
  let open: OpenBullet[] = []
  let tops = stretch.first
  let afterBlank = true
  for (const line of listLines(text, stretch)) {
    const width = indentColumns(text, line)
    const start = removeIndent(text, line, width).start
    const marker = coversOffset(literal, start) ? 0 : markerLength(text, { start, end: line.end })
    if (marker > 0) {
      while ((open.at(-1)?.width ?? -1) >= width) open.pop()
      const parent = open.at(-1)
      const count = parent === undefined ? (tops += 1) : (parent.children += 1)
      const ordinal = parent === undefined ? `${count}` : `${parent.ordinal}.${count}`
      open.push({ at: bullets.length, width, ordinal, children: 0 })
      bullets.push({
        ordinal,
        ...(parent === undefined ? {} : { parent: parent.at }),
        region: { start: line.start, end: line.end },
        lines: [{ start: start + marker, end: line.end, lineStart: line.start }],
      })
    } else {
      const isBlank = start === line.end
      const isOutside = afterBlank && !isBlank && width === 0 && !coversOffset(literal, start)
      if (isOutside) open = []
      const owner = open.at(-1)
      const bullet = owner === undefined ? undefined : bullets[owner.at]
      if (owner === undefined || bullet === undefined) rest.push(line)
      else {
        bullet.lines.push({ ...removeIndent(text, line, owner.width + 2), lineStart: line.start })
        bullet.region.end = line.end
      }
    }
    afterBlank = start === line.end
  }
  return { bullets, rest }
}

interface MutableSpan {
  readonly start: number
  end: number
}

function markerLength(text: string, line: Span): number {
  MARKER.lastIndex = 0
  const shown = text.slice(line.start, line.end)
  return MARKER.exec(shown)?.[0].length ?? 0
}

export interface BulletText {
  readonly name: readonly Span[]
  readonly content: readonly Span[]
  readonly isCode: boolean
}

const FENCE = /^(?:```|~~~)/
const NO_PARAGRAPH = /^(?:```|~~~|>|\||\$\$|#\+|\d+[.)]\s|[*+]\s|---+\s*$)/

/** The first paragraph is the name, however long; the rest is the content. */
export function splitBulletText(text: string, lines: readonly Span[]): BulletText {
  const shown = (it: Span | undefined): string =>
    it === undefined ? '' : text.slice(it.start, it.end).trim()
  const first = lines[0]
  if (first !== undefined && FENCE.test(shown(first))) {
    const name = FENCE.test(shown(lines[1])) ? undefined : lines[1]
    return { name: name === undefined ? [] : [name], content: lines, isCode: true }
  }
  const isBlock = NO_PARAGRAPH.test(shown(first))
  let end = Math.min(1, lines.length)
  if (!isBlock) while (end < lines.length && continuesParagraph(shown(lines[end]))) end += 1
  const marks = /^#{1,6}[ \t]+/.exec(shown(first))?.[0].length ?? 0
  const name = lines.slice(0, end)
  if (first !== undefined && marks > 0) name[0] = { start: first.start + marks, end: first.end }
  return { name, content: lines.slice(end), isCode: false }
}

function continuesParagraph(line: string): boolean {
  return line !== '' && !NO_PARAGRAPH.test(line)
}
