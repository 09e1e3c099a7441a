/**
 * What a test leaves of what a value may be. A test chooses among what is known, and where nothing
 * of it fits, only a test for a class or type says what the value is after all.
 */
import type { Test } from '../model/facts.ts'
import type { Evaluator } from './evaluate.ts'
import type { Place } from './linking.ts'
import { basesOf, members } from './members.ts'
import type { InContext } from './types.ts'
import {
  type Held,
  instancesOf,
  NOTHING,
  samePlace,
  union,
  type Value,
  type Values,
} from './value.ts'
import type { View } from './view.ts'

export function narrowed(of: Evaluator, view: View, { it, bound }: InContext): Values {
  const values = of.values(view, it.of, bound)
  const holds = !it.name.startsWith('!')
  const kind = (holds ? it.name : it.name.slice(1)) as Test
  if (kind === 'is' || kind === 'tells') {
    const wanted =
      kind === 'is'
        ? instancesOf(union(it.list.map((each) => of.values(view, each, bound))))
        : toldBy(of, of.values(view, it.list[0] ?? 0, bound))
    return among(of, values, { wanted, holds })
  }
  if (values.length < 2 && kind !== 'typeof') return values
  const words = allWords(of, view, it.list)
  if (words === undefined) return values
  if (kind === 'typeof') return ofBasicType(of, values, { word: words[0] ?? '', holds })
  const kept = values.filter((value) => fits(of, value, { kind, words, holds }))
  return kept.length > 0 ? kept : values
}

interface Wanted {
  readonly wanted: Values
  readonly holds: boolean
}

function among(of: Evaluator, values: Values, { wanted, holds }: Wanted): Values {
  if (wanted.length === 0) return values
  const isWanted = (value: Value): boolean => wanted.some((it) => isA(of, value, it))
  const kept = values.filter((value) => isWanted(value) === holds)
  if (kept.length > 0) return kept
  return holds ? wanted : values
}

const MOST_ANCESTORS = 64

/** The same, or inherited from it. */
function isA(of: Evaluator, value: Value, wanted: Value): boolean {
  if (!('place' in wanted) || !('place' in value) || value.is !== wanted.is) return false
  const seen: Held[] = [value]
  for (let at = 0; at < seen.length && at < MOST_ANCESTORS; at += 1) {
    const it = seen[at]
    if (it === undefined) break
    if (samePlace(it.place, wanted.place)) return true
    for (const base of basesOf(of, it))
      if ('place' in base && !seen.some((each) => samePlace(each.place, base.place)))
        seen.push(base)
  }
  return false
}

/** `function isShop(it): it is Shop` tells it of its first parameter. */
function toldBy(of: Evaluator, callees: Values): Values {
  return union(
    callees.map((callee) => {
      const view = 'place' in callee ? of.view(callee.place.path) : undefined
      if (view === undefined || !('place' in callee)) return NOTHING
      const { type, parameters } = view.definition(callee.place.definition)
      const told = view.expression(Math.max(type, 0))
      const [first] = parameters
      const isFirst = first !== undefined && view.definition(first).name === told.name
      return told.op === 'predicate' && isFirst ? of.types(view, told.of) : NOTHING
    }),
  )
}

interface Question {
  readonly kind: Test
  readonly words: readonly string[]
  readonly holds: boolean
}

function fits(of: Evaluator, value: Value, { kind, words, holds }: Question): boolean {
  const [name = '', ...wanted] = words
  if (kind === 'list') return (value.is === 'items') === holds
  const found = members(of, [value], name)
  if (kind === 'has' || found.length === 0) return found.length > 0 === holds
  const known = found.map(({ place }) => {
    const view = of.view(place.path)
    const it = view?.definition(place.definition)
    if (view === undefined || it === undefined) return undefined
    return wordsOf(of, view, it.type > 0 ? it.type : it.value)
  })
  // Something else is always possible.
  if (known.includes(undefined)) return true
  const isWanted = (word: string): boolean =>
    kind === 'true' ? !EMPTY.has(word) : wanted.includes(word)
  return known.some((it) => it?.some((word) => isWanted(word) === holds))
}

const EMPTY: ReadonlySet<string> = new Set(['false', 'null', 'undefined', '0', ''])

/** The literals that an expression or a type may be; nothing when it may be something else. */
function wordsOf(of: Evaluator, view: View, at: number): readonly string[] | undefined {
  const it = view.expression(at)
  switch (it.op) {
    case 'literal':
      return [it.name]
    case 'either':
      return allWords(of, view, it.list)
    case 'typeof':
      return wordsOf(of, view, it.of)
    case 'name':
    case 'member': {
      const [place, ...others] = of.targets(view, at)
      return place === undefined || others.length > 0 ? undefined : wordsAt(of, place)
    }
    default:
      return undefined
  }
}

function allWords(
  of: Evaluator,
  view: View,
  list: readonly number[],
): readonly string[] | undefined {
  const words: string[] = []
  for (const each of list) {
    const own = wordsOf(of, view, each)
    if (own === undefined) return undefined
    words.push(...own)
  }
  return words
}

/** Of a constant its text, of a type what it names; a member of an enum is like no other. */
function wordsAt(of: Evaluator, { path, definition }: Place): readonly string[] | undefined {
  const view = of.view(path)
  if (view === undefined) return undefined
  const { kind, value, type } = view.definition(definition)
  if (kind === 'member') return [`${path}:${definition}`]
  const own = kind === 'type' ? type : kind === 'variable' ? value : 0
  if (own === 0 || !of.enters(view, definition)) return undefined
  const words = wordsOf(of, view, own)
  of.leaves(view, definition)
  return words
}

interface Basic {
  readonly word: string
  readonly holds: boolean
}

/** Only functions can be told from the rest; no value that is known is a string or a number. */
function ofBasicType(of: Evaluator, values: Values, { word, holds }: Basic): Values {
  if (word === 'function') {
    const kept = values.filter((value) => canBeCalled(of, value) === holds)
    return kept.length > 0 ? kept : values
  }
  return holds && word !== 'object' ? NOTHING : values
}

function canBeCalled(of: Evaluator, value: Value): boolean {
  if (value.is === 'callback') return true
  if (value.is === 'instance') return members(of, [value], '()').length > 0
  if (value.is !== 'thing') return false
  const { kind } = of.view(value.place.path)?.definition(value.place.definition) ?? {}
  return kind === 'function' || kind === 'method' || kind === 'class' || kind === 'signature'
}
