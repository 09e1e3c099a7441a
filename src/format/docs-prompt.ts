/** The block of a system prompt that tells a model what documentation it can ask for. */
import { counted } from '../base/text.ts'
import type { DigestEntry, IndexEntry } from '../model/docs-pack.ts'
import { titleLine } from './chunk-block.ts'

export interface PromptContent {
  readonly segment: string
  readonly digest: readonly DigestEntry[]
  readonly digestLeftOut: number
  readonly index: readonly IndexEntry[]
  readonly indexLeftOut: number
  readonly howToFetch: string
}

export function promptBlock(content: PromptContent): string {
  const parts = [`# Documentation: ${content.segment}\n`]
  if (content.digest.length > 0) {
    parts.push('## Digest', ...content.digest.map((entry) => `- ${entry.doc}: ${entry.summary}`))
    if (content.digestLeftOut > 0)
      parts.push(`- … and ${counted(content.digestLeftOut, 'more document')}`)
    parts.push('')
  }
  parts.push('## Index', ...indexLines(content.index))
  if (content.indexLeftOut > 0) {
    parts.push(`… and ${counted(content.indexLeftOut, 'more section')}, to be found by searching`)
  }
  parts.push('', content.howToFetch, '')
  return parts.join('\n')
}

/** Grouped by document: the path is said once, and each line holds only what is new. */
function indexLines(entries: readonly IndexEntry[]): readonly string[] {
  const lines: string[] = []
  let doc: string | undefined
  for (const entry of entries) {
    if (entry.doc !== doc) lines.push(`${entry.source_path}`)
    doc = entry.doc
    lines.push(`- [${entry.id}] ${titleLine(entry)} (~${entry.token_est} tokens)`)
  }
  return lines
}
