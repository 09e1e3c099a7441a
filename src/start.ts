/** The composition root of the command: chooses the surfaces and ties them to the process. */
import { join, resolve } from 'node:path'
import pc from 'picocolors'
import { visible } from './base/visible.ts'
import { composeWorld, VERSION } from './compose.ts'
import { SILENT } from './model/progress.ts'
import { openLineHistory } from './platform/line-history.ts'
import type { World } from './platform/world.ts'
import {
  type McpOptions,
  type OutputOptions,
  runCli,
  type ShellOptions,
} from './surfaces/cli/cli.ts'
import { EXIT_STATUS, TERMINATED_STATUS } from './surfaces/cli/exit-status.ts'
import { createTerminalProgress } from './surfaces/cli/progress.ts'
import { type Colors, createScreen } from './surfaces/cli/screen.ts'
import type { Operation } from './surfaces/operations/operation.ts'
import { loadAll, TABLE } from './surfaces/operations/table.ts'

export async function start(args: readonly string[]): Promise<number> {
  const interrupted = new AbortController()
  let isTerminated = false
  process.once('SIGINT', () => interrupted.abort())
  process.once('SIGTERM', () => {
    isTerminated = true
    interrupted.abort()
  })
  process.stdout.on('error', stopQuietly)
  const status = await runOnce(args, { signal: interrupted.signal, hasInput: true })
  return isTerminated && status === EXIT_STATUS.POC_E_CANCELLED ? TERMINATED_STATUS : status
}

interface Running {
  readonly signal: AbortSignal
  /** Whether standard input is the command's to read. */
  readonly hasInput: boolean
}

function runOnce(args: readonly string[], running: Running): Promise<number> {
  return runCli(
    {
      table: TABLE,
      version: VERSION,
      paint: OUT.paint,
      errorPaint: ERR.paint,
      world: (talk) => talkingWorld(running, talk),
      out: OUT.write,
      handOn: OUT.handOn,
      err: ERR.write,
      serveMcp: serve,
      openShell: prompt,
    },
    args,
  )
}

/** Not picocolors' own guess: it takes CI for a terminal, and a pipe there is a pipe all the same. */
function colorsFor({ isTTY }: NodeJS.WriteStream): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
  // Undefined for a pipe, and undefined would make picocolors guess again.
  const isTerminal = isTTY === true && TERM !== 'dumb'
  return pc.createColors(!NO_COLOR && (isForced || isTerminal))
}

const OUT = createScreen(process.stdout, colorsFor(process.stdout))
const ERR = createScreen(process.stderr, colorsFor(process.stderr))

/** A reader that goes away (`| head`) wants no more, and that is no error of ours. */
function stopQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
}

/** Progress moves the cursor. Its words are ours alone. */
function draw(text: string): void {
  process.stderr.write(text)
}

function talkingWorld({ signal, hasInput }: Running, { quiet, indexDir }: OutputOptions): World {
  const { isTTY, columns = 80 } = process.stderr
  const terminal = { isTerminal: isTTY, columns, write: draw, now: () => Date.now() }
  return composeWorld({
    workingFolder: process.cwd(),
    signal,
    progress: quiet ? SILENT : createTerminalProgress(terminal),
    ...(indexDir === undefined ? {} : { indexFolder: resolve(indexDir) }),
    notice: quiet ? () => undefined : (text) => ERR.write(`${text}\n`),
    ...(hasInput ? { input: async () => Buffer.concat(await Array.fromAsync(process.stdin)) } : {}),
  })
}

/** Loaded only when it is asked for: the SDK would double the start of every other command. */
async function serve(world: World, options: McpOptions): Promise<void> {
  const { serveMcp } = await import('./surfaces/mcp/server.ts')
  const {
    buildCodeInstructions: codeInstructions,
    buildDocsInstructions: instructionsFor,
    buildNotesInstructions: notesInstructions,
  } = await import('./surfaces/operations/instructions.ts')
  const {
    isToolOffered,
    keepIndexesOpen,
    resolveServedTargets: placesToServe,
  } = await import('./surfaces/operations/serving.ts')
  // Standard input is the client's.
  const { input: _, ...rest } = world
  const served: World = { ...rest, isServed: true, session: {} }
  const places = placesToServe(served, options)
  const { segments, repositories, notes } = places
  const isOffered = (operation: Operation): boolean =>
    options.hasAllTools || isToolOffered(served, operation, repositories)
  const operations = await loadAll()
  const hasEvidence = operations.some((it) => it.toolWhen === 'flow' && isOffered(it))
  const indexes = keepIndexesOpen(served)
  const instructions = [
    await instructionsFor(served, segments),
    codeInstructions(
      repositories.map((it) => it.name),
      hasEvidence,
    ),
    notesInstructions(notes.aliases),
  ]
  await serveMcp(served, {
    ...places,
    operations,
    version: VERSION,
    instructions: visible(instructions.filter((it) => it !== '').join('\n')),
    hasDottedNames: options.hasDottedNames,
    isOffered,
  })
  await indexes.close()
}

/** Each command is one of its own, as if it were typed at the system's prompt. */
async function prompt(world: World, { flow }: ShellOptions): Promise<number> {
  const { runShell } = await import('./surfaces/shell/shell.ts')
  const {
    findFlowFolder: flowFolder,
    listTargets: targetsOf,
    readVariables: variablesIn,
  } = await import('./surfaces/operations/evidence/shell-context.ts')
  // For every command from here on, and for what the system's shell is given.
  if (flow !== undefined) process.env['FLOW_DIR'] = flowFolder(world, flow)
  if (process.stdin.isTTY) leaveInterruptsToCommands()
  const here = (): World => ({ ...world, workingFolder: process.cwd() })
  let values: Promise<ReadonlyMap<string, readonly string[]>> | undefined
  return runShell({
    run: (words, signal) => runOnce(words, { signal, hasInput: false }),
    commands: TABLE.map((it) => it.name),
    // Lines change the folder that all of it is about.
    targets: () => targetsOf(here()),
    values: () => (values ??= valuesOfFlags(here())),
    variables: () => variablesIn(here()),
    input: process.stdin,
    output: process.stdout,
    notify: ERR.write,
    print: OUT.write,
    signal: world.signal,
    ...openLineHistory(join(world.home.dataFolder, 'shell-history')),
    folder: world.workingFolder,
  })
}

async function valuesOfFlags(world: World): Promise<ReadonlyMap<string, readonly string[]>> {
  const { collectFlagValues: flagValues } = await import('./surfaces/cli/completion.ts')
  return flagValues(await loadAll(), world)
}

/** At a terminal Ctrl-C reaches us along with the command that it is meant for. */
function leaveInterruptsToCommands(): void {
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', () => undefined)
}
