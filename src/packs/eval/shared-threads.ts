/** One set of threads for many builds after each other: starting them takes longer than a commit. */
import { LazyPool } from '../../platform/pool.ts'
import type { World } from '../../platform/world.ts'

export interface SharedThreads {
  /** The same world, whose threads outlive a build. */
  readonly world: World
  close(): Promise<void>
}

export function shareThreads(world: World): SharedThreads {
  const pool = new LazyPool(() => world.extractors())
  const lent = {
    get size() {
      return pool.size
    },
    run: (task: unknown, limitMs: number) => pool.run(task, limitMs),
    close: () => Promise.resolve(),
  }
  return { world: { ...world, extractors: () => lent }, close: () => pool.close() }
}
