/** Describes a file by its first bytes, for messages about unexpected files. */
import { readSync } from 'node:fs'

const HEAD_BYTES = 64 * 1024

export interface FileHead {
  readonly text: string
  /** The keys at the top of a JSON object, as far as they are in the head; undefined for others. */
  readonly keys: readonly string[] | undefined
}

export function readHead(file: number): FileHead {
  const bytes = Buffer.alloc(HEAD_BYTES)
  let filled = 0
  for (;;) {
    const count = readSync(file, bytes, filled, HEAD_BYTES - filled, filled)
    filled += count
    if (count === 0 || filled === HEAD_BYTES) break
  }
  const text = bytes.toString('utf8', 0, filled).replace(/^\ufeff/, '')
  return { text, keys: listTopKeys(text) }
}

export function describeFile(file: number): string {
  const { text, keys } = readHead(file)
  if (text.trim() === '') return 'empty'
  if (keys !== undefined) {
    if (keys.length === 0) return 'an empty JSON object'
    return `a JSON object with ${keys.slice(0, 5).join(', ')} but no docs`
  }
  if (text.startsWith('PK')) return 'a ZIP archive: unpack it first'
  if (text.startsWith('SQLite format 3')) return 'an SQLite database'
  if (text.includes('\0')) return 'a binary file'
  if (text.trimStart().startsWith('[')) return 'a JSON array'
  const start = text.trim().split(/\s/, 4).join(' ').slice(0, 40)
  return `a text that begins with “${start}”`
}

const STRING = /"(?:[^"\\]|\\.)*"/y

/** A walk over brackets and strings, which ends where the text does. */
function listTopKeys(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const keys: string[] = []
  let depth = 0
  let isKey = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      depth += 1
      isKey = depth === 1
    } else if (sign === '}' || sign === ']') depth -= 1
    else if (sign === ',') isKey = depth === 1
    else if (sign === '"') {
      STRING.lastIndex = at
      const found = STRING.exec(text)?.[0]
      if (found === undefined) break
      if (isKey) keys.push(found.slice(1, -1))
      isKey = false
      at += found.length - 1
    }
  }
  return keys
}
