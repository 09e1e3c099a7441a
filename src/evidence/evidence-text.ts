/**
 * The text of an evidence file: a heading, a comment with its provenance, and the excerpt in a
 * fence that is longer than any fence inside it.
 *
 *     ## Evidence: core/flow.sh
 *     <!-- source_uri=file://core/flow.sh; cid=sha256:…; span=lines=100:200; tags=flow,manager -->
 *
 *     ```sh
 *     …
 *     ```
 */
import type { Provenance } from '../model/evidence.ts'
import { formatSpan, parseSpan } from './span.ts'

export interface EvidenceFile {
  /** The title in the heading: the path of the source, or its name. */
  readonly title: string
  readonly provenance: Provenance
  /** The excerpt, byte for byte as in the source. */
  readonly body: string
  /** The info string of the fence: `ts`. */
  readonly language: string
}

export function renderEvidence({ title, provenance, body, language }: EvidenceFile): string {
  const { sourceUri, cid, span, tags } = provenance
  const facts = [
    `source_uri=${sourceUri}`,
    `cid=${cid}`,
    `span=${formatSpan(span)}`,
    ...(tags.length === 0 ? [] : [`tags=${tags.join(',')}`]),
  ]
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(body) + 1))
  const end = body.endsWith('\n') || body === '' ? '' : '\n'
  return `## Evidence: ${collapseWhitespace(title)}\n<!-- ${facts.join('; ')} -->\n\n${fence}${language}\n${body}${end}${fence}\n`
}

/** Some editors end lines with CRLF. */
const HEADING = /^## Evidence: (.*)\r?$/
const COMMENT = /^<!-- (.*) -->\r?$/

export interface ParsedEvidence {
  readonly title: string | undefined
  readonly provenance: Provenance | undefined
  /** The text after heading and comment, including its fence. */
  readonly rest: string
  /** The content of the fence, if the rest is exactly one fenced block. */
  readonly body: string | undefined
}

/** Reads only the first line. */
export function readEvidenceTitle(text: string): string | undefined {
  const end = text.indexOf('\n')
  return HEADING.exec(end < 0 ? text : text.slice(0, end))?.[1]
}

/** People may write or edit these files by hand, so every missing part is undefined. */
export function parseEvidence(text: string): ParsedEvidence {
  const lines = text.split('\n')
  const title = HEADING.exec(lines[0] ?? '')?.[1]
  const facts = COMMENT.exec(lines[title === undefined ? 0 : 1] ?? '')?.[1]
  const provenance = facts === undefined ? undefined : parseProvenance(facts)
  const head = (title === undefined ? 0 : 1) + (provenance === undefined ? 0 : 1)
  const rest = lines
    .slice(head)
    .join('\n')
    .replace(/^[\r\n]+/, '')
  return { title, provenance, rest, body: extractFencedBody(rest) }
}

export interface ExtraFacts {
  /** `span=lines=3:9`, `tags=bug`, and any other fact found in the comment. */
  readonly facts: readonly string[]
  /**
   * The text without its comment; the whole text if the comment names another source than the
   * title.
   */
  readonly rest: string
}

/**
 * The facts of the leading comment that the title does not already state. The comment is left in
 * place if the title names another source.
 */
export function extractExtraFacts(text: string, title: string): ExtraFacts {
  const { title: heading, provenance, rest } = parseEvidence(text)
  if (heading !== undefined || provenance === undefined) return { facts: [], rest: text }
  const { sourceUri } = provenance
  const source = parseFileUri(sourceUri)?.path ?? unescapeUriPart(sourceUri.replace(/^\w+:/, ''))
  if (!title.includes(source)) return { facts: [], rest: text }
  const [, facts = ''] = COMMENT.exec(text.split('\n', 1)[0] ?? '') ?? []
  const beyond = facts.split('; ').filter((it) => !/^(?:source_uri|cid)=/.test(it))
  return { facts: beyond, rest }
}

/** Replaces the tags in the comment and changes nothing else. */
export function replaceTags(text: string, tags: readonly string[]): string {
  const lines = text.split('\n')
  const at = HEADING.test(lines[0] ?? '') ? 1 : 0
  const comment = (lines[at] ?? '').replace(/; tags=[^;]*(?=; | -->\r?$)/, '')
  const tagged = comment.replace(/ -->(\r?)$/, `; tags=${tags.join(',')} -->$1`)
  return lines.toSpliced(at, 1, tagged).join('\n')
}

function parseProvenance(facts: string): Provenance | undefined {
  const values = new Map(
    facts.split('; ').map((it) => {
      const at = it.indexOf('=')
      return [it.slice(0, at), it.slice(at + 1)] as const
    }),
  )
  const sourceUri = values.get('source_uri')
  const cid = values.get('cid')
  if (sourceUri === undefined || cid === undefined) return undefined
  const tags =
    values
      .get('tags')
      ?.split(',')
      .filter((it) => it !== '') ?? []
  return { sourceUri, cid, span: parseSpan(values.get('span') ?? 'full') ?? { unit: 'full' }, tags }
}

const FENCED = /^(`{3,})[^`\n]*\n([\s\S]*?)^\1`*[ \t]*[\r\n]*$/m

function extractFencedBody(rest: string): string | undefined {
  const match = FENCED.exec(rest)
  if (match === null || match.index !== 0 || match[0].length !== rest.length) return undefined
  return match[2] ?? ''
}

function longestBacktickRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** Characters that would end the comment, a fact or the line, or that have a meaning in a URI. */
const UNSAFE = /[%;<>"#\s\p{Cc}]/gu

/** `part` becomes the fragment, for excerpts that are not a range of lines: `symbol=login`. */
export function formatFileUri(path: string, part?: string): string {
  return `file://${escapeUriPart(path)}${part === undefined ? '' : `#${escapeUriPart(part)}`}`
}

export function escapeUriPart(text: string): string {
  return text.replace(UNSAFE, (it) => encodeURIComponent(it))
}

export interface FileUri {
  /** From the root, or absolute. */
  readonly path: string
  readonly part: string | undefined
}

/** Undefined if the URI does not name a file. */
export function parseFileUri(uri: string): FileUri | undefined {
  if (!uri.startsWith('file://')) return undefined
  const [path = '', part] = uri.slice('file://'.length).split('#')
  return {
    path: unescapeUriPart(path),
    part: part === undefined ? undefined : unescapeUriPart(part),
  }
}

/** People may have typed it: text that cannot be decoded is returned unchanged. */
export function unescapeUriPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
