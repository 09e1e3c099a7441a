/**
 * Values that are needed for very many notes at once, one per note number: stored as whole columns,
 * which a reader loads with one read. Bytes are in native order.
 */
import type { DatabaseSync } from 'node:sqlite'

/** Bits of `flags`. No bit: there is no note of this number. */
export const EXISTS = 1
/** May be a search result: not a system node. */
export const VISIBLE = 2
export const TAGGED = 4

const ARRAYS = {
  flags: Uint8Array,
  /** See `lengths.ts`. */
  lengths: Uint8Array,
  /** Of the folded name, for finding a note by the whole of it. */
  nameHashes: Uint32Array,
  /** Numbers of the owners; 0 for none. */
  parents: Uint32Array,
  /** The place of the note among all, by id. */
  ranks: Uint32Array,
  /** Time of the last change or of creation; 0 if unknown. */
  times: Float64Array,
  /** Of the whole record, as a number of 52 bits. */
  digests: Float64Array,
} as const

export type ColumnName = keyof typeof ARRAYS
type ColumnOf<Name extends ColumnName> = InstanceType<(typeof ARRAYS)[Name]>
export type Columns = { -readonly [Name in ColumnName]: ColumnOf<Name> }

export const COLUMN_NAMES = Object.keys(ARRAYS) as readonly ColumnName[]

const FIRST_CAPACITY = 1024

export function loadColumn<Name extends ColumnName>(
  connection: DatabaseSync,
  name: Name,
): ColumnOf<Name> {
  const row = connection.prepare('SELECT bytes FROM columns WHERE name = ?').get(name)
  const bytes = (row?.['bytes'] ?? new Uint8Array(1)) as Uint8Array<ArrayBuffer>
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  const { BYTES_PER_ELEMENT: width } = ARRAYS[name]
  const length = Math.floor(bytes.length / width)
  return new ARRAYS[name](aligned.buffer, aligned.byteOffset, length) as ColumnOf<Name>
}

export function loadColumns(connection: DatabaseSync): Columns {
  const pairs = COLUMN_NAMES.map((name) => [name, loadColumn(connection, name)])
  return Object.fromEntries(pairs) as Columns
}

/** Room for this number in each of them. */
export function growColumns(columns: Columns, number: number): void {
  if (number < columns.flags.length && number < columns.digests.length) return
  const capacity = Math.max(FIRST_CAPACITY, 2 * number)
  const put = <Name extends ColumnName>(name: Name): void => {
    const larger = new ARRAYS[name](capacity)
    larger.set(columns[name])
    columns[name] = larger as Columns[Name]
  }
  for (const name of COLUMN_NAMES) put(name)
}

/** The first `length` numbers of each. */
export function saveColumns(connection: DatabaseSync, columns: Columns, length: number): void {
  const put = connection.prepare('INSERT OR REPLACE INTO columns VALUES (?, ?)')
  for (const name of COLUMN_NAMES) {
    const used = columns[name].subarray(0, length)
    put.run(name, new Uint8Array(used.buffer, used.byteOffset, used.byteLength))
  }
}
