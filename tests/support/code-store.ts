/** Indexes for tests of the store: written, read and dumped in few words. */
import { join } from 'node:path'
import type { CodeIndexMeta, CodeIndexReader } from '../../src/model/code-index.ts'
import type { FileRecord, ResolvedFile } from '../../src/model/index-record.ts'
import { realFiles } from '../../src/platform/files.ts'
import { dumpIndex } from '../../src/store/code/dump.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { DatabaseWriter } from '../../src/store/code/writer.ts'

export const META: CodeIndexMeta = {
  extractorVersion: 'test-1',
  options: '{"languages":"all"}',
  builtAt: '2026-01-02T03:04:05.000Z',
  readAt: '2026-01-02T03:04:05.000Z',
  skipped: [{ path: 'a/link', code: 'link', message: 'a link is not followed' }],
}

export function indexPath(folder: string): string {
  return join(folder, '.dossier', 'index.db')
}

export function writerAt(folder: string): DatabaseWriter {
  return new DatabaseWriter({
    files: realFiles,
    path: indexPath(folder),
    signal: new AbortController().signal,
    onWait: () => undefined,
  })
}

/** Returns the signature. */
export async function buildIndex(
  folder: string,
  files: readonly FileRecord[],
  resolved: readonly ResolvedFile[] = [],
): Promise<string> {
  const writer = writerAt(folder)
  await writer.begin()
  await writer.put(files)
  await writer.putResolved(resolved)
  await writer.setMeta(META)
  const signature = await writer.commit()
  await writer.close()
  return signature
}

export async function reading<T>(
  folder: string,
  question: (reader: CodeIndexReader) => Promise<T>,
): Promise<T> {
  const reader = openCodeIndex(realFiles, indexPath(folder))
  try {
    return await question(reader)
  } finally {
    await reader.close()
  }
}

export async function dumpOf(reader: CodeIndexReader): Promise<string> {
  const lines: string[] = []
  for await (const line of dumpIndex(reader)) lines.push(line)
  return lines.join('')
}

export function dumpAt(folder: string): Promise<string> {
  return reading(folder, dumpOf)
}
