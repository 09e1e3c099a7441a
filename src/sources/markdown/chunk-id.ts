import { sha1, sha256 } from '../../platform/hash.ts'
import { normalizeTitlePath } from './normalize.ts'

/** `<doc>:<10 hex>`, stable as long as document, title path and text are. */
export function generateChunkId(doc: string, titlePath: readonly string[], text: string): string {
  return formatId(doc, hashInput(doc, titlePath, text))
}

/**
 * Ids for the chunks of one document, in order. Equal title path and equal text give equal ids by
 * the formula, so a second one gets its ordinal into the hash: ids are unique, always.
 */
export function createChunkIdGenerator(
  doc: string,
): (titlePath: readonly string[], text: string) => string {
  const taken = new Set<string>()
  const lastOrdinal = new Map<string, number>()
  return (titlePath, text) => {
    const input = hashInput(doc, titlePath, text)
    let id = formatId(doc, input)
    let ordinal = lastOrdinal.get(input) ?? 1
    while (taken.has(id)) {
      ordinal += 1
      id = formatId(doc, `${input}\n${ordinal}`)
    }
    lastOrdinal.set(input, ordinal)
    taken.add(id)
    return id
  }
}

function hashInput(doc: string, titlePath: readonly string[], text: string): string {
  return `${doc}\n${normalizeTitlePath(titlePath)}\n${sha256(text)}`
}

function formatId(doc: string, input: string): string {
  return `${doc}:${sha1(input).slice(0, 10)}`
}
