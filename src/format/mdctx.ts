/** The assembled context: one Markdown text of all parts, in their order, each under its heading. */
import type { PartRole } from '../model/evidence.ts'

export interface MdctxPart {
  readonly role: PartRole
  /** What the heading of a piece of evidence names. */
  readonly title: string
  /** `file://ctx/evidence/100_flow_sh.evidence.md` */
  readonly uri: string
  readonly cid: string
  /** What else is known of it: `span=lines=3:9`. */
  readonly facts: readonly string[]
  /** The text of the part; of evidence without its own heading and comment, which are above it. */
  readonly text: string
}

export function mdctxHead(flowId: string): string {
  return `<!-- mdctx:version=1.0; flow_id=${flowId}; assembly=lexical -->\n`
}

const HEADINGS: Readonly<Record<Exclude<PartRole, 'evidence'>, string>> = {
  system: '# System',
  user: '# User Request',
}

/** `before` is the role of the part before: parts of one role stand under one heading. */
export function mdctxPart(part: MdctxPart, before: PartRole | undefined): string {
  const text = part.text.endsWith('\n') || part.text === '' ? part.text : `${part.text}\n`
  if (part.role !== 'evidence') {
    const heading = part.role === before ? '' : `${HEADINGS[part.role]}\n\n`
    return `\n${heading}${text}`
  }
  const { title, uri, cid, facts } = part
  const comment = [`source_uri=${uri}`, `cid=${cid}`, ...facts].join('; ')
  return `\n## Evidence: ${title}\n<!-- ${comment} -->\n\n${text}`
}
