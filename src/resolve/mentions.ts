/** What comments and documents speak of: files by their paths, symbols by their names. */

import { folderOf } from '../base/paths.ts'
import type { Mention } from '../model/facts.ts'
import type { EdgeRecord, UnresolvedRecord } from '../model/index-record.ts'
import { type EdgeInput, type Edges, fileSymbol } from './edge-input.ts'
import { joined } from './linking/folders.ts'
import type { Place } from './linking.ts'
import { members } from './members.ts'
import { followed } from './names.ts'
import { instance } from './value.ts'

/** With more symbols of a name than this, naming it says little. */
const MOST_CANDIDATES = 5

export function mentions(input: EdgeInput): Edges {
  const edges: EdgeRecord[] = []
  const unresolved: UnresolvedRecord[] = []
  const from = fileSymbol(input)
  for (const it of input.view.facts.mentions) {
    const found =
      byPath(input, it) ?? byScope(input, it) ?? (it.isMarked ? anywhere(input, it) : [])
    const [only] = found
    if (only !== undefined && found.length === 1 && only.id !== from) {
      const { start, end } = it
      edges.push({
        kind: 'mention',
        from,
        to: only.id,
        evidence: 'span',
        start,
        end,
        confidence: only.confidence,
      })
    } else if (found.length > 1) {
      unresolved.push({
        kind: 'mention',
        from,
        name: it.name,
        start: it.start,
        end: it.end,
        candidates: found.map(({ id }) => id),
        confidence: 0.2,
      })
    }
  }
  return { edges, unresolved }
}

interface Found {
  readonly id: string
  readonly confidence: number
}

/** From the file's own folder, then from the top. */
function byPath({ view, ask, symbols }: EdgeInput, it: Mention): readonly Found[] | undefined {
  if (!it.name.includes('/')) return undefined
  const folder = folderOf(view.path)
  for (const path of [joined(folder, it.name), joined('', it.name)]) {
    if (path === undefined || !ask.exists(path)) continue
    const id = symbols.idOf({ path, definition: 0 })
    if (id !== undefined) return [{ id, confidence: 0.9 }]
  }
  return []
}

/** A name that the file itself declares or imports, and members of it. */
function byScope(
  { view, evaluator, symbols }: EdgeInput,
  it: Mention,
): readonly Found[] | undefined {
  const [first = '', ...rest] = partsOf(it.name)
  const own = view.bindings(0, first).map((at) => view.place(at))
  let places: readonly Place[] = followed(evaluator, own)
  for (const name of rest) {
    const holders = places.map((place) => instance(place))
    places = members(evaluator, holders, name).map(({ place }) => place)
  }
  const ids = places.flatMap((place) => symbols.idOf(place) ?? [])
  return ids.length === 0 ? undefined : ids.slice(0, 1).map((id) => ({ id, confidence: 0.8 }))
}

/** A name that is set apart as code means the symbol of that name, where there is only one. */
function anywhere({ symbols }: EdgeInput, it: Mention): readonly Found[] {
  const parts = partsOf(it.name)
  const name = parts.at(-1) ?? ''
  const owner = parts.at(-2)
  const found = symbols
    .named(name)
    .filter(({ id }) => owner === undefined || id.includes(`${owner}#`) || id.includes(`${owner}.`))
  if (found.length > MOST_CANDIDATES) return []
  return found.map(({ id }) => ({ id, confidence: owner === undefined ? 0.6 : 0.75 }))
}

function partsOf(name: string): readonly string[] {
  return name
    .replace(/\(\)$/, '')
    .split(/\.|#|::|->/)
    .filter((it) => it !== '')
}
