/** Notes made by rule, as a source would give them: the same for the same numbers, on any machine. */
import type { NoteField, NoteKind, NoteRecord } from '../../src/model/note.ts'

export interface MadeNotes {
  readonly count: number
  /** Other numbers give other texts and links to the same ids. */
  readonly edition?: number
  /** How many different words there are; the first ones are in most notes. */
  readonly words?: number
}

const KINDS: readonly NoteKind[] = ['note', 'note', 'note', 'page', 'day', 'code', 'link', 'tag']
const TAGS = ['project', 'person', 'meeting notes', 'idea', 'book']
const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

/** An outline: each note owns up to eight that follow it, some refer to others, some have fields. */
export function madeNotes(options: MadeNotes): readonly NoteRecord[] {
  return Array.from({ length: options.count }, (_, at) => madeNote(at, options))
}

export function madeNote(at: number, options: MadeNotes): NoteRecord {
  const random = randomOf(at * 7919 + (options.edition ?? 0) * 104_729 + 1)
  const created = START + Math.floor(random() * 500_000) * MINUTE
  const parent = at === 0 ? undefined : noteId(Math.floor((at - 1) / 8))
  const first = at * 8 + 1
  const children = Array.from({ length: 8 }, (_, child) => first + child).filter(
    (it) => it < options.count,
  )
  const isTagged = random() < 0.2
  return {
    id: noteId(at),
    name: madeText(random, options, 3 + Math.floor(random() * 18)),
    kind: at === 0 ? 'system' : (KINDS[Math.floor(random() * KINDS.length)] ?? 'note'),
    content: random() < 0.05 ? madeText(random, options, 30) : '',
    tags: isTagged ? [TAGS[Math.floor(random() * TAGS.length)] ?? 'idea'] : [],
    fields: isTagged ? madeFields(random, options) : [],
    created,
    modified: created + Math.floor(random() * 100_000) * MINUTE,
    ...(parent === undefined ? {} : { parent }),
    children: children.map(noteId),
    references: random() < 0.25 ? [noteId(Math.floor(random() * (options.count + 3)))] : [],
  }
}

export function noteId(at: number): string {
  return `n${((at * 2_654_435_761) >>> 0).toString(36)}_${at.toString(36)}`
}

function madeFields(random: () => number, options: MadeNotes): readonly NoteField[] {
  const target = noteId(Math.floor(random() ** 3 * options.count))
  return [
    { name: 'Status', values: [{ text: random() < 0.5 ? 'open' : 'done' }] },
    { name: 'Related', values: [{ text: madeText(random, options, 2), target }] },
  ]
}

function madeText(random: () => number, options: MadeNotes, length: number): string {
  return Array.from({ length }, () => madeWord(random, options.words ?? 20_000)).join(' ')
}

/** Word number k is about k times as rare as the first, as in any language. */
function madeWord(random: () => number, count: number): string {
  return wordNumber(Math.floor(Math.exp(random() * Math.log(count))))
}

const SYLLABLES = ['ba', 'ko', 'mi', 'tur', 'les', 'van', 'do', 'pri', 'sen', 'gal', 'hu', 'ner']

export function wordNumber(number: number): string {
  let rest = number
  let word = ''
  do {
    word += SYLLABLES[rest % SYLLABLES.length] ?? ''
    rest = Math.floor(rest / SYLLABLES.length)
  } while (rest > 0)
  return `${word}o`
}

/** Mulberry32: small, and good enough for texts. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
