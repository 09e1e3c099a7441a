/**
 * Front matter is metadata, never chunk text. It is at the very top, between `---` lines (YAML) or
 * `+++` lines (TOML):
 *
 *     ---
 *     title: Logging
 *     ---
 */
import { readFrontMatterFields } from './front-matter-fields.ts'

export interface FrontMatter {
  /** Offset of the first character after it. */
  readonly end: number
  readonly title?: string
}

const FENCED = /^(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)([\s\S]*?)^\1[ \t]*(?:\r\n|\r|\n|$)/m
const KEY = /^["']?[\w.$@/-]+["']?\s*(?::(?:\s|$)|=)/
/** A key, a comment, a list item, a table of TOML or a continued value. Prose is none of these. */
const METADATA_LINE = /^(?:\s|#|-|\}|\]|\[|$)/
const TOML_TITLE = /^["']?title["']?\s*=[ \t]*(["']?)(.+?)\1[ \t]*(?:#.*)?$/m

/**
 * The front matter of a text, if it has any. A text that opens with a thematic break and prose
 * has none: taking the prose for metadata would lose it.
 */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  if (!text.startsWith('---') && !text.startsWith('+++')) return undefined
  const match = FENCED.exec(text)
  if (match === null || match.index !== 0) return undefined
  const lines = (match[2] ?? '').split(/\r\n|\r|\n/)
  const isEmpty = lines.every((line) => line.trim() === '')
  if (!isEmpty && !lines.some((line) => KEY.test(line))) return undefined
  if (!lines.every((line) => KEY.test(line) || METADATA_LINE.test(line))) return undefined
  const title = readTitle(match[1] ?? '', match[2] ?? '')
  return { end: match[0].length, ...(title === '' ? {} : { title }) }
}

function readTitle(fence: string, matter: string): string {
  if (fence === '+++') return TOML_TITLE.exec(matter)?.[2]?.trim() ?? ''
  if (!/^["']?title["']?\s*:/m.test(matter)) return ''
  const { fields } = readFrontMatterFields(matter.replaceAll(/\r\n?/g, '\n'))
  return fields.find((it) => it.name === 'title')?.values[0] ?? ''
}
