/** A process that keeps packs: `keep-packs-child.ts FOLDER NAME COUNT`. */
import { keepPack } from '../../src/packs/context/pack-artifacts.ts'
import { sketchedPack } from './kept-packs.ts'
import { quietWorld } from './world.ts'

const [, , folder = '', name = '', count = '0'] = process.argv
const world = quietWorld(folder)
for (let at = 0; at < Number(count); at += 1) {
  const pack = sketchedPack({ query: `${name} ${at}`, text: 'x'.repeat(2000) })
  await keepPack(world, { top: folder, pack }, { maxShardBytes: 20_000 })
}
