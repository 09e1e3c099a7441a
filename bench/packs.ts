/**
 * How fast context packs are, as ratios within one run: each figure stands beside that of the least
 * work that could do the job, and beside that of a smaller repository.
 *
 *     node bench/packs.ts [--data <eval folder>] [--checkouts <folder>] [--work <folder>]
 *                         [--questions <count>] [--small] [--profile <file>]
 *
 * The corpora are put together from node_modules and, if given, from the checkouts in a folder,
 * named `owner__name`; they and their indexes stay in the working folder for the next run. Asked are
 * messages of commits if `--data` has some for the checkouts, else what the code says of itself.
 * `--small` takes a tenth of everything; `--profile` writes where the time goes on the largest.
 */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { composeWorld } from '../src/compose.ts'
import { SILENT } from '../src/model/progress.ts'
import { keepIndexesOpen } from '../src/packs/index/with-code-index.ts'
import { openCodeIndex } from '../src/store/code/reader.ts'
import { builtProgram } from './built.ts'
import { dossier } from './code/dossier.ts'
import { coldTime } from './packs/cold.ts'
import { type Corpus, corpusOf, unitsIn } from './packs/corpus.ts'
import { commitMessages, evenly, fromTheCode } from './packs/questions.ts'
import { quantile, type Times, type WarmTimes, warmTimes } from './packs/warm.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    checkouts: { type: 'string' },
    work: { type: 'string', default: join(tmpdir(), 'dossier-packs-bench') },
    questions: { type: 'string', default: '120' },
    small: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})

const TOKENS = 8000
const LINES = [100_000, 300_000, 1_000_000].map((it) => (values.small ? it / 10 : it))
const WARM_LIMIT_MS = 50
/** With the look at every file that comes first, when a server answers. */
const CHECKED_LIMIT_MS = 60
const COLD_LIMIT = 5

const world = composeWorld({
  workingFolder: process.cwd(),
  signal: new AbortController().signal,
  progress: SILENT,
  notice: (text) => console.error(text),
})

interface Measured {
  readonly corpus: Corpus
  /** Questions about the smallest corpus, which is part of each. */
  readonly shared: WarmTimes
  /** Questions about all of it. */
  readonly own: WarmTimes
}

await main()

async function main(): Promise<void> {
  const units = unitsIn(values.checkouts === undefined ? undefined : resolve(values.checkouts))
  const corpora = LINES.map((lines) => corpusOf(resolve(values.work), units, lines))
  for (const corpus of corpora) await indexed(corpus)
  const smallest = corpora[0]
  if (smallest === undefined) return
  const largest = corpora.at(-1) ?? smallest
  const shared = await questionsAbout(smallest)
  // First, while this process is small: starting another takes longer the more a process holds.
  const cold = await coldRatios(largest, shared[0] ?? 'read the file')
  const measured: Measured[] = []
  const kept = keepIndexesOpen(world)
  for (const corpus of corpora) measured.push(await asked(corpus, shared))
  printWarm(measured)
  printLimits(measured, cold)
  if (values.profile !== undefined) await profile(largest, values.profile)
  await kept.close()
}

/** Nothing is done where the files are those of the last run. */
async function indexed({ folder, lines, files, checkouts }: Corpus): Promise<void> {
  const run = await dossier('index', folder)
  const parts = `${checkouts.length} checkouts and packages`
  const seconds = (run.milliseconds / 1000).toFixed(1)
  console.log(`${lines} lines, ${files} files of ${parts}; brought up to date in ${seconds} s`)
}

async function questionsAbout(corpus: Corpus): Promise<readonly string[]> {
  const count = Number(values.questions)
  const messages =
    values.data === undefined ? [] : commitMessages(resolve(values.data), corpus.checkouts)
  const missing = count - messages.length
  if (missing <= 0) return evenly(messages, count)
  const index = openCodeIndex(world.files, indexOf(corpus))
  try {
    return [...messages, ...(await fromTheCode(index, missing))]
  } finally {
    await index.close()
  }
}

function indexOf({ folder }: Corpus): string {
  return join(folder, '.dossier', 'index.db')
}

async function asked(corpus: Corpus, shared: readonly string[]): Promise<Measured> {
  const own = await questionsAbout(corpus)
  const { folder } = corpus
  const index = openCodeIndex(world.files, indexOf(corpus))
  try {
    return {
      corpus,
      shared: await warmTimes(world, index, { folder, questions: shared, tokens: TOKENS }),
      own: await warmTimes(world, index, { folder, questions: own, tokens: TOKENS }),
    }
  } finally {
    await index.close()
  }
}

function printWarm(measured: readonly Measured[]): void {
  console.log(`\nwarm, from question to the text of a pack of ${TOKENS} tokens, in milliseconds`)
  console.log(
    [
      'lines',
      'asked about',
      'questions',
      'p50',
      'p95',
      'CPU p50',
      'CPU p95',
      'checked p50',
      'p95',
      'CPU p50',
      'CPU p95',
      'chunks',
      'reading p50',
      'p95',
      'ratio p50',
      'p95',
    ]
      .map((it) => it.padStart(11))
      .join(' '),
  )
  for (const { corpus, shared, own } of measured) {
    console.log(warmLine(corpus, 'smallest', shared))
    console.log(warmLine(corpus, 'all of it', own))
  }
}

