/** Workspaces of notes as the program has them: read from an export, kept in the real store. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { NoteRecord } from '../../src/model/note.ts'
import type { NotesReader } from '../../src/model/notes-index.ts'
import { assembleContext, type ContextRequest } from '../../src/packs/notes/context-document.ts'
import { type AssembledContext } from '../../src/packs/notes/context-document-fit.ts'
import { findLens } from '../../src/packs/notes/lenses.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openTanaExport } from '../../src/sources/notes/tana/export-source.ts'
import { openNotes } from '../../src/store/notes/reader.ts'
import { importInto, notesPath } from './note-store.ts'
import { temporaryFolder } from './project.ts'
import { COMPANY_NOW } from './tana-company.ts'
import { writeTanaWorkspace } from './tana-workspace.ts'
import { quietWorld } from './world.ts'

/** The small company, imported. Closed when the test ends. */
export async function companyNotes(): Promise<NotesReader> {
  const folder = temporaryFolder()
  return keptIn(folder, await recordsIn(writeTanaWorkspace(folder)))
}

export async function exportedNotes(json: string): Promise<NotesReader> {
  const folder = temporaryFolder()
  const path = join(folder, 'export.json')
  writeFileSync(path, json)
  return keptIn(folder, await recordsIn(path))
}

export async function storedNotes(records: readonly NoteRecord[]): Promise<NotesReader> {
  return keptIn(temporaryFolder(), records)
}

export async function companyRecords(): Promise<readonly NoteRecord[]> {
  return recordsIn(writeTanaWorkspace(temporaryFolder()))
}

async function recordsIn(path: string): Promise<readonly NoteRecord[]> {
  const records: NoteRecord[] = []
  for await (const batch of openTanaExport(path).batches()) records.push(...batch.records)
  return records
}

async function keptIn(folder: string, records: readonly NoteRecord[]): Promise<NotesReader> {
  await importInto(folder, records)
  const reader = openNotes(realFiles, notesPath(folder))
  onTestFinished(() => reader.close())
  return reader
}

export type ContextWish = Partial<Omit<ContextRequest, 'lens' | 'queries'>> & {
  readonly lens?: string | ContextRequest['lens']
  readonly queries?: ContextRequest['queries']
}

/** A document about this, in the way that most tests want it. */
export function contextOf(
  reader: NotesReader,
  query: string,
  wish: ContextWish = {},
): Promise<AssembledContext> {
  const { lens = 'general' } = wish
  return assembleContext(quietWorld('.'), reader, {
    queries: [{ text: query, weight: 1 }],
    workspace: 'main',
    depth: 2,
    maxTokens: 4000,
    includeFields: true,
    format: 'markdown',
    now: COMPANY_NOW,
    ...wish,
    lens: typeof lens === 'string' ? findLens(lens) : lens,
  })
}
