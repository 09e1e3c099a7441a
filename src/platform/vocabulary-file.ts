/**
 * A vocabulary as one file of numbers in the order of this machine, read in milliseconds where the
 * tables take a tenth of a second to make. A file that is missing, cut, changed or of another
 * machine's order is no vocabulary; who asked makes the tables then, so no count can be wrong.
 */
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { byteTable, indexLength, recordsLength } from '../base/byte-table.ts'
import { PAIRS, type Vocabulary, vocabularyRoom } from '../base/token-merges.ts'

/** Changes with the order of the numbers, the hash, and the room that a table has. */
const FORMAT = 0x766f6301
/** The format, how many tokens there are, where their records end, and a sum over all the rest. */
const HEADER = 4
const SUM = 3

export function writeVocabulary(path: string | URL, { table, pairs }: Vocabulary): void {
  const { index, records, end, count } = table.contents()
  const numbers = new Int32Array(HEADER + PAIRS + index.length + end)
  numbers.set([FORMAT, count, end])
  numbers.set(pairs, HEADER)
  numbers.set(index, HEADER + PAIRS)
  numbers.set(records.subarray(0, end), HEADER + PAIRS + index.length)
  numbers[SUM] = sumOf(numbers, numbers.byteLength)
  writeFileSync(path, numbers)
}

export function readVocabulary(path: string | URL): Vocabulary | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return vocabularyIn(file)
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function vocabularyIn(file: number): Vocabulary | undefined {
  const header = new Int32Array(HEADER)
  readSync(file, header)
  const [format, count = 0, end = 0, sum] = header
  const { size } = fstatSync(file)
  if (format !== FORMAT || count < 0 || end < 0 || count > size || end > size) return undefined
  const room = vocabularyRoom(count, 4 * end)
  const indexStart = HEADER + PAIRS
  const recordsStart = indexStart + indexLength(room.entries)
  if (size !== 4 * (recordsStart + end)) return undefined
  // Read to where it is used; what is remembered later goes behind it.
  const numbers = new Int32Array(recordsStart + recordsLength(room))
  const isWhole = readSync(file, numbers, 0, size, 0) === size
  if (!isWhole || sumOf(numbers, size) !== sum) return undefined
  const index = numbers.subarray(indexStart, recordsStart)
  const records = numbers.subarray(recordsStart)
  return {
    table: byteTable(room, { index, records, end, count }),
    pairs: numbers.subarray(HEADER, indexStart),
  }
}

/** Of all but itself. */
function sumOf(numbers: Int32Array, bytes: number): number {
  const head = new Uint8Array(numbers.buffer, 0, 4 * SUM)
  const rest = new Uint8Array(numbers.buffer, 4 * HEADER, bytes - 4 * HEADER)
  return crc32(rest, crc32(head)) | 0
}
