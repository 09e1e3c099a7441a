/**
 * How fast the code index is, as ratios within one run: each figure stands beside that of the least
 * work that could do the job.
 *
 *     node bench/code.ts [--small] [--parse]
 *
 * `--small` takes every tenth file; `--parse` stops after raw parsing. Exits with 1 if an aim is
 * missed or the same files do not give the same edges.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ascending } from '../src/base/order.ts'
import { type Finished, runChild } from './code/child.ts'
import { type CorpusFile, copyCorpus, holdings, megabytes } from './code/corpus.ts'
import { dossier, edgeSet, forgetIndex, indexMegabytes, watchIndex } from './code/dossier.ts'
import { grammarOf } from './code/grammars.ts'
import { rawParse } from './code/raw-parse.ts'

const { values } = parseArgs({
  options: { small: { type: 'boolean' }, parse: { type: 'boolean' } },
})
const ROUNDS = 3
const CHANGES = 10
const UPDATE_AIM_MS = 100
const PEAK_LIMIT_MB = 600
/** Noise on a few milliseconds is large: near one is not one. */
const GROWTH_AIM = 1.5
const THREADS = availableParallelism()

interface Row {
  readonly what: string
  readonly ours: number
  readonly beside: string
  readonly least: number
  readonly aim: number
}

interface Corpus {
  readonly folder: string
  readonly files: readonly CorpusFile[]
}

const scratch = mkdtempSync(join(tmpdir(), 'dossier-bench-'))
try {
  const step = values.small === true ? 10 : 1
  const whole = corpusIn(join(scratch, 'whole'), step)
  describe(whole)
  const parse = await parsing(whole)
  if (values.parse !== true) {
    // A file that was written this instant may change without a new time, so it would be read again.
    await pause(2500)
    const rows = [...(await indexing(whole, parse)), ...(await watching(whole, step))]
    console.log('\n                                            ours       least     ratio   aim')
    for (const it of rows) console.log(rowText(it))
    if (rows.some((it) => it.ours / it.least > it.aim)) process.exitCode = 1
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function corpusIn(folder: string, step: number): Corpus {
  // A repository: otherwise folders such as `dist` would be left out, and less indexed than parsed.
  mkdirSync(join(folder, '.git'), { recursive: true })
  return { folder, files: copyCorpus(folder, step) }
}

function describe({ files }: Corpus): void {
  console.log(`corpus: ${files.length} files, ${megabytes(files).toFixed(1)} MB`)
  for (const line of holdings(files)) console.log(line)
}

/** The best time with all threads. */
async function parsing({ folder, files }: Corpus): Promise<number> {
  const paths = files.map((it) => join(folder, it.path))
  const parsed = megabytes(files.filter((it) => grammarOf(it.path) !== undefined))
  let taken = Number.NaN
  for (const threads of new Set([1, THREADS])) {
    taken = await best(() => rawParse(paths, threads))
    const rate = (parsed / taken) * 1000
    console.log(
      `raw parsing, ${threads} threads: ${taken.toFixed(0)} ms, ${rate.toFixed(2)} MB/s of ${parsed.toFixed(1)} MB`,
    )
  }
  return taken
}

/** What the command takes before it has looked at anything: the index of nearly nothing, again. */
async function startOf(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-nearly-empty-'))
  try {
    appendFileSync(join(folder, 'a.txt'), 'a\n')
    await dossier('index', folder)
    return await best(async () => (await dossier('index', folder)).milliseconds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function indexing({ folder, files }: Corpus, parse: number): Promise<readonly Row[]> {
  const startUp = await startOf()
  const runs: Finished[] = []
  const edges = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    forgetIndex(folder)
    runs.push(await dossier('index', folder))
    edges.add(await edgeSet(folder))
  }
  const full = Math.min(...runs.map((it) => it.milliseconds)) - startUp
  const peak = Math.max(...runs.map((it) => it.peakMegabytes ?? Number.NaN))
  if (!(peak <= PEAK_LIMIT_MB)) process.exitCode = 1
  console.log(`start-up ${startUp.toFixed(0)} ms, taken off all times below`)
  console.log(
    `full index: ${(full / 1000).toFixed(2)} s, peak ${peak.toFixed(0)} MB of ${PEAK_LIMIT_MB}` +
      `${peak <= PEAK_LIMIT_MB ? '' : ' MISSED'}, ` +
      `index ${indexMegabytes(folder).toFixed(1)} MB of ${megabytes(files).toFixed(1)} MB`,
  )
  console.log(`edge sets of ${ROUNDS} full indexes: ${edges.size === 1 ? 'one' : edges.size}`)
  if (edges.size !== 1) process.exitCode = 1
  const idle = await best(async () => (await dossier('index', folder)).milliseconds)
  const walk = await walkAndStat(folder)
  return [
    { what: 'full index', ours: full, beside: 'read and parse', least: parse, aim: 2.5 },
    { what: 'nothing changed', ours: idle - startUp, beside: 'walk and stat', least: walk, aim: 2 },
  ]
}

/** Less what the same program takes on an empty folder: only the work counts. */
async function walkAndStat(folder: string): Promise<number> {
  const script = join(import.meta.dirname, 'code', 'walk-and-stat.ts')
  const taken = (top: string): Promise<number> =>
    best(async () => (await runChild([process.execPath, script, top])).milliseconds)
  return (await taken(folder)) - (await taken(mkdtempSync(join(scratch, 'empty-'))))
}

async function watching(whole: Corpus, step: number): Promise<readonly Row[]> {
  const tenth = corpusIn(join(scratch, 'tenth'), step * 10)
  const large = await changed(whole)
  const small = await changed(tenth)
  const what = `one file of ${whole.files.length} changed`
  return [
    { what, ours: large, beside: 'the aim', least: UPDATE_AIM_MS, aim: 1 },
    { what, ours: large, beside: `of ${tenth.files.length}`, least: small, aim: GROWTH_AIM },
  ]
}

/** Median time from the write of a file to the word that the index has it. */
async function changed({ folder, files }: Corpus): Promise<number> {
  const sources = files.filter((it) => /^(typescript|javascript)$/.test(grammarOf(it.path) ?? ''))
  const watch = await watchIndex(folder)
  try {
    const times: number[] = []
    for (let at = 0; at < CHANGES; at += 1) {
      const file = sources[Math.floor((at * sources.length) / CHANGES)]?.path ?? ''
      await pause(300)
      const updated = watch.updated()
      const startedAt = performance.now()
      appendFileSync(join(folder, file), `\nexport function added${at}() {}\n`)
      await updated
      times.push(performance.now() - startedAt)
    }
    return times.toSorted(ascending((it) => it))[CHANGES / 2] ?? Number.NaN
  } finally {
    await watch.stop()
  }
}

function rowText(it: Row): string {
  const ratio = it.ours / it.least
  const verdict = ratio <= it.aim ? '' : '  MISSED'
  const numbers = [
    `${it.ours.toFixed(1)} ms`.padStart(11),
    `${it.least.toFixed(1)} ms`.padStart(11),
  ]
  return `${it.what.padEnd(36)} ${numbers.join('')} ${ratio.toFixed(3).padStart(9)} ${String(it.aim).padStart(5)}${verdict}  (beside: ${it.beside})`
}

async function best(measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await measure())
  return Math.min(...times)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
