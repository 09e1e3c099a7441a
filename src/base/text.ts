/** Text measured and cut by code points, so that no character is ever split in two. */

const SURROGATE = /[\ud800-\udfff]/

/** Number of code points: what Python calls `len`, and what every size in a pack counts. */
export function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let count = 0
  for (let at = 0; at < text.length; at = nextCodePoint(text, at)) count += 1
  return count
}

/** The UTF-16 offset that lies `count` code points after `from`, or the end of the text. */
export function offsetAfter(text: string, from: number, count: number): number {
  const plain = Math.min(text.length, from + count)
  if (!SURROGATE.test(text.slice(from, plain))) return plain
  let at = from
  for (let done = 0; done < count && at < text.length; done += 1) at = nextCodePoint(text, at)
  return at
}

function nextCodePoint(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}

/** The engine does not copy a part of this length or more, and so keeps the whole that it is of. */
const SHARED_LENGTH = 13

/**
 * The same text as one of its own. For what is kept longer than the text that it was cut out of:
 * one name of a file would keep the file in memory.
 */
export function copyString(text: string): string {
  return text.length < SHARED_LENGTH ? text : ` ${text}`.slice(1)
}

/** A stretch of a file: where it begins, and on which line. */
interface PlacedText {
  readonly text: string
  readonly start: number
  readonly startLine: number
}

/** The line of the file that an offset of the file is on. */
export function lineAt({ text, start, startLine }: PlacedText, offset: number): number {
  return startLine + text.slice(0, Math.max(0, offset - start)).split('\n').length - 1
}

export function collapseSpaces(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

const MOST_NAMED = 5

/** `a, b and 3 more` */
export function joinFirst(names: readonly string[], most = MOST_NAMED): string {
  const rest = names.length - most
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** `1 file`, `2 files`: a counted noun for messages. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** A pattern that matches the text itself. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
