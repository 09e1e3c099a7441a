/** What a pack is known by, and what of it two equal packs share. */
import canonicalize from 'canonicalize'
import type { ContextPack } from '../../model/context-pack.ts'
import type { PackRequest } from '../../model/pack-request.ts'
import { sha256 } from '../../platform/hash.ts'

/** Where the index lies is no part of it: the same request on another machine is the same pack. */
export function packIdOf(request: PackRequest): string {
  const { indexRoot: _, ...rest } = request
  return sha256(request.indexSignature + (canonicalize(rest) ?? ''))
}

/** RFC 8785, without what differs between two runs: equal strings, equal packs. */
export function canonicalPack(pack: ContextPack): string {
  const { createdAt: _, stats, request, ...rest } = pack
  const { timings: _timings, ...counts } = stats
  const { indexRoot: _root, ...asked } = request
  return canonicalize({ ...rest, request: asked, stats: counts }) ?? ''
}

const SHORTEST_BEGINNING = 6

/** The whole of it, or a beginning that is long enough to mean one. */
export function isMeantBy(packId: string, wanted: string): boolean {
  return packId === wanted || (wanted.length >= SHORTEST_BEGINNING && packId.startsWith(wanted))
}
