/**
 * A table from short strings of bytes to numbers, which are looked up where they stand in a longer
 * one: no string is made and nothing is allocated. What it finds is compared byte for byte, so that
 * two strings are never taken for each other, whatever they hash to. It knows nothing of text.
 */
export interface ByteTable {
  /** The number under these bytes, or `ABSENT`. At least three more bytes must be readable. */
  find(bytes: DataView, from: number, length: number): number
  /** Enters bytes that are absent. If there is no room, all that was not kept is forgotten. */
  add(bytes: DataView, span: ByteSpan, value: number): void
  /** What has been added up to now stays. */
  keep(): void
  /** The numbers that another table of the same room can begin with. */
  contents(): TableContents
}

export interface TableContents {
  /** Two numbers for each slot: the hash, and where in `records` the string is, which is never 0. */
  readonly index: Int32Array
  /** For each string its length, its value, and its bytes in words, the last filled up with zeros. */
  readonly records: Int32Array
  /** Where the next record would be, and how many there are. All of them stay. */
  readonly end: number
  readonly count: number
}

export interface ByteSpan {
  readonly from: number
  readonly length: number
}

export interface TableRoom {
  /** Strings, at most. */
  readonly entries: number
  /** Bytes of all strings together. */
  readonly bytes: number
}

export const ABSENT = 0x7fffffff

/** At least half of the slots are empty, so that a search ends soon. */
export function indexLength(entries: number): number {
  return 2 * 2 ** Math.ceil(Math.log2(entries * 2))
}

export function recordsLength({ entries, bytes }: TableRoom): number {
  return 1 + 3 * entries + Math.ceil(bytes / 4)
}

export function byteTable(room: TableRoom, contents = nothing(room)): ByteTable {
  const { index, records } = contents
  const slots = index.length / 2
  const mask = slots - 1
  let { end, count } = contents
  let kept = { end, count }

  function find(bytes: DataView, from: number, length: number): number {
    const hash = hashOf(bytes, from, length)
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const record = index[2 * slot + 1] as number
      if (record === 0) return ABSENT
      if (index[2 * slot] !== hash || records[record] !== length) continue
      if (isAt(record, bytes, from)) return records[record + 1] as number
    }
  }

  function isAt(record: number, bytes: DataView, from: number): boolean {
    const length = records[record] as number
    let word = record + 2
    for (let at = 0; at < length; at += 4) {
      if (records[word] !== wordAt(bytes, from + at, length - at)) return false
      word += 1
    }
    return true
  }

  function add(bytes: DataView, { from, length }: ByteSpan, value: number): void {
    const size = 2 + Math.ceil(length / 4)
    if (!hasRoom(size)) forget()
    // What is longer than all the room there is need not be remembered.
    if (!hasRoom(size)) return
    const hash = hashOf(bytes, from, length)
    let slot = hash & mask
    while (index[2 * slot + 1] !== 0) slot = (slot + 1) & mask
    index[2 * slot] = hash
    index[2 * slot + 1] = end
    records[end] = length
    records[end + 1] = value
    for (let at = 0; at < length; at += 4) {
      records[end + 2 + at / 4] = wordAt(bytes, from + at, length - at)
    }
    end += size
    count += 1
  }

  function hasRoom(size: number): boolean {
    return count < room.entries && end + size <= records.length
  }

  /** What was kept was added first, so that no search for it passes over what goes. */
  function forget(): void {
    for (let slot = 0; slot < slots; slot += 1) {
      if ((index[2 * slot + 1] as number) >= kept.end) index[2 * slot + 1] = 0
    }
    end = kept.end
    count = kept.count
  }

  return {
    find,
    add,
    keep: () => {
      kept = { end, count }
    },
    contents: () => ({ index, records, end, count }),
  }
}

function nothing(room: TableRoom): TableContents {
  return {
    index: new Int32Array(indexLength(room.entries)),
    records: new Int32Array(recordsLength(room)),
    end: 1,
    count: 0,
  }
}

function hashOf(bytes: DataView, from: number, length: number): number {
  let hash = length
  for (let at = 0; at < length; at += 4) {
    hash = Math.imul(hash ^ wordAt(bytes, from + at, length - at), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash
}

/** Four bytes as one number; where fewer are `left`, zeros stand for those that follow. */
function wordAt(bytes: DataView, at: number, left: number): number {
  const word = bytes.getInt32(at, true)
  return left < 4 ? word & ((1 << (8 * left)) - 1) : word
}
