/** The lookup of an index whose writer shares it with other threads while it goes on writing. */
import type { IndexLookup } from '../../model/code-index.ts'
import type { Files } from '../../platform/files.ts'
import { openConnection } from './connection.ts'
import { DatabaseLookup } from './lookup.ts'

export function openLookup(files: Files, path: string): IndexLookup & { close(): void } {
  const connection = openConnection(files, path, 'read')
  // Mapped, the whole index would count as memory of ours, and nothing is found sooner for it.
  connection.exec('PRAGMA cache_size = -16384')
  const lookup = new DatabaseLookup(connection, {
    dependents: () => {
      throw new Error('dependents are known to the writer alone')
    },
    beforeNames: () => undefined,
  })
  return Object.assign(lookup, { close: () => connection.close() })
}
