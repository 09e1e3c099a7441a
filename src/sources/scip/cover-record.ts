/**
 * A file's record with the symbols of a SCIP document in place of our own. Definitions that both
 * know get SCIP's ids; those that only SCIP knows are added, as symbols without a definition. A
 * pure function of the record and the document; knows nothing of other files.
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
import { scipOffsets, type TextRange } from './offsets.ts'

/** A document that is not stale, and the text that it speaks of. */
export interface FreshDocument {
  readonly document: ScipDocument
  readonly text: string
}

/** The number of a symbol that the facts of its file have no definition for. */
export const NO_DEFINITION = -1

export function coverRecord(record: FileRecord, fresh: FreshDocument): FileRecord {
  const places = definedPlaces(fresh)
  const ids = matchedIds(record.symbols, places, fresh.text)
  const known = record.symbols.map((it, at) => ({ ...it, id: ids[at] ?? it.id }))
  const renamed = new Map(record.symbols.map((it, at) => [it.id, ids[at] ?? it.id]))
  const symbols = [...known, ...added(known, places, { record, text: fresh.text })]
  return {
    ...record,
    symbols,
    chunks: record.chunks.map((it) => ({ ...it, symbol: renamed.get(it.symbol) ?? it.symbol })),
    surface: coveredSurface(record.surface, symbols),
  }
}

/** Others must look again when ids change, as they do when a file is covered or no longer is. */
function coveredSurface(surface: string, symbols: readonly SymbolRecord[]): string {
  const ids = symbols.map((it) => it.id).toSorted()
  return COVERED + sha256([surface, ...ids].join('\n')).slice(0, 16)
}

const COVERED = 'scip:'

/** Whether the file with this surface has its symbols from a SCIP document. */
export function isCovered(surface: string): boolean {
  return surface.startsWith(COVERED)
}

/** As symbols are called in the index. */
export function symbolId(symbol: string): string {
  return `scip:${symbol}`
}

export function factsOf(encoded: Uint8Array | undefined): Facts {
  return encoded === undefined || encoded.length === 0 ? NO_FACTS : decodeFacts(encoded)
}

interface DefinedPlace extends TextRange {
  readonly symbol: string
}

function definedPlaces({ document, text }: FreshDocument): readonly DefinedPlace[] {
  const offsets = scipOffsets(text, document.positionEncoding)
  const found = new Map<string, DefinedPlace>()
  for (const { symbol, roles, range } of document.occurrences) {
    if ((roles & SCIP_ROLE.Definition) === 0 || symbol === '' || isLocal(symbol)) continue
    const place = offsets.range(range)
    if (place !== undefined) found.set(`${keyOf(place, text)} ${symbol}`, { ...place, symbol })
  }
  return [...found.values()].toSorted(
    inOrder(
      ascending((it) => it.start),
      ascending((it) => it.end),
      ascending((it) => it.symbol),
    ),
  )
}

/** Whether a quoted name begins at its quote or after it, it is the same name. */
function keyOf({ start, end }: TextRange, text: string): string {
  const isQuoted = end - start > 1 && /['"`]/.test(text.charAt(start))
  return isQuoted ? `${start + 1}:${end - 1}` : `${start}:${end}`
}

/** For each of our symbols the id of what SCIP defines at its name, each of those once. */
function matchedIds(
  symbols: readonly SymbolRecord[],
  places: readonly DefinedPlace[],
  text: string,
): readonly (string | undefined)[] {
  const byPlace = Map.groupBy(places, (it) => keyOf(it, text))
  const taken = new Set<DefinedPlace>()
  return symbols.map((it) => {
    const [best] = (byPlace.get(keyOf(it, text)) ?? [])
      .filter((place) => !taken.has(place))
      .toSorted(
        inOrder(
          ascending((place) => unlikeness(it.kind, place.symbol)),
          ascending((place) => place.symbol),
        ),
      )
    if (best === undefined) return undefined
    taken.add(best)
    return symbolId(best.symbol)
  })
}

/** A parameter that is a field as well has two symbols at one name, and so has `{ name }`. */
function unlikeness(kind: string, symbol: string): number {
  const at = (LIKELY.get(kind) ?? []).indexOf(lastOf(symbol)?.kind ?? 'meta')
  return at === -1 ? Number.MAX_SAFE_INTEGER : at
}

const LIKELY: ReadonlyMap<string, readonly DescriptorKind[]> = new Map([
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

function lastOf(symbol: string): Descriptor | undefined {
  return parseSymbol(symbol)?.descriptors.at(-1)
}

function added(
  known: readonly SymbolRecord[],
  places: readonly DefinedPlace[],
  { record, text }: { readonly record: FileRecord; readonly text: string },
): readonly SymbolRecord[] {
  const taken = new Set(known.map((it) => `${keyOf(it, text)} ${it.id}`))
  const missing = places.filter((it) => !taken.has(`${keyOf(it, text)} ${symbolId(it.symbol)}`))
  if (missing.length === 0) return []
  const { definitions } = factsOf(record.facts)
  const kinds = new Map(definitions.map((it) => [keyOf(it, text), it.kind]))
  return missing.map((it) => ({
    id: symbolId(it.symbol),
    name: plainName(lastOf(it.symbol)?.name ?? ''),
    kind: kinds.get(keyOf(it, text)) ?? kindOf(it.symbol),
    definition: NO_DEFINITION,
    start: it.start,
    end: it.end,
    isExported: false,
  }))
}

/** `<get>name` and `<constructor>` are `name` and `constructor` in the text. */
export function plainName(name: string): string {
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

function kindOf(symbol: string): string {
  const descriptors = parseSymbol(symbol)?.descriptors ?? []
  const kind = KINDS[descriptors.at(-1)?.kind ?? 'term']
  if (descriptors.at(-2)?.kind !== 'type') return kind
  return kind === 'function' ? 'method' : kind === 'variable' ? 'field' : kind
}
