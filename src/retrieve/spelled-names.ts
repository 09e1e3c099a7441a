/** Which words of a question are names of code, and how sure that is. */
import { isStopWord } from '../base/words.ts'
import { isAboutCode } from './common-words.ts'

export interface SpelledName {
  /** As the question writes it. */
  readonly text: string
  readonly name: string
  /** `Client` of `Client.send`. */
  readonly qualifiers: readonly string[]
  /** The question is nothing else, it is written as code is, or it is a word of a sentence. */
  readonly kind: 'alone' | 'code' | 'word'
  readonly isAnyCase: boolean
  /** 1 on the first line, less further down. */
  readonly weight: number
}

const MOST_NAMES = 24
const LATER_LINE = 0.5
/** What is longer is data. */
const LONGEST_NAME = 120
/** The more a question says besides a name, the less it is about that name alone. */
const SHARE_POWER = 1.5

export function spelledNames(text: string): readonly SpelledName[] {
  const whole = text.trim().replace(QUOTES, '$1$2$3')
  if (whole.length <= LONGEST_NAME && ALONE.test(whole))
    return [nameOf(whole, { kind: 'alone', weight: 1 })]
  const found = new Map<string, SpelledName>()
  const content = new Set<string>()
  for (const [at, line] of text
    .split('\n')
    .filter((it) => it.trim() !== '')
    .entries()) {
    const weight = at === 0 ? 1 : LATER_LINE
    for (const match of line.matchAll(NAME)) {
      const [token] = match
      const isQuoted = line[match.index - 1] === '`' && line[match.index + token.length] === '`'
      const isCalled = line.startsWith('()', match.index + token.length)
      const isCode = isQuoted || isCalled || isWrittenAsCode(token)
      if (!isCode && (isStopWord(token) || isAboutCode(token))) continue
      content.add(token.toLowerCase())
      if (found.size === MOST_NAMES || token.length > LONGEST_NAME) continue
      if (!isCode && at > 0) continue
      const own = nameOf(token, { kind: isCode ? 'code' : 'word', weight })
      if (!found.has(own.text)) found.set(own.text, own)
    }
  }
  const share = 1 / Math.max(1, content.size) ** SHARE_POWER
  return [...found.values()].map((it) => ({ ...it, weight: it.weight * share }))
}

const QUOTES = /^(?:`([^`]*)`|"([^"]*)"|'([^']*)')$/
/** One word, perhaps qualified or called. */
const ALONE =
  /^[#@$]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->|\/)#?[\p{L}_$][\p{L}\p{N}_$]*[?!]?)*(?:\(\))?$/u
const NAME = /[\p{L}_$][\p{L}\p{N}_$]+(?:(?:\.|::|#|->)#?[\p{L}_$][\p{L}\p{N}_$]*)*/gu

function nameOf(text: string, { kind, weight }: Pick<SpelledName, 'kind' | 'weight'>): SpelledName {
  const parts = text
    .replace(/\(\)$/, '')
    .replace(/^[@$]/, '')
    .split(/\.|::|->|\/|(?<=[^.:/#])#/)
  const name = parts.at(-1) ?? text
  const isAnyCase = kind === 'alone'
  return { text, name, qualifiers: parts.slice(0, -1), kind, isAnyCase, weight }
}

/** `camelCase`, `snake_case`, `HTTPServer`, `a.b`, `A::b`; not a word with a capital. */
function isWrittenAsCode(token: string): boolean {
  return /[_$]|[.:#>]/.test(token) || (/[a-z]/.test(token) && /[A-Z]/.test(token.slice(1)))
}
