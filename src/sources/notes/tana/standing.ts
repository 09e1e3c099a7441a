/**
 * What each node of an export is, seen from all the others: given as a note or not, in the trash or
 * not, and who its parent is. Works on the table alone; no text is read.
 */
import { ascending } from '../../../base/order.ts'
import {
  type DocType,
  isBuiltIn,
  LINK,
  METANODE,
  PLAIN,
  type PlaceRole,
  placeOf,
  TUPLE,
  TYPE_LABEL,
  typeOf,
} from './doc-types.ts'
import { UNKNOWN } from './id-table.ts'
import type { NodeTable } from './node-table.ts'

/** Not in the file, or in it and of no use to a reader: an empty line, what nobody can reach. */
export const ABSENT = 0
export const NOTE = 1
/** Given, so that breadcrumbs have it. */
export const PLACE = 2
/** A tuple, or what the program keeps for itself. */
export const INNER = 3
/** The text of a field, and nothing else. */
export const VALUE = 4
export const TRASHED = 5

export interface Standing {
  readonly table: NodeTable
  /** One of the above for each node. */
  readonly is: Uint8Array
  /** Of those that are given: the nearest owner that is given. */
  readonly parent: Int32Array
  /** Those that are given, by parent: these many of `owned`, from here on, in the file's order. */
  readonly ownedFrom: Uint32Array
  readonly owned: Int32Array
  readonly trashed: number
  readonly correctedParents: number
  /** Nodes whose chain of owners was cut, because it led back to them. */
  readonly cutOwners: readonly number[]
  readonly ownChildren: readonly number[]
}

export function standingOf(table: NodeTable): Standing {
  linkMetanodes(table)
  const cutOwners = cutCycles(table)
  const { listers, ownChildren } = lastListers(table)
  const places = placesOf(table)
  const below = fates(table, places)
  const is = standings(table, { below, listers, places })
  const parent = parents(table, is)
  return {
    table,
    is,
    parent,
    ...ownedLists(table, parent),
    trashed: counted(table, (node) => is[node] === TRASHED),
    correctedParents: counted(table, (node) => {
      const lister = listers[node] as number
      return lister !== UNKNOWN && lister !== table.owner[node]
    }),
    cutOwners,
    ownChildren,
  }
}

export function isGiven(standing: Standing, node: number): boolean {
  const is = standing.is[node]
  return is === NOTE || is === PLACE
}

/** What a node's metanode says it is: for most the tags, for a tag what it extends. */
export function typesOf(table: NodeTable, node: number): readonly number[] {
  const meta = table.meta[node] as number
  if (meta === UNKNOWN) return []
  const label = table.ids.find(TYPE_LABEL)
  if (label === UNKNOWN) return []
  const types: number[] = []
  for (const tuple of childrenOf(table, meta)) {
    if (table.type[tuple] !== TUPLE) continue
    const parts = childrenOf(table, tuple)
    if (parts.includes(label)) types.push(...parts.filter((part) => isTagged(table, part)))
  }
  return types
}

function isTagged(table: NodeTable, part: number): boolean {
  return table.there[part] === 1 || !isBuiltIn(table.ids.textOf(part))
}

export function childrenOf(table: NodeTable, node: number): Int32Array {
  const from = table.listFrom[node] as number
  return table.listed.subarray(from, from + (table.listCount[node] as number))
}

/** A metanode names its owner, and mostly the owner names it. */
function linkMetanodes(table: NodeTable): void {
  each(table, (node) => {
    const owner = table.owner[node] as number
    if (table.type[node] !== METANODE || owner === UNKNOWN) return
    if (table.meta[owner] === UNKNOWN) table.meta[owner] = node
  })
}

/** Afterwards every chain of owners ends. A ring is opened at its first id, wherever it stands. */
function cutCycles(table: NodeTable): readonly number[] {
  const { owner, ids } = table
  const walk = new Int32Array(owner.length)
  const cut: number[] = []
  let round = 0
  each(table, (start) => {
    round += 1
    let node = start
    while (node !== UNKNOWN && walk[node] === 0) {
      walk[node] = round
      node = owner[node] as number
    }
    if (node === UNKNOWN || walk[node] !== round) return
    const ring = [node]
    for (let at = owner[node] as number; at !== node; at = owner[at] as number) ring.push(at)
    const first = ring.toSorted(ascending((it) => ids.textOf(it)))[0] ?? node
    owner[first] = UNKNOWN
    cut.push(first)
  })
  return cut.toSorted(ascending((it) => ids.textOf(it)))
}

interface Listers {
  readonly listers: Int32Array
  readonly ownChildren: readonly number[]
}

function lastListers(table: NodeTable): Listers {
  const listers = new Int32Array(table.owner.length).fill(UNKNOWN)
  const ownChildren: number[] = []
  each(table, (node) => {
    for (const child of childrenOf(table, node)) {
      if (child !== node) listers[child] = node
      else if (ownChildren.at(-1) !== node) ownChildren.push(node)
    }
  })
  return { listers, ownChildren }
}

/** What becomes of the nodes below one. */
const FREE = 1
const INSIDE = 2
const GONE = 3

