/**
 * Packs that are kept beside the index, by their ids. A kept pack is served in place of a new one
 * only where the index, the request and the program are those it was made with.
 */
import { nearest } from '../../base/nearest.ts'
import type { ContextPack } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import type { StoredPackEntry } from '../../store/packs/pack-store-manifest.ts'
import { readPackStore, readStoredPack } from '../../store/packs/read-pack-store.ts'
import { storePack } from '../../store/packs/write-pack-store.ts'
import { indexFolder } from '../index/index-place.ts'
import { isMeantBy, packIdOf } from './pack-id.ts'

/** Undefined where none is kept that may stand for a new one. A damaged one is told, and made anew. */
export function keptPack(world: World, top: string, packId: string): ContextPack | undefined {
  const kept = entriesOf(world, top).findLast(
    (it) => it.packId === packId && it.generator === world.generator,
  )
  if (kept === undefined) return undefined
  try {
    return checked(world, top, kept)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    world.notice(`${error.message}; it is made anew`)
    return undefined
  }
}

/** By its id or by a beginning of it that only one has. Throws where there is none. */
export function readKeptPack(world: World, top: string, wanted: string): ContextPack {
  const before = foundIn(world, entriesOf(world, top), wanted)
  try {
    return checked(world, top, before)
  } catch (error) {
    // Whoever has just cut the file into parts has removed it under our hands.
    const after = foundIn(world, entriesOf(world, top), wanted)
    if (after.piece === before.piece && after.sha256 === before.sha256) throw error
    return checked(world, top, after)
  }
}

export interface KeepOptions {
  /** A file of packs that would be larger is cut into parts. */
  readonly maxShardBytes?: number
}

export async function keepPack(
  world: World,
  { top, pack }: { readonly top: string; readonly pack: ContextPack },
  options: KeepOptions = {},
): Promise<void> {
  const { files, generator, signal } = world
  await storePack(
    {
      files,
      generator,
      signal,
      folder: indexFolder(world, top),
      onWait: () => world.notice('another process is keeping a pack; waiting for it'),
      notice: (text) => world.notice(text),
      ...options,
    },
    pack,
  )
}

/** Of what is kept, each id once. */
export function keptIds(world: World, top: string): readonly string[] {
  return [...new Set(entriesOf(world, top).map((it) => it.packId))].toSorted()
}

function entriesOf(world: World, top: string): readonly StoredPackEntry[] {
  return readPackStore(world.files, indexFolder(world, top)).packs
}

function checked(world: World, top: string, kept: StoredPackEntry): ContextPack {
  const pack = readStoredPack(world.files, indexFolder(world, top), kept)
  if (pack.packId === kept.packId && packIdOf(pack.request) === pack.packId) return pack
  throw new EngineError(
    'POC_E_PACK_CORRUPT',
    `the pack ${kept.packId} is not that of its request`,
    {
      hint: 'make it again with `dossier context-pack --write`',
    },
  )
}

function foundIn(
  world: World,
  entries: readonly StoredPackEntry[],
  wanted: string,
): StoredPackEntry {
  const exact = entries.findLast((it) => it.packId === wanted)
  if (exact !== undefined) return exact
  const ids = [...new Set(entries.map((it) => it.packId))].toSorted()
  const begun = ids.filter((it) => isMeantBy(it, wanted))
  const only = begun.length === 1 ? entries.findLast((it) => it.packId === begun[0]) : undefined
  if (only !== undefined) return only
  const near = begun.length > 1 ? begun.slice(0, NEAR) : nearest(wanted, ids, NEAR)
  const message =
    begun.length > 1 ? `more than one pack begins with ${wanted}` : `no pack ${wanted} is kept`
  throw new EngineError('POC_E_PACK_MISSING', message, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : howToHaveOne(world),
  })
}

/** A server remembers its last packs; elsewhere a pack is kept by who asks for that. */
function howToHaveOne({ isServed }: World): string {
  return isServed === true
    ? 'a server remembers its last few packs: make it again with `dossier pack`'
    : 'keep one with `dossier context-pack --query … --write`'
}

const NEAR = 3
