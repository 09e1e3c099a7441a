/**
 * What is remembered of every node of an export between the two readings of the file: numbers in
 * long arrays, no object for each. A node is called by the number of its id.
 */
import { type IdTable, idTable, UNKNOWN } from './id-table.ts'

export interface NodeTable {
  readonly ids: IdTable
  /** The nodes in the order of the file. */
  readonly order: Int32Array
  /** How many of `order` count. */
  readonly count: number
  /** 1 for those that are in the file. */
  readonly there: Uint8Array
  readonly type: Uint8Array
  /** 1 for those with a name or a description. */
  readonly worded: Uint8Array
  /** `UNKNOWN` where nobody is named. */
  readonly owner: Int32Array
  readonly meta: Int32Array
  readonly offset: Float64Array
  readonly length: Uint32Array
  /** The children are these many numbers of `listed`, from here on. */
  readonly listFrom: Uint32Array
  readonly listCount: Uint32Array
  readonly listed: Int32Array
}

export interface NodeEntry {
  readonly number: number
  readonly type: number
  readonly isWorded: boolean
  readonly owner: number
  readonly meta: number
  readonly offset: number
  readonly length: number
  readonly children: readonly unknown[]
}

export interface NodeTableBuilder {
  readonly ids: IdTable
  has(number: number): boolean
  add(entry: NodeEntry): void
  /** Nothing is added afterwards. */
  finished(): NodeTable
}

const FIRST = 1 << 12

export function nodeTableBuilder(): NodeTableBuilder {
  const ids = idTable()
  let columns = emptyColumns(FIRST)
  let order = new Int32Array(FIRST)
  let listed = new Int32Array(FIRST)
  let count = 0
  let listEnd = 0

  function list(children: readonly unknown[]): number {
    const from = listEnd
    while (listEnd + children.length > listed.length) listed = twice(listed)
    for (const child of children) {
      if (typeof child !== 'string') continue
      listed[listEnd] = ids.intern(child)
      listEnd += 1
    }
    return listEnd - from
  }

  return {
    ids,
    has: (number) => columns.there[number] === 1,
    add: (entry) => {
      const { number } = entry
      const listFrom = listEnd
      const listCount = list(entry.children)
      if (ids.size > columns.there.length) columns = grown(columns, ids.size)
      if (count === order.length) order = twice(order)
      order[count] = number
      count += 1
      columns.there[number] = 1
      columns.type[number] = entry.type
      columns.worded[number] = entry.isWorded ? 1 : 0
      columns.owner[number] = entry.owner
      columns.meta[number] = entry.meta
      columns.offset[number] = entry.offset
      columns.length[number] = entry.length
      columns.listFrom[number] = listFrom
      columns.listCount[number] = listCount
    },
    finished: () => ({ ids, order, count, listed, ...grown(columns, ids.size) }),
  }
}

type Columns = Omit<NodeTable, 'ids' | 'order' | 'count' | 'listed'>

function emptyColumns(length: number): Columns {
  return {
    there: new Uint8Array(length),
    type: new Uint8Array(length),
    worded: new Uint8Array(length),
    owner: new Int32Array(length).fill(UNKNOWN),
    meta: new Int32Array(length).fill(UNKNOWN),
    offset: new Float64Array(length),
    length: new Uint32Array(length),
    listFrom: new Uint32Array(length),
    listCount: new Uint32Array(length),
  }
}

function grown(columns: Columns, needed: number): Columns {
  let length = columns.there.length
  if (length >= needed) return columns
  while (length < needed) length *= 2
  const next = emptyColumns(length)
  next.there.set(columns.there)
  next.type.set(columns.type)
  next.worded.set(columns.worded)
  next.owner.set(columns.owner)
  next.meta.set(columns.meta)
  next.offset.set(columns.offset)
  next.length.set(columns.length)
  next.listFrom.set(columns.listFrom)
  next.listCount.set(columns.listCount)
  return next
}

function twice(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const next = new Int32Array(array.length * 2)
  next.set(array)
  return next
}
