/**
 * What is stored of every node of an export between the two passes over the file: numbers in typed
 * arrays, without an object per node. A node is identified by the number of its id.
 */
import { createIdTable, type IdTable, UNKNOWN } from './id-table.ts'

export interface NodeTable {
  readonly ids: IdTable
  /** The nodes in the order of the file. */
  readonly order: Int32Array
  /** How many of `order` count. */
  readonly count: number
  /** 1 for those that are in the file. */
  readonly isPresent: Uint8Array
  readonly type: Uint8Array
  /** 1 for those with a name or a description. */
  readonly hasText: Uint8Array
  /** `UNKNOWN` if there is no owner. */
  readonly owner: Int32Array
  readonly metanode: Int32Array
  readonly offset: Float64Array
  readonly length: Uint32Array
  /** The children are `childCount` entries of `childNodes`, from `childStart` on. */
  readonly childStart: Uint32Array
  readonly childCount: Uint32Array
  readonly childNodes: Int32Array
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
  finish(): NodeTable
}

const FIRST_CAPACITY = 1 << 12

export function createNodeTableBuilder(): NodeTableBuilder {
  const ids = createIdTable()
  let columns = emptyColumns(FIRST_CAPACITY)
  let order = new Int32Array(FIRST_CAPACITY)
  let listed = new Int32Array(FIRST_CAPACITY)
  let count = 0
  let listEnd = 0

  function list(children: readonly unknown[]): number {
    const from = listEnd
    while (listEnd + children.length > listed.length) listed = doubleLength(listed)
    for (const child of children) {
      if (typeof child !== 'string') continue
      listed[listEnd] = ids.intern(child)
      listEnd += 1
    }
    return listEnd - from
  }

  return {
    ids,
    has: (number) => columns.isPresent[number] === 1,
    add: (entry) => {
      const { number } = entry
      const listFrom = listEnd
      const listCount = list(entry.children)
      if (ids.size > columns.isPresent.length) columns = growColumns(columns, ids.size)
      if (count === order.length) order = doubleLength(order)
      order[count] = number
      count += 1
      columns.isPresent[number] = 1
      columns.type[number] = entry.type
      columns.hasText[number] = entry.isWorded ? 1 : 0
      columns.owner[number] = entry.owner
      columns.metanode[number] = entry.meta
      columns.offset[number] = entry.offset
      columns.length[number] = entry.length
      columns.childStart[number] = listFrom
      columns.childCount[number] = listCount
    },
    finish: () => ({ ids, order, count, childNodes: listed, ...growColumns(columns, ids.size) }),
  }
}

type Columns = Omit<NodeTable, 'ids' | 'order' | 'count' | 'childNodes'>

function emptyColumns(length: number): Columns {
  return {
    isPresent: new Uint8Array(length),
    type: new Uint8Array(length),
    hasText: new Uint8Array(length),
    owner: new Int32Array(length).fill(UNKNOWN),
    metanode: new Int32Array(length).fill(UNKNOWN),
    offset: new Float64Array(length),
    length: new Uint32Array(length),
    childStart: new Uint32Array(length),
    childCount: new Uint32Array(length),
  }
}

function growColumns(columns: Columns, needed: number): Columns {
  let length = columns.isPresent.length
  if (length >= needed) return columns
  while (length < needed) length *= 2
  const next = emptyColumns(length)
  next.isPresent.set(columns.isPresent)
  next.type.set(columns.type)
  next.hasText.set(columns.hasText)
  next.owner.set(columns.owner)
  next.metanode.set(columns.metanode)
  next.offset.set(columns.offset)
  next.length.set(columns.length)
  next.childStart.set(columns.childStart)
  next.childCount.set(columns.childCount)
  return next
}

function doubleLength(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const next = new Int32Array(array.length * 2)
  next.set(array)
  return next
}
