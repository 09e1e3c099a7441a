/**
 * A vocabulary as one file of numbers in the order of this machine, read in milliseconds where the
 * tables take a tenth of a second to make. A file that is missing, cut or of another machine's order
 * is no vocabulary; who asked makes the tables then. What stands in it is trusted as are the modules
 * beside it: a sum over all of it would take half as long as to read it.
 */
import { closeSync, fstatSync, openSync, read, writeFileSync } from 'node:fs'
import { ROOM_AFTER, type TokenRecords } from '../base/token-table.ts'

/** Changes with the order of the numbers, the hash, and how tokens stand in their table. */
const FORMAT = 0x766f6302
/** The format, how many slots there are, and how many bytes of tokens. */
const HEADER = 3

export function writeVocabulary(path: string | URL, { slots, records, end }: TokenRecords): void {
  const bytes = new Uint8Array(4 * (HEADER + slots.length) + end)
  const numbers = new Int32Array(bytes.buffer, 0, HEADER + slots.length)
  numbers.set([FORMAT, slots.length, end])
  numbers.set(slots, HEADER)
  bytes.set(records.subarray(0, end), numbers.byteLength)
  writeFileSync(path, bytes)
}

/** It is read while others go on: that takes as long as some steps of a pack. */
export async function readVocabulary(path: string | URL): Promise<TokenRecords | undefined> {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return await parseVocabulary(file)
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

async function parseVocabulary(file: number): Promise<TokenRecords | undefined> {
  const { size } = fstatSync(file)
  if (size < 4 * HEADER) return undefined
  // Read to where it is used; what is remembered later goes behind it.
  const all = new Uint8Array(size + ROOM_AFTER)
  if ((await readInto(file, all.subarray(0, size))) !== size) return undefined
  const [format, slots = 0, end = 0] = new Int32Array(all.buffer, 0, HEADER)
  const start = 4 * (HEADER + slots)
  const isWhole = slots > 0 && end > 0 && size === start + end
  if (format !== FORMAT || !isWhole) return undefined
  const numbers = new Int32Array(all.buffer, 4 * HEADER, slots)
  return { slots: numbers, records: all.subarray(start), end }
}

function readInto(file: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, bytes, 0, bytes.length, 0, (error, count) => {
      if (error === null) resolve(count)
      else reject(error)
    })
  })
}
