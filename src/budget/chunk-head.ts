/**
 * Where a chunk says what it is: the lines of its signature, and the first paragraph of the comment
 * that documents it. Told by the chunk's title, which is the signature with its white space
 * collapsed, so that no language has to be known here.
 */
import type { ChunkLines, Stretch } from './chunk-lines.ts'

export interface ChunkHead {
  /** In order. Several where neighbours were put together in one chunk. */
  readonly signatures: readonly Stretch[]
  /** The first paragraph of the comment that documents it. */
  readonly doc?: Stretch
  /** All of that comment. */
  readonly comment?: Stretch
  /** Whether there is more in it than the title says. */
  readonly saysMore: boolean
}

const MOST_SIGNATURE_LINES = 12
const MOST_DOC_LINES = 6
/** They have a title of their own making, or one that is their first line. */
const HEADLESS: readonly string[] = ['block', 'imports', 'front-matter']

/** Undefined for statements, for plain text, and for later parts of something long. */
export function chunkHead(lines: ChunkLines): ChunkHead | undefined {
  const { kind } = lines.chunk
  if (HEADLESS.includes(kind) || lines.count === 0) return undefined
  if (kind === 'section') return headingOf(lines)
  const signatures = signaturesOf(lines)
  const [first] = signatures
  const last = signatures.at(-1)
  if (first === undefined || last === undefined) return undefined
  const comment = commentAbove(lines, first.first) ?? docstringBelow(lines, last.last)
  const doc = comment === undefined ? undefined : paragraph(lines, comment)
  const isMore =
    doc !== undefined ||
    squeezedLines(lines, signatures).length > MORE + squeezed(lines.chunk.title).length
  const documented = doc === undefined || comment === undefined ? {} : { doc, comment }
  return { signatures, ...documented, saysMore: isMore }
}

/** A bracket, an arrow, `public` and the like: not worth a showing of its own. */
const MORE = 12

const ATX = /^ {0,3}#{1,6}(?:\s|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/

/** The title of a section is its heading, and no more can be shown of it without its text. */
function headingOf(lines: ChunkLines): ChunkHead | undefined {
  const isUnderlined = lines.count > 1 && UNDERLINE.test(lines.line(2))
  if (!isUnderlined && !ATX.test(lines.line(1))) return undefined
  return { signatures: [{ first: 1, last: isUnderlined ? 2 : 1 }], saysMore: false }
}

/** Each piece of the title is looked for after the one before it. */
function signaturesOf(lines: ChunkLines): readonly Stretch[] {
  const text = squeezed(lines.chunk.text)
  const lineOf = squeezedLineFinder(lines)
  const found: Stretch[] = []
  let from = 0
  for (const piece of lines.chunk.title.split('; ')) {
    const wanted = squeezed(piece.replace(/…$/, ''))
    const at = wanted === '' ? -1 : text.indexOf(wanted, from)
    if (at < 0) continue
    from = at + wanted.length
    const first = lineOf(at)
    const last = Math.min(lineOf(from - 1), first + MOST_SIGNATURE_LINES - 1)
    const before = found.at(-1)
    if (before !== undefined && first <= before.last + 1) {
      found[found.length - 1] = { first: before.first, last: Math.max(last, before.last) }
    } else found.push({ first, last })
  }
  return found
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '')
}

function squeezedLines(lines: ChunkLines, stretches: readonly Stretch[]): string {
  return stretches
    .map(({ first, last }) => squeezed(lines.chunk.text.slice(lines.start(first), lines.end(last))))
    .join('')
}

/**
 * Which line holds a place in the text without white space. Asked for places one after the other,
 * and no line is looked at beyond them: most signatures stand at the beginning.
 */
function squeezedLineFinder(lines: ChunkLines): (offset: number) => number {
  let line = 0
  let end = 0
  return (offset) => {
    while (end <= offset && line < lines.count) {
      line += 1
      end += squeezed(lines.line(line)).length
    }
    return line
  }
}

const LINE_COMMENT = /^\s*(?:\/\/|#(?![[!]|\w)|--|;|%|\*|\/\*|<!--|"""|''')/
const DECORATOR = /^\s*(?:@[\w.]|#\[|\[\[?\w)/

/** The comment above a line; decorators may be between. */
function commentAbove(lines: ChunkLines, line: number): Stretch | undefined {
  let at = line - 1
  while (at >= 1 && DECORATOR.test(lines.line(at))) at -= 1
  const last = at
  while (at >= 1) {
    const text = lines.line(at)
    if (/\*\/\s*$/.test(text)) at = opening(lines, at)
    else if (!LINE_COMMENT.test(text)) break
    at -= 1
  }
  return at === last ? undefined : { first: at + 1, last }
}

/** Where the block comment begins that ends on this line; not each of its lines bears a mark. */
function opening(lines: ChunkLines, last: number): number {
  for (let at = last; at >= 1; at -= 1) if (lines.line(at).includes('/*')) return at
  return last
}

function docstringBelow(lines: ChunkLines, line: number): Stretch | undefined {
  if (line >= lines.count) return undefined
  const quotes = /^\s*[rRuUbBfF]{0,2}("""|''')/.exec(lines.line(line + 1))?.[1]
  if (quotes === undefined) return undefined
  let last = line + 1
  const closes = (at: number): boolean => {
    const text = lines.line(at)
    return at === line + 1
      ? text.indexOf(quotes) !== text.lastIndexOf(quotes)
      : text.includes(quotes)
  }
  while (last < lines.count && !closes(last)) last += 1
  return { first: line + 1, last }
}

function paragraph(lines: ChunkLines, { first, last }: Stretch): Stretch {
  const saysSomething = (at: number): boolean => hasWord(lines.line(at))
  let from = first
  while (from < last && !saysSomething(from)) from += 1
  let to = from
  while (to < last && to - first + 1 < MOST_DOC_LINES && saysSomething(to + 1)) to += 1
  // A line that only closes the comment costs less than the sign that something is missing.
  return { first, last: to === last - 1 ? last : to }
}

/** Letters of all scripts are a large pattern, which few lines need. */
function hasWord(line: string): boolean {
  return /[A-Za-z0-9]/.test(line) || (/[^\0-\x7f]/.test(line) && /[\p{L}\p{N}]/u.test(line))
}
