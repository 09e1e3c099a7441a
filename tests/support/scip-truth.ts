/** What a SCIP index says of a tree, in the words of the benchmark's comparison. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledTruth } from '../../bench/quality/graph/compiled.ts'
import type { TruePlace } from '../../bench/quality/graph/definitions.ts'
import { type Place, placeKey } from '../../bench/quality/graph/places.ts'
import type { TrueDefinition, TrueReference } from '../../bench/quality/graph/references.ts'
import { readSymbol } from '../../bench/quality/graph/symbols.ts'
import { SCIP_ROLE } from '../../src/model/scip-document.ts'
import { isLocal } from '../../src/model/scip-symbol.ts'
import { createScipOffsets } from '../../src/sources/scip/offsets.ts'
import { readScip } from '../../src/sources/scip/read-scip.ts'

/** One name in the text. Local symbols are told apart by the path. */
interface Spot extends Place {
  readonly symbol: string
  readonly text: string
  readonly call: boolean
  readonly isDefinition: boolean
}

/** Only references to what the tree itself defines. */
export function scipTruth(name: string, folder: string, bytes: Uint8Array): CompiledTruth {
  const spots = spotsOf(folder, bytes)
  const defined = new Map<string, TrueDefinition[]>()
  for (const { symbol, path, line } of spots.filter((it) => it.isDefinition)) {
    const known = defined.get(symbol) ?? []
    defined.set(symbol, [...known, { path, line, symbol }])
  }
  return {
    name,
    covered: new Set(spots.map((it) => it.path)),
    references: references(spots, defined),
    definitions: spots.filter((it) => it.isDefinition).map(asDefinition),
  }
}

function asDefinition({ path, line, column, symbol }: Spot): TruePlace {
  return { path, line, column, ...readSymbol(symbol) }
}

/** Several symbols at one place are one reference that may rightly lead to any of them. */
function references(
  spots: readonly Spot[],
  defined: ReadonlyMap<string, readonly TrueDefinition[]>,
): readonly TrueReference[] {
  const inside = spots.filter((it) => !it.isDefinition && defined.has(it.symbol))
  return [...Map.groupBy(inside, placeKey).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const { path, line, column, text, symbol, call } = first
    const definitions = same.flatMap((it) => defined.get(it.symbol) ?? [])
    return [{ path, line, column, text, call, kind: readSymbol(symbol).kind, definitions }]
  })
}

function spotsOf(folder: string, bytes: Uint8Array): readonly Spot[] {
  return [...readScip(bytes)].flatMap((document) => {
    const { path, occurrences, positionEncoding } = document
    const text = readFileSync(join(folder, path), 'utf8')
    const offsets = createScipOffsets(text, positionEncoding)
    return occurrences.flatMap(({ symbol, range, roles }) => {
      const place = offsets.range(range)
      if (place === undefined || symbol === '') return []
      return [
        {
          path,
          line: range.startLine + 1,
          column: range.startCharacter,
          symbol: isLocal(symbol) ? `${path} ${symbol}` : symbol,
          text: text.slice(place.start, place.end),
          call: CALL.test(text.slice(place.end, place.end + 3)),
          isDefinition: (roles & SCIP_ROLE.Definition) !== 0,
        },
      ]
    })
  })
}

const CALL = /^(?:\?\.)?\(/
