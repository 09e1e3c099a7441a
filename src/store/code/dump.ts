/**
 * All that an index says, as text: without numbers of the store's own and without times, in the
 * order of what it says. Two indexes that say the same give the same lines, whatever their store
 * and however they came about.
 */
import { ascending, inOrder } from '../../base/order.ts'
import type { CodeIndexReader, StoredFile } from '../../model/code-index.ts'
import { WORD_FIELDS } from '../../model/index-record.ts'
import { sha256 } from '../../platform/hash.ts'

const FILES_AT_ONCE = 64
const KEYS_AT_ONCE = 1024

export async function* dumpIndex(reader: CodeIndexReader): AsyncGenerator<string> {
  const status = await reader.status()
  yield line('index', [status.signature, status.extractorVersion, status.options])
  for (const it of status.skipped) yield line('skipped', [it.path, it.code, it.message])
  const paths = (await reader.files()).map((it) => it.path)
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const files = await reader.storedFiles(paths.slice(at, at + FILES_AT_ONCE))
    for (const file of files) yield* dumpFile(file)
  }
  yield* dumpAskers(reader)
  yield* dumpWords(reader)
}

function* dumpFile(file: StoredFile): Generator<string> {
  const { path } = file
  yield line('file', [path, file.sha256, file.size, file.language, file.lines, file.surface])
  yield line('facts', [path, sha256(file.facts)])
  for (const it of file.diagnostics) yield line('diagnostic', [path, it.code, it.message])
  for (const it of file.chunks) {
    const { uid, kind, name, title, start, end, startLine, endLine, tokens, symbol, text } = it
    const place = [start, end, startLine, endLine, tokens]
    yield line('chunk', [path, ...place, uid, kind, name, title, symbol, text])
  }
  for (const it of file.symbols) {
    const { start, end, id, name, kind, definition, isExported } = it
    yield line('symbol', [path, start, end, id, name, kind, definition, isExported])
  }
  for (const it of file.provides) yield line('provides', [path, it.name, it.definition])
  for (const it of file.edges) {
    const { start, end, kind, from, to, evidence, confidence } = it
    yield line('edge', [path, start, end, kind, from, to, evidence, confidence])
  }
  for (const it of file.unresolved) {
    const { start, end, kind, from, name, candidates, confidence } = it
    yield line('unresolved', [path, start, end, kind, from, name, candidates, confidence])
  }
}

async function* dumpAskers(reader: CodeIndexReader): AsyncGenerator<string> {
  const found: string[] = []
  for (let after = ''; ; ) {
    const page = await reader.dependentsByKey(after, KEYS_AT_ONCE)
    for (const it of page) {
      if (it.paths.length > 0) found.push(line('asked', [it.key, ...it.paths]))
    }
    if (page.length < KEYS_AT_ONCE) break
    after = page.at(-1)?.key ?? ''
  }
  yield* found.toSorted()
}

async function* dumpWords(reader: CodeIndexReader): AsyncGenerator<string> {
  const { chunks, lengths } = await reader.corpus()
  yield line('corpus', [chunks, ...lengths])
  const words = await allWords(reader)
  for (let at = 0; at < words.length; at += FILES_AT_ONCE) {
    for (const it of await reader.postings(words.slice(at, at + FILES_AT_ONCE))) {
      if (it.frequency === 0) continue
      const places = await reader.chunkRanges(it.handles)
      const sizes = await reader.fieldLengths(it.handles)
      const entries = places.map(({ uid, path, start }, entry) => {
        const field = it.fields[entry] ?? 0
        const size = sizes[entry * WORD_FIELDS.length + field] ?? 0
        return { uid, path, start, field, size, count: it.counts[entry] ?? 0 }
      })
      for (const { uid, field, count, size } of entries.toSorted(ENTRY_ORDER)) {
        yield line('word', [it.word, uid, WORD_FIELDS[field] ?? '', count, size])
      }
    }
  }
}

async function allWords(reader: CodeIndexReader): Promise<readonly string[]> {
  const words: string[] = []
  for (;;) {
    const page = await reader.vocabulary(words.at(-1) ?? '', KEYS_AT_ONCE)
    words.push(...page)
    if (page.length < KEYS_AT_ONCE) return words.toSorted()
  }
}

const ENTRY_ORDER = inOrder<{ path: string; start: number; uid: string; field: number }>(
  ascending((it) => it.path),
  ascending((it) => it.start),
  ascending((it) => it.uid),
  ascending((it) => it.field),
)

function line(kind: string, values: readonly unknown[]): string {
  return `${kind} ${JSON.stringify(values)}\n`
}
