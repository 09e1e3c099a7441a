/**
 * The text of an evidence file: a heading, a comment that says where it came from, and the piece in a
 * fence that is longer than any inside it.
 *
 *     ## Evidence: core/flow.sh
 *     <!-- source_uri=file://core/flow.sh; cid=sha256:…; span=lines=100:200; tags=flow,manager -->
 *
 *     ```sh
 *     …
 *     ```
 */
import type { Provenance } from '../model/evidence.ts'
import { parseSpan, spanText } from './span.ts'

export interface EvidenceText {
  /** What the heading names: the path of the source, or what it is called. */
  readonly title: string
  readonly provenance: Provenance
  /** The piece, exactly as it is in the source. */
  readonly body: string
  /** What the fence says of it: `ts`. */
  readonly language: string
}

export function evidenceText({ title, provenance, body, language }: EvidenceText): string {
  const { sourceUri, cid, span, tags } = provenance
  const facts = [
    `source_uri=${sourceUri}`,
    `cid=${cid}`,
    `span=${spanText(span)}`,
    ...(tags.length === 0 ? [] : [`tags=${tags.join(',')}`]),
  ]
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1))
  const end = body.endsWith('\n') || body === '' ? '' : '\n'
  return `## Evidence: ${oneLine(title)}\n<!-- ${facts.join('; ')} -->\n\n${fence}${language}\n${body}${end}${fence}\n`
}

/** Some editors end lines in a carriage return as well. */
const HEADING = /^## Evidence: (.*)\r?$/
const COMMENT = /^<!-- (.*) -->\r?$/

export interface ReadEvidence {
  readonly title: string | undefined
  readonly provenance: Provenance | undefined
  /** Without heading and comment; the fence is still round it. */
  readonly rest: string
  /** What is in the fence, where the rest is one fence and nothing else. */
  readonly body: string | undefined
}

/** What the heading names, without reading further. */
export function evidenceTitle(text: string): string | undefined {
  const end = text.indexOf('\n')
  return HEADING.exec(end < 0 ? text : text.slice(0, end))?.[1]
}

/** A person may have written or changed the file: what is not there is undefined. */
export function readEvidence(text: string): ReadEvidence {
  const lines = text.split('\n')
  const title = HEADING.exec(lines[0] ?? '')?.[1]
  const facts = COMMENT.exec(lines[title === undefined ? 0 : 1] ?? '')?.[1]
  const provenance = facts === undefined ? undefined : provenanceOf(facts)
  const head = (title === undefined ? 0 : 1) + (provenance === undefined ? 0 : 1)
  const rest = lines
    .slice(head)
    .join('\n')
    .replace(/^[\r\n]+/, '')
  return { title, provenance, rest, body: fenced(rest) }
}

export interface RemainingFacts {
  /** `span=lines=3:9`, `tags=bug`, and whatever else somebody has written there. */
  readonly facts: readonly string[]
  /** The text without its comment, or with it where it says more than the heading and the facts. */
  readonly rest: string
}

/**
 * What the comment at the beginning of a text says beyond where it came from, which the heading
 * names. A heading that names something else leaves the comment where it is.
 */
export function factsBeyond(text: string, title: string): RemainingFacts {
  const { title: heading, provenance, rest } = readEvidence(text)
  if (heading !== undefined || provenance === undefined) return { facts: [], rest: text }
  const { sourceUri } = provenance
  const source = fileAddress(sourceUri)?.path ?? unescaped(sourceUri.replace(/^\w+:/, ''))
  if (!title.includes(source)) return { facts: [], rest: text }
  const [, facts = ''] = COMMENT.exec(text.split('\n', 1)[0] ?? '') ?? []
  const beyond = facts.split('; ').filter((it) => !/^(?:source_uri|cid)=/.test(it))
  return { facts: beyond, rest }
}

/** The same file with these tags in its comment, and nothing else changed. */
export function withTags(text: string, tags: readonly string[]): string {
  const lines = text.split('\n')
  const at = HEADING.test(lines[0] ?? '') ? 1 : 0
  const comment = (lines[at] ?? '').replace(/; tags=[^;]*(?=; | -->\r?$)/, '')
  const tagged = comment.replace(/ -->(\r?)$/, `; tags=${tags.join(',')} -->$1`)
  return lines.toSpliced(at, 1, tagged).join('\n')
}

function provenanceOf(facts: string): Provenance | undefined {
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

function fenced(rest: string): string | undefined {
  const match = FENCED.exec(rest)
  if (match === null || match.index !== 0 || match[0].length !== rest.length) return undefined
  return match[2] ?? ''
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** What would end the comment, a fact or the line, and the signs that mean something in an address. */
const UNSAFE = /[%;<>"#\s\p{Cc}]/gu

/** `part` says what of the file it is where lines do not: `symbol=login`. */
export function fileUri(path: string, part?: string): string {
  return `file://${escaped(path)}${part === undefined ? '' : `#${escaped(part)}`}`
}

export function escaped(text: string): string {
  return text.replace(UNSAFE, (it) => encodeURIComponent(it))
}

export interface FileAddress {
  /** From the root, or absolute. */
  readonly path: string
  readonly part: string | undefined
}

/** Undefined for a source that is no file. */
export function fileAddress(uri: string): FileAddress | undefined {
  if (!uri.startsWith('file://')) return undefined
  const [path = '', part] = uri.slice('file://'.length).split('#')
  return { path: unescaped(path), part: part === undefined ? undefined : unescaped(part) }
}

/** A person may have typed it: what cannot be read is taken as it stands. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
