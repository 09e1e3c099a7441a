/**
 * Small graphs that nobody would write, as records of an index and as an index in memory, which
 * gives the answers of the port in any order that a test wants to see.
 */
import * as fc from 'fast-check'
import type {
  CodeIndexReader,
  StoredChunk,
  StoredEdge,
  StoredSymbol,
} from '../../src/model/code-index.ts'
import {
  type ChunkRecord,
  EDGE_KINDS,
  type EdgeRecord,
  EVIDENCE_KINDS,
  type FileRecord,
  type ResolvedFile,
  type SymbolRecord,
} from '../../src/model/index-record.ts'
import { evidenceOf } from '../../src/store/code/evidence.ts'

export interface GeneratedGraph {
  readonly files: readonly FileRecord[]
  readonly resolved: readonly ResolvedFile[]
}

type MemoryIndex = Pick<
  CodeIndexReader,
  | 'edgesFrom'
  | 'edgesInChunks'
  | 'edgesTo'
  | 'countEdgesTo'
  | 'symbolsInChunks'
  | 'definitions'
  | 'chunks'
  | 'chunksAt'
  | 'chunksInFiles'
  | 'evidence'
>

/** How long a chunk is, and how far it is from one to the next. */
const LENGTH = 20
const STRIDE = 25

type Role = 'plain' | 'own' | 'continued' | 'namespace'

const role = fc.constantFrom<Role[]>('own', 'own', 'own', 'plain', 'continued', 'namespace')

const looseEdge = fc.record({
  kind: fc.oneof(
    fc.constantFrom('call' as const, 'import' as const),
    fc.constantFrom(...EDGE_KINDS),
  ),
  evidence: fc.constantFrom(...EVIDENCE_KINDS),
  confidence: fc.constantFrom(0.5, 1),
  file: fc.nat(9),
  /** Few places, so that much stands at the same one: in chunks, and between them. */
  start: fc.constantFrom(5, 22, 30, 60),
  from: fc.nat(99),
  to: fc.oneof(fc.nat(5), fc.nat(99)),
})

