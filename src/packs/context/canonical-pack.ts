import canonicalize from 'canonicalize'
import type { DocsPack } from '../../model/docs-pack.ts'

/**
 * A pack without what differs between two builds of the same documents, as RFC 8785 JSON: equal
 * strings, equal packs.
 */
export function canonicalDocsPack(pack: DocsPack): string {
  const { created_at: _, ...rest } = pack
  const source_files = pack.source_files.map(({ mtime: _mtime, ...file }) => file)
  return canonicalize({ ...rest, source_files }) ?? ''
}
