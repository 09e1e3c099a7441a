/** The documents that every splitter is given: the same texts, in the same order. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Document {
  readonly path: string
  /** Without front matter, which is metadata and would count as loss for those who know it. */
  readonly text: string
}

export function readDocuments(folder: string): readonly Document[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile() && it.name.toLowerCase().endsWith('.md'))
      .map((it) => join(it.parentPath, it.name))
      // Sorted: timings and counts must not depend on the order the disk gives.
      .toSorted()
      .map((path) => ({ path, text: withoutFrontMatter(readFileSync(path, 'utf8')) }))
      .filter((it) => it.text.trim() !== '')
  )
}

/** Metadata begins with a key or a comment; a thematic break with prose under it is text. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?:[\w-]+:|#)[\s\S]*?\n---[ \t]*(?:\r?\n|$)/

function withoutFrontMatter(text: string): string {
  return text.replace(FRONT_MATTER, '')
}
