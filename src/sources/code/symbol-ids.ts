/**
 * Names for definitions that last: `scip:dossier . . . src/`router.ts`/Router#add().` is made of
 * the path and of the names around it, never of places, so that no edit elsewhere changes it.
 */
import { ascending, inOrder } from '../../base/order.ts'
import { type Definition, type DefinitionKind, type Facts, TRAIT } from '../../model/facts.ts'
import {
  type Descriptor,
  type DescriptorKind,
  fileSymbol,
  formatSymbol,
  OWN_SCHEME,
} from '../../model/scip-symbol.ts'
import { owners } from './owners.ts'

/** One per definition; none for what only its own function can name. The first is the file's. */
export function symbolIds(facts: Facts, path: string): readonly (string | undefined)[] {
  const file = fileSymbol(path)
  const named = namedOwners(facts)
  const ids: (string | undefined)[] = facts.definitions.map(() => undefined)
  const suffixes = descriptors(facts, named)
  ids[0] = file
  const idOf = (definition: number): string => {
    const known = ids[definition]
    if (known !== undefined) return known
    const made = idOf(named[definition]?.owner ?? 0) + (suffixes[definition] ?? '')
    ids[definition] = made
    return made
  }
  for (const at of facts.definitions.keys()) if (suffixes[at] !== undefined) idOf(at)
  return ids
}

const DESCRIPTORS: Readonly<Partial<Record<DefinitionKind, DescriptorKind>>> = {
  namespace: 'namespace',
  class: 'type',
  interface: 'type',
  enum: 'type',
  type: 'type',
  function: 'method',
  method: 'method',
  constructor: 'method',
  field: 'term',
  variable: 'term',
  member: 'term',
  object: 'term',
  macro: 'macro',
  label: 'meta',
}

interface Named {
  /** The nearest definition around it that has an id. */
  readonly owner: number
  /** How many without an id lie between. */
  readonly skipped: number
}

function hasId(it: Definition): boolean {
  if (it.name === '' || (it.traits & TRAIT.anonymous) !== 0) return false
  const descriptor = DESCRIPTORS[it.kind]
  if (descriptor === undefined) return false
  return descriptor !== 'term' || (it.traits & TRAIT.local) === 0
}

function namedOwners(facts: Facts): readonly Named[] {
  const direct = owners(facts)
  const { definitions } = facts
  return definitions.map((_, definition) => {
    let owner = direct[definition] ?? -1
    let skipped = 0
    for (let it = definitions[owner]; owner > 0 && it !== undefined && !hasId(it); ) {
      skipped += 1
      owner = skipped > definitions.length ? 0 : (direct[owner] ?? -1)
      it = definitions[owner]
    }
    return { owner: Math.max(0, owner), skipped }
  })
}

/**
 * The last part of each id. Equals under one owner are numbered in the order of the text; those
 * that a reader reaches directly come before those in nameless functions, so that nothing inside
 * a body can change the id of what stands outside.
 */
function descriptors(facts: Facts, named: readonly Named[]): readonly (string | undefined)[] {
  const { definitions } = facts
  const found: (string | undefined)[] = definitions.map(() => undefined)
  const entries = definitions.flatMap((it, definition) => {
    if (definition === 0 || !hasId(it)) return []
    const { owner, skipped } = named[definition] ?? { owner: 0, skipped: 0 }
    const isLocal = it.traits & TRAIT.local
    return [{ definition, name: it.name, kind: it.kind, owner, skipped, isLocal, start: it.start }]
  })
  const sorted = entries.toSorted(
    inOrder(
      ascending((it) => it.skipped),
      ascending((it) => it.isLocal),
      ascending((it) => it.start),
      ascending((it) => it.definition),
    ),
  )
  const taken = new Set<string>()
  const equals = new Map<string, number>()
  for (const { definition, name, kind, owner } of sorted) {
    const descriptor = DESCRIPTORS[kind] ?? 'term'
    const key = `${owner} ${descriptor} ${name}`
    let ordinal = equals.get(key) ?? 0
    let suffix = formatted({ name, kind: descriptor }, ordinal)
    while (taken.has(`${owner} ${suffix}`)) {
      ordinal += 1
      suffix = formatted({ name, kind: descriptor }, ordinal)
    }
    equals.set(key, ordinal + 1)
    taken.add(`${owner} ${suffix}`)
    found[definition] = suffix
  }
  return found
}

/** Only methods have a place for a number; the names of others get it. */
function formatted({ name, kind }: Descriptor, ordinal: number): string {
  const number = `+${ordinal}`
  if (ordinal === 0) return descriptorText({ name, kind })
  return kind === 'method'
    ? descriptorText({ name, kind, disambiguator: number })
    : descriptorText({ name: name + number, kind })
}

function descriptorText(descriptor: Descriptor): string {
  return formatSymbol({ ...OWN_SCHEME, descriptors: [descriptor] }).slice(EMPTY_LENGTH)
}

const EMPTY_LENGTH = formatSymbol({ ...OWN_SCHEME, descriptors: [] }).length
