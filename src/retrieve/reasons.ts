/** Says for people which words of the question stand where in a chunk. */
import { WORD_FIELDS, type WordField } from '../model/index-record.ts'
import type { WordScores } from './sparse.ts'
import type { WeightedWord } from './understand.ts'

const MOST_WORDS = 4

export function reasonsFor(
  handle: number,
  { words, asked }: { readonly words: WordScores; readonly asked: readonly WeightedWord[] },
): readonly string[] {
  const byField = new Map<WordField, string[]>()
  const told = new Set<string>()
  for (const [at, { said }] of asked.entries()) {
    const field = told.has(said) ? undefined : bestField(words, at, handle)
    if (field === undefined) continue
    const found = byField.get(field) ?? []
    found.push(said)
    told.add(said)
    byField.set(field, found)
  }
  return FIELD_ORDER.flatMap((field) => {
    const found = byField.get(field)
    if (found === undefined) return []
    return [`${found.slice(0, MOST_WORDS).join(', ')} in ${FIELD_NAMES[field]}`]
  })
}

const FIELD_ORDER: readonly WordField[] = ['name', 'signature', 'path', 'comment', 'body']
const FIELD_NAMES: Readonly<Record<WordField, string>> = {
  path: 'path',
  name: 'name',
  signature: 'signature',
  comment: 'comments',
  body: 'body',
}

/** The most telling field of the chunk that holds the word. */
function bestField(words: WordScores, at: number, handle: number): WordField | undefined {
  const list = words.postings[at]
  if (list === undefined) return undefined
  let place = firstAt(list.handles, handle)
  const held = new Set<WordField>()
  for (; list.handles[place] === handle; place += 1) {
    const field = WORD_FIELDS[list.fields[place] ?? 0]
    if (field !== undefined) held.add(field)
  }
  return FIELD_ORDER.find((field) => held.has(field))
}

/** The first place of a number in a rising list; where it would be, if it is not there. */
function firstAt(numbers: Uint32Array, wanted: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
