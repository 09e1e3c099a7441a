/**
 * What the grammars of C and C++ see of a text: the preprocessor's own words are blank in it. Pure
 * text; what becomes of the names in them is `c-hidden.ts`.
 */
import type { Visible } from '../language.ts'
import { hideHalves } from './c-branches.ts'
import { hideMacros } from './c-macros.ts'
import { SEEN, TOKEN, type Tokens, tokensOf, visibleOf } from './c-tokens.ts'

export function withoutPreprocessor(text: string): Visible {
  const tokens = tokensOf(text)
  const { marks } = tokens
  hideInDirectives(tokens)
  if (hideHalves(tokens, marks)) {
    // What is hidden already is not there for the rest.
    const { tokens: rest, places } = visibleOf(tokens)
    hideMacros(rest, rest.marks)
    for (let at = 0; at < rest.count; at += 1) {
      const mark = rest.marks[at] ?? 0
      if (mark !== SEEN.all) marks[places[at] ?? 0] = mark
    }
  } else hideMacros(tokens, marks)
  return seen(tokens)
}

/**
 * `#if __has_include(<map>)` is no expression, and a comment ends what `#define` defines even where
 * the line goes on.
 */
function hideInDirectives({ text, count, kinds, starts, ends, marks }: Tokens): void {
  for (let at = 0; at < count; at += 1) {
    if (kinds[at] !== TOKEN.directive) continue
    const own = text.slice(starts[at], ends[at])
    if (!HAS_MORE.test(own)) continue
    if (STRANGE_CONDITION.test(own)) marks[at] = SEEN.truth
    else if (own.includes('/*') && DEFINES_ON.test(own)) marks[at] = SEEN.code
  }
}

const HAS_MORE = /["<:?/]/
const STRANGE_CONDITION = /^#\s*(?:el)?if\b[^]*(?:\(\s*["<]|::|\?)/
const DEFINES_ON = /^#\s*define\b[^]*\/\*[^]*\\\r?\n/

function seen({ text, count, starts, ends, marks }: Tokens): Visible {
  const places: number[] = []
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < count; at += 1) {
    const mark = marks[at] ?? 0
    if (mark === SEEN.all) continue
    const start = starts[at] ?? 0
    const end = ends[at] ?? 0
    const own = text.slice(start, end)
    const between = text.slice(from, start)
    parts.push(between, inPlaceOf(own, mark))
    from = end
    if (mark === SEEN.code) continue
    const isNext = places.length > 0 && between.trim() === '' && mark === SEEN.nothing
    if (isNext) places[places.length - 1] = end
    else places.push(start, end)
  }
  return { text: from === 0 ? text : parts.join('') + text.slice(from), hidden: places }
}

/** Of the same length, with the same line breaks. */
function inPlaceOf(text: string, mark: number): string {
  if (mark === SEEN.type) return 'int'.padEnd(text.length)
  if (mark === SEEN.code) return text.replaceAll(/\/\*[^]*?\*\//g, blank)
  if (mark === SEEN.nothing) return blank(text)
  const [head = ''] = /^#\s*\w+/.exec(text) ?? []
  return `${head} 1${blank(text.slice(head.length + 2))}`
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n\\]|\\(?!\r?\n)/g, ' ')
}
