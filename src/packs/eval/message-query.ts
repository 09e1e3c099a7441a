/** What a commit's message asks for: its words, without what only people and robots keep there. */

export function messageQuery(message: string): string {
  const paragraphs = message
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n/)
    .map((it) => it.trim())
    .filter((it) => it !== '')
  const [last] = paragraphs.slice(-1)
  const own = paragraphs.length > 1 && isTrailers(last ?? '') ? paragraphs.slice(0, -1) : paragraphs
  return own
    .map((it) => it.split('\n').filter(isWanted).map(withoutNumbers).join('\n').trim())
    .filter((it) => it !== '')
    .join('\n\n')
}

export function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'_.-]*/gu)?.length ?? 0
}

const TRAILER = /^(?:[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*: \S.*|\(cherry picked from .*\))$/
/** Of one word with a colon, a sentence may begin as well. */
const KNOWN_TRAILER =
  /^(?:[A-Za-z]+(?:-[A-Za-z0-9]+)+|signed|cc|bug|issue|refs?|fixes|closes|see|link|pr|test|git-svn-id): /i

function isTrailers(paragraph: string): boolean {
  const lines = paragraph.split('\n')
  return (
    lines.every((it) => TRAILER.test(it) || /^\s+\S/.test(it)) &&
    lines.some((it) => KNOWN_TRAILER.test(it))
  )
}

/** Anywhere in a message, as squashing puts the trailers of many commits in its middle. */
const ANYWHERE =
  /^(?:(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested|approved)-by|change-id|reviewed-on|git-svn-id): /i
const CLOSING =
  /^\W*(?:fix(?:es|ed)?|clos(?:e|es|ed)|resolv(?:e|es|ed)|refs?|see|pr)\W*(?:#\d+|\S+\/#?\d+)\W*$/i

function isWanted(line: string): boolean {
  const text = line.trim()
  return !ANYWHERE.test(text) && !CLOSING.test(text)
}

function withoutNumbers(line: string): string {
  return line
    .replaceAll(/\s*\((?:gh-|#)\d+\)/gi, '')
    .replaceAll(/(?<![\w&/])(?:#|gh-)\d+\b/gi, '')
    .trimEnd()
}
