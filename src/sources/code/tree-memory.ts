/**
 * Reads a syntax tree straight from the memory of the parser's WebAssembly module. Asking for each
 * node through the module's functions takes half as long as parsing itself; the memory is an array
 * like any other and can be read ten times as fast.
 *
 * The layout is that of the structs in tree-sitter's C sources (`subtree.h`, `tree.h`, `parser.h`),
 * compiled for 32-bit pointers. It is no public interface: whoever calls must compare the first
 * trees with what the parser's own cursor says (`syntax.ts` does), and anything that does not add
 * up is declined here. Knows nothing of texts and languages.
 */
import type { Language, Tree } from 'web-tree-sitter'

export interface NodeLists {
  readonly kinds: Uint16Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly fields: Uint8Array
  readonly parents: Int32Array
  readonly nexts: Uint32Array
}

/** The module puts the views of its memory here, anew whenever the memory grows. */
export interface ParserMemory {
  readonly HEAPU16?: Uint16Array
  readonly HEAP32?: Int32Array
}

/** To be given to `Parser.init`. */
export const parserMemory: ParserMemory = {}

/** What a grammar says of its nodes, copied from its module. */
export interface NodeTables {
  /** Where the grammar stands in memory: its trees say the same. */
  readonly address: number
  /** From the number of a symbol to the number that the outside knows. */
  readonly publicSymbols: Uint16Array
  /** A row per production, a column per child: alias in the low half, field in the high half. */
  readonly children: Uint32Array
  readonly width: number
}

/** Of grammars. In these the offsets below are the same. */
const OLDEST_VERSION = 13
const NEWEST_VERSION = 15

/** Offsets in `TSLanguage`, in words of four bytes. */
const LANGUAGE = {
  version: 0,
  symbolCount: 1,
  aliasCount: 2,
  productionCount: 7,
  fieldCount: 8,
  aliasWidth: 9,
  fieldSlices: 16,
  fieldEntries: 17,
  publicSymbols: 19,
  aliases: 21,
} as const

/** The children of a production that have fields are numbered in one byte. */
const WIDEST = 256
const ERROR_SYMBOL = 0xff_ff

/** Nothing when the memory does not hold such a language there. */
export function nodeTables(tree: Tree, language: Language): NodeTables | undefined {
  const { HEAP32: words, HEAPU16: halves } = parserMemory
  const address = words?.[(addressOf(tree) >>> 2) + LANGUAGE_OF_TREE] ?? 0
  if (words === undefined || halves === undefined || address === 0) return undefined
  const base = address >>> 2
  const at = (offset: number): number => words[base + offset] ?? 0
  const symbolCount = at(LANGUAGE.symbolCount) + at(LANGUAGE.aliasCount)
  const aliasWidth = at(LANGUAGE.aliasWidth) & 0xff_ff
  const isKnown =
    at(LANGUAGE.version) === language.abiVersion &&
    language.abiVersion >= OLDEST_VERSION &&
    language.abiVersion <= NEWEST_VERSION &&
    symbolCount === language.nodeTypeCount &&
    at(LANGUAGE.fieldCount) === language.fieldCount &&
    at(LANGUAGE.productionCount) <= ERROR_SYMBOL &&
    aliasWidth <= WIDEST
  if (!isKnown) return undefined

  const publicSymbols = new Uint16Array(ERROR_SYMBOL + 1)
  const symbols = at(LANGUAGE.publicSymbols) >>> 1
  publicSymbols.set(halves.subarray(symbols, symbols + symbolCount))
  publicSymbols[ERROR_SYMBOL] = ERROR_SYMBOL

  const productionCount = at(LANGUAGE.productionCount)
  const found = fieldsOf(halves, at)
  const width = Math.max(aliasWidth, ...found.map((it) => it.child + 1))
  const children = new Uint32Array(productionCount * width)
  const aliases = at(LANGUAGE.aliases) >>> 1
  // The first production stands for all that have neither aliases nor fields.
  for (let production = 1; production < productionCount; production += 1) {
    for (let child = 0; child < aliasWidth; child += 1) {
      children[production * width + child] = halves[aliases + production * aliasWidth + child] ?? 0
    }
  }
  for (const { production, child, field } of found) {
    const cell = production * width + child
    const old = children[cell] ?? 0
    // Of several fields for one child the first counts.
    if (old >>> 16 === 0) children[cell] = old | (field << 16)
  }
  return { address, publicSymbols, children, width }
}

