import { sha1, sha256 } from '../../platform/hash.ts'
import { normalizeTitlePath } from './normalize.ts'

/** `<doc>:<10 hex>`, stable as long as document, title path and text are. */
export function generateChunkId(doc: string, titlePath: readonly string[], text: string): string {
  return hashed(doc, `${doc}\n${normalizeTitlePath(titlePath)}\n${sha256(text)}`)
}

/**
 * Ids for the chunks of one document, in order. Equal title path and equal text give equal ids by
 * the formula, so a second one gets its ordinal into the hash: ids are unique, always.
 */
export function chunkIds(doc: string): (titlePath: readonly string[], text: string) => string {
  const taken = new Set<string>()
  const lastOrdinal = new Map<string, number>()
  return (titlePath, text) => {
    const plain = generateChunkId(doc, titlePath, text)
    let ordinal = lastOrdinal.get(plain) ?? 1
    let id = plain
    while (taken.has(id)) {
      ordinal += 1
      id = hashed(doc, `${plain}\n${ordinal}`)
    }
    lastOrdinal.set(plain, ordinal)
    taken.add(id)
    return id
  }
}

function hashed(doc: string, seed: string): string {
  return `${doc}:${sha1(seed).slice(0, 10)}`
}
