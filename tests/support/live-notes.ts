/** Readers and crawls of a test server, without real pauses. */

import type { NoteRecord } from '../../src/model/note.ts'
import type { Patience } from '../../src/platform/http-json.ts'
import { openLocalApiSource } from '../../src/sources/notes/live/crawl.ts'
import { type LiveNotesOptions, openLiveNotes } from '../../src/sources/notes/live/reader.ts'
import { PERSONAL_TOKEN } from './tana-server.ts'

export function liveOptions(
  url: string,
  options: Partial<LiveNotesOptions> = {},
): LiveNotesOptions {
  return {
    url,
    token: PERSONAL_TOKEN,
    workspaceIds: ['company'],
    signal: new AbortController().signal,
    ...options,
    patience: { ...AT_ONCE, ...options.patience },
  }
}

const AT_ONCE: Partial<Patience> = { limitMs: 2000, pause: async () => {} }

export function liveNotes(url: string, options: Partial<LiveNotesOptions> = {}) {
  return openLiveNotes(liveOptions(url, options))
}

export async function crawled(url: string, options: Partial<LiveNotesOptions> = {}) {
  const source = openLocalApiSource(liveOptions(url, options))
  const records: NoteRecord[] = []
  for await (const batch of source.batches()) records.push(...batch.records)
  return { records, account: source.account() }
}

/** The error that it ends with. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
