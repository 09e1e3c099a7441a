/** Whether a pack is what its request gives on the index as it is: byte for byte, or where not. */
import type { ContextPack } from '../../model/context-pack.ts'
import type { PackRequest } from '../../model/pack-request.ts'
import type { World } from '../../platform/world.ts'
import type { RepositoryPlace } from '../index/index-options.ts'
import { type OpenRepository, withCodeIndex } from '../index/with-code-index.ts'
import { createContextPack } from './context-pack.ts'
import { canonicalPack, packIdOf } from './pack-id.ts'
import { type Difference, differencesOf } from './value-differences.ts'

export interface IndexAge {
  /** ISO 8601. */
  readonly builtAt: string
  /** Paths of files that are new, other or gone since; sorted. */
  readonly changed: readonly string[]
}

export interface PackVerification {
  /** `stale`: the index is another one than that of the pack, so nothing can be proved. */
  readonly verdict: 'equal' | 'different' | 'stale'
  readonly packId: string
  readonly packIndex: string
  readonly presentIndex: string
  /** When the present index was built, and the files that have changed since; it is taken as it is. */
  readonly age: IndexAge
  /** Of the canonical form. */
  readonly bytes: number
  /** The first of them; `before` is what the pack says. */
  readonly differences: readonly Difference[]
}

const MOST_DIFFERENCES = 20

export function verifyPack(
  world: World,
  { pack, path }: RepositoryPlace & { readonly pack: ContextPack },
): Promise<PackVerification> {
  return withCodeIndex(
    world,
    { path, isFresh: false },
    async ({ index, top, indexRoot, changed }) => {
      const presentIndex = await index.signature()
      const mine = canonicalPack(pack)
      const { packId, indexSignature: packIndex } = pack
      const age = { builtAt: (await index.status()).builtAt, changed }
      const found = { packId, packIndex, presentIndex, age, bytes: Buffer.byteLength(mine) }
      if (packIndex !== presentIndex)
        return { ...found, verdict: 'stale' as const, differences: idDifference(pack) }
      const request = { ...pack.request, indexRoot }
      const made =
        request.diff === undefined
          ? await createContextPack(world, index, request)
          : await remakeReviewPack(world, { index, top }, request)
      const theirs = canonicalPack(made)
      if (mine === theirs) return { ...found, verdict: 'equal' as const, differences: [] }
      const all = differencesOf(JSON.parse(mine), JSON.parse(theirs))
      const differences = [...all.take(MOST_DIFFERENCES)]
      return { ...found, verdict: 'different' as const, differences }
    },
  )
}

/** Of the diff as it is now: where that is another one, the packs differ in it. */
async function remakeReviewPack(
  world: World,
  { index, top }: Pick<OpenRepository, 'index' | 'top'>,
  request: PackRequest,
): Promise<ContextPack> {
  const { diff: before = NO_DIFF } = request
  const { readDiffAgain } = await import('./diff-request.ts')
  const { createReviewPack } = await import('./review-pack.ts')
  const diff = await readDiffAgain(world, top, before)
  return createReviewPack(world, index, { request: { ...request, diff: diff.identity }, diff })
}

const NO_DIFF = { source: '', sha256: '', base: '' }

/** The id says which request it is of, whatever else was changed in the file. */
function idDifference({ packId, request }: ContextPack): readonly Difference[] {
  const after = packIdOf(request)
  return packId === after ? [] : [{ place: 'packId', before: packId, after }]
}
