/**
 * A folder of Markdown notes as a source: Obsidian's vaults, Logseq's graphs, and plain folders.
 * Pages are read once, all of them, because no link can be told from a broken one before; then
 * they are given as records. Trouble with a file is a diagnostic, and the rest is read.
 */
import { join } from 'node:path'
import { ascending, inOrder } from '../../../base/order.ts'
import { lastPart } from '../../../base/paths.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { NoteBatch, NotesSource, SourceAccount } from '../../../model/notes-index.ts'
import type { Files } from '../../../platform/files.ts'
import { decodeDocument, MOST_BYTES } from '../../markdown/documents.ts'
import type { PageDraft, PageFile } from './draft.ts'
import { readPage } from './page.ts'
import { placesOf } from './places.ts'
import { type LinkTally, pageRecords } from './records.ts'
import { linkResolver } from './resolve-links.ts'
import { unresolvedDiagnostics } from './unresolved.ts'
import { type FoundVault, findVaultFiles } from './vault-files.ts'

/** How many pages are read or given at a time. */
const BATCH = 200

export function openVault(files: Files, folder: string): NotesSource {
  const found = findVaultFiles(files, folder)
  const state: Reading = {
    files,
    folder,
    found,
    diagnostics: [...found.diagnostics],
    tally: { inlineReferences: 0, unresolved: [] },
  }
  return {
    kind: 'vault',
    size: found.pages.reduce((sum, it) => sum + it.size, 0),
    batches: () => batches(state),
    account: () => account(state),
  }
}

interface Reading {
  readonly files: Files
  readonly folder: string
  readonly found: FoundVault
  readonly diagnostics: Diagnostic[]
  readonly tally: LinkTally
  names?: readonly string[]
}

async function* batches(state: Reading): AsyncGenerator<NoteBatch> {
  const { found, tally } = state
  const pages: PageDraft[] = []
  for (const some of inBatches(found.pages)) {
    for (const file of some) {
      const page = readFile(state, file)
      if (page !== undefined) pages.push(page)
    }
    yield { records: [], read: some.reduce((sum, it) => sum + it.size, 0) }
  }
  const places = placesOf(pages)
  const folders = found.folders
  const resolve = linkResolver({
    pages,
    folders,
    others: found.others,
    wordsFirst: found.isDendron,
  })
  yield { records: places.folders, read: 0 }
  for (const some of inBatches(pages)) {
    yield { records: some.flatMap((it) => pageRecords(it, { ...places, resolve, tally })), read: 0 }
  }
  state.names = pages.flatMap((it) => [lastPart(it.file.id), ...it.calledAs])
}

function inBatches<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / BATCH)
  return Array.from({ length: count }, (_, at) => items.slice(at * BATCH, (at + 1) * BATCH))
}

function readFile(state: Reading, file: PageFile): PageDraft | undefined {
  const { diagnostics } = state
  const { path } = file
  if (file.size > MOST_BYTES) {
    diagnostics.push({ code: 'too-large', path, message: 'is larger than 64 MiB; left out' })
    return undefined
  }
  let bytes: Uint8Array
  try {
    bytes = state.files.read(join(state.folder, path))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    diagnostics.push({ code: 'unreadable', path, message })
    return undefined
  }
  const decoded = decodeDocument(bytes)
  if (!('text' in decoded)) {
    diagnostics.push({ ...decoded, path })
    return undefined
  }
  const { page, problems } = readPage(file, decoded.text)
  for (const it of decoded.diagnostics) diagnostics.push({ ...it, path })
  for (const message of problems) diagnostics.push({ code: 'unparsable', path, message })
  return page
}

function account(state: Reading): SourceAccount {
  const { found, tally } = state
  const sorted = state.diagnostics.toSorted(
    inOrder(
      ascending((it) => it.path),
      ascending((it) => it.code),
      ascending((it) => it.message),
    ),
  )
  return {
    seen: found.pages.length,
    trashed: 0,
    inlineReferences: tally.inlineReferences,
    correctedParents: 0,
    unresolved: tally.unresolved.length,
    diagnostics: [...sorted, ...unresolvedDiagnostics(tally.unresolved, state.names ?? [])],
  }
}