function warmLine({ lines }: Corpus, about: string, times: WarmTimes): string {
  const { packs, checked, reading, chunksRead } = times
  const [p50 = 0, p95 = 0] = both(packs.wall)
  const [least50 = 0, least95 = 0] = both(reading.wall)
  const numbers = [p50, p95, ...both(packs.cpu), ...both(checked.wall), ...both(checked.cpu)].map(
    (it) => it.toFixed(1),
  )
  const count = packs.wall.length
  return [
    String(lines),
    about,
    String(count),
    ...numbers,
    (chunksRead / count).toFixed(0),
    least50.toFixed(2),
    least95.toFixed(2),
    (p50 / least50).toFixed(1),
    (p95 / least95).toFixed(1),
  ]
    .map((it) => it.padStart(11))
    .join(' ')
}

function both(times: Times['wall']): readonly number[] {
  return [quantile(times, 0.5), quantile(times, 0.95)]
}

interface Cold {
  readonly node: number
  readonly pack: number
  /** Without looking whether files have changed. */
  readonly unchecked: number
}

async function coldRatios({ folder }: Corpus, question: string): Promise<Cold> {
  const program = await builtProgram()
  const pack = [process.execPath, program, 'pack', '--quiet', '--tokens', String(TOKENS)]
  return {
    node: await coldTime([process.execPath, '-e', '0']),
    pack: await coldTime([...pack, question, '.'], folder),
    unchecked: await coldTime([...pack, '--no-index', question, '.'], folder),
  }
}

function printLimits(measured: readonly Measured[], cold: Cold): void {
  const first = measured[0]
  const last = measured.at(-1)
  if (first === undefined || last === undefined) return
  console.log(`\ngrowth on the same questions: time ~ lines^exponent; 1 is linear`)
  for (const [at, it] of measured.entries()) {
    const before = measured[at - 1]
    if (before !== undefined)
      console.log(`  ${before.corpus.lines} → ${it.corpus.lines}: ${exponents(before, it)}`)
  }
  console.log(`  ${first.corpus.lines} → ${last.corpus.lines}: ${exponents(first, last)}`)
  console.log(
    `\ncold, fastest of 10, in milliseconds: node -e 0 ${cold.node.toFixed(1)}, ` +
      `dossier pack ${cold.pack.toFixed(1)} (${(cold.pack / cold.node).toFixed(2)}×), ` +
      `with --no-index ${cold.unchecked.toFixed(1)} (${(cold.unchecked / cold.node).toFixed(2)}×)`,
  )
  const p95 = (clock: keyof Times, which: 'packs' | 'checked' = 'packs'): number =>
    Math.max(...[last.shared, last.own].map((it) => quantile(it[which][clock], 0.95)))
  // The processor's time says what the clock would on a machine with nothing else to do.
  console.log(`\nlimits at ${last.corpus.lines} lines`)
  console.log(limit('warm p95 in ms', p95('wall'), WARM_LIMIT_MS))
  console.log(limit('warm p95 in ms of CPU', p95('cpu'), WARM_LIMIT_MS))
  console.log(limit('checked warm p95 in ms', p95('wall', 'checked'), CHECKED_LIMIT_MS))
  console.log(limit('checked warm p95 in ms of CPU', p95('cpu', 'checked'), CHECKED_LIMIT_MS))
  console.log(limit('dossier pack from cold / node -e 0', cold.pack / cold.node, COLD_LIMIT))
  for (const share of [0.5, 0.95]) {
    const growth = exponent(first, last, { clock: 'cpu', share })
    console.log(limit(`growth of CPU p${100 * share}, exponent`, growth, 1))
  }
}

function exponents(before: Measured, after: Measured): string {
  const [p50, p95, cpu50, cpu95] = (['wall', 'cpu'] as const).flatMap((clock) =>
    [0.5, 0.95].map((share) => exponent(before, after, { clock, share }).toFixed(2)),
  )
  return `p50 ${p50}, p95 ${p95}, CPU p50 ${cpu50}, CPU p95 ${cpu95}`
}

interface Of {
  readonly clock: keyof Times
  readonly share: number
}

function exponent(before: Measured, after: Measured, { clock, share }: Of): number {
  const time = (it: Measured): number => quantile(it.shared.packs[clock], share)
  return Math.log(time(after) / time(before)) / Math.log(after.corpus.lines / before.corpus.lines)
}

function limit(what: string, value: number, most: number): string {
  const verdict = value <= most ? 'met' : 'not met'
  return `  ${what.padEnd(36)} ${value.toFixed(2).padStart(8)} of ${String(most).padStart(3)}  ${verdict}`
}

/** In a pass of its own: being watched takes time. */
async function profile(corpus: Corpus, file: string): Promise<void> {
  const questions = await questionsAbout(corpus)
  const { folder } = corpus
  const index = openCodeIndex(world.files, indexOf(corpus))
  const session = new Session()
  session.connect()
  try {
    await warmTimes(world, index, { folder, questions: questions.slice(0, 20), tokens: TOKENS })
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    await warmTimes(world, index, { folder, questions, tokens: TOKENS })
    const { profile: watched } = await session.post('Profiler.stop')
    writeFileSync(file, JSON.stringify(watched))
    console.log(`\nprofile of ${questions.length} questions in ${file}`)
  } finally {
    session.disconnect()
    await index.close()
  }
}