/** Few files, so that everything meets everything. */
export const graphs: fc.Arbitrary<GeneratedGraph> = fc
  .tuple(
    fc.array(fc.array(role, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    fc.array(looseEdge, { maxLength: 40, size: 'max' }),
  )
  .map(([roles, loose]) => {
    const files = roles.map((it, at) => fileOf(at, it))
    const ids = [...new Set(files.flatMap((it) => it.symbols.map((symbol) => symbol.id)))]
    const targets = [...ids, 'scip:g . outside . there#']
    const resolved = files.map(({ path }, at) => ({
      path,
      edges: unique(
        loose
          .filter((it) => it.file % files.length === at)
          .map(({ kind, evidence, confidence, start, ...ends }) => {
            const from = pick(ids, ends.from)
            const to = pick(targets, ends.to)
            return { kind, from, to, evidence, start, end: start + 3, confidence }
          }),
      ),
      unresolved: [],
      asked: [],
    }))
    return { files, resolved }
  })

/** An index has no edge twice. */
function unique(edges: readonly EdgeRecord[]): readonly EdgeRecord[] {
  return [...new Map(edges.map((it) => [JSON.stringify({ ...it, confidence: 0 }), it])).values()]
}

function pick<T>(from: readonly T[], by: number): T {
  return from[by % from.length] as T
}

/** As the resolver names them: the file, and what is shared by all files that define it. */
export function fileOf(at: number, roles: readonly Role[]): FileRecord {
  const path = `src/f${at}.ts`
  const top = `scip:dossier . . . src/\`f${at}.ts\`/`
  const symbols: SymbolRecord[] = [symbolOf(top, 0, 0), symbolOf('scip:g . . . shared#', 99, 3)]
  const chunks: ChunkRecord[] = []
  for (const [number, each] of roles.entries()) {
    const start = number * STRIDE
    const id = { plain: '', own: `${top}c${number}().`, namespace: `${top}n${number}/` }
    const symbol = each === 'continued' ? (chunks.at(-1)?.symbol ?? '') : id[each]
    chunks.push(chunkOf(`${at}${number}`, start, symbol))
    if (symbol !== '' && each !== 'continued') symbols.push(symbolOf(symbol, number + 1, start + 2))
    symbols.push(symbolOf(`${top}c${number}().inner.`, number + 50, start + 9))
  }
  return {
    path,
    sha256: `${at}`.padStart(64, '0'),
    size: roles.length * STRIDE,
    mtimeMs: 1,
    language: 'typescript',
    lines: roles.length,
    chunks,
    symbols,
    facts: new Uint8Array(),
    surface: '',
    provides: [],
    words: { words: [], counts: new Uint32Array(), lengths: new Uint32Array(chunks.length * 5) },
    diagnostics: [],
  }
}

function symbolOf(id: string, definition: number, start: number): SymbolRecord {
  const end = definition === 0 ? 0 : start + 2
  return { id, name: 'it', kind: 'function', definition, start, end, isExported: true }
}

function chunkOf(number: string, start: number, symbol: string): ChunkRecord {
  return {
    uid: `xxh64:${number.padStart(16, '0')}`,
    kind: 'function',
    name: '',
    title: '',
    start,
    end: start + LENGTH,
    startLine: start / STRIDE + 1,
    endLine: start / STRIDE + 1,
    tokens: 5,
    symbol,
    text: `${number}:`.padEnd(LENGTH, 'abcdefghij'),
  }
}

export function chunksIn(graph: GeneratedGraph): readonly StoredChunk[] {
  return graph.files.flatMap(({ path, chunks }) => chunks.map((it) => ({ path, ...it })))
}

export function edgesIn(graph: GeneratedGraph): readonly StoredEdge[] {
  return graph.resolved.flatMap(({ path, edges }) => edges.map((it) => ({ path, ...it })))
}

export function symbolsIn(graph: GeneratedGraph): readonly StoredSymbol[] {
  return graph.files.flatMap(({ path, symbols }) => symbols.map((it) => ({ path, ...it })))
}

/** Lists arrive as `arrange` leaves them; what is promised place by place stays in its place. */
export function memoryIndex(
  graph: GeneratedGraph,
  arrange: <T>(items: readonly T[]) => readonly T[] = (items) => items,
): MemoryIndex {
  const chunks = chunksIn(graph)
  const edges = edgesIn(graph)
  const symbols = symbolsIn(graph)
  const at = (path: string, offset: number): StoredChunk | undefined =>
    chunks.find((it) => it.path === path && it.start <= offset && offset < it.end)
  return {
    edgesFrom: async (ids, kinds = EDGE_KINDS) =>
      arrange(edges.filter((it) => ids.includes(it.from) && kinds.includes(it.kind))),
    edgesTo: async (ids, kinds = EDGE_KINDS) =>
      arrange(edges.filter((it) => ids.includes(it.to) && kinds.includes(it.kind))),
    edgesInChunks: async (uids, kinds = EDGE_KINDS) =>
      arrange(
        edges.filter(
          (it) => kinds.includes(it.kind) && uids.includes(at(it.path, it.start)?.uid ?? ''),
        ),
      ),
    countEdgesTo: async (ids, most) =>
      ids.map((id) => Math.min(most, edges.filter((it) => it.to === id).length)),
    symbolsInChunks: async (uids) =>
      arrange(
        symbols.filter(
          (it) => it.end > it.start && uids.includes(at(it.path, it.start)?.uid ?? ''),
        ),
      ),
    definitions: async (ids) =>
      arrange(
        symbols
          .filter((it) => ids.includes(it.id))
          .map(({ id, path, start, end }) => {
            const own = chunks.filter((it) => it.path === path && it.symbol === id)
            const around = own.find((it) => it.start <= start && it.end >= end)
            const chunk = around ?? own[0] ?? at(path, start)
            return { symbol: id, path, start, end, chunkUid: chunk?.uid ?? '' }
          }),
      ),
    chunks: async (uids) => arrange(chunks.filter((it) => uids.includes(it.uid))),
    chunksInFiles: async (paths) => arrange(chunks.filter((it) => paths.includes(it.path))),
    chunksAt: async (places) => places.map(({ path, offset }) => at(path, offset)),
    evidence: async (wanted) =>
      wanted.map((edge) =>
        evidenceOf(
          edge,
          chunks.filter((it) => it.path === edge.path),
        ),
      ),
  }
}
