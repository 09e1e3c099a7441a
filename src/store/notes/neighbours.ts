/**
 * Finds the neighbours of notes. Above the limit, notes whose names and tags match the requested
 * words come first, then the most recent; both are in memory, so a note with 100,000 children is
 * fast.
 */

import { bestPlaces } from '../../base/best.ts'
import type { RelationType } from '../../model/note.ts'
import { RELATION_TYPES } from '../../model/note.ts'
import type { AroundWish, Cut, Neighbour, Surroundings } from '../../model/notes-index.ts'
import { VISIBLE } from './columns.ts'
import { decodeLists, INWARD_LISTS, OUTWARD_LISTS } from './links.ts'
import { IN_NAME_OR_TAGS } from './posting-bits.ts'
import type { NotesState } from './state.ts'
import { parseQueryTerms } from './terms.ts'

type Direction = Neighbour['direction']

export class NotesNeighbours {
  readonly #state: NotesState
  /** Cache: how many of the last requested words each note has in its name or tags. */
  #matches: { readonly words: string; readonly counts: Uint8Array } | undefined

  constructor(state: NotesState) {
    this.#state = state
  }

  around(ids: readonly string[], wish: AroundWish): readonly Surroundings[] {
    const types = RELATION_TYPES.filter((it) => wish.types.includes(it))
    return ids.map((id) => {
      const number = this.#state.findNumber(id)
      const neighbours: Neighbour[] = []
      const cut: Cut[] = []
      const outward = decodeLists(this.#state.outward.get(number))
      const inward = decodeLists(this.#state.inward.get(number))
      const parents = Uint32Array.of(this.#state.column('parents')[number] ?? 0)
      for (const type of number === 0 ? [] : types) {
        for (const [direction, list] of selectLists(type, { outward, inward, parents })) {
          const there = this.#visible(list, number)
          const given = this.#chooseByWords(there, wish)
          for (const it of given) neighbours.push({ id: this.#state.getId(it), type, direction })
          if (given.length === there.length) continue
          cut.push({ type, direction, total: there.length, given: given.length })
        }
      }
      return { id, neighbours, cut }
    })
  }

  #visible(list: Uint32Array, own: number): Uint32Array {
    const flags = this.#state.column('flags')
    return list.filter((it) => it !== own && ((flags[it] ?? 0) & VISIBLE) !== 0)
  }

  /** In the order of the list. Of equals the earlier stays. */
  #chooseByWords(list: Uint32Array, { limit, words }: AroundWish): Uint32Array {
    if (list.length <= limit) return list
    const counts = this.#matchesOf(words)
    const times = this.#state.column('times')
    const tally = new Uint32Array(256)
    for (const number of list) tally[counts[number] ?? 0] = (tally[counts[number] ?? 0] ?? 0) + 1
    // Notes with more words than `level` are included; of those with as many, the latest.
    let room = Math.max(0, limit)
    let level = tally.length - 1
    for (; level > 0 && (tally[level] ?? 0) <= room; level -= 1) room -= tally[level] ?? 0
    // Hand-written loop: it may run over a hundred thousand children.
    const recent = new Float64Array(list.length)
    for (let place = 0; place < list.length; place += 1) {
      const number = list[place] ?? 0
      recent[place] = counts[number] === level ? (times[number] ?? 0) : -Infinity
    }
    const latest = new Set(bestPlaces(recent, room))
    return list.filter((number, place) => (counts[number] ?? 0) > level || latest.has(place))
  }

  #matchesOf(words: readonly string[]): Uint8Array {
    const key = words.join('\n')
    if (this.#matches?.words === key) return this.#matches.counts
    const counts = new Uint8Array(this.#state.column('flags').length)
    for (const term of parseQueryTerms(key).required) {
      const { numbers, bits } = this.#state.postings.list(term)
      for (let at = 0; at < numbers.length; at += 1) {
        if (((bits[at] ?? 0) & IN_NAME_OR_TAGS) === 0) continue
        const number = numbers[at] ?? 0
        counts[number] = (counts[number] ?? 0) + 1
      }
    }
    this.#matches = { words: key, counts }
    return counts
  }
}

interface NoteLinks {
  readonly outward: readonly Uint32Array[]
  readonly inward: readonly Uint32Array[]
  readonly parents: Uint32Array
}

function selectLists(
  type: RelationType,
  { outward, inward, parents }: NoteLinks,
): readonly (readonly [Direction, Uint32Array])[] {
  if (type === 'parent') return [['in', parents]]
  const out = outward[OUTWARD_LISTS.indexOf(type)] ?? NONE
  if (type === 'child') return [['out', out]]
  return [
    ['out', out],
    ['in', inward[INWARD_LISTS.indexOf(type)] ?? NONE],
  ]
}

const NONE = new Uint32Array()
