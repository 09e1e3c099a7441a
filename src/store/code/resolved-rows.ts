/** What resolving made of a file, put in and taken out again. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { assert } from '../../base/assert.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import {
  EDGE_KINDS,
  EVIDENCE_KINDS,
  type ResolvedFile,
  type UnresolvedRecord,
} from '../../model/index-record.ts'
import type { Counters } from './counters.ts'
import { decode, ListWriter, readLists, tagged } from './lists.ts'
import { RowInserter } from './row-inserter.ts'
import type { Strings } from './strings.ts'

const KIND_NUMBERS = new Map<string, number>(EDGE_KINDS.map((kind, at) => [kind, at]))
const EVIDENCE_NUMBERS = new Map<string, number>(EVIDENCE_KINDS.map((kind, at) => [kind, at]))
const ONCE = tagged(0, 1)

export class ResolvedRows {
  readonly #connection: DatabaseSync
  readonly #counters: Counters
  readonly #strings: Strings
  readonly #askers: ListWriter
  readonly #edges: RowInserter
  readonly #statements: Statements

  constructor(connection: DatabaseSync, counters: Counters, strings: Strings) {
    this.#connection = connection
    this.#counters = counters
    this.#strings = strings
    this.#askers = new ListWriter(connection, 'askers', () => ++counters.segment)
    this.#edges = new RowInserter(connection, 'edges', 9)
    this.#statements = prepare(connection)
  }

  put(files: readonly ResolvedFile[]): void {
    for (const it of files) this.#putFile(it)
    this.#strings.flush()
    this.#edges.flush()
  }

  #putFile(resolved: ResolvedFile): void {
    const file = this.#statements.fileAt.get(resolved.path)
    assert(file !== undefined, `${resolved.path} to be put before it is resolved`)
    this.remove(Number(file['resolution']))
    const number = ++this.#counters.resolution
    const fileNumber = Number(file['n'])
    this.#statements.putResolution.run(
      number,
      fileNumber,
      this.#counters.edge + 1,
      resolved.edges.length,
      resolved.unresolved.length,
      encodeUnresolved(resolved.unresolved),
    )
    this.#statements.setResolution.run(number, fileNumber)
    const before = String(file['diagnostics'])
    const diagnostics = withFailure(before, resolved)
    if (diagnostics !== before) this.#statements.setDiagnostics.run(diagnostics, fileNumber)
    this.#putEdges(fileNumber, resolved)
    const asked = new Set(resolved.asked)
    this.#askers.settle()
    for (const key of asked) this.#askers.add(this.#askers.key(key), number, ONCE)
  }

  remove(resolution: number): void {
    const row = this.#statements.resolution.get(resolution)
    if (row === undefined) return
    const first = Number(row['first_edge'])
    this.#statements.removeEdges.run(first, first + Number(row['edge_count']) - 1)
    this.#statements.removeResolution.run(resolution)
  }

  /** Sorted. */
  dependents(keys: readonly string[]): readonly string[] {
    this.#askers.flush()
    return askersOf(this.#connection)(keys)
  }

  flush(): void {
    this.#askers.flush()
  }

  #putEdges(file: number, { edges }: ResolvedFile): void {
    for (const it of edges) {
      this.#edges.add(
        ++this.#counters.edge,
        file,
        KIND_NUMBERS.get(it.kind) ?? 0,
        this.#strings.numberOf(it.from),
        this.#strings.numberOf(it.to),
        EVIDENCE_NUMBERS.get(it.evidence) ?? 0,
        it.start,
        it.end,
        it.confidence,
      )
    }
  }
}

/** What reading said of the file stays; what resolving said the last time does not. */
function withFailure(before: string, { path, failure }: ResolvedFile): string {
  if (before === '' && failure === undefined) return before
  const said = before === '' ? [] : (JSON.parse(before) as Diagnostic[])
  const rest = said.filter((it) => it.code !== 'unresolvable')
  const all: readonly Diagnostic[] =
    failure === undefined ? rest : [...rest, { code: 'unresolvable', path, message: failure }]
  return all.length === 0 ? '' : JSON.stringify(all)
}

/** Paths of the files that asked one of the questions, sorted. */
export function askersOf(connection: DatabaseSync): (keys: readonly string[]) => readonly string[] {
  const entriesOf = readLists(connection, 'askers')
  const path = connection.prepare(
    'SELECT files.path FROM resolutions JOIN files ON files.n = resolutions.file WHERE resolutions.n = ?',
  )
  return (keys) => {
    const numbers = new Set(keys.flatMap((key) => [...decode(entriesOf(key)).numbers]))
    const paths = [...numbers].flatMap((it) => {
      const row = path.get(it)
      return row === undefined ? [] : [String(row['path'])]
    })
    return paths.toSorted()
  }
}

/** Texts once each, since the same names and candidates come again and again. */
export function encodeUnresolved(records: readonly UnresolvedRecord[]): string {
  if (records.length === 0) return ''
  const texts = new Map<string, number>()
  const number = (text: string): number => {
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, texts.size)
    return texts.size - 1
  }
  const rows = records.map((it) => [
    number(it.kind),
    number(it.from),
    number(it.name),
    it.start,
    it.end,
    it.confidence,
    ...it.candidates.map(number),
  ])
  return JSON.stringify([[...texts.keys()], rows])
}

export function decodeUnresolved(encoded: string): readonly UnresolvedRecord[] {
  if (encoded === '') return []
  const [texts, rows] = JSON.parse(encoded) as [string[], number[][]]
  const text = (at: number | undefined): string => texts[at ?? -1] ?? ''
  return rows.map(([kind, from, name, start = 0, end = 0, confidence = 0, ...candidates]) => ({
    kind: text(kind) as UnresolvedRecord['kind'],
    from: text(from),
    name: text(name),
    start,
    end,
    candidates: candidates.map(text),
    confidence,
  }))
}

interface Statements {
  readonly fileAt: StatementSync
  readonly setResolution: StatementSync
  readonly setDiagnostics: StatementSync
  readonly resolution: StatementSync
  readonly putResolution: StatementSync
  readonly removeResolution: StatementSync
  readonly removeEdges: StatementSync
}

function prepare(connection: DatabaseSync): Statements {
  return {
    fileAt: connection.prepare('SELECT n, resolution, diagnostics FROM files WHERE path = ?'),
    setResolution: connection.prepare('UPDATE files SET resolution = ? WHERE n = ?'),
    setDiagnostics: connection.prepare('UPDATE files SET diagnostics = ? WHERE n = ?'),
    resolution: connection.prepare('SELECT first_edge, edge_count FROM resolutions WHERE n = ?'),
    putResolution: connection.prepare('INSERT INTO resolutions VALUES (?, ?, ?, ?, ?, ?)'),
    removeResolution: connection.prepare('DELETE FROM resolutions WHERE n = ?'),
    removeEdges: connection.prepare('DELETE FROM edges WHERE n BETWEEN ? AND ?'),
  }
}
