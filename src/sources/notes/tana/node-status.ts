/**
 * Classifies each node of an export: included as a note or not, in the trash or not, and its
 * parent. Works on the table alone; reads no text.
 */
import { ascending } from '../../../base/order.ts'
import {
  type DocType,
  getDocType,
  isBuiltIn,
  LINK,
  METANODE,
  PLAIN,
  type SystemNodeRole,
  systemNodeRole,
  TUPLE,
  TYPE_LABEL,
} from './doc-types.ts'
import { UNKNOWN } from './id-table.ts'
import type { NodeTable } from './node-table.ts'

/** Not in the file, or without content: an empty line, or an unreachable node. */
export const ABSENT = 0
export const NOTE = 1
/** Included, so that breadcrumbs contain it. */
export const PLACE = 2
/** A tuple, or internal data of the program. */
export const INTERNAL = 3
/** The text of a field, and nothing else. */
export const VALUE = 4
export const TRASHED = 5

export interface NodeStatuses {
  readonly table: NodeTable
  /** One of the constants above for each node. */
  readonly status: Uint8Array
  /** For included nodes: the nearest included owner. */
  readonly parent: Int32Array
  /** Included nodes grouped by parent: `owned` from this index on, in file order. */
  readonly ownedFrom: Uint32Array
  readonly owned: Int32Array
  readonly trashed: number
  readonly correctedParents: number
  /** Nodes whose owner was removed because they owned themselves indirectly. */
  readonly cutOwners: readonly number[]
  readonly ownChildren: readonly number[]
}

export function classifyNodes(table: NodeTable): NodeStatuses {
  linkMetanodes(table)
  const cutOwners = cutCycles(table)
  const { listers, ownChildren } = findListingParents(table)
  const places = findSystemNodes(table)
  const below = computeRegions(table, places)
  const is = classifyAll(table, { below, listers, places })
  const parent = findParents(table, is)
  return {
    table,
    status: is,
    parent,
    ...groupByParent(table, parent),
    trashed: countNodes(table, (node) => is[node] === TRASHED),
    correctedParents: countNodes(table, (node) => {
      const lister = listers[node] as number
      return lister !== UNKNOWN && lister !== table.owner[node]
    }),
    cutOwners,
    ownChildren,
  }
}

export function isIncluded(standing: NodeStatuses, node: number): boolean {
  const is = standing.status[node]
  return is === NOTE || is === PLACE
}

/** The types in a node's metanode: its tags or, for a tag, the tags that it extends. */
export function listTypes(table: NodeTable, node: number): readonly number[] {
  const meta = table.metanode[node] as number
  if (meta === UNKNOWN) return []
  const label = table.ids.find(TYPE_LABEL)
  if (label === UNKNOWN) return []
  const types: number[] = []
  for (const tuple of listChildren(table, meta)) {
    if (table.type[tuple] !== TUPLE) continue
    const parts = listChildren(table, tuple)
    if (parts.includes(label)) types.push(...parts.filter((part) => isTagTuple(table, part)))
  }
  return types
}

function isTagTuple(table: NodeTable, part: number): boolean {
  return table.isPresent[part] === 1 || !isBuiltIn(table.ids.getText(part))
}

export function listChildren(table: NodeTable, node: number): Int32Array {
  const from = table.childStart[node] as number
  return table.childNodes.subarray(from, from + (table.childCount[node] as number))
}

/** A metanode names its owner, and usually the owner names it. */
function linkMetanodes(table: NodeTable): void {
  forEachNode(table, (node) => {
    const owner = table.owner[node] as number
    if (table.type[node] !== METANODE || owner === UNKNOWN) return
    if (table.metanode[owner] === UNKNOWN) table.metanode[owner] = node
  })
}

/**
 * Afterwards no node owns itself. A cycle is cut at its smallest id, so that the file order does
 * not matter.
 */
function cutCycles(table: NodeTable): readonly number[] {
  const { owner, ids } = table
  const walk = new Int32Array(owner.length)
  const cut: number[] = []
  let round = 0
  forEachNode(table, (start) => {
    round += 1
    let node = start
    while (node !== UNKNOWN && walk[node] === 0) {
      walk[node] = round
      node = owner[node] as number
    }
    if (node === UNKNOWN || walk[node] !== round) return
    const ring = [node]
    for (let at = owner[node] as number; at !== node; at = owner[at] as number) ring.push(at)
    const first = ring.toSorted(ascending((it) => ids.getText(it)))[0] ?? node
    owner[first] = UNKNOWN
    cut.push(first)
  })
  return cut.toSorted(ascending((it) => ids.getText(it)))
}

interface ListingParents {
  readonly listers: Int32Array
  readonly ownChildren: readonly number[]
}

function findListingParents(table: NodeTable): ListingParents {
  const listers = new Int32Array(table.owner.length).fill(UNKNOWN)
  const ownChildren: number[] = []
  forEachNode(table, (node) => {
    for (const child of listChildren(table, node)) {
      if (child !== node) listers[child] = node
      else if (ownChildren.at(-1) !== node) ownChildren.push(node)
    }
  })
  return { listers, ownChildren }
}

/** The region that the nodes below a node are in. */
const OUTSIDE = 1
const INSIDE = 2
const IN_TRASH = 3

function computeRegions(table: NodeTable, places: SystemNodes): Uint8Array {
  const below = new Uint8Array(table.owner.length)
  const path: number[] = []
  forEachNode(table, (start) => {
    let node = start
    while (node !== UNKNOWN && below[node] === 0) {
      path.push(node)
      node = table.owner[node] as number
    }
    let fate = node === UNKNOWN ? OUTSIDE : (below[node] as number)
    for (let last = path.pop(); last !== undefined; last = path.pop()) {
      fate = regionBelow(fate, getDocType(table.type[last] as number).role, places.get(last))
      below[last] = fate
    }
  })
  return below
}

