/**
 * How fast a flow with many pieces of evidence is: every command as a process of its own, and an
 * assembly beside `cat` of the same files.
 *
 *     node bench/evidence.ts [--files <count>]
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { composeWorld } from '../src/compose.ts'
import { resolveFlow } from '../src/evidence/flows.ts'
import { SILENT } from '../src/model/progress.ts'
import { assemblePrompt } from '../src/packs/evidence/prompt.ts'
import { builtProgram } from './built.ts'
import { runChild } from './code/child.ts'
import { quantile } from './packs/warm.ts'

const { values } = parseArgs({ options: { files: { type: 'string', default: '2000' } } })

const FILES = Number(values.files)
const COMMAND_LIMIT_MS = 1000
const CAT_LIMIT = 3
const TIMES = 7

const program = await builtProgram()
await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-evidence-bench-'))
  try {
    await run(folder, 'flow', 'new', 'bench')
    const names = sources(folder)
    await run(folder, 'evidence', 'add', ...names)
    await commands(folder)
    await besidesCat(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** About a kilobyte each, no two alike. */
function sources(folder: string): readonly string[] {
  mkdirSync(join(folder, 'src'))
  return Array.from({ length: FILES }, (_, at) => {
    const name = `src/file${String(at).padStart(4, '0')}.ts`
    const lines = Array.from(
      { length: 20 },
      (_line, line) =>
        `export const value${at}x${line} = compute(${at * line}, 'error ${at % 17}')`,
    )
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return name
  })
}

async function run(folder: string, ...args: readonly string[]): Promise<number> {
  const done = await runChild([process.execPath, program, ...args], { cwd: folder })
  if (done.end !== 0)
    throw new Error(`dossier ${args.slice(0, 3).join(' ')}: ${done.stderr}${done.stdout}`)
  return done.milliseconds
}

async function commands(folder: string): Promise<void> {
  const lines = [
    ['evidence', 'list'],
    ['evidence', 'status'],
    ['evidence', 'plan'],
    ['evidence', 'budget'],
    ['evidence', 'toggle', 'off', '300-399'],
    ['evidence', 'toggle', 'on', '300-399'],
    ['evidence', 'focus', 'error 3'],
    ['evidence', 'focus', 'off'],
    ['evidence', 'rebase'],
    ['evidence', 'undo'],
    ['evidence', 'rank', 'file0007_ts', '50'],
    ['evidence', 'remove', 'file0008_ts'],
    ['evidence', 'undo'],
    ['evidence', 'diff'],
    ['evidence', 'refresh'],
    ['evidence', 'env'],
    ['evidence', 'deps', 'file0009_ts'],
    ['ask', 'what covers error 5'],
    ['assemble'],
    ['assemble', '--max-tokens', '20000'],
  ]
  for (const line of lines) {
    const milliseconds = await run(folder, ...line)
    const verdict = milliseconds <= COMMAND_LIMIT_MS ? 'met' : 'MISSED'
    console.log(`${verdict.padEnd(7)}${Math.round(milliseconds)} ms  dossier ${line.join(' ')}`)
  }
}

/** In this process, as a server would: a process of its own takes longer to start than `cat` to run. */
async function besidesCat(folder: string): Promise<void> {
  const world = composeWorld({
    workingFolder: folder,
    signal: new AbortController().signal,
    progress: SILENT,
    notice: () => undefined,
  })
  const flow = resolveFlow(world, undefined)
  const evidence = join(flow.folder, 'ctx/evidence')
  const paths = readdirSync(evidence).map((it) => join(evidence, it))
  const ours: number[] = []
  const cats: number[] = []
  for (let round = 0; round < TIMES; round += 1) {
    const startedAt = performance.now()
    await assemblePrompt(world, flow, {})
    ours.push(performance.now() - startedAt)
    const cat = await runChild(['sh', '-c', 'cat "$@" > "$0"', join(folder, 'all'), ...paths])
    cats.push(cat.milliseconds)
  }
  const [mine, theirs] = [quantile(ours, 0.5), quantile(cats, 0.5)]
  const ratio = mine / theirs
  const verdict = ratio <= CAT_LIMIT ? 'met' : 'MISSED'
  console.log(
    `${verdict}: assemble ${mine.toFixed(0)} ms, cat ${theirs.toFixed(0)} ms, ${ratio.toFixed(1)}× (limit ${CAT_LIMIT})`,
  )
}
