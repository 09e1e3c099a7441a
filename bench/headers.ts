/**
 * Headers in many variants beside other C: those of Node, which every `npm ci` brings with OpenSSL's
 * configuration for many platforms, and a clone of redis.
 *
 *     node bench/headers.ts [<redis>]        or REDIS=<redis>
 *
 * MB of source for each second of the processor, in one run. Exits with 1 if the headers are slower
 * than a quarter of redis.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MeasuredIndex, measureIndex } from './code/measured-index.ts'

const AIM = 0.25
const PACKAGES = join(import.meta.dirname, '..', 'node_modules')

const redis = process.argv[2] ?? process.env['REDIS']
const headers = nodeHeaders(PACKAGES)
const scratch = mkdtempSync(join(tmpdir(), 'dossier-headers-'))
try {
  if (headers === undefined) console.log("skipped: node_modules has no headers of Node's")
  else await compare(await measured("Node's headers", headers))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function compare(ours: MeasuredIndex): Promise<void> {
  if (redis === undefined || !existsSync(redis)) {
    console.log('the ratio is skipped: name a clone of redis as the argument, or as REDIS')
    return
  }
  const beside = await measured('redis', redis)
  const ratio = ours.megabytesPerSecond / beside.megabytesPerSecond
  const isMet = ratio >= AIM
  console.log(`ratio ${ratio.toFixed(2)} (aim ${AIM} or more)${isMet ? '' : '  MISSED'}`)
  if (!isMet) process.exitCode = 1
}

/** In a copy: nothing is written to where it is from. */
async function measured(name: string, folder: string): Promise<MeasuredIndex> {
  const copy = join(scratch, name.replaceAll(/\W/g, '-'))
  cpSync(folder, copy, {
    recursive: true,
    dereference: true,
    filter: (path) => !/[/\\]\.(?:git|dossier)$/.test(path),
  })
  mkdirSync(join(copy, '.git'))
  const it = await measureIndex(copy)
  console.log(
    `${name.padEnd(14)} ${String(it.files).padStart(5)} files ${it.megabytes.toFixed(1).padStart(5)} MB  ` +
      `${it.processorSeconds.toFixed(1)} s of the processor, ${it.wallSeconds.toFixed(1)} s, ` +
      `${it.megabytesPerSecond.toFixed(2)} MB/s, peak ${it.peakMegabytes.toFixed(0)} MB`,
  )
  return it
}

/** `include/node` of the package that has Node for this system, wherever it is installed. */
function nodeHeaders(packages: string): string | undefined {
  const found = readdirSync(packages)
    .filter((it) => it === 'node' || it.startsWith('node-'))
    .flatMap((it) => {
      const inner = join(packages, it, 'node_modules')
      const below = existsSync(inner) ? [nodeHeaders(inner)] : []
      return [join(packages, it, 'include', 'node'), ...below]
    })
  return found.find((it) => it !== undefined && existsSync(it))
}
