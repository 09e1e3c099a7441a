/**
 * What a SCIP document says of one file, as edges. Who refers to what comes from SCIP; what kind of
 * reference it is comes from our own facts where SCIP does not say. Pure.
 */
import { ascending, descending, inOrder } from '../../base/order.ts'
import { type Facts, ROLE } from '../../model/facts.ts'
import type { EdgeKind, EdgeRecord, SymbolRecord } from '../../model/index-record.ts'
import { SCIP_ROLE, type ScipOccurrence } from '../../model/scip-document.ts'
import { isLocal } from '../../model/scip-symbol.ts'
import { type FreshDocument, formatSymbolId } from '../../sources/scip/cover-record.ts'
import { createScipOffsets, type ScipOffsets, type TextRange } from '../../sources/scip/offsets.ts'

export interface EdgeSource extends FreshDocument {
  readonly facts: Facts
  /** Of the file, with SCIP's ids. */
  readonly symbols: readonly SymbolRecord[]
  /** The id of a symbol that something in the repository defines. */
  targetOf(symbol: string): string | undefined
}

export function scipEdges(source: EdgeSource): readonly EdgeRecord[] {
  const offsets = createScipOffsets(source.text, source.document.positionEncoding)
  const found = new Map<string, EdgeRecord>()
  for (const it of [...references(source, offsets), ...implementations(source)]) {
    found.set([it.kind, it.from, it.to, it.start, it.end].join('\n'), it)
  }
  return [...found.values()]
}

function references(source: EdgeSource, offsets: ScipOffsets): readonly EdgeRecord[] {
  const around = enclosing(source, offsets)
  const kindAt = kinds(source)
  const top = source.symbols.find((it) => it.definition === 0)?.id ?? ''
  return placed(source, offsets).flatMap(({ symbol, roles, start, end }) => {
    if ((roles & SCIP_ROLE.Definition) !== 0 || symbol === '' || isLocal(symbol)) return []
    const to = source.targetOf(symbol)
    if (to === undefined) return []
    const kind = kindAt({ start, end }, roles)
    const from = kind === 'import' || kind === 'export' ? top : (around({ start, end }) ?? top)
    if (to === from && kind !== 'call') return []
    return [edge({ kind, from, to, start, end })]
  })
}

interface PlacedOccurrence extends TextRange, Pick<ScipOccurrence, 'symbol' | 'roles'> {}

/** In the order of the text. */
function placed({ document }: EdgeSource, offsets: ScipOffsets): readonly PlacedOccurrence[] {
  return document.occurrences
    .flatMap(({ range, symbol, roles }) => {
      const place = offsets.range(range)
      return place === undefined ? [] : [{ ...place, symbol, roles }]
    })
    .toSorted(
      inOrder(
        ascending((it) => it.start),
        ascending((it) => it.end),
        ascending((it) => it.symbol),
        ascending((it) => it.roles),
      ),
    )
}

function edge(it: Omit<EdgeRecord, 'evidence' | 'confidence'>): EdgeRecord {
  return { ...it, evidence: 'tooling', confidence: 1 }
}

/** Few indexers say that something is imported, and none that it is called. */
function kinds({ facts, text }: EdgeSource): (place: TextRange, roles: number) => EdgeKind {
  const known = new Map<number, number>()
  for (const { op, start, role } of facts.expressions) {
    // A call begins where its callee does; what is wanted is the name that is called.
    if ((role & ROLE.reference) === 0 || op === 'call' || op === 'make') continue
    known.set(start, (known.get(start) ?? 0) | role)
  }
  for (const { kind, start } of facts.definitions) {
    if (kind === 'import') known.set(start, (known.get(start) ?? 0) | ROLE.import)
  }
  return ({ start, end }, roles) => {
    const isQuoted = /['"`]/.test(text.charAt(start))
    const role = known.get(start) ?? (isQuoted ? known.get(start + 1) : undefined) ?? 0
    if ((roles & SCIP_ROLE.Import) !== 0 || (role & ROLE.import) !== 0) return 'import'
    if ((role & ROLE.export) !== 0) return 'export'
    return (role & ROLE.call) !== 0 || text.charAt(end) === '(' ? 'call' : 'usage'
  }
}

interface Around extends TextRange {
  readonly id: string
}

/** The innermost definition with a body around a place. To be asked in the order of the text. */
function enclosing(
  source: EdgeSource,
  offsets: ScipOffsets,
): (place: TextRange) => string | undefined {
  const bodies = bodiesOf(source, offsets)
  const open: Around[] = []
  let next = 0
  return ({ start, end }) => {
    for (; (bodies[next]?.start ?? Number.POSITIVE_INFINITY) <= start; next += 1) {
      const body = bodies[next]
      if (body !== undefined) open.push(body)
    }
    while ((open.at(-1)?.end ?? start + 1) <= start) open.pop()
    return open.findLast((it) => it.end >= end)?.id
  }
}

function bodiesOf({ facts, document, symbols }: EdgeSource, offsets: ScipOffsets): Around[] {
  const owners = new Set(facts.scopes.map((it) => it.owner))
  const whole = new Map<string, TextRange>()
  for (const { symbol, roles, enclosingRange } of document.occurrences) {
    if ((roles & SCIP_ROLE.Definition) === 0 || enclosingRange === undefined) continue
    const range = offsets.range(enclosingRange)
    if (range !== undefined) whole.set(formatSymbolId(symbol), range)
  }
  const bodies = symbols.flatMap(({ id, definition, kind }): Around[] => {
    const it = facts.definitions[definition]
    const range = whole.get(id) ?? (it === undefined ? undefined : { start: it.from, end: it.to })
    const hasBody = definition > 0 ? owners.has(definition) : WITH_BODY.has(kind)
    return definition === 0 || range === undefined || !hasBody ? [] : [{ ...range, id }]
  })
  return bodies.toSorted(
    inOrder(
      ascending((it) => it.start),
      descending((it) => it.end),
      ascending((it) => it.id),
    ),
  )
}

/** Of symbols that only SCIP knows. */
const WITH_BODY: ReadonlySet<string> = new Set(['type', 'function', 'method', 'macro'])

/** Stands where the name of what implements stands: SCIP says no other place. */
function implementations({ document, symbols, targetOf }: EdgeSource): readonly EdgeRecord[] {
  const known = new Map(symbols.map((it) => [it.id, it]))
  return document.symbols.flatMap(({ symbol, relationships }) => {
    const place = known.get(formatSymbolId(symbol))
    if (place === undefined) return []
    const { id: from, start, end } = place
    return relationships.flatMap((it) => {
      const to = it.isImplementation ? targetOf(it.symbol) : undefined
      if (to === undefined || to === from) return []
      return [edge({ kind: 'inherit', from, to, start, end })]
    })
  })
}
