/**
 * One file to its record: text, facts, chunks, symbols, words. A pure function of path and bytes,
 * so that it can run on any thread and in any order; it knows nothing of other files.
 */

import type { WordForms } from '../../base/code-words.ts'
import { type LineTable, lineTable } from '../../base/line-table.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { type Facts, NO_FACTS, TRAIT } from '../../model/facts.ts'
import { encodeFacts } from '../../model/facts-codec.ts'
import {
  type ChunkRecord,
  type FileRecord,
  SKIPPED,
  type SymbolRecord,
} from '../../model/index-record.ts'
import type { CountTokens } from '../../model/tokens.ts'
import { sha256 } from '../../platform/hash.ts'
import { classify } from '../classify.ts'
import { chunkUids } from './chunk-uid.ts'
import { type Chunk, cutCode, cutPlain } from './chunks.ts'
import { cutMarkdown } from './cut-markdown.ts'
import type { Language } from './language.ts'
import { languageOf } from './languages.ts'
import { findMentions } from './mentions.ts'
import { plainFacts } from './plain-facts.ts'
import { readFacts } from './read-facts.ts'
import { surfaceOf } from './surface.ts'
import { symbolIds } from './symbol-ids.ts'
import { wordTable } from './words.ts'

export interface FileBytes {
  readonly path: string
  readonly bytes: Uint8Array
  readonly mtimeMs: number
}

/** What reading takes besides the file; loaded once for many. */
export interface ReadingTools {
  readonly countTokens: CountTokens
  readonly xxh64: (text: string) => string
  readonly forms: WordForms
}

export interface ReadingOptions {
  readonly maxFileBytes?: number
  /** Leave the grammar alone: it did not come to an end before. */
  readonly isPlain?: boolean
}

export async function readFile(
  file: FileBytes,
  tools: ReadingTools,
  options: ReadingOptions = {},
): Promise<FileRecord> {
  const { path, bytes, mtimeMs } = file
  const found = classify(path, bytes, options)
  const known = { path, sha256: sha256(bytes), size: bytes.length, mtimeMs }
  if (found.kind === 'skipped') {
    const { reason, message } = found
    return { ...known, ...NOTHING, diagnostics: [{ code: reason, path, message }] }
  }
  const { text } = found
  const lines = lineTable(text)
  const read = await understand({ path, text, lines }, options.isPlain === true)
  const { facts, chunks } = read
  const ids = symbolIds(facts, path)
  return {
    ...known,
    language: facts.language,
    lines: text === '' ? 0 : lines.count,
    chunks: chunkRecords({ path, text, lines, ids, chunks }, tools),
    symbols: symbolRecords(facts, ids),
    facts: encodeFacts(facts),
    surface: surfaceOf(facts, ids),
    provides: facts.provides,
    words: wordTable({ path, text, chunks, ...(read.isCode ? { facts } : {}) }, tools.forms),
    diagnostics: [...found.diagnostics.map((it) => ({ ...it, path })), ...read.diagnostics],
  }
}

const NOTHING = {
  language: SKIPPED,
  lines: 0,
  chunks: [],
  symbols: [],
  facts: new Uint8Array(0),
  surface: '',
  provides: [],
  words: { words: [], counts: new Uint32Array(0), lengths: new Uint32Array(0) },
}

interface Understanding {
  readonly facts: Facts
  readonly chunks: readonly Chunk[]
  readonly isCode: boolean
  readonly diagnostics: readonly Diagnostic[]
}

async function understand(
  file: Pick<Cut, 'path' | 'text' | 'lines'>,
  isPlain: boolean,
): Promise<Understanding> {
  const { path, text, lines } = file
  const language = languageOf(path, text)
  if (language?.id === 'markdown') {
    const mentions = findMentions(text, [0, text.length])
    const facts = { ...NO_FACTS, language: language.id, mentions }
    return { facts, chunks: cutMarkdown(text, lines), isCode: false, diagnostics: [] }
  }
  const read = language === undefined || isPlain ? undefined : await readFacts(file, language)
  if (read !== undefined) {
    const chunks = cutCode({ text, ...read }, lines)
    return { facts: read.facts, chunks, isCode: true, diagnostics: [] }
  }
  return {
    facts: plainFacts(path, text, language?.id),
    chunks: cutPlain(text, lines),
    isCode: language !== undefined,
    diagnostics: language?.grammar === undefined ? [] : [unparsable(path, language)],
  }
}

function unparsable(path: string, language: Language): Diagnostic {
  const message = `the ${language.id} grammar does not come to an end on it; taken as plain text`
  return { code: 'unparsable', path, message }
}

interface Cut {
  readonly path: string
  readonly text: string
  readonly lines: LineTable
  readonly ids: readonly (string | undefined)[]
  readonly chunks: readonly Chunk[]
}

function chunkRecords(file: Cut, tools: ReadingTools): readonly ChunkRecord[] {
  const uids = chunkUids(file, tools.xxh64)
  const { lines } = file
  return file.chunks.map((it, at) => {
    const text = file.text.slice(it.start, it.end)
    return {
      uid: uids[at] ?? '',
      kind: it.kind,
      name: it.name,
      title: it.title,
      start: it.start,
      end: it.end,
      startLine: lines.lineAt(it.start),
      endLine: lines.lineAt(Math.max(it.start, it.end - 1)),
      tokens: tools.countTokens(text),
      symbol: it.definition < 0 ? '' : (file.ids[it.definition] ?? ''),
      text,
    }
  })
}

function symbolRecords(
  facts: Facts,
  ids: readonly (string | undefined)[],
): readonly SymbolRecord[] {
  return ids.flatMap((id, definition) => {
    const it = facts.definitions[definition]
    if (id === undefined || it === undefined) return []
    const isExported = (it.traits & TRAIT.exported) !== 0
    return [
      { id, name: it.name, kind: it.kind, definition, start: it.start, end: it.end, isExported },
    ]
  })
}
