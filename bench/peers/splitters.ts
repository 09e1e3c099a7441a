/**
 * Our Markdown chunker beside the splitters people use, at 512 tokens, on the same documents:
 *
 *     node bench/peers/splitters.ts [folder] [--json] [--verbose]
 *
 * Without a folder, on every .md under node_modules: real readmes and changelogs that everybody
 * has after `npm ci`. Exits with 1 if ours breaks a fence, exceeds the limit, loses text or misses
 * a heading path, and with 2 if it could not run.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadTokenizer } from '../../src/platform/tokenizer.ts'
import { readDocuments } from './documents.ts'
import { InstallError, installPeers, VERSIONS } from './install.ts'
import { measure, type Subject, subjectOf } from './measure.ts'
import { claims, isPerfect, NOTES, type Row, table } from './report.ts'
import { megabytes, throughput } from './throughput.ts'
import { BASELINE, loadTools, type Tool } from './tools.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, verbose: { type: 'boolean' } },
})

try {
  process.exitCode = await run(
    positionals[0] ?? join(import.meta.dirname, '..', '..', 'node_modules'),
  )
} catch (error) {
  if (!(error instanceof InstallError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function run(folder: string): Promise<number> {
  const tools = await loadTools(installPeers(), await loadTokenizer())
  const subjects = readDocuments(folder).map(subjectOf)
  if (subjects.length === 0) {
    console.error(`no .md files in ${folder}`)
    return 2
  }
  const rows = withRatio(await measureAll(tools, subjects))
  const corpus = {
    folder,
    files: subjects.length,
    megabytes: megabytes(subjects),
    unclosed: subjects.filter((it) => it.fences.endsOpen).length,
  }
  if (values.json === true) {
    console.log(JSON.stringify({ ...corpus, peers: VERSIONS, rows }, null, 2))
  } else {
    console.log(`${corpus.files} files, ${corpus.megabytes.toFixed(2)} MB in ${folder}`)
    console.log(`${corpus.unclosed} with an unclosed fence, left out of "broken fences"\n`)
    console.log(table(rows))
    console.log(`\n${claims(rows).join('\n')}`)
    console.log(`\n${NOTES.join('\n')}`)
  }
  return rows.every((it) => !it.isOurs || isPerfect(it)) ? 0 : 1
}

type Timed = Omit<Row, 'timesLlamaindex'>

async function measureAll(
  tools: readonly Tool[],
  subjects: readonly Subject[],
): Promise<readonly Timed[]> {
  const rows: Timed[] = []
  for (const tool of tools) {
    const counts = await measure(tool, subjects, tool.isOurs ? complain : () => {})
    const megabytesPerSecond = await throughput(tool, subjects)
    rows.push({ name: tool.name, isOurs: tool.isOurs, ...counts, megabytesPerSecond })
  }
  return rows
}

function withRatio(rows: readonly Timed[]): readonly Row[] {
  const baseline = rows.find((it) => it.name === BASELINE)?.megabytesPerSecond ?? Number.NaN
  return rows.map((it) => ({ ...it, timesLlamaindex: it.megabytesPerSecond / baseline }))
}

/** Our own failures in full, since each of them is a defect to look into. */
function complain(what: string, path: string, piece: string): void {
  if (values.verbose === true) console.error(`${what}: ${path}\n${JSON.stringify(piece)}\n`)
}