interface FieldOfChild {
  readonly production: number
  readonly child: number
  readonly field: number
}

/** Fields that a child hands up from below are left out: there they are found with their owner. */
function fieldsOf(halves: Uint16Array, at: (offset: number) => number): readonly FieldOfChild[] {
  const found: FieldOfChild[] = []
  if (at(LANGUAGE.fieldCount) === 0) return found
  const slices = at(LANGUAGE.fieldSlices) >>> 1
  const entries = at(LANGUAGE.fieldEntries) >>> 1
  for (let production = 0; production < at(LANGUAGE.productionCount); production += 1) {
    // Where the entries begin, and how many there are; each takes four bytes.
    const from = entries + 2 * (halves[slices + 2 * production] ?? 0)
    const length = 2 * (halves[slices + 2 * production + 1] ?? 0)
    for (let entry = from; entry < from + length; entry += 2) {
      const field = halves[entry] ?? 0
      const childAndIsHandedUp = halves[entry + 1] ?? 0
      if (childAndIsHandedUp > 0xff) continue
      found.push({ production, child: childAndIsHandedUp, field })
    }
  }
  return found
}

/**
 * A subtree takes two words. Either the first is even and points to its data, or it is odd and the
 * two words are all there is: flags, symbol, parse state, then sizes.
 */
const SUBTREE_WORDS = 2
const INLINE = 1

/** Flags of a subtree; in the inline form they stand one bit higher. */
const VISIBLE = 1
const EXTRA = 4

/** Offsets in `TSTree`, in words; the root comes first. */
const LANGUAGE_OF_TREE = SUBTREE_WORDS

/** Offsets in `SubtreeHeapData`, in words. The children lie right before it. */
const PADDING = 1
const SIZE = 4
const CHILD_COUNT = 9
const SYMBOL = 10
const FLAGS = 11
const VISIBLE_CHILDREN = 12
const VISIBLE_DESCENDANTS = 14
/** In the high half. */
const PRODUCTION = 16

/** How many nodes the tree has by its own count; 0 when that cannot be. */
export function nodeCount(tree: Tree): number {
  const words = parserMemory.HEAP32
  const root = addressOf(tree) >>> 2
  if (words === undefined || root === 0) return 0
  const first = words[root] ?? 0
  const data = first >>> 2
  if ((first & INLINE) !== 0 || words[data + CHILD_COUNT] === 0) return 1
  const count = 1 + (words[data + VISIBLE_DESCENDANTS] ?? 0)
  // Each node but the root takes its place in memory.
  return count <= words.length / SUBTREE_WORDS ? count : 0
}

/** Far more steps than hidden nodes ask for in any tree, so that no garbage is read for ever. */
const STEPS_PER_NODE = 256
const LEAST_STEPS = 4096

/** What has to be known again when the children of a node are done. */
const FRAME_WORDS = 5
let frames = new Int32Array(FRAME_WORDS * 1024)

/** Marks the children of a hidden node, which count as children of the node above it. */
const HIDDEN = 0x1_00_00

export interface Reading {
  readonly tables: NodeTables
  readonly count: number
  /** What is added to each position. */
  readonly offset: number
}

