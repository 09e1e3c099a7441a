/**
 * Replaces the symbols of a file record with those of a SCIP document. Definitions that both know
 * get SCIP's ids; those that only SCIP knows are added, as symbols without a definition. A pure
 * function of the record and the document; knows nothing of other files.
 */
import { ascending, inOrder } from '../../base/order.ts'
import { type Facts, NO_FACTS } from '../../model/facts.ts'
import { decodeFacts } from '../../model/facts-codec.ts'
import type { FileRecord, SymbolRecord } from '../../model/index-record.ts'
import { SCIP_ROLE, type ScipDocument } from '../../model/scip-document.ts'
import {
  type Descriptor,
  type DescriptorKind,
  isLocal,
  parseSymbol,
} from '../../model/scip-symbol.ts'
import { sha256 } from '../../platform/hash.ts'
import { createScipOffsets, type TextRange } from './offsets.ts'

/** A document that is not stale, and the text that it describes. */
export interface FreshDocument {
  readonly document: ScipDocument
  readonly text: string
}

/** The definition number of a symbol without a definition in the facts of its file. */
export const NO_DEFINITION = -1

export function coverRecord(record: FileRecord, fresh: FreshDocument): FileRecord {
  const places = collectDefinitions(fresh)
  const ids = matchIds(record.symbols, places, fresh.text)
  const known = record.symbols.map((it, at) => ({ ...it, id: ids[at] ?? it.id }))
  const renamed = new Map(record.symbols.map((it, at) => [it.id, ids[at] ?? it.id]))
  const symbols = [...known, ...createAddedSymbols(known, places, { record, text: fresh.text })]
  return {
    ...record,
    symbols,
    chunks: record.chunks.map((it) => ({ ...it, symbol: renamed.get(it.symbol) ?? it.symbol })),
    surface: hashCoveredSurface(record.surface, symbols),
  }
}

/**
 * Dependent files must be resolved again when ids change, which happens when a file gains or loses
 * SCIP coverage.
 */
function hashCoveredSurface(surface: string, symbols: readonly SymbolRecord[]): string {
  const ids = symbols.map((it) => it.id).toSorted()
  return COVERED_PREFIX + sha256([surface, ...ids].join('\n')).slice(0, 16)
}

const COVERED_PREFIX = 'scip:'

/** Whether the symbols of the file with this surface come from a SCIP document. */
export function isCovered(surface: string): boolean {
  return surface.startsWith(COVERED_PREFIX)
}

/** The id of a SCIP symbol in the index. */
export function formatSymbolId(symbol: string): string {
  return `scip:${symbol}`
}

export function unpackFacts(encoded: Uint8Array | undefined): Facts {
  return encoded === undefined || encoded.length === 0 ? NO_FACTS : decodeFacts(encoded)
}

interface Definition extends TextRange {
  readonly symbol: string
}

function collectDefinitions({ document, text }: FreshDocument): readonly Definition[] {
  const offsets = createScipOffsets(text, document.positionEncoding)
  const found = new Map<string, Definition>()
  for (const { symbol, roles, range } of document.occurrences) {
    if ((roles & SCIP_ROLE.Definition) === 0 || symbol === '' || isLocal(symbol)) continue
    const place = offsets.range(range)
    if (place !== undefined)
      found.set(`${nameRangeKey(place, text)} ${symbol}`, { ...place, symbol })
  }
  return [...found.values()].toSorted(
    inOrder(
      ascending((it) => it.start),
      ascending((it) => it.end),
      ascending((it) => it.symbol),
    ),
  )
}

/** A quoted name is the same name with or without its quote. */
function nameRangeKey({ start, end }: TextRange, text: string): string {
  const isQuoted = end - start > 1 && /['"`]/.test(text.charAt(start))
  return isQuoted ? `${start + 1}:${end - 1}` : `${start}:${end}`
}

/** For each of our symbols, the id of the SCIP definition at its name. Each id is used once. */
function matchIds(
  symbols: readonly SymbolRecord[],
  places: readonly Definition[],
  text: string,
): readonly (string | undefined)[] {
  const byPlace = Map.groupBy(places, (it) => nameRangeKey(it, text))
  const taken = new Set<Definition>()
  return symbols.map((it) => {
    const [best] = (byPlace.get(nameRangeKey(it, text)) ?? [])
      .filter((place) => !taken.has(place))
      .toSorted(
        inOrder(
          ascending((place) => kindDistance(it.kind, place.symbol)),
          ascending((place) => place.symbol),
        ),
      )
    if (best === undefined) return undefined
    taken.add(best)
    return formatSymbolId(best.symbol)
  })
}

/** A parameter that is a field as well has two symbols at one name, and so has `{ name }`. */
function kindDistance(kind: string, symbol: string): number {
  const at = (LIKELY_KINDS.get(kind) ?? []).indexOf(lastDescriptor(symbol)?.kind ?? 'meta')
  return at === -1 ? Number.MAX_SAFE_INTEGER : at
}

const LIKELY_KINDS: ReadonlyMap<string, readonly DescriptorKind[]> = new Map([
  ['file', ['namespace', 'meta']],
  ['namespace', ['namespace', 'type']],
  ['class', ['type', 'term']],
  ['interface', ['type']],
  ['enum', ['type']],
  ['type', ['type']],
  ['function', ['method', 'term']],
  ['method', ['method', 'term', 'meta']],
  ['constructor', ['method']],
  ['field', ['term', 'meta', 'parameter']],
  ['member', ['term', 'meta']],
  ['variable', ['term']],
  ['object', ['term', 'meta']],
  ['macro', ['macro']],
])

function lastDescriptor(symbol: string): Descriptor | undefined {
  return parseSymbol(symbol)?.descriptors.at(-1)
}

function createAddedSymbols(
  known: readonly SymbolRecord[],
  places: readonly Definition[],
  { record, text }: { readonly record: FileRecord; readonly text: string },
): readonly SymbolRecord[] {
  const taken = new Set(known.map((it) => `${nameRangeKey(it, text)} ${it.id}`))
  const missing = places.filter(
    (it) => !taken.has(`${nameRangeKey(it, text)} ${formatSymbolId(it.symbol)}`),
  )
  if (missing.length === 0) return []
  const { definitions } = unpackFacts(record.facts)
  const kinds = new Map(definitions.map((it) => [nameRangeKey(it, text), it.kind]))
  return missing.map((it) => ({
    id: formatSymbolId(it.symbol),
    name: stripDecoration(lastDescriptor(it.symbol)?.name ?? ''),
    kind: kinds.get(nameRangeKey(it, text)) ?? symbolKind(it.symbol),
    definition: NO_DEFINITION,
    start: it.start,
    end: it.end,
    isExported: false,
  }))
}

/** `<get>name` and `<constructor>` are `name` and `constructor` in the text. */
export function stripDecoration(name: string): string {
  return name.replace(/^<(?:[gs]et)>/, '').replace(/^<(.+)>$/, '$1')
}

const KINDS: Readonly<Record<DescriptorKind, string>> = {
  namespace: 'namespace',
  type: 'type',
  term: 'variable',
  method: 'function',
  'type-parameter': 'type-parameter',
  parameter: 'parameter',
  meta: 'field',
  macro: 'macro',
}

function symbolKind(symbol: string): string {
  const descriptors = parseSymbol(symbol)?.descriptors ?? []
  const kind = KINDS[descriptors.at(-1)?.kind ?? 'term']
  if (descriptors.at(-2)?.kind !== 'type') return kind
  return kind === 'function' ? 'method' : kind === 'variable' ? 'field' : kind
}
