/**
 * Finds links, block references, tags and hidden markup in a text. The Markdown parser locates code
 * and HTML, where nothing counts as a mark.
 */
import { ascending } from '../../../base/order.ts'
import { type Block, endOffset, startOffset } from '../../markdown/blocks.ts'
import { coversOffset, type LinkTarget, type Span } from './page-draft.ts'

export interface PageMarks {
  /** All of these are in the order of the text. */
  readonly links: readonly FoundLink[]
  readonly tags: readonly FoundTag[]
  /** Code, HTML and comments. */
  readonly literal: readonly Span[]
  /** Emphasis markup and URLs of links: not part of a name. */
  readonly hiddenInNames: readonly Span[]
}

export interface FoundLink extends Span {
  readonly target: LinkTarget
  /** The display text, if the link has one. */
  readonly words?: string
}

export interface FoundTag extends Span {
  readonly name: string
}

export function findMarks(body: string, blocks: readonly Block[]): PageMarks {
  const seen = collectParserMarks(blocks)
  const literal = findComments(body, seen.literal)
  const links: FoundLink[] = seen.links.filter((it) => !coversOffset(literal, it.start))
  const tags: FoundTag[] = []
  if (/\[\[|#|\(\(/.test(body)) scanMarks(body, literal, { links, tags })
  return {
    links: links.toSorted(ascending((it) => it.start)),
    tags,
    literal,
    hiddenInNames: seen.hiddenInNames.toSorted(ascending((it) => it.start)),
  }
}

interface ParserMarks {
  readonly literal: Span[]
  readonly links: FoundLink[]
  readonly hiddenInNames: Span[]
}

const LITERAL: ReadonlySet<string> = new Set(['code', 'inlineCode', 'html'])
const EMPHASIS: ReadonlySet<string> = new Set(['emphasis', 'strong'])

function collectParserMarks(blocks: readonly Block[]): ParserMarks {
  const marks: ParserMarks = { literal: [], links: [], hiddenInNames: [] }
  const definitions = new Map<string, string>()
  const references: Block[] = []
  // An explicit stack: quotes and lists may be nested deeper than the call stack allows.
  const open = [...blocks]
  for (let it = open.pop(); it !== undefined; it = open.pop()) {
    if (LITERAL.has(it.type)) marks.literal.push(toSpan(it))
    else if (EMPHASIS.has(it.type)) marks.hiddenInNames.push(...findMarkup(it))
    else if (it.type === 'link') addLink(marks, it, readUrl(it))
    else if (it.type === 'linkReference') references.push(it)
    else if (it.type === 'definition') definitions.set(readIdentifier(it), readUrl(it))
    for (const child of it.children ?? []) open.push(child)
  }
  for (const it of references) {
    const url = definitions.get(readIdentifier(it))
    if (url !== undefined) addLink(marks, it, url)
  }
  return marks
}

function addLink(marks: ParserMarks, node: Block, url: string): void {
  const frame = findMarkup(node)
  marks.hiddenInNames.push(...frame)
  // `[words]([[Page]])` is left to the scanner, which knows both kinds of brackets.
  if (isInternal(url))
    marks.links.push({ ...toSpan(node), target: { form: 'markdown', url, frame } })
}

/** Without scheme, host and query the URL can only point to another file of the vault. */
export function isInternal(url: string): boolean {
  return url !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|\[\[|\(\(|\?)/i.test(url)
}

/** The nodes of the parser have more properties than the type of the chunker declares. */
function readUrl(node: Block): string {
  return 'url' in node ? String(node.url) : ''
}

function readIdentifier(node: Block): string {
  return 'identifier' in node ? String(node.identifier) : ''
}

function toSpan(node: Block): Span {
  return { start: startOffset(node), end: endOffset(node) }
}

/** The markup before and after the text of a link or emphasis. */
function findMarkup(node: Block): readonly Span[] {
  const first = node.children?.[0]
  const last = node.children?.at(-1)
  if (first === undefined || last === undefined) return []
  return [
    { start: startOffset(node), end: startOffset(first) },
    { start: endOffset(last), end: endOffset(node) },
  ]
}

/** `%% … %%` is a comment, over as many lines as it likes, unless it is code. */
function findComments(body: string, code: readonly Span[]): readonly Span[] {
  const sorted = mergeSpans(code)
  if (!body.includes('%%')) return sorted
  const comments: Span[] = []
  let start = -1
  for (let at = body.indexOf('%%'); at >= 0; at = body.indexOf('%%', at + 2)) {
    if (coversOffset(sorted, at)) continue
    if (start >= 0) comments.push({ start, end: at + 2 })
    start = start >= 0 ? -1 : at
  }
  return mergeSpans([...sorted, ...comments])
}

/** Sorted and disjoint. */
function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const it of spans.toSorted(ascending((span) => span.start))) {
    const last = result.at(-1)
    if (last === undefined || it.start >= last.end) result.push(it)
    else if (it.end > last.end) result[result.length - 1] = { start: last.start, end: it.end }
  }
  return result
}

export const UUID = String.raw`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`
/** Nothing that ends a word. */
const IN_TAG = String.raw`[^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^\x60{|}~[\]\\\s]`

/**
 *     ![[Page#Part|words]]   ((uuid))   #tag
 *
 * A tag starts a word, so that a `#` inside a URL or word is not taken for one.
 */
const MARK = new RegExp(
  String.raw`(!?)\[\[([^[\]\n]+)\]\]|\(\((${UUID})\)\)|(?<=^|\s)#(${IN_TAG}+)`,
  'gm',
)

interface ScannedMarks {
  readonly links: FoundLink[]
  readonly tags: FoundTag[]
}

function scanMarks(body: string, literal: readonly Span[], found: ScannedMarks): void {
  for (const match of body.matchAll(MARK)) {
    const span = { start: match.index, end: match.index + match[0].length }
    if (coversOffset(literal, span.start) || body[span.start - 1] === '\\') continue
    const [, embed, wiki, uuid, tag] = match
    if (tag !== undefined) addTag(found, { ...span, name: tag })
    else if (wiki !== undefined && isTagStart(body, span.start - 1)) {
      addTag(found, { start: span.start - 1, end: span.end, name: wiki })
      found.links.push({ ...span, target: { form: 'tag', text: wiki } })
    } else if (wiki !== undefined)
      found.links.push(
        createFramedLink(body, span, { form: 'wiki', text: wiki, isEmbed: embed === '!' }),
      )
    else if (uuid !== undefined)
      found.links.push(createFramedLink(body, span, { form: 'block', uuid }))
  }
}

/** Longer text is not taken for a tag. */
const MAX_TAG_LENGTH = 200

function addTag(found: ScannedMarks, tag: FoundTag): void {
  if (tag.name.length > MAX_TAG_LENGTH) return
  const name = tag.name.replace(/^\/+|\/+$/g, '').trim()
  if (!/^\d*$/.test(name)) found.tags.push({ ...tag, name })
}

function isTagStart(body: string, at: number): boolean {
  return body[at] === '#' && (at === 0 || /\s/.test(body[at - 1] ?? ''))
}

const MACRO = '{{embed '

/** A link of Logseq's may stand in a macro, or in the place of an address: `[words]([[Page]])`. */
function createFramedLink(body: string, span: Span, target: LinkTarget): FoundLink {
  const { start, end } = span
  if (body.startsWith(MACRO, start - MACRO.length) && body.startsWith('}}', end))
    return { start: start - MACRO.length, end: end + 2, target }
  if (!body.startsWith('](', start - 2) || body[end] !== ')') return { ...span, target }
  const opening = body.lastIndexOf('[', start - 3)
  const words = body.slice(opening + 1, start - 2)
  if (opening < 0 || words.includes('\n')) return { ...span, target }
  return { start: opening, end: end + 1, target, words }
}