/** Fills the lists, which must have room; false when the tree is not what it should be. */
export function readNodes(tree: Tree, lists: NodeLists, reading: Reading): boolean {
  const words = parserMemory.HEAP32
  const root = addressOf(tree) >>> 2
  if (words?.[root + LANGUAGE_OF_TREE] !== reading.tables.address) return false
  const { kinds, starts, ends, fields, parents, nexts } = lists
  const { publicSymbols, children, width } = reading.tables
  const { count: expected, offset } = reading
  let stepsLeft = LEAST_STEPS + STEPS_PER_NODE * expected
  let count = 0
  let parent = -1
  // In bytes, two per character: where the last leaf ended. A node begins where its first child
  // does and ends with its last, so that this need not be kept for each level.
  let position = 0
  let child = root
  let end = root + SUBTREE_WORDS
  // Where aliases and fields of the next child stand in the table.
  let cell = 0
  let rowEnd = 0
  // The field that a hidden node hands down to its children, or 0 within a visible one.
  let above = 0
  let depth = 0
  for (;;) {
    if (child === end) {
      if (depth === 0) break
      if (above === 0) {
        nexts[parent] = count
        parent = parents[parent] ?? -1
      }
      depth -= FRAME_WORDS
      child = frames[depth] ?? 0
      end = frames[depth + 1] ?? 0
      cell = frames[depth + 2] ?? 0
      rowEnd = frames[depth + 3] ?? 0
      above = frames[depth + 4] ?? 0
      continue
    }
    const first = words[child] ?? 0
    const data = first >>> 2
    const isInline = (first & INLINE) !== 0
    const sizes = isInline ? (words[child + 1] ?? 0) : 0
    const flags = isInline ? first >>> 1 : (words[data + FLAGS] ?? 0)
    const start = position + (isInline ? (sizes >>> 16) & 0xff : (words[data + PADDING] ?? 0))
    const stop = start + (isInline ? sizes >>> 24 : (words[data + SIZE] ?? 0))
    // Comments and the like stand anywhere and have no place in the production.
    const isExtra = (flags & EXTRA) !== 0
    const known = !isExtra && cell < rowEnd ? (children[cell] ?? 0) : 0
    const field = isExtra ? 0 : known >>> 16 || above & 0xff_ff
    const alias = known & 0xff_ff
    child += SUBTREE_WORDS
    if (!isExtra) cell += 1
    // The root is shown whatever it is.
    const isVisible = (flags & VISIBLE) !== 0 || alias !== 0 || count === 0
    const here = count
    if (isVisible) {
      const symbol = isInline ? (first >>> 8) & 0xff : (words[data + SYMBOL] ?? 0) & 0xff_ff
      kinds[here] = publicSymbols[alias === 0 ? symbol : alias] ?? 0
      starts[here] = offset + (start >>> 1)
      ends[here] = offset + (stop >>> 1)
      fields[here] = field
      parents[here] = parent
      count += 1
      nexts[here] = count
    }
    const childCount = isInline ? 0 : (words[data + CHILD_COUNT] ?? 0)
    if (childCount === 0 || words[data + VISIBLE_CHILDREN] === 0) {
      position = stop
      continue
    }
    stepsLeft -= childCount
    if (stepsLeft < 0 || data > words.length || data < childCount * SUBTREE_WORDS) return false
    if (depth + FRAME_WORDS > frames.length) frames = wider(frames)
    frames[depth] = child
    frames[depth + 1] = end
    frames[depth + 2] = cell
    frames[depth + 3] = rowEnd
    frames[depth + 4] = above
    depth += FRAME_WORDS
    if (isVisible) parent = here
    above = isVisible ? 0 : field | HIDDEN
    end = data
    child = data - childCount * SUBTREE_WORDS
    cell = ((words[data + PRODUCTION] ?? 0) >>> 16) * width
    rowEnd = cell + width
  }
  return count === expected && offset + (position >>> 1) === ends[0]
}

function wider(old: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(old.length * 2)
  next.set(old)
  return next
}

function addressOf(tree: Tree): number {
  const address = (tree as unknown as { readonly 0?: unknown })[0]
  return typeof address === 'number' ? address : 0
}
