/**
 * Interprets the properties of a page or note: title, aliases, tags, times; all others become
 * fields. Properties are YAML front matter or lines such as `key:: value`. Knows nothing of other
 * pages.
 */

import { parseTime } from './dates.ts'
import type { PropertyField, Span } from './page-draft.ts'
import { coversOffset } from './page-draft.ts'

export interface Properties {
  readonly title?: string
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
  readonly fields: readonly PropertyField[]
  readonly created?: number
  readonly modified?: number
  /** The id of a block in outline programs. */
  readonly blockId?: string
}

const ALIASES: ReadonlySet<string> = new Set(['alias', 'aliases'])
const TAGS: ReadonlySet<string> = new Set(['tag', 'tags'])
/** The first valid one is used. */
const CREATED = ['created', 'created-at', 'date created', 'created_at', 'date']
const MODIFIED = ['modified', 'updated', 'updated-at', 'date modified', 'updated_at', 'lastmod']
/** Display settings of outline programs, which are not content. */
const PROGRAM_PROPERTIES =
  /^(?:id|collapsed|heading|background-color|query-.*|logseq\..*|hl-.*|ls-.*)$/i

export function interpretProperties(raw: readonly PropertyField[], isOutline: boolean): Properties {
  const title = raw.find((it) => it.name.toLowerCase() === 'title')?.values[0]?.trim()
  const created = findTime(raw, CREATED)
  const modified = findTime(raw, MODIFIED)
  const used = new Set(['title', ...ALIASES.keys(), ...TAGS])
  for (const it of [created, modified]) if (it !== undefined && it.key !== 'date') used.add(it.key)
  const blockId = isOutline ? raw.find((it) => it.name === 'id')?.values[0] : undefined
  return {
    ...(title === undefined || title === '' ? {} : { title: removeBrackets(title) }),
    aliases: listValues(raw, ALIASES, /,/).map(removeBrackets),
    tags: raw.flatMap((it) => (TAGS.has(it.name.toLowerCase()) ? splitTags(it, isOutline) : [])),
    fields: raw.filter((it) => {
      const key = it.name.toLowerCase()
      if (it.values.length === 0 || (isOutline && PROGRAM_PROPERTIES.test(key))) return false
      // Aliases are also fields, so that they can be searched.
      return !used.has(key) || ALIASES.has(key)
    }),
    ...(created === undefined ? {} : { created: created.time }),
    ...(modified === undefined ? {} : { modified: modified.time }),
    ...(blockId === undefined ? {} : { blockId }),
  }
}

function findTime(
  raw: readonly PropertyField[],
  keys: readonly string[],
): { readonly key: string; readonly time: number } | undefined {
  for (const key of keys) {
    const value = raw.find((it) => it.name.toLowerCase() === key)?.values[0]
    const time = value === undefined ? undefined : parseTime(removeBrackets(value.trim()))
    if (time !== undefined) return { key, time }
  }
  return undefined
}

function listValues(
  raw: readonly PropertyField[],
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
function splitTags(field: PropertyField, isOutline: boolean): readonly string[] {
  const names = field.isList
    ? field.values
    : field.values.flatMap((value) => {
        const linked = [...value.matchAll(/\[\[([^[\]]+)\]\]/g)].map((it) => it[1] ?? '')
        const rest = value.replace(/#?\[\[[^[\]]+\]\]/g, ',')
        const isSpaced = !isOutline || rest.includes('#')
        return [...linked, ...rest.split(isSpaced ? /[,\s]+/ : /,/)]
      })
  return names
    .map((it) => removeBrackets(it.trim()).replace(/^#/, '').replace(/\/+$/, '').trim())
    .filter((it) => !/^\d*$/.test(it))
}

/** `[[Page]]` is called `Page`. */
function removeBrackets(text: string): string {
  return text.replace(/^#?\[\[([^[\]]+)\]\]$/, '$1')
}

/**
 *     due:: 2025-12-13         - **owner**:: [[Ann]]
 *
 * The colons must be followed by a space or the line end: `std::vector` is not a property.
 */
const INLINE =
  /^[ \t]*([-*+][ \t]+(?:\[.\][ \t]+)?)?(?:\*\*|__)?([\p{L}_][\p{L}\p{N} _/.-]{0,59}?)(?:\*\*|__)?::(?:[ \t]+(.*))?$/gmu

export interface InlineField extends Span {
  readonly field: PropertyField
  /** Whether it is a list item, which also stays in the text. */
  readonly isItem: boolean
}

/** The properties among the lines of a text, in order, but for those in code. */
export function findInlineFields(text: string, literal: readonly Span[]): readonly InlineField[] {
  if (!text.includes('::')) return []
  return [...text.matchAll(INLINE)].flatMap((match) => {
    const [line, item, name = '', value = ''] = match
    const start = match.index
    if (coversOffset(literal, start + line.length - line.trimStart().length)) return []
    const values = value.trim() === '' ? [] : [value.trim()]
    const field = { name: name.trim(), values, isList: false }
    return [{ start, end: start + line.length, field, isItem: item !== undefined }]
  })
}
