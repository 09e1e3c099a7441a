/**
 * A syntax tree as flat lists of numbers, in document order. The parser's own nodes live behind a
 * wall that costs some hundred nanoseconds to cross; a tree is therefore copied over once, and all
 * extraction works on these lists. Only this module, `tree-memory.ts` and `grammar.ts` know the
 * parser.
 */
import type { Language, Tree } from 'web-tree-sitter'
import type { Grammar } from './grammar.ts'
import { type NodeLists, type NodeTables, nodeCount, nodeTables, readNodes } from './tree-memory.ts'

export interface Syntax {
  readonly text: string
  readonly grammar: Grammar
  readonly count: number
  /** The grammar's number for what a node is. */
  readonly kinds: Uint16Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** The grammar's number of the field that a node fills in its parent; 0 is none. */
  readonly fields: Uint8Array
  readonly parents: Int32Array
  /** The first node that is not inside this one. */
  readonly nexts: Uint32Array
  /** Starts and ends of what the grammar has not seen, in order. */
  readonly hidden: readonly number[]
}

/** Grows as needed and is used again for every tree: a tree is done with before the next is read. */
let room = 0
let kinds = new Uint16Array(0)
let starts = new Uint32Array(0)
let ends = new Uint32Array(0)
let fields = new Uint8Array(0)
let parents = new Int32Array(0)
let nexts = new Uint32Array(0)

export interface Flattening {
  readonly text: string
  readonly grammar: Grammar
  /** Where in the text the parsed part begins. */
  readonly offset: number
  /** What the grammar has not seen, by places in the parsed part. */
  readonly hidden?: readonly number[]
}

/** What is known of reading the trees of a grammar from memory; without tables it is not done. */
interface Trial {
  tables: NodeTables | undefined
  trees: number
  nodes: number
}

const trials = new WeakMap<Language, Trial>()

/** So much must have been read from memory as the cursor reads it, before the cursor is left out. */
const TREES_COMPARED = 3
const NODES_COMPARED = 2000

/** The result is overwritten by the next tree; `kept` makes it last. */
export function flatten(tree: Tree, it: Flattening): Syntax {
  const trial = trialOf(tree, it.grammar)
  if (trial.tables === undefined) return byCursor(tree, it)
  if (trial.trees >= TREES_COMPARED && trial.nodes >= NODES_COMPARED) {
    const syntax = fromMemory(tree, it)
    if (syntax !== undefined) return syntax
    trial.tables = undefined
    return byCursor(tree, it)
  }
  const read = fromMemory(tree, it)
  const copy = read === undefined ? undefined : kept(read)
  const walked = byCursor(tree, it)
  trial.trees += 1
  trial.nodes += walked.count
  if (copy === undefined || !isSame(copy, walked)) trial.tables = undefined
  return walked
}

/** Whether trees of this grammar are, as far as is known, read from memory. */
export function isReadFromMemory(grammar: Grammar): boolean {
  return trials.get(grammar.language)?.tables !== undefined
}

function trialOf(tree: Tree, { language }: Grammar): Trial {
  let trial = trials.get(language)
  if (trial === undefined) {
    trial = { tables: nodeTables(tree, language), trees: 0, nodes: 0 }
    trials.set(language, trial)
  }
  return trial
}

/** The fast way. Nothing when the memory is not laid out as expected. */
export function fromMemory(tree: Tree, it: Flattening): Syntax | undefined {
  const { text, grammar, offset } = it
  const { tables } = trialOf(tree, grammar)
  const count = nodeCount(tree)
  if (tables === undefined || count === 0) return undefined
  while (room < count) grow()
  const lists: NodeLists = { kinds, starts, ends, fields, parents, nexts }
  return readNodes(tree, lists, { tables, count, offset })
    ? { text, grammar, count, ...lists, hidden: hiddenIn(it) }
    : undefined
}

/** The way that the parser offers. */
export function byCursor(tree: Tree, it: Flattening): Syntax {
  const { text, grammar, offset } = it
  const cursor = tree.walk()
  let count = 0
  let parent = -1
  for (;;) {
    if (count === room) grow()
    kinds[count] = cursor.nodeTypeId
    starts[count] = offset + cursor.startIndex
    ends[count] = offset + cursor.endIndex
    fields[count] = cursor.currentFieldId
    parents[count] = parent
    const here = count
    count += 1
    if (cursor.gotoFirstChild()) {
      parent = here
      continue
    }
    nexts[here] = count
    let done = false
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        done = true
        break
      }
      nexts[parent] = count
      parent = parents[parent] ?? -1
    }
    if (done) break
  }
  cursor.delete()
  const hidden = hiddenIn(it)
  return { text, grammar, count, kinds, starts, ends, fields, parents, nexts, hidden }
}

function hiddenIn({ hidden = [], offset }: Flattening): readonly number[] {
  return offset === 0 ? hidden : hidden.map((it) => offset + it)
}

/** A tree of one node: the text from an offset on. */
export function unparsed({ text, grammar, offset }: Flattening): Syntax {
  return {
    text,
    grammar,
    count: 1,
    kinds: Uint16Array.of(0),
    starts: Uint32Array.of(offset),
    ends: Uint32Array.of(text.length),
    fields: Uint8Array.of(0),
    parents: Int32Array.of(-1),
    nexts: Uint32Array.of(1),
    hidden: [],
  }
}

export function kept(it: Syntax): Syntax {
  return {
    ...it,
    kinds: it.kinds.slice(0, it.count),
    starts: it.starts.slice(0, it.count),
    ends: it.ends.slice(0, it.count),
    fields: it.fields.slice(0, it.count),
    parents: it.parents.slice(0, it.count),
    nexts: it.nexts.slice(0, it.count),
  }
}

function isSame(one: Syntax, other: Syntax): boolean {
  for (let at = 0; at < one.count; at += 1) {
    const isSameNode =
      one.kinds[at] === other.kinds[at] &&
      one.starts[at] === other.starts[at] &&
      one.ends[at] === other.ends[at] &&
      one.fields[at] === other.fields[at] &&
      one.parents[at] === other.parents[at] &&
      one.nexts[at] === other.nexts[at]
    if (!isSameNode) return false
  }
  return one.count === other.count
}

function grow(): void {
  room = Math.max(1 << 16, room * 2)
  kinds = wider(new Uint16Array(room), kinds)
  starts = wider(new Uint32Array(room), starts)
  ends = wider(new Uint32Array(room), ends)
  fields = wider(new Uint8Array(room), fields)
  parents = wider(new Int32Array(room), parents)
  nexts = wider(new Uint32Array(room), nexts)
}

function wider<T extends { set(from: T): void }>(next: T, from: T): T {
  next.set(from)
  return next
}