function regionBelow(
  fate: number,
  role: DocType['role'],
  place: SystemNodeRole | undefined,
): number {
  if (fate === IN_TRASH) return IN_TRASH
  if (role === 'talk') return OUTSIDE
  if (role === 'inner') return INSIDE
  if (place === undefined || place === 'place') return fate
  return place === 'trash' ? IN_TRASH : INSIDE
}

type SystemNodes = ReadonlyMap<number, SystemNodeRole>

/** A system node need not be in the file: an export may contain only the nodes that it owns. */
function findSystemNodes(table: NodeTable): SystemNodes {
  const places = new Map<number, SystemNodeRole>()
  for (let node = 0; node < table.ids.size; node += 1) {
    if (table.type[node] !== PLAIN) continue
    const place = systemNodeRole(table.ids.getText(node))
    if (place !== undefined) places.set(node, place)
  }
  return places
}

interface ClassifyInput {
  readonly below: Uint8Array
  readonly listers: Int32Array
  readonly places: SystemNodes
}

function classifyAll(table: NodeTable, { below, listers, places }: ClassifyInput): Uint8Array {
  const is = new Uint8Array(table.owner.length)
  const owns = markOwners(table)
  const roots = findRoots(table, places)
  forEachNode(table, (node) => {
    const owner = table.owner[node] as number
    const fate = owner === UNKNOWN ? OUTSIDE : (below[owner] as number)
    const isLeaf = owns[node] === 0 && table.childCount[node] === 0
    if (fate === IN_TRASH) is[node] = TRASHED
    else if (roots.has(node) || places.has(node)) is[node] = PLACE
    else is[node] = classifyNode(table, node, { owner, fate, isLeaf })
    const isLoose = owner === UNKNOWN && isLeaf && listers[node] === UNKNOWN
    // If there is a root, every reachable node is below it.
    if (isLoose && roots.size > 0 && is[node] === NOTE) is[node] = ABSENT
  })
  return is
}

interface NodeSurroundings {
  readonly owner: number
  readonly fate: number
  readonly isLeaf: boolean
}

function classifyNode(
  table: NodeTable,
  node: number,
  { owner, fate, isLeaf }: NodeSurroundings,
): number {
  const type = table.type[node] as number
  const { role, kind } = getDocType(type)
  if (role === 'part' || role === 'inner') return INTERNAL
  if (fate === INSIDE && role !== 'talk') return INTERNAL
  if (kind === 'system') return PLACE
  if (!isLeaf || listTypes(table, node).length > 0) return NOTE
  const isPlain = type === PLAIN || type === LINK
  const ofTuple = owner !== UNKNOWN && table.type[owner] === TUPLE
  if (ofTuple && isPlain) return VALUE
  return isPlain && table.hasText[node] === 0 ? ABSENT : NOTE
}

/** Marks nodes that own anything but a metanode. */
function markOwners(table: NodeTable): Uint8Array {
  const owns = new Uint8Array(table.owner.length)
  forEachNode(table, (node) => {
    const owner = table.owner[node] as number
    if (owner !== UNKNOWN && table.type[node] !== METANODE) owns[owner] = 1
  })
  return owns
}

/** The workspace nodes: the ids of system nodes start with theirs. */
function findRoots(table: NodeTable, places: SystemNodes): ReadonlySet<number> {
  const roots = new Set<number>()
  for (const place of places.keys()) {
    const owner = table.owner[place] as number
    if (owner === UNKNOWN) continue
    if (table.ids.getText(place).startsWith(`${table.ids.getText(owner)}_`)) roots.add(owner)
  }
  return roots
}

function findParents(table: NodeTable, is: Uint8Array): Int32Array {
  const parent = new Int32Array(table.owner.length).fill(UNKNOWN)
  forEachNode(table, (node) => {
    if (is[node] !== NOTE && is[node] !== PLACE) return
    let up = table.owner[node] as number
    while (up !== UNKNOWN && is[up] !== NOTE && is[up] !== PLACE) up = table.owner[up] as number
    parent[node] = up
  })
  return parent
}

function groupByParent(
  table: NodeTable,
  parent: Int32Array,
): Pick<NodeStatuses, 'ownedFrom' | 'owned'> {
  const ownedFrom = new Uint32Array(parent.length + 1)
  forEachNode(table, (node) => {
    const up = parent[node] as number
    if (up !== UNKNOWN) ownedFrom[up + 1] = (ownedFrom[up + 1] as number) + 1
  })
  for (let at = 1; at < ownedFrom.length; at += 1) {
    ownedFrom[at] = (ownedFrom[at] as number) + (ownedFrom[at - 1] as number)
  }
  const next = ownedFrom.slice()
  const owned = new Int32Array(ownedFrom.at(-1) ?? 0)
  forEachNode(table, (node) => {
    const up = parent[node] as number
    if (up === UNKNOWN) return
    owned[next[up] as number] = node
    next[up] = (next[up] as number) + 1
  })
  return { ownedFrom, owned }
}

function forEachNode(table: NodeTable, visit: (node: number) => void): void {
  for (let at = 0; at < table.count; at += 1) visit(table.order[at] as number)
}

function countNodes(table: NodeTable, holds: (node: number) => boolean): number {
  let count = 0
  forEachNode(table, (node) => {
    if (holds(node)) count += 1
  })
  return count
}
