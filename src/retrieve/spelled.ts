/** How a word that is known by its stem is spelled where it was found. */
import { codeForms } from '../base/code-tokens.ts'
import type { StoredChunk } from '../model/code-index.ts'
import type { WordField } from '../model/index-record.ts'

/** A word that begins like another stands often in a text; after so many it is called by its stem. */
const MOST_LOOKS = 20

/** In lower case; the word itself where nothing that begins so is it. */
export type Spell = (word: string, field: WordField) => string

/** A chunk is read once, however many words are asked for. */
export function spellerOf(chunk: StoredChunk): Spell {
  let inside: Searched | undefined
  return (word, field) => {
    if (field === 'path') return spelled(searched(chunk.path), word)
    inside ??= searched(`${chunk.name} ${chunk.title} ${chunk.text}`)
    return spelled(inside, word)
  }
}

interface Searched {
  readonly text: string
  readonly lower: string
}

function searched(text: string): Searched {
  return { text, lower: text.toLowerCase() }
}

function spelled({ text, lower }: Searched, word: string): string {
  let at = lower.indexOf(word)
  for (let look = 0; look < MOST_LOOKS && at >= 0; look += 1) {
    const found = lower.slice(at, endOf(text, at + word.length))
    if (codeForms(found).includes(word)) return found
    at = lower.indexOf(word, at + 1)
  }
  return word
}

/** `Route` of `addRouteTo`, and `ROUTE` of `ADD_ROUTE_TO`. */
function endOf(text: string, from: number): number {
  const isUpper = /\p{Lu}/u.test(text[from - 1] ?? '')
  const more = isUpper ? /^\p{Lu}*/u : /^\p{Ll}*/u
  return from + (more.exec(text.slice(from, from + LONGEST_END))?.[0].length ?? 0)
}

const LONGEST_END = 24
