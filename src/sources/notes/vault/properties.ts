/**
 * What the properties of a page or a note say about it: its title, its other names, its tags, its
 * times. Those that say none of these are its fields. Written above the page as YAML, or on lines
 * of their own as `key:: value`. Knows nothing of other pages.
 */

import { timeOf } from './days.ts'
import type { RawField, Span } from './draft.ts'
import { covers } from './draft.ts'

export interface Properties {
  readonly title?: string
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
  readonly fields: readonly RawField[]
  readonly created?: number
  readonly modified?: number
  /** What an outline program calls a block by. */
  readonly blockId?: string
}

const ALIASES: ReadonlySet<string> = new Set(['alias', 'aliases'])
const TAGS: ReadonlySet<string> = new Set(['tag', 'tags'])
/** The first that can be read counts. */
const CREATED = ['created', 'created-at', 'date created', 'created_at', 'date']
const MODIFIED = ['modified', 'updated', 'updated-at', 'date modified', 'updated_at', 'lastmod']
/** How an outline program shows a block, which is nothing about what it says. */
const OF_THE_PROGRAM =
  /^(?:id|collapsed|heading|background-color|query-.*|logseq\..*|hl-.*|ls-.*)$/i

export function understood(raw: readonly RawField[], isOutline: boolean): Properties {
  const title = raw.find((it) => it.name.toLowerCase() === 'title')?.values[0]?.trim()
  const created = timeIn(raw, CREATED)
  const modified = timeIn(raw, MODIFIED)
  const used = new Set(['title', ...ALIASES.keys(), ...TAGS])
  for (const it of [created, modified]) if (it !== undefined && it.key !== 'date') used.add(it.key)
  const blockId = isOutline ? raw.find((it) => it.name === 'id')?.values[0] : undefined
  return {
    ...(title === undefined || title === '' ? {} : { title: bare(title) }),
    aliases: valuesOf(raw, ALIASES, /,/).map(bare),
    tags: raw.flatMap((it) => (TAGS.has(it.name.toLowerCase()) ? tagsIn(it, isOutline) : [])),
    fields: raw.filter((it) => {
      const key = it.name.toLowerCase()
      if (it.values.length === 0 || (isOutline && OF_THE_PROGRAM.test(key))) return false
      // Other names are worth finding the page by.
      return !used.has(key) || ALIASES.has(key)
    }),
    ...(created === undefined ? {} : { created: created.time }),
    ...(modified === undefined ? {} : { modified: modified.time }),
    ...(blockId === undefined ? {} : { blockId }),
  }
}

function timeIn(
  raw: readonly RawField[],
  keys: readonly string[],
): { readonly key: string; readonly time: number } | undefined {
  for (const key of keys) {
    const value = raw.find((it) => it.name.toLowerCase() === key)?.values[0]
    const time = value === undefined ? undefined : timeOf(bare(value.trim()))
    if (time !== undefined) return { key, time }
  }
  return undefined
}

function valuesOf(
  raw: readonly RawField[],
  keys: ReadonlySet<string>,
  separator: RegExp,
): readonly string[] {
  return raw
    .filter((it) => keys.has(it.name.toLowerCase()))
    .flatMap((it) => (it.isList ? it.values : it.values.flatMap((value) => value.split(separator))))
    .map((it) => it.trim())
    .filter((it) => it !== '')
}

/** A list's items are whole; in a row, commas and spaces are between them, in an outline commas. */
function tagsIn(field: RawField, isOutline: boolean): readonly string[] {
  const names = field.isList
    ? field.values
    : field.values.flatMap((value) => {
        const linked = [...value.matchAll(/\[\[([^[\]]+)\]\]/g)].map((it) => it[1] ?? '')
        const rest = value.replace(/#?\[\[[^[\]]+\]\]/g, ',')
        const isSpaced = !isOutline || rest.includes('#')
        return [...linked, ...rest.split(isSpaced ? /[,\s]+/ : /,/)]
      })
  return names
    .map((it) => bare(it.trim()).replace(/^#/, '').replace(/\/+$/, '').trim())
    .filter((it) => !/^\d*$/.test(it))
}

/** `[[Page]]` is called `Page`. */
function bare(text: string): string {
  return text.replace(/^#?\[\[([^[\]]+)\]\]$/, '$1')
}

/**
 *     due:: 2025-12-13         - **owner**:: [[Ann]]
 *
 * There must be a space or nothing after the colons: `std::vector` is no property.
 */
const INLINE =
  /^[ \t]*([-*+][ \t]+(?:\[.\][ \t]+)?)?(?:\*\*|__)?([\p{L}_][\p{L}\p{N} _/.-]{0,59}?)(?:\*\*|__)?::(?:[ \t]+(.*))?$/gmu

export interface InlineField extends Span {
  readonly field: RawField
  /** Part of a list, which would have a gap without it. */
  readonly isItem: boolean
}

/** The properties among the lines of a text, in order, but for those in code. */
export function inlineFields(text: string, literal: readonly Span[]): readonly InlineField[] {
  if (!text.includes('::')) return []
  return [...text.matchAll(INLINE)].flatMap((match) => {
    const [line, item, name = '', value = ''] = match
    const start = match.index
    if (covers(literal, start + line.length - line.trimStart().length)) return []
    const values = value.trim() === '' ? [] : [value.trim()]
    const field = { name: name.trim(), values, isList: false }
    return [{ start, end: start + line.length, field, isItem: item !== undefined }]
  })
}
