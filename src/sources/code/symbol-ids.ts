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
  formatDescriptor,
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
    const made = idOf(named.owners[definition] ?? 0) + (suffixes[definition] ?? '')
    ids[definition] = made
    return made
  }
  for (let at = 0; at < suffixes.length; at += 1) if (suffixes[at] !== undefined) idOf(at)
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

/** By definition. */
interface Named {
  /** 1 where it has an id. */
  readonly isNamed: Uint8Array
  /** The nearest definition around it that has an id. */
  readonly owners: Int32Array
  /** How many without an id lie between. */
  readonly skipped: Int32Array
}

function hasId(it: Definition): boolean {
  if (it.name === '' || (it.traits & TRAIT.anonymous) !== 0) return false
  const descriptor = DESCRIPTORS[it.kind]
  if (descriptor === undefined) return false
  return descriptor !== 'term' || (it.traits & TRAIT.local) === 0
}

function namedOwners(facts: Facts): Named {
  const direct = owners(facts)
  const { definitions } = facts
  const count = definitions.length
  const named = {
    isNamed: Uint8Array.from(definitions, (it) => (hasId(it) ? 1 : 0)),
    owners: new Int32Array(count),
    skipped: new Int32Array(count),
  }
  for (let definition = 0; definition < count; definition += 1) {
    let owner = direct[definition] ?? -1
    let skipped = 0
    while (owner > 0 && named.isNamed[owner] === 0) {
      skipped += 1
      owner = skipped > count ? 0 : (direct[owner] ?? -1)
    }
    named.owners[definition] = Math.max(0, owner)
    named.skipped[definition] = skipped
  }
  return named
}

/**
 * The last part of each id. Equals under one owner are numbered in the order of the text; those
 * that a reader reaches directly come before those in nameless functions, so that nothing inside
 * a body can change the id of what stands outside.
 */
function descriptors(facts: Facts, named: Named): readonly (string | undefined)[] {
  const { definitions } = facts
  const found: (string | undefined)[] = definitions.map(() => undefined)
  const taken = new Set<string>()
  const equals = new Map<string, number>()
  for (const definition of inOrderOfReach(definitions, named)) {
    const it = definitions[definition]
    if (it === undefined) continue
    const kind = DESCRIPTORS[it.kind] ?? 'term'
    const descriptor = { name: it.name, kind }
    const owner = `${named.owners[definition]} `
    let suffix = formatDescriptor(descriptor)
    if (taken.has(owner + suffix)) {
      const key = `${owner}${kind} ${it.name}`
      let ordinal = equals.get(key) ?? 1
      suffix = numbered(descriptor, ordinal)
      while (taken.has(owner + suffix)) {
        ordinal += 1
        suffix = numbered(descriptor, ordinal)
      }
      equals.set(key, ordinal + 1)
    }
    taken.add(owner + suffix)
    found[definition] = suffix
  }
  return found
}

function inOrderOfReach(definitions: readonly Definition[], named: Named): readonly number[] {
  const { isNamed, skipped } = named
  const found: number[] = []
  for (let at = 1; at < definitions.length; at += 1) if (isNamed[at] === 1) found.push(at)
  const compare = inOrder<number>(
    ascending((it) => skipped[it] ?? 0),
    ascending((it) => (definitions[it]?.traits ?? 0) & TRAIT.local),
    ascending((it) => definitions[it]?.start ?? 0),
    ascending((it) => it),
  )
  // Mostly they are in order already, which is soon seen.
  const isOrdered = found.every((it, at) => at === 0 || compare(found[at - 1] ?? 0, it) < 0)
  return isOrdered ? found : found.toSorted(compare)
}

/** Only methods have a place for a number; the names of others get it. */
function numbered({ name, kind }: Descriptor, ordinal: number): string {
  const number = `+${ordinal}`
  return kind === 'method'
    ? formatDescriptor({ name, kind, disambiguator: number })
    : formatDescriptor({ name: name + number, kind })
}
