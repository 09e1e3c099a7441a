/** Symbols as people name them: by the names down to them, and by file and line. */
import { codeWords } from '../../base/code-words.ts'
import { nearest } from '../../base/nearest.ts'
import { ascending, inOrder } from '../../base/order.ts'
import { lineAt } from '../../base/text.ts'
import type { CodeIndexReader, StoredSymbol } from '../../model/code-index.ts'
import { WORD_FIELDS } from '../../model/index-record.ts'
import { parseSymbol } from '../../model/scip-symbol.ts'

/** `src/office.ts:12 HarborOffice.receive`, in the order of their places. */
export async function symbolPlaces(
  index: CodeIndexReader,
  symbols: readonly StoredSymbol[],
): Promise<readonly string[]> {
  const sorted = symbols.toSorted(byPlace)
  const chunks = await index.chunksAt(sorted.map(({ path, start }) => ({ path, offset: start })))
  const places = sorted.map((symbol, at) => {
    const chunk = chunks[at]
    const line = chunk === undefined ? 1 : lineAt(chunk, symbol.start)
    return `${symbol.path}:${line} ${longName(symbol)}`
  })
  return [...new Set(places)]
}

/** Enough to find the one that was meant, where a word is in half of all names. */
const MOST_CHUNKS = 400

/** Names that are written otherwise, or that share a word with what is wanted; the likest first. */
export async function nearNames(
  index: CodeIndexReader,
  wanted: string,
  limit: number,
): Promise<readonly string[]> {
  const postings = await index.postings([...new Set(codeWords(wanted))])
  const handles = new Set<number>()
  const rarestFirst = inOrder<(typeof postings)[number]>(
    ascending((it) => it.frequency),
    ascending((it) => it.word),
  )
  for (const { handles: all, fields } of postings.toSorted(rarestFirst)) {
    for (const [at, handle] of all.entries()) {
      if (handles.size >= MOST_CHUNKS) break
      if (WORD_FIELDS[fields[at] ?? 0] === 'name') handles.add(handle)
    }
  }
  const chunks = await index.chunksByHandle(Uint32Array.from(handles))
  const symbols = await index.symbolsInChunks(chunks.map((it) => it.uid))
  return nearest(wanted, [...new Set(symbols.map(longName))], limit)
}

/** Without the file: `HarborOffice.receive`. */
export function longName({ id, name }: StoredSymbol): string {
  const descriptors = parseSymbol(id.slice('scip:'.length))?.descriptors ?? []
  const names = descriptors.filter((it) => it.kind !== 'namespace').map((it) => it.name)
  return names.length === 0 ? name : names.join('.')
}

const byPlace = inOrder<StoredSymbol>(
  ascending((it) => it.path),
  ascending((it) => it.start),
  ascending((it) => it.id),
)
