/**
 * Whether a SCIP document still describes a text. An index keeps no hash and rarely the text, so
 * the ranges have to tell: what the indexer saw is a name at each of them. Knows no language.
 *
 * What this rests on: in fresh indexes of scip-typescript no range was outside of its text, none
 * began or ended inside a word, and all definitions with plain names were at their names. In the
 * snapshot tests of the indexers for Python, Java, Kotlin, Go, C# and C++ no range cut a word
 * either, save in literals of C++ such as `12_km`. But there some definitions lie at other words
 * than their names: a Kotlin property is also its getter, a C# destructor is `Finalize`, and a
 * macro of C++ can define anything.
 *
 * So ranges are taken strictly and names with tolerance. Taking a fresh document for stale costs
 * its precision only, while a stale one that is taken for fresh puts names where they are not.
 */
import {
  SCIP_ROLE,
  type ScipDocument,
  type ScipOccurrence,
  type ScipRange,
} from '../../model/scip-document.ts'
import { parseSymbol } from '../../model/scip-symbol.ts'
import { createScipOffsets, type ScipOffsets, type TextRange } from './offsets.ts'

/**
 * A text that the index kept decides alone. Without it a document is stale when a range is outside
 * of the text or cuts a word, when text was added behind all that was indexed, or when more than
 * one and more than 2 % of the definitions with plain names are not at their names. An edit that
 * moves nothing and leaves the names alone, as of a number or a comment, does not show, and need
 * not: every range still holds what the index says.
 */
export function isStale(document: ScipDocument, text: string): boolean {
  if (document.text !== undefined) return document.text !== text
  const offsets = createScipOffsets(text, document.positionEncoding)
  const displayNames = new Map(document.symbols.map((it) => [it.symbol, it.displayName]))
  let named = 0
  let misnamed = 0
  for (const occurrence of document.occurrences) {
    const range = offsets.range(occurrence.range)
    if (range === undefined || cutsWord(text, range)) return true
    if (!fitsEnclosingRange(text, occurrence, offsets)) return true
    if ((occurrence.roles & SCIP_ROLE.Definition) === 0 || range.start === range.end) continue
    const name = expectedName(occurrence.symbol)
    if (name === undefined) continue
    named += 1
    const found = text.slice(range.start, range.end)
    if (!isNameAt(found, name) && found !== displayNames.get(occurrence.symbol)) misnamed += 1
  }
  return misnamed > MAX_MISNAMED && misnamed > named * MAX_MISNAMED_SHARE
}

const MAX_MISNAMED = 1
const MAX_MISNAMED_SHARE = 0.02

const WORD = /[\p{L}\p{N}_]/u
const SPACE = /\s/
const DIGIT = /\p{N}/u
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A range that begins or ends inside a word or with white space. An empty one cuts nothing. */
function cutsWord(text: string, { start, end }: TextRange): boolean {
  if (start === end) return false
  const first = text.charAt(start)
  const last = text.charAt(end - 1)
  if (SPACE.test(first) || SPACE.test(last)) return true
  const before = text.charAt(start - 1)
  const after = text.charAt(end)
  // A name can follow a digit: C++ has `12_km`.
  if (WORD.test(before) && !DIGIT.test(before) && WORD.test(first)) return true
  return WORD.test(last) && WORD.test(after)
}

/** The range of a whole file, as scip-typescript gives it, has nothing behind it. */
function fitsEnclosingRange(
  text: string,
  occurrence: ScipOccurrence,
  offsets: ScipOffsets,
): boolean {
  if (occurrence.enclosingRange === undefined) return true
  const enclosing = offsets.range(occurrence.enclosingRange)
  if (enclosing === undefined) return false
  return !isStartOfFile(occurrence.range) || text.slice(enclosing.end).trim() === ''
}

function isStartOfFile(range: ScipRange): boolean {
  return range.startLine + range.startCharacter + range.endLine + range.endCharacter === 0
}

/**
 * The name that a definition is expected at. Only symbols that others can refer to tell their
 * names; a namespace can be named by its folder, a meta symbol has a number at its end, and
 * `<constructor>`, `<get>x`, `"a b"` and `$anonymous_type_0` are not plain.
 */
function expectedName(symbol: string): string | undefined {
  const last = parseSymbol(symbol)?.descriptors.at(-1)
  if (last === undefined || last.kind === 'namespace' || last.kind === 'meta') return undefined
  return PLAIN_NAME.test(last.name) ? last.name : undefined
}

/** `'name'`, `#name` and `$name` hold the name, and `banana` is where `getBanana` is defined. */
function isNameAt(found: string, name: string): boolean {
  const text = found.toLowerCase()
  const wanted = name.toLowerCase()
  return text.includes(wanted) || wanted.includes(text)
}
