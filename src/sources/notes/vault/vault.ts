/**
 * A folder of Markdown notes as a source: Obsidian's vaults, Logseq's graphs, and plain folders.
 * All pages are read first, because links can only be resolved when all pages are known; then they
 * are converted to records. An unreadable file becomes a diagnostic.
 */
import { join } from 'node:path'
import { ascending, inOrder } from '../../../base/order.ts'
import { lastPart } from '../../../base/paths.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { NoteBatch, NotesSource, SourceAccount } from '../../../model/notes-index.ts'
import type { Files } from '../../../platform/files.ts'
import { decodeDocument, MAX_BYTES } from '../../markdown/documents.ts'
import { readPage } from './page.ts'
import type { PageDraft, PageFile } from './page-draft.ts'
import { findPageParents } from './page-parents.ts'
import { buildPageRecords, type LinkTally } from './records.ts'
import { createLinkResolver } from './resolve-links.ts'
import { createUnresolvedDiagnostics } from './unresolved.ts'
import { type FoundVault, findVaultFiles } from './vault-files.ts'

/** How many pages are read or given at a time. */
const BATCH_SIZE = 200

export function openVault(files: Files, folder: string): NotesSource {
  const found = findVaultFiles(files, folder)
  const state: VaultReading = {
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
    account: () => summarizeImport(state),
  }
}

interface VaultReading {
  readonly files: Files
  readonly folder: string
  readonly found: FoundVault
  readonly diagnostics: Diagnostic[]
  readonly tally: LinkTally
  names?: readonly string[]
}

async function* batches(state: VaultReading): AsyncGenerator<NoteBatch> {
  const { found, tally } = state
  const pages: PageDraft[] = []
  for (const some of splitIntoBatches(found.pages)) {
    for (const file of some) {
      const page = readFile(state, file)
      if (page !== undefined) pages.push(page)
    }
    yield { records: [], read: some.reduce((sum, it) => sum + it.size, 0) }
  }
  const places = findPageParents(pages)
  const folders = found.folders
  const resolve = createLinkResolver({
    pages,
    folders,
    others: found.others,
    hasTextFirst: found.isDendron,
  })
  yield { records: places.folders, read: 0 }
  for (const some of splitIntoBatches(pages)) {
    yield {
      records: some.flatMap((it) => buildPageRecords(it, { ...places, resolve, tally })),
      read: 0,
    }
  }
  state.names = pages.flatMap((it) => [lastPart(it.file.id), ...it.otherNames])
}

function splitIntoBatches<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / BATCH_SIZE)
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  )
}

function readFile(state: VaultReading, file: PageFile): PageDraft | undefined {
  const { diagnostics } = state
  const { path } = file
  if (file.size > MAX_BYTES) {
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

function summarizeImport(state: VaultReading): SourceAccount {
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
    diagnostics: [...sorted, ...createUnresolvedDiagnostics(tally.unresolved, state.names ?? [])],
  }
}
