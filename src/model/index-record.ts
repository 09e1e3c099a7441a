/**
 * What an index holds of a file: its chunks, the symbols that it defines, its facts, its words; and
 * what resolving makes of it: edges with evidence, and references that lead nowhere for sure.
 * Written by `sources/` and `resolve/`, kept by `store/`, read by everything after.
 */
import type { Diagnostic } from './diagnostic.ts'

export interface FileRecord {
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly sha256: string
  readonly size: number
  readonly mtimeMs: number
  /** `plain` for text of no language that is known. */
  readonly language: string
  readonly lines: number
  readonly chunks: readonly ChunkRecord[]
  readonly symbols: readonly SymbolRecord[]
  /** Encoded; see `facts-codec.ts`. Empty when there is nothing to resolve in the file. */
  readonly facts: Uint8Array
  /** Hash of all that other files can learn from the facts; the same after an edit inside a body. */
  readonly surface: string
  /** Names by which other files look definitions up. */
  readonly provides: readonly { readonly name: string; readonly definition: number }[]
  readonly words: WordTable
  readonly diagnostics: readonly Diagnostic[]
}

/** Language of a file that is known to be there and not looked into; why is in its diagnostics. */
export const SKIPPED = 'skipped'

export interface ChunkRecord {
  /** `xxh64:<16 hex>`. */
  readonly uid: string
  readonly kind: string
  /** Qualified name of what it defines; else empty. */
  readonly name: string
  /** The signature, or the first line. */
  readonly title: string
  /** UTF-16 offsets, half-open. */
  readonly start: number
  readonly end: number
  readonly startLine: number
  readonly endLine: number
  readonly tokens: number
  /** `scip:…`; empty when it defines no symbol. */
  readonly symbol: string
  readonly text: string
}

export interface SymbolRecord {
  /** `scip:…`. */
  readonly id: string
  readonly name: string
  readonly kind: string
  /** Number of the definition in the file's facts. */
  readonly definition: number
  /** Where the name stands. */
  readonly start: number
  readonly end: number
  readonly isExported: boolean
}

/** The fields of a chunk that are searched, in the order of their bits. */
export const WORD_FIELDS = ['path', 'name', 'signature', 'comment', 'body'] as const
export type WordField = (typeof WORD_FIELDS)[number]

/**
 * How often each word stands in each field of each chunk of a file. Flat, because there are
 * millions: `counts` holds, for each entry, the number of the word, of the chunk (in the file), of
 * the field, and the count, one after the other; entries are ordered by word, chunk, field.
 */
export interface WordTable {
  readonly words: readonly string[]
  readonly counts: Uint32Array
  /** Words per chunk and field, chunk by chunk: for the lengths that BM25 divides by. */
  readonly lengths: Uint32Array
}

export const EDGE_KINDS = [
  'call',
  'usage',
  'import',
  'export',
  'dataflow',
  'inherit',
  'mention',
  'test',
] as const
export type EdgeKind = (typeof EDGE_KINDS)[number]

export const EVIDENCE_KINDS = ['callsite', 'identifier', 'importStmt', 'span', 'tooling'] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

/** What one file says about how symbols hang together. */
export interface EdgeRecord {
  readonly kind: EdgeKind
  /** Symbol ids; the file's own symbol for what stands at its top. */
  readonly from: string
  readonly to: string
  readonly evidence: EvidenceKind
  /** The exact place in the file that supports it. */
  readonly start: number
  readonly end: number
  /** Between 0 and 1. */
  readonly confidence: number
}

/** A reference that could not be resolved, with what it might mean. */
export interface UnresolvedRecord {
  readonly kind: EdgeKind
  readonly from: string
  readonly name: string
  readonly start: number
  readonly end: number
  /** Symbol ids, by id; where very many have the name, some of them. */
  readonly candidates: readonly string[]
  readonly confidence: number
}

/** How many candidates are kept: more are no help. */
export const MOST_CANDIDATES = 8

/** What a file asks for that holds an unresolved reference of a name. */
export function symbolKey(name: string): string {
  return `symbol:${name}`
}

/** All that resolving one file gave. */
export interface ResolvedFile {
  readonly path: string
  readonly edges: readonly EdgeRecord[]
  readonly unresolved: readonly UnresolvedRecord[]
  /** Questions whose answers this rests on: `facts:<path>`, `path:<path>`, `folder:<path>`, `name:<name>`, `includes:<path>`, `symbol:<name>`. */
  readonly asked: readonly string[]
  /** Why there is nothing here: resolving the file failed, in a way that only we can have caused. */
  readonly failure?: string | undefined
}