function fates(table: NodeTable, places: Places): Uint8Array {
  const below = new Uint8Array(table.owner.length)
  const path: number[] = []
  each(table, (start) => {
    let node = start
    while (node !== UNKNOWN && below[node] === 0) {
      path.push(node)
      node = table.owner[node] as number
    }
    let fate = node === UNKNOWN ? FREE : (below[node] as number)
    for (let last = path.pop(); last !== undefined; last = path.pop()) {
      fate = fateBelow(fate, typeOf(table.type[last] as number).role, places.get(last))
      below[last] = fate
    }
  })
  return below
}

function fateBelow(fate: number, role: DocType['role'], place: PlaceRole | undefined): number {
  if (fate === GONE) return GONE
  if (role === 'talk') return FREE
  if (role === 'inner') return INSIDE
  if (place === undefined || place === 'place') return fate
  return place === 'trash' ? GONE : INSIDE
}

type Places = ReadonlyMap<number, PlaceRole>

/** A place need not be in the file itself: what it owns may be all that was exported. */
function placesOf(table: NodeTable): Places {
  const places = new Map<number, PlaceRole>()
  for (let node = 0; node < table.ids.size; node += 1) {
    if (table.type[node] !== PLAIN) continue
    const place = placeOf(table.ids.textOf(node))
    if (place !== undefined) places.set(node, place)
  }
  return places
}

interface Seen {
  readonly below: Uint8Array
  readonly listers: Int32Array
  readonly places: Places
}

function standings(table: NodeTable, { below, listers, places }: Seen): Uint8Array {
  const is = new Uint8Array(table.owner.length)
  const owns = owners(table)
  const roots = rootsOf(table, places)
  each(table, (node) => {
    const owner = table.owner[node] as number
    const fate = owner === UNKNOWN ? FREE : (below[owner] as number)
    const isLeaf = owns[node] === 0 && table.listCount[node] === 0
    if (fate === GONE) is[node] = TRASHED
    else if (roots.has(node) || places.has(node)) is[node] = PLACE
    else is[node] = singleStanding(table, node, { owner, fate, isLeaf })
    const isLoose = owner === UNKNOWN && isLeaf && listers[node] === UNKNOWN
    // Where there is a root, all that can be reached hangs on it.
    if (isLoose && roots.size > 0 && is[node] === NOTE) is[node] = ABSENT
  })
  return is
}

interface Around {
  readonly owner: number
  readonly fate: number
  readonly isLeaf: boolean
}

function singleStanding(table: NodeTable, node: number, { owner, fate, isLeaf }: Around): number {
  const type = table.type[node] as number
  const { role, kind } = typeOf(type)
  if (role === 'part' || role === 'inner') return INNER
  if (fate === INSIDE && role !== 'talk') return INNER
  if (kind === 'system') return PLACE
  if (!isLeaf || typesOf(table, node).length > 0) return NOTE
  const isPlain = type === PLAIN || type === LINK
  const ofTuple = owner !== UNKNOWN && table.type[owner] === TUPLE
  if (ofTuple && isPlain) return VALUE
  return isPlain && table.worded[node] === 0 ? ABSENT : NOTE
}

/** Who owns something that is more than a metanode. */
function owners(table: NodeTable): Uint8Array {
  const owns = new Uint8Array(table.owner.length)
  each(table, (node) => {
    const owner = table.owner[node] as number
    if (owner !== UNKNOWN && table.type[node] !== METANODE) owns[owner] = 1
  })
  return owns
}

/** The workspaces themselves: their places are named after them. */
function rootsOf(table: NodeTable, places: Places): ReadonlySet<number> {
  const roots = new Set<number>()
  for (const place of places.keys()) {
    const owner = table.owner[place] as number
    if (owner === UNKNOWN) continue
    if (table.ids.textOf(place).startsWith(`${table.ids.textOf(owner)}_`)) roots.add(owner)
  }
  return roots
}

function parents(table: NodeTable, is: Uint8Array): Int32Array {
  const parent = new Int32Array(table.owner.length).fill(UNKNOWN)
  each(table, (node) => {
    if (is[node] !== NOTE && is[node] !== PLACE) return
    let up = table.owner[node] as number
    while (up !== UNKNOWN && is[up] !== NOTE && is[up] !== PLACE) up = table.owner[up] as number
    parent[node] = up
  })
  return parent
}

function ownedLists(table: NodeTable, parent: Int32Array): Pick<Standing, 'ownedFrom' | 'owned'> {
  const ownedFrom = new Uint32Array(parent.length + 1)
  each(table, (node) => {
    const up = parent[node] as number
    if (up !== UNKNOWN) ownedFrom[up + 1] = (ownedFrom[up + 1] as number) + 1
  })
  for (let at = 1; at < ownedFrom.length; at += 1) {
    ownedFrom[at] = (ownedFrom[at] as number) + (ownedFrom[at - 1] as number)
  }
  const next = ownedFrom.slice()
  const owned = new Int32Array(ownedFrom.at(-1) ?? 0)
  each(table, (node) => {
    const up = parent[node] as number
    if (up === UNKNOWN) return
    owned[next[up] as number] = node
    next[up] = (next[up] as number) + 1
  })
  return { ownedFrom, owned }
}

function each(table: NodeTable, visit: (node: number) => void): void {
  for (let at = 0; at < table.count; at += 1) visit(table.order[at] as number)
}

function counted(table: NodeTable, holds: (node: number) => boolean): number {
  let count = 0
  each(table, (node) => {
    if (holds(node)) count += 1
  })
  return count
}
