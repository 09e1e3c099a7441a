/** Vaults for tests: read whole, and printed so that a page can be compared at a glance. */

import type { NoteRecord } from '../../src/model/note.ts'
import type { SourceAccount } from '../../src/model/notes-index.ts'
import { type Files, realFiles } from '../../src/platform/files.ts'
import { openVault } from '../../src/sources/notes/vault/vault.ts'
import { project, temporaryFolder, writeFile } from './project.ts'

export interface ReadVault {
  /** In the order in which they were given. */
  readonly records: readonly NoteRecord[]
  readonly account: SourceAccount
  /** What the batches say was read, and what the source had said there is. */
  readonly read: number
  readonly size: number
  note(id: string): NoteRecord
}

/** A vault in a string, as `project` has it. */
export function vault(text: string): Promise<ReadVault> {
  return vaultOf([...project(text)])
}

export function vaultOf(
  files: Iterable<readonly [string, string | Uint8Array]>,
  folder = temporaryFolder(),
): Promise<ReadVault> {
  for (const [path, content] of files) writeFile(folder, path, content)
  return readVault(folder)
}

export async function readVault(folder: string, files: Files = realFiles): Promise<ReadVault> {
  const source = openVault(files, folder)
  const records: NoteRecord[] = []
  let read = 0
  for await (const batch of source.batches()) {
    records.push(...batch.records)
    read += batch.read
  }
  const byId = new Map(records.map((it) => [it.id, it]))
  return {
    records,
    account: source.account(),
    read,
    size: source.size,
    note: (id) => {
      const note = byId.get(id)
      if (note === undefined) throw new Error(`no ${id} among ${[...byId.keys()].join(' | ')}`)
      return note
    },
  }
}

/** `kind id "name"` of every note, set in below its parent, children in their order. */
export function outline(read: ReadVault): string {
  const lines: string[] = []
  const print = (id: string, depth: number): void => {
    const note = read.note(id)
    lines.push(`${'  '.repeat(depth)}${note.kind} ${note.id} "${note.name}"`)
    for (const child of note.children) print(child, depth + 1)
  }
  for (const it of read.records) if (it.parent === undefined) print(it.id, 0)
  return lines.join('\n')
}
