/** Says for people which words of the question stand where in a chunk. */
import { codeForms } from '../base/code-tokens.ts'
import type { StoredChunk } from '../model/code-index.ts'
import { WORD_FIELDS, type WordField } from '../model/index-record.ts'
import type { ScoreTerm } from '../model/search.ts'
import type { WordScores } from './sparse.ts'
import { spellerOf } from './spelled.ts'
import type { WeightedWord } from './understand.ts'

const MOST_WORDS = 4

/** `parse in name; encoding in body, for charset`: the words that are there, where they are. */
export function reasonsFor(
  { handle, chunk }: { readonly handle: number; readonly chunk: StoredChunk },
  { words, asked }: { readonly words: WordScores; readonly asked: readonly WeightedWord[] },
): readonly string[] {
  const byPlace = new Map<string, string[]>()
  const told = new Set<string>()
  const spell = spellerOf(chunk)
  for (const [at, { word, said }] of asked.entries()) {
    const field = told.has(said) ? undefined : bestField(words, at, handle)
    if (field === undefined) continue
    told.add(said)
    const isOwn = said === word || said.includes(' ') || codeForms(said).includes(word)
    const shown = isOwn && said !== word ? said : spell(word, field)
    const place = `${placeOf(chunk, field, word)}${isOwn ? '' : `, for ${said}`}`
    const found = byPlace.get(place) ?? []
    found.push(shown)
    byPlace.set(place, found)
  }
  return PLACE_ORDER.flatMap((place) =>
    [...byPlace]
      .filter(([it]) => it === place || it.startsWith(`${place},`))
      .map(([it, found]) => `${found.slice(0, MOST_WORDS).join(', ')} in ${it}`),
  )
}

/** Of what holds no word of the question: what was found leads to it. */
export function linkReasons(terms: readonly ScoreTerm[]): readonly string[] {
  const held = new Set(terms.filter((it) => it.value > 0).map((it) => it.name))
  const link = LINKS.find(([names]) => names.some((it) => held.has(it)))
  return link === undefined ? [] : [link[1]]
}

/** By names of terms, see `terms.ts`; the most telling first. */
const LINKS: readonly (readonly [readonly string[], string])[] = [
  [['file is named'], 'its file is named'],
  [['chunk used by hits', 'used by hits'], 'used by what was found'],
  [['chunk uses a hit', 'uses a hit'], 'uses what was found'],
  [['tested by hits'], 'tested by what was found'],
  [['beside a hit'], 'beside what was found'],
  [['chunk like the first hits'], 'like what was found'],
]

const FIELD_ORDER: readonly WordField[] = ['name', 'signature', 'path', 'comment', 'body']
const FIELD_NAMES: Readonly<Record<WordField, string>> = {
  path: 'path',
  name: 'name',
  signature: 'signature',
  comment: 'comments',
  body: 'body',
}
const INNER_NAMES = 'inner names'
const PLACE_ORDER = FIELD_ORDER.flatMap((field) =>
  field === 'name' ? [FIELD_NAMES.name, INNER_NAMES] : [FIELD_NAMES[field]],
)

/** Names that are declared in a chunk are found as its own is, and are not it. */
function placeOf({ name }: StoredChunk, field: WordField, word: string): string {
  const isOwn = field !== 'name' || name.split(/[^\p{L}\p{N}_$]+/u).some(holds)
  return isOwn ? FIELD_NAMES[field] : INNER_NAMES

  function holds(part: string): boolean {
    return part !== '' && codeForms(part).includes(word)
  }
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
