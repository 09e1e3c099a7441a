/**
 * The last look at the whole repository. Asked for by whoever only wants to know that nothing
 * changed, so all of it is one row: texts that are split and numbers that need no reading.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { FolderSnapshot, StoredSnapshot } from '../../model/code-index.ts'

/** No path that is looked at has a control character in it. */
const BETWEEN = '\n'
const NUMBERS_PER_FILE = 2

/** With the files as they are in the index now. */
export function saveLook(connection: DatabaseSync, look: FolderSnapshot): void {
  dropLook(connection)
  const statement = connection.prepare('SELECT path, size, mtime_ms FROM files')
  statement.setReturnArrays(true)
  const rows = statement.all() as unknown as (readonly [string, number, number])[]
  const paths: string[] = []
  const times = new Float64Array(rows.length * NUMBERS_PER_FILE)
  for (const [path, size, mtimeMs] of rows) {
    times[paths.length * NUMBERS_PER_FILE] = size
    times[paths.length * NUMBERS_PER_FILE + 1] = mtimeMs
    paths.push(path)
  }
  connection
    .prepare('INSERT INTO look VALUES (?, ?, ?, ?, ?)')
    .run(
      look.conditions,
      look.paths.join(BETWEEN),
      bytesOf(look.marks),
      paths.join(BETWEEN),
      bytesOf(times),
    )
}

export function dropLook(connection: DatabaseSync): void {
  connection.exec('DELETE FROM look')
}

export function loadLook(connection: DatabaseSync): StoredSnapshot | undefined {
  const row = connection.prepare('SELECT * FROM look').get()
  if (row === undefined) return undefined
  return {
    conditions: String(row['circumstances']),
    paths: String(row['places']).split(BETWEEN),
    marks: numbersOf(row['marks'] as Uint8Array),
    files: row['files'] === '' ? [] : String(row['files']).split(BETWEEN),
    times: numbersOf(row['times'] as Uint8Array),
  }
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** Of a copy, which begins where numbers may begin. */
function numbersOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer)
}
