/**
 * How fast notes are, within one run: an import beside merely parsing the same file as JSON, and
 * context documents of a workspace beside those of one a tenth of its size.
 *
 *     node bench/notes.ts [--work <folder>] [--small]
 *
 * The exports are generated, the same on every machine. `--small` takes a tenth of everything.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { composeWorld } from '../src/compose.ts'
import type { NotesReader } from '../src/model/notes-index.ts'
import { SILENT } from '../src/model/progress.ts'
import { assembleContext } from '../src/packs/notes/context-document.ts'
import { findLens } from '../src/packs/notes/lenses.ts'
import { openNotes } from '../src/store/notes/reader.ts'
import { runChild } from './code/child.ts'
import { generatedTopics, writeGeneratedExport } from './notes/generated-export.ts'
import { quantile } from './packs/warm.ts'

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: join(tmpdir(), 'dossier-notes-bench') },
    small: { type: 'boolean', default: false },
  },
})

const NODES = [50_000, 500_000].map((it) => (values.small ? it / 10 : it))
const LEAST_PER_SECOND = 50_000
const MOST_MEGABYTES = 1000
const WARM_LIMIT_MS = 100
const MOST_GROWTH = 2
const NOW = Date.UTC(2026, 0, 15)
const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts')

const work = resolve(values.work)
const world = composeWorld({
  workingFolder: process.cwd(),
  signal: new AbortController().signal,
  progress: SILENT,
  notice: (text) => console.error(text),
})

await main()

async function main(): Promise<void> {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const p95: number[] = []
  for (const nodes of NODES) {
    const workspace = `n${nodes}`
    const file = join(work, `${workspace}.json`)
    const made = writeGeneratedExport(file, nodes)
    await imported(file, workspace, made.nodes)
    p95.push(await asked(workspace))
  }
  const [small = 1, large = 0] = p95
  const growth = large / small
  console.log(`growth of p95 from ${NODES[0]} to ${NODES[1]} nodes: ${growth.toFixed(2)}×`)
  verdict('growth', growth, MOST_GROWTH)
}

async function imported(file: string, workspace: string, nodes: number): Promise<void> {
  const env = { DOSSIER_HOME: join(work, 'home') }
  const command = [process.execPath, MAIN, 'notes', 'import', file, '--workspace', workspace]
  const first = await runChild(command, { env })
  if (first.end !== 0) throw new Error(`${first.stderr}${first.stdout}`)
  const again = await runChild(command, { env })
  const startedAt = performance.now()
  JSON.parse(readFileSync(file, 'utf8'))
  const parsing = performance.now() - startedAt
  const perSecond = nodes / (first.milliseconds / 1000)
  console.log(
    `${nodes} nodes: import ${(first.milliseconds / 1000).toFixed(1)} s, ${Math.round(perSecond)} nodes/s, ` +
      `${(first.milliseconds / parsing).toFixed(1)}× JSON.parse of the file, peak ${Math.round(first.peakMegabytes ?? 0)} MB; ` +
      `again without a change ${(again.milliseconds / 1000).toFixed(1)} s`,
  )
  // Of a small import the start of the program is a good part.
  if (nodes >= (NODES.at(-1) ?? 0)) {
    verdict('seconds for 50,000 nodes', LEAST_PER_SECOND / perSecond, 1)
  }
  verdict('peak megabytes', first.peakMegabytes ?? 0, MOST_MEGABYTES)
}

/** The 95th percentile of documents of depth 2, in milliseconds; half of topics, half of notes. */
async function asked(workspace: string): Promise<number> {
  const reader = openNotes(world.files, join(work, 'home', 'notes', `${workspace}.db`))
  try {
    const queries = await queriesFor(reader)
    // Until the engine has compiled what is used often.
    for (const query of queries) await document(reader, query)
    const times: number[] = []
    for (const query of queries) {
      const startedAt = performance.now()
      await document(reader, query)
      times.push(performance.now() - startedAt)
    }
    const p95 = quantile(times, 0.95)
    console.log(
      `  depth 2, warm, ${queries.length} questions: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    )
    verdict('p95 in milliseconds', p95, WARM_LIMIT_MS)
    return p95
  } finally {
    await reader.close()
  }
}

async function queriesFor(reader: NotesReader): Promise<readonly string[]> {
  const topics = generatedTopics()
  const pairs = topics.map((it, at) => `${it} ${topics[(at + 7) % topics.length] ?? ''}`)
  const hits = await Promise.all(topics.map((text) => reader.search({ text, limit: 3 })))
  return [...topics, ...pairs, ...hits.flatMap((it) => it.map(({ id }) => id))]
}

async function document(reader: NotesReader, text: string): Promise<void> {
  await assembleContext(world, reader, {
    queries: [{ text, weight: 1 }],
    workspace: 'bench',
    lens: findLens('general', []),
    depth: 2,
    maxTokens: 4000,
    includeFields: true,
    format: 'markdown',
    now: NOW,
  })
}

function verdict(what: string, measured: number, limit: number): void {
  const isMet = measured <= limit
  console.log(`  ${isMet ? 'met' : 'MISSED'}: ${what} ${measured.toFixed(1)}, limit ${limit}`)
}
