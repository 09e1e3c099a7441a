/** Packs about changes of real git repositories, made as the program makes them. */
import type { ContextPack } from '../../src/model/context-pack.ts'
import { askForPack } from '../../src/packs/context/ask-pack.ts'
import type { DiffWish } from '../../src/packs/context/diff-request.ts'
import type { PackWish } from '../../src/packs/context/pack-request.ts'
import type { World } from '../../src/platform/world.ts'
import { GitRepository } from './git-repository.ts'
import { threadlessWorld } from './indexed-folder.ts'
import { HARBOR } from './packed.ts'
import { project } from './project.ts'

export const ON_DISK: DiffWish = { kind: 'range', range: '' }

export interface ReviewOptions {
  readonly wish?: Partial<PackWish>
  readonly world?: Partial<World>
}

export async function reviewPack(
  folder: string,
  diff: DiffWish,
  { wish, world }: ReviewOptions = {},
): Promise<ContextPack> {
  const { pack } = await askForPack(threadlessWorld(folder, world), {
    path: '.',
    wish: { query: '', ...wish },
    diff,
    isFresh: true,
    isKept: false,
  })
  return pack
}

/** The harbor, committed. */
export function harborRepository(): GitRepository {
  const repository = new GitRepository()
  repository.commit('Build a harbor', Object.fromEntries(project(HARBOR)))
  return repository
}
