/**
 * Reads the texts of nodes from the file on demand. A reference in a text is replaced by the name
 * of its target, recursively to a limited depth and without cycles.
 */
import { readSync } from 'node:fs'
import { offsetAfter } from '../../../base/text.ts'
import { BUILT_IN_LABELS, isBuiltIn } from './doc-types.ts'
import { UNKNOWN } from './id-table.ts'
import type { NodeTable } from './node-table.ts'
import { extractPlainText, type ReferenceWords } from './plain-text.ts'
import { type RawDoc, readProps } from './raw-doc.ts'

export interface NodeTexts {
  /** The name as it is in the file. */
  rawName(node: number): string
  resolveName(node: number): string
  /** A text of this node, on one line. */
  words(node: number, text: unknown): string
}

const MAX_NAME_DEPTH = 3
/** Maximum length of a name inside another. */
const MAX_NESTED_LENGTH = 1000
/** Names inside one text, over all steps: a hostile export could ask for billions. */
const MAX_NESTED_NAMES = 2000
const UNKNOWN_NAME = '…'
const CACHED_NAMES = 20_000

export function createNodeTexts(file: number, table: NodeTable): NodeTexts {
  const names = new Map<number, string>()
  let scratch = Buffer.allocUnsafe(1 << 16)
  let left = MAX_NESTED_NAMES

  function rawName(node: number): string {
    const length = table.length[node] as number
    if (length > scratch.length) scratch = Buffer.allocUnsafe(length * 2)
    readSync(file, scratch, 0, length, table.offset[node] as number)
    const doc: RawDoc = JSON.parse(scratch.toString('utf8', 0, length))
    const { name } = readProps(doc)
    return typeof name === 'string' ? name : ''
  }

  function nameOf(node: number, trail: readonly number[] = [node]): string {
    const known = names.get(node)
    if (known !== undefined) return known
    const raw = rawName(node)
    const name = extractPlainText(raw, createReferenceWords(trail))
    // Names with references depend on the path to them, so they are not cached.
    if (raw.includes('<') || name.length > MAX_NESTED_LENGTH) return name
    if (names.size >= CACHED_NAMES) names.clear()
    names.set(node, name)
    return name
  }

  function createReferenceWords(trail: readonly number[]): ReferenceWords {
    return (id) => {
      const node = table.ids.find(id)
      if (node === UNKNOWN || table.isPresent[node] === 0) {
        return isBuiltIn(id) ? BUILT_IN_LABELS[id] : undefined
      }
      left -= 1
      if (left < 0 || trail.length > MAX_NAME_DEPTH || trail.includes(node)) return UNKNOWN_NAME
      const name = nameOf(node, [...trail, node])
      const end = offsetAfter(name, 0, MAX_NESTED_LENGTH)
      return end < name.length ? `${name.slice(0, end)}${UNKNOWN_NAME}` : name
    }
  }

  return {
    rawName,
    resolveName: (node) => {
      left = MAX_NESTED_NAMES
      return nameOf(node)
    },
    words: (node, text) => {
      left = MAX_NESTED_NAMES
      return typeof text === 'string' ? extractPlainText(text, createReferenceWords([node])) : ''
    },
  }
}
