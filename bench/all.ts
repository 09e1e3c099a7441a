/**
 * All benches, one after the other, each to its end: what `npm run bench` runs. An aim that one of
 * them misses is no reason to keep the figures of the others back. Exits with 1 if any was missed.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const BENCHES = ['docs', 'code', 'headers', 'packs', 'notes', 'evidence']

const missed = BENCHES.filter((name) => {
  console.log(`\n== ${name}`)
  const bench = join(import.meta.dirname, `${name}.ts`)
  return spawnSync(process.execPath, [bench], { stdio: 'inherit' }).status !== 0
})
if (missed.length > 0) {
  console.log(`\nwith an aim that was missed, or a failure: ${missed.join(', ')}`)
  process.exitCode = 1
}
