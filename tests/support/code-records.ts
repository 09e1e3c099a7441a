/** Made-up files of an index: as many as are wanted, and always the same ones. */
import {
  type ChunkRecord,
  EDGE_KINDS,
  type EdgeRecord,
  EVIDENCE_KINDS,
  type FileRecord,
  type ResolvedFile,
  type SymbolRecord,
  WORD_FIELDS,
  type WordTable,
} from '../../src/model/index-record.ts'
import { sha256 } from '../../src/platform/hash.ts'

export interface MadeOptions {
  readonly files: number
  readonly chunksPerFile: number
  readonly wordsPerChunk: number
  readonly edgesPerFile: number
  readonly vocabulary: number
}

/** Numbers that look random and are not. */
export function sequence(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export function pathOf(file: number): string {
  return `src/area-${file % 97}/part-${file % 11}/file-${file}.ts`
}

export function symbolOf(file: number, chunk: number): string {
  return `scip:dossier npm made 1.0.0 ${pathOf(file).replaceAll('/', '`/`')}/Thing${chunk}#method().`
}

/** The `edition` changes the content and leaves the name. */
export function madeFile(file: number, options: MadeOptions, edition = 0): FileRecord {
  const next = sequence(file * 7919 + edition * 104_729 + 1)
  const path = pathOf(file)
  const chunks: ChunkRecord[] = []
  const symbols: SymbolRecord[] = []
  const size = 800
  for (let at = 0; at < options.chunksPerFile; at += 1) {
    const start = at * size
    const symbol = symbolOf(file, at)
    const text = `function thing${at}(${edition}) {\n${'  const value = 1 // a line of code\n'.repeat(24)}}\n`
    chunks.push({
      uid: `xxh64:${sha256(`${path} ${at} ${edition}`).slice(0, 16)}`,
      kind: 'function',
      name: `Thing${at}.method`,
      title: `function thing${at}()`,
      start,
      end: start + size,
      startLine: at * 20 + 1,
      endLine: at * 20 + 20,
      tokens: 180,
      symbol,
      text: text.slice(0, size).padEnd(size, '\n'),
    })
    symbols.push({
      id: symbol,
      name: `thing${at}`,
      kind: 'method',
      definition: at + 1,
      start: start + 9,
      end: start + 15,
      isExported: at % 2 === 0,
    })
  }
  return {
    path,
    sha256: sha256(`${path} ${edition}`),
    size: size * options.chunksPerFile,
    mtimeMs: 1_700_000_000_000 + file + edition,
    language: file % 5 === 0 ? 'python' : 'typescript',
    lines: options.chunksPerFile * 20,
    chunks,
    symbols,
    facts: Buffer.from(`facts of ${path} ${edition} `.repeat(40)),
    surface: sha256(path),
    provides: symbols.slice(0, 3).map((it) => ({ name: it.name, definition: it.definition })),
    words: madeWords(options, next),
    diagnostics: [],
  }
}

/** Few words are everywhere and most are rare, as in real text. */
function madeWords(options: MadeOptions, next: () => number): WordTable {
  const shares = [0.04, 0.03, 0.08, 0.15, 0.7]
  const counted = new Map<string, Map<number, number>>()
  const lengths = new Uint32Array(options.chunksPerFile * WORD_FIELDS.length)
  for (let slot = 0; slot < lengths.length; slot += 1) {
    const share = shares[slot % WORD_FIELDS.length] ?? 0
    const wanted = Math.max(1, Math.round(options.wordsPerChunk * share))
    for (let at = 0; at < wanted; at += 1) {
      const word = wordOf(Math.floor(options.vocabulary ** next()) - 1)
      const slots = counted.get(word) ?? new Map<number, number>()
      counted.set(word, slots.set(slot, (slots.get(slot) ?? 0) + 1))
    }
    lengths[slot] = wanted
  }
  const words = [...counted.keys()].toSorted()
  const counts = words.flatMap((word, number) =>
    [...(counted.get(word) ?? [])]
      .toSorted((a, b) => a[0] - b[0])
      .flatMap(([slot, count]) => [
        number,
        Math.floor(slot / WORD_FIELDS.length),
        slot % WORD_FIELDS.length,
        count,
      ]),
  )
  return { words, counts: Uint32Array.from(counts), lengths }
}

export function wordOf(number: number): string {
  return `w${number.toString(36)}`
}

/** Most of what a file names is its own or nearby. */
function neighbour(file: number, files: number, next: () => number): number {
  const kind = next()
  if (kind < 0.5) return file
  return Math.floor(kind < 0.9 ? (file + next() * 40) % files : next() * files)
}

export function madeResolved(file: number, options: MadeOptions, edition = 0): ResolvedFile {
  const next = sequence(file * 31 + edition * 17 + 5)
  const below = (limit: number): number => Math.floor(next() * limit)
  const edges: EdgeRecord[] = Array.from({ length: options.edgesPerFile }, () => {
    const start = below(options.chunksPerFile * 800 - 10)
    return {
      kind: EDGE_KINDS[below(EDGE_KINDS.length)] ?? 'call',
      from: symbolOf(file, below(options.chunksPerFile)),
      to: symbolOf(neighbour(file, options.files, next), below(options.chunksPerFile)),
      evidence: EVIDENCE_KINDS[below(EVIDENCE_KINDS.length)] ?? 'span',
      start,
      end: start + 7,
      confidence: below(100) / 100,
    }
  })
  const unresolved = edges.slice(0, options.edgesPerFile / 4).map((it) => ({
    kind: it.kind,
    from: it.from,
    name: `unknown${it.start}`,
    start: it.start,
    end: it.end,
    candidates: [it.to],
    confidence: 0.2,
  }))
  const others = Array.from({ length: Math.min(30, options.files / 4) }, () =>
    neighbour(file, options.files, next),
  )
  const asked = [
    ...others.map((other) => `facts:${pathOf(other)}`),
    ...others.map((other) => `path:src/area-${other % 97}/nothing.ts`),
    ...others.slice(0, 20).map((other) => `name:thing${other % 200}`),
  ]
  return { path: pathOf(file), edges, unresolved, asked }
}

/** For tests that look at everything. */
export const SMALL: MadeOptions = {
  files: 12,
  chunksPerFile: 3,
  wordsPerChunk: 30,
  edgesPerFile: 8,
  vocabulary: 60,
}
