/**
 * Values under a name that says what they are: `password: …`, `"api_key": "…"`, `--token …`. A name
 * is looked for once; what follows it decides how its value is written. Every step is bounded, so
 * the time is proportional to the text.
 */

import { looksLikePassword, looksRandom } from './secret-values.ts'
import type { SecretRange } from './secrets.ts'

const PASSWORDS = 'pass(?:word|wd|phrase|code)|pwd|(?<![a-z])pass'
const KEYS =
  'secret|token|credentials?|(?:api|access|auth|private|secret|signing|encryption|account|master|license)[ _-]?key|(?<=[?&])sig'
/** A name, what may follow it, and what separates it from its value. */
const NAME = new RegExp(
  `(?:(${PASSWORDS})|${KEYS})(?:[_-]?(?:key|base|value|salt))?((?:\\\\?["'\\]]){0,3})(?:\\s?:\\s?&?[A-Za-z]{1,12}(?=\\s?=))?(\\s{0,4}(?::=|=>|!?={1,3}|[:,])\\s{0,4}|>|\\s{1,40}value\\s?[:=]\\s{0,4}|[ \\t])`,
  'gi',
)
const QUOTED = /\\?(["'`])((?:(?!\1)[^\s\\]){8,256})\\?\1/dy
/** In one word with its name, as in addresses, connection strings and shells. */
const ATTACHED = /([^\s"'`<>(){}[\],;&|\\]{8,256})(?=[\s"'`<;&,)\]}|\\]|$)/dy
/** The last thing on its line, as in YAML, or in a string. */
const LAST = /([^\s"'`<>(){}[\],;|\\]{8,256})(?=[ \t]{0,8}(?:\r?\n|$|[ \t]#)|["'`])/dy
const ELEMENT = /([^\s<>"'`]{8,256})(?=<\/)/dy
const WORD = /(?:(["'])([^\s"'\\]{8,256})\1|([^\s"'`<>(){}[\],;&|\\]{8,256})(?=\s|$))/dy

/** Of a value that is no password: shorter ones are ids and words. */
const LEAST_KEY = 12

export function findNamedSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = []
  for (const match of text.matchAll(NAME)) {
    const [whole, password, closing = '', separator = ''] = match
    const start = match.index
    const way = wayToWrite(text, { start, closing, separator })
    if (way === undefined) continue
    const end = start + whole.length
    const range = way.map((pattern) => rangeAt(pattern, text, end)).find((it) => it !== undefined)
    if (range === undefined) continue
    const value = text.slice(range.start, range.end)
    const isSecret =
      (value.length >= LEAST_KEY && looksRandom(value)) ||
      (password !== undefined && looksLikePassword(value))
    if (isSecret) found.push(range)
  }
  return found
}

interface Name {
  readonly start: number
  /** Quotes and brackets behind the name. */
  readonly closing: string
  readonly separator: string
}

/** The ways in which a value may be written behind this separator; undefined where there is none. */
function wayToWrite(
  text: string,
  { start, closing, separator }: Name,
): readonly RegExp[] | undefined {
  const sign = separator.trim()
  if (sign === '') return isArgument(text, start) ? [WORD] : undefined
  if (sign === '>') return [ELEMENT]
  if (sign === ',') return closing === '' ? undefined : [QUOTED]
  if (sign.startsWith('value')) return sign.endsWith('=') ? [QUOTED] : [QUOTED, LAST]
  if (sign === '=' && separator === '=') return [QUOTED, ATTACHED]
  // A value on the next line belongs to no name without quotes: in YAML it is another name.
  if ((sign === '=' || sign === ':') && !separator.includes('\n')) return [QUOTED, LAST]
  return [QUOTED]
}

const BEFORE_ARGUMENT = /(?:--[\w-]{0,40}|\blogin\s{1,8}\S{1,64}\s{1,8})$/
const MOST_BEFORE = 80

/** `--token value`, and `login name password value` of a netrc file. */
function isArgument(text: string, start: number): boolean {
  return BEFORE_ARGUMENT.test(text.slice(Math.max(0, start - MOST_BEFORE), start))
}

function rangeAt(pattern: RegExp, text: string, at: number): SecretRange | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  const [start, end] = match?.indices?.findLast((it) => it !== undefined) ?? [0, 0]
  return match === null ? undefined : { start, end }
}

const SECRET_OBJECT = /^kind:[ \t]{0,8}["']?Secret\b/m
const ENTRY =
  /^[ \t]{1,16}[\w.-]{1,100}:[ \t]{1,8}["']?([A-Za-z0-9+/]{8,4096}={0,2})["']?[ \t]{0,8}\r?$/dgm
const DATA = /^data:[ \t]*\r?$/m

/** The values of `data:` in a Secret of Kubernetes, whatever their names. */
export function findKubernetesSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = []
  if (!text.includes('kind:') || !SECRET_OBJECT.test(text)) return found
  let start = 0
  for (const document of text.split(/^(?=---)/m)) {
    const data = SECRET_OBJECT.test(document) ? DATA.exec(document) : null
    if (data !== null) found.push(...listEntries(document, data.index + data[0].length, start))
    start += document.length
  }
  return found
}

function listEntries(document: string, from: number, offset: number): readonly SecretRange[] {
  const rest = document.slice(from)
  const next = /^[^\s#]/m.exec(rest)
  const block = next === null ? rest : rest.slice(0, next.index)
  return [...block.matchAll(ENTRY)].map((match) => {
    const [start, end] = match.indices?.[1] ?? [0, 0]
    return { start: offset + from + start, end: offset + from + end }
  })
}
