/**
 * Assigns numbers to ids, from 0 in order of first occurrence, without an object per id: two
 * million ids take about fifty megabytes. An id has a number even if its node is not in the file.
 */
export interface IdTable {
  readonly size: number
  /** The number of this id; assigns a new one if needed. */
  intern(id: string): number
  /** The number of this id, or `UNKNOWN`. */
  find(id: string): number
  getText(number: number): string
}

export const UNKNOWN = -1

const FIRST_SLOTS = 1 << 12
const FIRST_BYTES = 1 << 16

export function createIdTable(): IdTable {
  let slots = new Int32Array(FIRST_SLOTS).fill(UNKNOWN)
  let hashes = new Int32Array(FIRST_SLOTS / 2)
  let ends = new Uint32Array(FIRST_SLOTS / 2)
  let bytes = Buffer.alloc(FIRST_BYTES)
  let size = 0
  let used = 0

  /** The slot that the id is in, or the empty one that it would be in. */
  function slotOf(id: string, hash: number): number {
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] as number
      if (number === UNKNOWN) return slot
      if (hashes[number] === hash && isId(number, id)) return slot
    }
  }

  function startOf(number: number): number {
    return number === 0 ? 0 : (ends[number - 1] as number)
  }

  function isId(number: number, id: string): boolean {
    const start = startOf(number)
    if ((ends[number] as number) - start !== id.length) return false
    for (let at = 0; at < id.length; at += 1) {
      if (bytes[start + at] !== id.charCodeAt(at)) return false
    }
    return true
  }

  function intern(id: string, hash = hashId(id)): number {
    const slot = slotOf(id, hash)
    const number = slots[slot] as number
    return number === UNKNOWN ? addId(id, hash, slot) : number
  }

  function addId(id: string, hash: number, slot: number): number {
    while (used + id.length > bytes.length) {
      const larger = Buffer.alloc(bytes.length * 2)
      bytes.copy(larger, 0, 0, used)
      bytes = larger
    }
    // About twelve bytes: a native call would cost more than the loop.
    for (let at = 0; at < id.length; at += 1) bytes[used + at] = id.charCodeAt(at)
    used += id.length
    slots[slot] = size
    hashes[size] = hash
    ends[size] = used
    size += 1
    if (size === hashes.length) grow()
    return size - 1
  }

  function grow(): void {
    hashes = copyInto(hashes, new Int32Array(hashes.length * 2))
    ends = copyInto(ends, new Uint32Array(ends.length * 2))
    slots = new Int32Array(slots.length * 2).fill(UNKNOWN)
    const mask = slots.length - 1
    for (let number = 0; number < size; number += 1) {
      let slot = (hashes[number] as number) & mask
      while (slots[slot] !== UNKNOWN) slot = (slot + 1) & mask
      slots[slot] = number
    }
  }

  return {
    get size() {
      return size
    },
    intern: (id) => {
      const hash = hashId(id)
      return isPlain(id, hash) ? intern(id, hash) : intern(escapeId(id))
    },
    find: (id) => {
      const hash = hashId(id)
      if (isPlain(id, hash)) return slots[slotOf(id, hash)] as number
      const plain = escapeId(id)
      return slots[slotOf(plain, hashId(plain))] as number
    },
    getText: (number) => {
      const plain = bytes.toString('latin1', startOf(number), ends[number] as number)
      return plain.charCodeAt(0) === ESCAPED ? decodeURIComponent(plain.slice(1)) : plain
    },
  }
}

/** First character of an escaped id. Ids of Tana never contain it. */
const ESCAPED = 0x7f

function isPlain(id: string, hash: number): boolean {
  return hash !== NOT_PLAIN && id.charCodeAt(0) !== ESCAPED
}

function escapeId(id: string): string {
  return String.fromCharCode(ESCAPED) + encodeURIComponent(id.toWellFormed())
}

/** Instead of a hash, for an id with a character that takes more than a byte. */
const NOT_PLAIN = -1

function hashId(id: string): number {
  let hash = id.length
  let all = 0
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at)
    all |= unit
    hash = Math.imul(hash ^ unit, 0x01000193)
  }
  // One bit less, so that it is never taken for `NOT_PLAIN`.
  return all > 0x7f ? NOT_PLAIN : (hash ^ (hash >>> 15)) & 0x7fffffff
}

function copyInto<T extends Int32Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
