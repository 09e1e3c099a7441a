/** Finds the words in comments and prose that look like names of code: `load`, Router.add(), src/a.ts. */
import type { Mention } from '../../model/facts.ts'

/** In order: a code span, a link of a doc comment, a path, a word with a capital or `_` inside. */
const NAMES =
  /`([^`\s]{2,80})`|\{@link\s+([\w$.#/]{2,80})|(?<![\w./@-])((?:[\w.-]+\/)+[\w.-]+\.[A-Za-z]\w{0,5})(?![\w/])|(?<![\w$@`])((?:[A-Za-z_$]\w*(?:\.|#|::))*(?:[a-z_$][a-z0-9$]*(?:[A-Z_]\w*)+|[A-Z][a-z0-9]+(?:[A-Z]\w*)+|[A-Za-z_$]\w*(?=\(\))))/g

/** In all that has one of them; most comments have none, and this is told much faster. */
const SIGN_OF_NAME = /[a-z0-9_$][A-Z_]|`|\(\)|[\w.-]\/[\w.-]|\{@link/

/** More than this in one file is a table of data, not prose. */
const MOST = 2000

export function findMentions(text: string, stretches: readonly number[]): readonly Mention[] {
  const found: Mention[] = []
  for (let at = 0; at + 1 < stretches.length && found.length < MOST; at += 2) {
    const from = stretches[at] ?? 0
    const prose = text.slice(from, stretches[at + 1])
    if (!SIGN_OF_NAME.test(prose)) continue
    for (const match of prose.matchAll(NAMES)) {
      const [whole, span, link, path, word] = match
      const name = span ?? link ?? path ?? word ?? ''
      if (!isName(name) || found.length >= MOST) continue
      const start = from + match.index + whole.indexOf(name)
      found.push({
        name,
        start,
        end: start + name.length,
        isMarked: span !== undefined || link !== undefined,
      })
    }
  }
  return found
}

/** Code spans hold all sorts of things; only what can be a name or a path is worth looking up. */
function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:(?:\.|#|::|->|\/|-)[\w$.]+)*(?:\(\))?$/.test(text) && text.length > 2
}
