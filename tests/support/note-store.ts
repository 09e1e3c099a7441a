/** Workspaces of notes for tests of the store: written, read and told in few words. */
import { join } from 'node:path'
import { type NoteRecord, RELATION_TYPES } from '../../src/model/note.ts'
import type { ImportCounts, NotesReader, NotesWriter } from '../../src/model/notes-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import type { Waiting } from '../../src/platform/lock.ts'
import { openNotes } from '../../src/store/notes/reader.ts'
import { openNotesWriter } from '../../src/store/notes/writer.ts'

export const ABOUT = { source: 'tana-export', importedAt: 1_700_000_000_000 } as const
export const ALL_TYPES = RELATION_TYPES

export const PATIENT: Waiting = {
  signal: new AbortController().signal,
  onWait: () => undefined,
}

export function notesPath(folder: string): string {
  return join(folder, 'notes', 'main.db')
}

export function writerAt(folder: string): NotesWriter {
  return openNotesWriter(realFiles, notesPath(folder), PATIENT)
}

export async function importInto(
  folder: string,
  records: readonly NoteRecord[],
): Promise<ImportCounts> {
  const writer = writerAt(folder)
  try {
    await writer.begin()
    await writer.put(records)
    return await writer.commit(ABOUT)
  } finally {
    await writer.close()
  }
}

export async function reading<T>(
  folder: string,
  question: (reader: NotesReader) => Promise<T>,
): Promise<T> {
  const reader = openNotes(realFiles, notesPath(folder))
  try {
    return await question(reader)
  } finally {
    await reader.close()
  }
}

export function found(folder: string, text: string, limit = 10): Promise<readonly string[]> {
  return reading(folder, async (it) => (await it.search({ text, limit })).map(({ id }) => id))
}

/** A note with nothing in it but what is said. */
export function note(id: string, said: Partial<NoteRecord> = {}): NoteRecord {
  return {
    id,
    name: id,
    kind: 'note',
    content: '',
    tags: [],
    fields: [],
    children: [],
    references: [],
    ...said,
  }
}

/** Everything that a workspace answers about these ids and texts, as one value. */
export function answersOf(
  folder: string,
  ids: readonly string[],
  texts: readonly string[],
): Promise<unknown> {
  return reading(folder, async (it) => ({
    status: await it.status(),
    notes: await it.notes(ids),
    breadcrumbs: [...(await it.breadcrumbs(ids))],
    around: await it.around(ids, { types: ALL_TYPES, limit: 100, words: [] }),
    few: await it.around(ids, { types: ALL_TYPES, limit: 2, words: texts }),
    hits: await Promise.all(texts.map((text) => it.search({ text, limit: 7 }))),
    vectors: [...(await it.vectors(ids))],
  }))
}
