/**
 * A prompt for one flow: lines that begin with `/` are commands of the table, all others are given to
 * the person's shell, with the evidence as `$e1`, `$e2`, …. From a pipe it reads the same lines.
 */
import { type CompleterResult, createInterface } from 'node:readline'
import { expandShortName, splitCommandLine } from './command-words.ts'
import { listCompletions } from './completions.ts'
import { ShellState } from './shell-state.ts'

export interface ShellParts {
  /** Runs a command line and gives its exit status. */
  run(words: readonly string[], signal: AbortSignal): Promise<number>
  /** Names of operations. */
  readonly commands: readonly string[]
  /** Names and ranks of the parts of the flow as they are now. */
  targets(): Promise<readonly string[]>
  /** What a flag may be given, by command and flag: `context --lens`. */
  values(): Promise<ReadonlyMap<string, readonly string[]>>
  /** The variables of the evidence as it is now. */
  variables(): Promise<Readonly<Record<string, string>>>
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** Prints a notice. */
  notify(text: string): void
  /** Prints a result. */
  print(text: string): void
  /** Lines of earlier sessions, latest first, and the function that stores new ones. */
  readonly history: readonly string[]
  remember(line: string): void
  readonly folder: string
  /** Aborts the whole prompt. */
  readonly signal: AbortSignal
}

const QUIT_COMMANDS: ReadonlySet<string> = new Set(['quit', 'exit', 'q'])
/** Commands that would read the input of the prompt. */
const UNSUPPORTED_COMMANDS: ReadonlySet<string> = new Set(['shell', 'mcp'])
const INTERRUPTED = 130

/** The status of `exit`, else of the first failed command, else 0; at a terminal always 0. */
export async function runShell(parts: ShellParts): Promise<number> {
  const { input, output } = parts
  const isTerminal = input.isTTY === true && output.isTTY === true
  const commands = [...parts.commands, 'help', 'quit']
  let targets = isTerminal ? await parts.targets() : []
  const lines = createInterface({
    input,
    ...(isTerminal ? { output } : {}),
    prompt: 'dossier> ',
    terminal: isTerminal,
    history: [...parts.history],
    completer: (line: string, give: (error: null, result: CompleterResult) => void) => {
      void parts.values().then((values) => {
        const [candidates, replaced] = listCompletions(line, { commands, targets, values })
        give(null, [[...candidates], replaced])
      })
    },
  })
  const shell = new ShellState(parts.folder)
  let running: AbortController | undefined
  if (isTerminal) {
    // Ctrl-C cancels the command or the line, not the prompt.
    lines.on('SIGINT', () => {
      if (running !== undefined) return running.abort()
      lines.write(null, { ctrl: true, name: 'e' })
      lines.write(null, { ctrl: true, name: 'u' })
      output.write('\n')
      lines.prompt()
    })
    parts.notify(
      'Commands start with /; /help lists them, /quit exits. Other lines go to your shell.\n',
    )
    lines.prompt()
  }
  let status = 0
  let last = 0
  for await (const line of lines) {
    if (parts.signal.aborted) break
    const words = line.trim()
    if (words !== '') {
      if (isTerminal) parts.remember(words)
      running = new AbortController()
      const { signal } = running
      const result = await runLine(parts, words, { isTerminal, signal, shell, last })
      running = undefined
      last = result.status
      if (result.isEnd) {
        lines.close()
        return result.status
      }
      if (result.isQuit) break
      if (status === 0) status = last
      if (isTerminal) targets = await parts.targets()
    }
    if (isTerminal) lines.prompt()
  }
  lines.close()
  if (parts.signal.aborted) return INTERRUPTED
  return isTerminal ? 0 : status
}

interface LineContext {
  readonly isTerminal: boolean
  readonly signal: AbortSignal
  readonly shell: ShellState
  /** Status of the previous line. */
  readonly last: number
}

interface LineOutcome {
  readonly status: number
  /** Whether the line ended its shell, and so the prompt. */
  readonly isEnd?: boolean
  readonly isQuit?: boolean
}

async function runLine(
  parts: ShellParts,
  line: string,
  context: LineContext,
): Promise<LineOutcome> {
  if (!line.startsWith('/')) return runInUserShell(parts, line, context)
  const split = splitCommandLine(line.slice(1))
  if (split.kind === 'unclosed') {
    return refuseLine(parts, `a quote is not closed: ${split.quote}`, 'close it on the same line')
  }
  const [first = '', ...rest] = split.words
  if (QUIT_COMMANDS.has(first)) return { status: 0, isQuit: true }
  if (first === '' || (first === 'help' && rest.length === 0)) {
    parts.print(renderHelp(parts.commands))
    return { status: 0 }
  }
  if (UNSUPPORTED_COMMANDS.has(first)) {
    return refuseLine(
      parts,
      `/${first} is not available in this prompt`,
      `call \`dossier ${first}\` outside`,
    )
  }
  const words =
    first === 'help' ? [...expandShortName(rest), '--help'] : expandShortName(split.words)
  return { status: await parts.run(words, AbortSignal.any([parts.signal, context.signal])) }
}

const REFUSED_STATUS = 2

function refuseLine(parts: ShellParts, what: string, hint: string): LineOutcome {
  parts.notify(`POC_E_REQUEST_INVALID ${what}\n  ${hint}\n`)
  return { status: REFUSED_STATUS }
}

/** A line for each first word, so that all of it is on one screen. */
function renderHelp(commands: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const [first = '', ...rest] of commands.map((it) => it.split(' '))) {
    const known = groups.get(first)
    if (known === undefined) groups.set(first, rest)
    else known.push(...rest)
  }
  const lines = [...groups].map(([first, rest]) =>
    rest.length === 0 ? `  /${first}` : `  /${first}  ${rest.join(' | ')}`,
  )
  return `${lines.join('\n')}
  /e is /evidence. /help <command> says more, /quit or exit ends.
  All else goes to your $SHELL with $FLOW_DIR, $EVIDENCE_COUNT, $e1, $e2, …
  The folder and exported variables stay from line to line; functions and aliases do not.
`
}

/** At a terminal the process gets the keyboard, for pagers and editors. */
async function runInUserShell(
  parts: ShellParts,
  line: string,
  context: LineContext,
): Promise<LineOutcome> {
  const { isTerminal, shell, last } = context
  const variables = await parts.variables()
  if (isTerminal) parts.input.setRawMode(false)
  const result = shell.run({ line, variables, status: last, isTerminal })
  if (isTerminal) parts.input.setRawMode(true)
  return result
}
