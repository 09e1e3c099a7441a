/** Splits a line into words like a shell: quotes keep words together. */

export type CommandLine =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'unclosed'; readonly quote: string }

export function splitCommandLine(line: string): CommandLine {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? ''
    const isEscape = sign === '\\' && quote !== "'" && at + 1 < line.length
    if (isEscape) {
      at += 1
      const next = line[at] ?? ''
      // Inside quotes a backslash is literal, unless it escapes the quote.
      word = (word ?? '') + (quote === '"' && next !== '"' && next !== '\\' ? `\\${next}` : next)
    } else if (quote !== '') {
      if (sign === quote) quote = ''
      else word = (word ?? '') + sign
    } else if (sign === '"' || sign === "'") {
      quote = sign
      word ??= ''
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (sign === '#' && word === undefined) {
      break
    } else {
      word = (word ?? '') + sign
    }
  }
  if (quote !== '') return { kind: 'unclosed', quote }
  return { kind: 'words', words: word === undefined ? words : [...words, word] }
}

const SHORT_NAMES: Readonly<Record<string, string>> = { e: 'evidence' }

/** `e list` is `evidence list`. */
export function expandShortName([first, ...rest]: readonly string[]): readonly string[] {
  return first === undefined ? [] : [SHORT_NAMES[first] ?? first, ...rest]
}
