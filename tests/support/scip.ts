/**
 * SCIP indexes for tests: real ones from the indexer for TypeScript, which also brings code of its
 * own to read and write the format, and bytes by hand for what that indexer never writes.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type {
  ScipDocument,
  ScipOccurrence,
  ScipRange,
  ScipSymbol,
} from '../../src/model/scip-document.ts'
import { onDisk } from './project.ts'

/** What the indexer's own code for the format has, as far as it is compared. */
export interface IndexObject {
  readonly metadata: object
  readonly documents: readonly DocumentObject[]
  readonly external_symbols: readonly SymbolObject[]
}

export interface DocumentObject {
  readonly relative_path: string
  readonly language: string
  readonly text: string
  readonly symbols: readonly SymbolObject[]
  readonly occurrences: readonly OccurrenceObject[]
}

export interface SymbolObject {
  readonly symbol: string
  readonly kind: number
  readonly display_name: string
  readonly documentation: readonly string[]
  readonly relationships: readonly RelationshipObject[]
  readonly enclosing_symbol: string
}

export interface RelationshipObject {
  readonly symbol: string
  readonly is_reference: boolean
  readonly is_implementation: boolean
  readonly is_type_definition: boolean
  readonly is_definition: boolean
}

export interface OccurrenceObject {
  readonly range: readonly number[]
  readonly symbol: string
  readonly symbol_roles: number
  readonly enclosing_range: readonly number[]
}

interface Bindings {
  readonly scip: {
    readonly Index: {
      deserializeBinary(bytes: Uint8Array): { toObject(): IndexObject }
      fromObject(index: IndexObject): { serializeBinary(): Uint8Array }
    }
  }
}

const require = createRequire(import.meta.url)
const bindings: Bindings = require('@sourcegraph/scip-typescript/dist/src/scip.js')
const INDEXER = require.resolve('@sourcegraph/scip-typescript/dist/src/main.js')

/** An index as the indexer's own code reads it. */
export function readWithBindings(bytes: Uint8Array): IndexObject {
  return bindings.scip.Index.deserializeBinary(bytes).toObject()
}

export function writeIndex(index: IndexObject): Uint8Array {
  return bindings.scip.Index.fromObject(index).serializeBinary()
}

/** A document of theirs in our words. */
export function expectedDocument(it: DocumentObject): ScipDocument {
  return {
    path: it.relative_path,
    language: it.language,
    positionEncoding: 'utf-16',
    symbols: it.symbols.map(expectedSymbol),
    occurrences: it.occurrences.map(expectedOccurrence),
    ...(it.text === '' ? {} : { text: it.text }),
  }
}

export function expectedSymbol(it: SymbolObject): ScipSymbol {
  return {
    symbol: it.symbol,
    kind: it.kind,
    displayName: it.display_name,
    documentation: it.documentation,
    relationships: it.relationships.map((to) => ({
      symbol: to.symbol,
      isReference: to.is_reference,
      isImplementation: to.is_implementation,
      isTypeDefinition: to.is_type_definition,
      isDefinition: to.is_definition,
    })),
    enclosingSymbol: it.enclosing_symbol,
  }
}

function expectedOccurrence(it: OccurrenceObject): ScipOccurrence {
  const around = it.enclosing_range
  return {
    range: rangeOf(it.range),
    symbol: it.symbol,
    roles: it.symbol_roles,
    ...(around.length === 0 ? {} : { enclosingRange: rangeOf(around) }),
  }
}

export function rangeOf(numbers: readonly number[]): ScipRange {
  const [startLine = 0, startCharacter = 0] = numbers
  const endLine = numbers.length === 4 ? (numbers[2] ?? 0) : startLine
  return { startLine, startCharacter, endLine, endCharacter: numbers.at(-1) ?? 0 }
}

const PROJECT = `
//- package.json
{ "name": "zoo", "version": "1.2.3" }
//- tsconfig.json
{ "compilerOptions": { "strict": true, "target": "es2022" }, "include": ["src"] }
//- src/animals.ts
/** Makes «a noise» 🎉. */
export interface Animal { sound(): string; 'with space': number }
export class Dog implements Animal {
  #name = 'Rex'; 'with space' = 1
  constructor(readonly age: number) {}
  get name() { return this.#name }
  sound(): string { const loud = '🐕 wuff'; return loud + this.age }
}
const größe = 3, 動物 = { größe, "a b": 2, nested: { deep: 1 } }
/* 🎉🎉 */ export default function (kind: { id: string }) { return kind.id + 動物.nested.deep }
export type Pair<T> = [T, T]
export enum Size { Small, Large }
//- src/deep/user.ts
import make, { Dog as Hound, type Pair } from '../animals.js'
export const pair: Pair<Hound> = [new Hound(1), new Hound(2)]
export const { length: howMany } = pair
export function bark({ age }: Hound, ...more: Hound[]) {
  return make({ id: String(age + more.length) })
}
`

/** Made once: the indexer takes a second. */
let made: { readonly bytes: Uint8Array; readonly texts: ReadonlyMap<string, string> } | undefined

export function realIndex() {
  if (made !== undefined) return made
  const folder = onDisk(PROJECT)
  const output = join(folder, 'index.scip')
  runIndexer(folder, output)
  const paths = ['src/animals.ts', 'src/deep/user.ts']
  const texts = new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
  made = { bytes: readFileSync(output), texts }
  return made
}

/** The indexer for TypeScript, on a project on disk. */
export function runIndexer(folder: string, output: string): void {
  const flags = ['--cwd', folder, '--output', output, '--no-progress-bar']
  execFileSync(process.execPath, [INDEXER, 'index', ...flags], { stdio: 'pipe' })
}

/** Bytes by hand, for what the indexer does not write: a number, or bytes with their length. */
export function field(
  number: number,
  content: number | bigint | string | readonly number[],
): number[] {
  if (typeof content === 'number' || typeof content === 'bigint') {
    return [...varint(number << 3), ...varint(content)]
  }
  const bytes = typeof content === 'string' ? [...new TextEncoder().encode(content)] : content
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes]
}

export function varint(value: number | bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return [...bytes, Number(rest)]
}

export const METADATA = field(1, field(2, field(1, 'some-tool')))

export function indexOf(...documents: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([...METADATA, ...documents.flatMap((it) => field(2, it))])
}
