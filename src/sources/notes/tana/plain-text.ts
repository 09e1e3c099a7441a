/**
 * Extracts plain text from Tana's HTML: references and dates become their visible text, links
 * become Markdown, styling is removed. One linear pass over the text.
 */
import { collapseSpaces } from '../../../base/text.ts'

/** The name of a node; undefined if it is unknown. */
export type ReferenceWords = (id: string) => string | undefined

/** On one line. */
export function extractPlainText(html: string, words: ReferenceWords): string {
  const text = html.includes('<') ? extractPlainLines(html, words) : unescapeEntities(html)
  // Most names need no change, and a search is cheaper than a copy.
  return EXTRA_SPACE.test(text) ? collapseSpaces(text) : text
}

const EXTRA_SPACE = /^\s|\s$|\s\s|[^\S ]/

/** With its line breaks, for code. */
export function extractPlainLines(html: string, words: ReferenceWords): string {
  const parts: string[] = []
  const links: { readonly href: string; readonly from: number }[] = []
  let at = 0
  // Each is looked for once, however many brackets there are before it.
  let close = -1
  let spanEnd = 0
  for (;;) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    if (close < open) close = html.indexOf('>', open)
    if (close < 0) break
    if (open > at) parts.push(unescapeEntities(html.slice(at, open)))
    const tag = html.slice(open + 1, close)
    const name = TAG_NAME.exec(tag)?.[0]?.toLowerCase()
    at = close + 1
    if (name === undefined || tag.length > MAX_TAG_LENGTH || !isKnownTag(name)) {
      parts.push('<')
      at = open + 1
    } else if (name === 'span' && tag.includes(REFERENCE)) {
      if (spanEnd >= 0 && spanEnd < at) spanEnd = html.indexOf(SPAN_END, at)
      const body = spanEnd < 0 ? '' : html.slice(at, spanEnd)
      parts.push(renderInlineTag(tag, words) ?? unescapeEntities(body))
      if (spanEnd >= 0) at = spanEnd + SPAN_END.length
    } else if (name === 'a') {
      links.push({ href: unescapeEntities(HREF.exec(tag)?.[1] ?? ''), from: parts.length })
    } else if (name === '/a') {
      const link = links.pop()
      if (link !== undefined) parts.push(formatLink(parts.splice(link.from).join(''), link.href))
    } else if (BREAKS.has(name)) parts.push('\n')
  }
  parts.push(unescapeEntities(html.slice(at)))
  return parts.join('')
}

/** The ids of all inline references, in their order. */
export function extractReferences(html: string): readonly string[] {
  if (!html.includes(NODE_REFERENCE)) return []
  return [...html.matchAll(NODE_IDS)].map((match) => match[1] ?? '')
}

/** `2025-12-13`, `2025-W50`, `2025-12-13 09:30`, or two of them with a dash. */
export function formatDate(dateTime: string): string {
  return dateTime
    .split('/')
    .map((part) => part.replace(/T(\d{2}:\d{2})(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/, ' $1'))
    .join(' – ')
}

/** With a date and its time zone it has two hundred characters. */
const MAX_TAG_LENGTH = 4096
const TAG_NAME = /^\/?[a-z][a-z0-9]*/i
const KNOWN_TAGS: ReadonlySet<string> = new Set(
  'a b br code del div em font i li mark ol p pre s span strike strong sub sup u ul'.split(' '),
)
const BREAKS: ReadonlySet<string> = new Set(['br', '/p', '/div', '/li'])
const REFERENCE = 'data-inlineref-'
const NODE_REFERENCE = 'data-inlineref-node'
const NODE_IDS = /data-inlineref-node="([^"]*)"/g
const NODE_ID = /data-inlineref-node="([^"]*)"/
const DATE = /data-inlineref-date="([^"]*)"/
const HREF = /href="([^"]*)"/i
const SPAN_END = '</span>'

function isKnownTag(name: string): boolean {
  return KNOWN_TAGS.has(name.startsWith('/') ? name.slice(1) : name)
}

function renderInlineTag(tag: string, words: ReferenceWords): string | undefined {
  const id = NODE_ID.exec(tag)?.[1]
  if (id !== undefined) return words(unescapeEntities(id))
  const date = DATE.exec(tag)?.[1]
  return date === undefined ? undefined : parseDate(unescapeEntities(date))
}

function parseDate(json: string): string | undefined {
  try {
    const date: unknown = JSON.parse(json)
    if (typeof date !== 'object' || date === null || !('dateTimeString' in date)) return undefined
    const { dateTimeString } = date
    return typeof dateTimeString === 'string' ? formatDate(dateTimeString) : undefined
  } catch {
    return undefined
  }
}

function formatLink(text: string, href: string): string {
  if (href === '' || text === href) return text
  return text.trim() === '' ? href : `[${text}](${href})`
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function unescapeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? all
    const isHex = name[1] === 'x' || name[1] === 'X'
    const code = isHex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
    return isCharacter ? String.fromCodePoint(code) : all
  })
}
