/** The composition root: chooses every part, and is the only module that knows them all. */
import { basename, resolve } from 'node:path'
import pc from 'picocolors'
import packageJson from '../package.json' with { type: 'json' }
import { EngineError } from './model/engine-error.ts'
import { SILENT } from './model/progress.ts'
import { systemClock } from './platform/clock.ts'
import { realFiles } from './platform/files.ts'
import { startReaders } from './platform/readers.ts'
import { loadTokenizer } from './platform/tokenizer.ts'
import type { World } from './platform/world.ts'
import { type McpOptions, runCli, type Talk } from './surfaces/cli/cli.ts'
import { terminalProgress } from './surfaces/cli/progress.ts'
import { instructionsFor } from './surfaces/operations/instructions.ts'
import { OPERATIONS } from './surfaces/operations/table.ts'

export async function start(args: readonly string[]): Promise<number> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  process.once('SIGTERM', () => interrupted.abort())
  const err = (text: string): void => {
    process.stderr.write(text)
  }
  const colors = pc.createColors(pc.isColorSupported && process.stdout.isTTY)
  return runCli(
    {
      operations: OPERATIONS,
      version: packageJson.version,
      paint: {
        strong: colors.bold,
        faint: colors.dim,
        good: colors.green,
        bad: colors.red,
        isVerbose: false,
      },
      world: (talk) => realWorld(interrupted.signal, talk),
      out: writeOut,
      err,
      serveMcp: serve,
    },
    args,
  )
}

/** A reader that goes away (`| head`) wants no more, and that is no error of ours. */
function writeOut(text: string): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  process.stdout.write(text)
}

function realWorld(signal: AbortSignal, talk: Talk): World {
  const write = (text: string): void => {
    process.stderr.write(text)
  }
  const terminal = {
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns ?? 80,
    write,
    now: () => Date.now(),
  }
  let tokens: ReturnType<typeof loadTokenizer> | undefined
  return {
    files: realFiles,
    clock: systemClock(process.env['SOURCE_DATE_EPOCH']),
    progress: talk.quiet ? SILENT : terminalProgress(terminal),
    workingFolder: process.cwd(),
    generator: `dossier ${packageJson.version}`,
    signal,
    tokens: () => {
      tokens ??= loadTokenizer()
      return tokens
    },
    readers: () => startReaders(workerUrl()),
    notice: (text) => {
      if (!talk.quiet) write(`${text}\n`)
    },
  }
}

/** Source runs as it is in development; a build has one file per entry, side by side. */
function workerUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? './worker.ts' : './worker.js', import.meta.url)
}

/** Loaded only when it is asked for: the SDK would double the start of every other command. */
async function serve(world: World, options: McpOptions): Promise<void> {
  const { serveMcp } = await import('./surfaces/mcp/server.ts')
  const segments = options.segments.map((segment) => ({
    name: basename(resolve(world.workingFolder, options.repoRoot ?? '.', segment)),
    segment,
    repoRoot: options.repoRoot,
  }))
  const names = new Set(segments.map((it) => it.name))
  if (names.size < segments.length) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'two segments have the same folder name', {
      hint: 'serve them with two servers',
    })
  }
  const instructions = await instructionsFor(world, segments)
  await serveMcp(world, {
    operations: OPERATIONS,
    version: packageJson.version,
    segments,
    instructions,
  })
}
