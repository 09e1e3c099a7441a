/**
 * The texts of the nodes of an export, read where they are in the file when they are asked for. A
 * reference in a text becomes the name of whom it refers to, with the references in that one, and
 * so on for a few steps, but never round in a circle.
 */
import { readSync } from 'node:fs'
import { offsetAfter } from '../../../base/text.ts'
import { BUILT_IN_LABELS, isBuiltIn } from './doc-types.ts'
import { UNKNOWN } from './id-table.ts'
import type { NodeTable } from './node-table.ts'
import { plainText, type ReferenceWords } from './plain-text.ts'
import { propsOf, type RawDoc } from './raw-doc.ts'

export interface NodeTexts {
  /** The name as it is in the file. */
  rawName(node: number): string
  nameOf(node: number): string
  /** A text of this node, on one line. */
  words(node: number, text: unknown): string
}

const STEPS = 3
/** Of a name inside another. */
const LONGEST_INSIDE = 1000
/** Names inside one text, over all steps: a hostile export could ask for billions. */
const MOST_INSIDE = 2000
const SOMETHING = '…'
const REMEMBERED = 20_000

export function nodeTexts(file: number, table: NodeTable): NodeTexts {
  const names = new Map<number, string>()
  let scratch = Buffer.allocUnsafe(1 << 16)
  let left = MOST_INSIDE

  function rawName(node: number): string {
    const length = table.length[node] as number
    if (length > scratch.length) scratch = Buffer.allocUnsafe(length * 2)
    readSync(file, scratch, 0, length, table.offset[node] as number)
    const doc: RawDoc = JSON.parse(scratch.toString('utf8', 0, length))
    const { name } = propsOf(doc)
    return typeof name === 'string' ? name : ''
  }

  function nameOf(node: number, trail: readonly number[] = [node]): string {
    const known = names.get(node)
    if (known !== undefined) return known
    const raw = rawName(node)
    const name = plainText(raw, wordsFor(trail))
    // What has a reference in it depends on how one got there.
    if (raw.includes('<') || name.length > LONGEST_INSIDE) return name
    if (names.size >= REMEMBERED) names.clear()
    names.set(node, name)
    return name
  }

  function wordsFor(trail: readonly number[]): ReferenceWords {
    return (id) => {
      const node = table.ids.find(id)
      if (node === UNKNOWN || table.there[node] === 0) {
        return isBuiltIn(id) ? BUILT_IN_LABELS[id] : undefined
      }
      left -= 1
      if (left < 0 || trail.length > STEPS || trail.includes(node)) return SOMETHING
      const name = nameOf(node, [...trail, node])
      const end = offsetAfter(name, 0, LONGEST_INSIDE)
      return end < name.length ? `${name.slice(0, end)}${SOMETHING}` : name
    }
  }

  return {
    rawName,
    nameOf: (node) => {
      left = MOST_INSIDE
      return nameOf(node)
    },
    words: (node, text) => {
      left = MOST_INSIDE
      return typeof text === 'string' ? plainText(text, wordsFor([node])) : ''
    },
  }
}
