/**
 * The command line. Results go to stdout, notices to stderr. Knows no operation by name: commands
 * and flags are derived from the table.
 */
import { Command, CommanderError, Option } from 'commander'
import { nearest } from '../../base/nearest.ts'
import { descending } from '../../base/order.ts'
import { EngineError } from '../../model/engine-error.ts'
import { asDiskError } from '../../platform/trouble.ts'
import type { World } from '../../platform/world.ts'
import type { Operation, Paint } from '../operations/operation.ts'
import type { Entry } from '../operations/table.ts'
import { type CompletionFlag, renderCompletionScript, SHELL_NAMES } from './completion.ts'
import { EXIT_STATUS, INTERNAL_ERROR_STATUS } from './exit-status.ts'
import { type Flag, formatFlagSpec, readInputs, splitList } from './flags.ts'

export interface CliParts {
  readonly table: readonly Entry[]
  readonly version: string
  readonly paint: Paint
  /** For stderr, which may be a file while stdout is a terminal. */
  readonly errorPaint: Paint
  /** Creates the world once the output options are known. */
  world(talk: OutputOptions): World
  out(text: string): void
  /** Writes file content, which is passed to a pipe unchanged. */
  handOn(text: string): void
  err(text: string): void
  /** Serves MCP until the client disconnects. */
  serveMcp(world: World, options: McpOptions): Promise<void>
  /** Runs the prompt until the user ends it; returns its exit status. */
  openShell(world: World, options: ShellOptions): Promise<number>
}

export interface ShellOptions {
  readonly flow: string | undefined
}

export interface OutputOptions {
  readonly quiet: boolean
  /** Folder of the index, as given. */
  readonly indexDir?: string | undefined
}

export interface McpOptions {
  readonly segments: readonly string[]
  readonly repoRoot: string | undefined
  readonly repositories: readonly string[]
  /** Aliases of workspaces; empty for all; undefined for none. */
  readonly notes: readonly string[] | undefined
  /**
   * Whether no repository, segment or notes were named: then everything in the folder is served.
   */
  readonly noTargetGiven: boolean
  readonly hasDottedNames: boolean
  /** Whether to list tools that are otherwise listed only when they can be used. */
  readonly hasAllTools: boolean
}

/** Runs one command line and returns its exit status. */
export async function runCli(parts: CliParts, args: readonly string[]): Promise<number> {
  let status = 0
  const asJson = args.includes('--json')
  try {
    const program = createProgram(parts, {
      ...(await loadCommands(parts.table, args)),
      done: (result) => {
        status = result
      },
    })
    await program.parseAsync([...args], { from: 'user' })
    return status
  } catch (error) {
    return reportFailure(
      parts,
      toUsageError(error, parts.table, args) ?? asDiskError(error),
      asJson,
    )
  }
}

/** Converts a usage error of Commander, with a hint to the help of the command. */
function toUsageError(
  error: unknown,
  table: readonly Entry[],
  args: readonly string[],
): EngineError | undefined {
  if (!(error instanceof CommanderError) || error.exitCode === 0) return undefined
  const named = [...table.map((it) => it.name), ...OTHER_COMMANDS]
    .filter((name) => startsWithCommand(args, name))
    .toSorted(descending((name) => name.length))
  const help = `see \`${['dossier', ...named.slice(0, 1)].join(' ')} --help\``
  const isExcess = error.code === 'commander.excessArguments'
  return new EngineError('POC_E_REQUEST_INVALID', error.message.replace(/^error: /, ''), {
    hint: isExcess ? `quote arguments that contain spaces, or ${help}` : help,
  })
}

/** Commands that are not operations. */
const OTHER_COMMANDS = ['mcp', 'shell', 'completion']

function startsWithCommand(args: readonly string[], name: string): boolean {
  return name.split(' ').every((word, at) => args[at] === word)
}

interface LoadedCommands {
  /** The commands that are needed for this call. */
  readonly table: readonly Entry[]
  readonly operations: ReadonlyMap<string, Operation>
}

/**
 * Loading all operations and creating all commands takes as long as many commands take to run. Most
 * calls name a command, so only operations that start with the same word are loaded; help and
 * unknown names need all of them.
 */
async function loadCommands(
  table: readonly Entry[],
  args: readonly string[],
): Promise<LoadedCommands> {
  const named = table.filter((it) => startsWithCommand(args, it.name))
  const isNamed = named.length > 0
  const wanted = isNamed || args[0] === '--version' ? named : table
  const loaded = await Promise.all(wanted.map((it) => it.load()))
  return {
    table: isNamed ? table.filter((it) => it.name.split(' ')[0] === args[0]) : table,
    operations: new Map(loaded.map((it) => [it.name, it])),
  }
}

interface ProgramContext extends LoadedCommands {
  done(status: number): void
}

function createProgram(parts: CliParts, { table, operations, done }: ProgramContext): Command {
  const program = new Command('dossier')
    .description('The right context for a language-model agent, within a budget, with reasons.')
    .version(parts.version, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ writeOut: (text) => parts.out(text), writeErr: () => undefined })
  const groups = new Map<string, Command>()
  for (const entry of table) {
    const command = createCommand(findGroup(entry, program, groups), entry)
    const operation = operations.get(entry.name)
    if (operation !== undefined) addOperation(command, operation, { parts, done })
  }
  addMcp(program, parts)
  addShell(program, { parts, done })
  addCompletion(program, parts, [...operations.values()])
  program
    .allowExcessArguments(true)
    .allowUnknownOption(true)
    .action(() => {
      const stray = program.args[0]
      if (stray !== undefined) throw createUnknownCommandError(stray, program)
      parts.out(program.helpInformation())
    })
  return program
}

const GROUPS: Readonly<Record<string, string>> = {
  ctx: 'Context packs of Markdown documentation: digest, index, chunks on demand.',
  notes: 'Workspaces of notes: Tana, Obsidian, Logseq, folders of Markdown.',
  flow: 'Flows: a folder for the hand-picked context of one task.',
  evidence: 'Evidence: the parts of the context of a flow, by rank, role and state.',
}

/** The command that this operation is a subcommand of. */
function findGroup(entry: Entry, program: Command, groups: Map<string, Command>): Command {
  const [word, more] = entry.name.split(' ')
  if (word === undefined || more === undefined) return program
  // A command of its own may have others below it, as `index` has. Their names go before a folder of
  // the same name, which is then written as `./export`.
  const own = program.commands.find((it) => it.name() === word)
  if (own !== undefined && !groups.has(word)) return own.helpCommand(false)
  const group = groups.get(word) ?? program.command(word).description(GROUPS[word] ?? '')
  if (!groups.has(word)) {
    group.helpOption('-h, --help', 'Show this help.').helpCommand(false)
    group.action((_, command: Command) => {
      const stray = command.args[0]
      if (stray !== undefined) throw createUnknownCommandError(stray, command)
      command.outputHelp()
    })
    group.allowExcessArguments(true).allowUnknownOption(true)
  }
  groups.set(word, group)
  return group
}

function createUnknownCommandError(word: string, under: Command): EngineError {
  if (word.startsWith('-')) {
    return new EngineError('POC_E_REQUEST_INVALID', `unknown option '${word}'`, {
      hint: 'see `dossier --help`',
    })
  }
  const near = nearest(
    word,
    under.commands.map((it) => it.name()),
    2,
  )
  const help = under.parent === null ? 'dossier' : `dossier ${under.name()}`
  return new EngineError('POC_E_REQUEST_INVALID', `${help} has no command ${word}`, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `see \`${help} --help\``,
  })
}

interface CommandContext {
  readonly parts: CliParts
  done(status: number): void
}

function createCommand(group: Command, { name, summary }: Entry): Command {
  return group
    .command(name.split(' ').at(-1) ?? name)
    .description(summary)
    .helpOption('-h, --help', 'Show this help.')
    .allowExcessArguments(false)
}

function addOperation(
  command: Command,
  operation: Operation,
  { parts: cli, done }: CommandContext,
): void {
  const { positionals: places, flags } = readInputs(operation)
  for (const it of places) {
    command.argument(it.kind === 'list' ? `[${it.long}...]` : `[${it.long}]`, it.description)
  }
  for (const flag of flags) command.addOption(createOption(flag))
  command
    .option('--json', 'Print the result as JSON.')
    .option('--quiet', 'Print no progress and no notices.')
    .option('-v, --verbose', 'List everything, not only the first few.')
    .addHelpText('after', renderExamples(operation))
  command.action(async () => {
    // With those that a command above took, which knows some of the same flags.
    const values = readGivenValues(command)
    for (const [at, { key, kind }] of places.entries())
      if (command.args[at] !== undefined)
        values[key] = kind === 'list' ? command.args.slice(at) : command.args[at]
    const world = cli.world({ quiet: values['quiet'] === true })
    const implied = values['json'] === true ? operation.jsonInput : undefined
    const input = validateValues(operation, { ...values, ...implied })
    const outputs = operation.follow?.(world, input)
    if (outputs !== undefined) {
      for await (const each of outputs)
        cli.out(
          values['json'] === true ? `${JSON.stringify(each)}\n` : operation.text(each, cli.paint),
        )
      return
    }
    const output = await operation.run(world, input)
    const paint = { ...cli.paint, isVerbose: values['verbose'] === true }
    if (values['json'] === true) printJson(cli, operation, output)
    else if (operation.isExact?.(output) === true) cli.handOn(operation.text(output, paint))
    else cli.out(operation.text(output, paint))
    const trouble = operation.trouble?.(output)
    if (trouble !== undefined) cli.err(renderError(trouble, cli.errorPaint))
    done(operation.succeeded(output) ? 0 : 1)
  })
}

function printJson(cli: CliParts, operation: Operation, output: unknown): void {
  const text = operation.jsonText?.(output)
  if (text !== undefined) cli.handOn(text)
  else cli.out(`${JSON.stringify(operation.json?.(output) ?? output, null, 2)}\n`)
}

/** Without default values of a parent command, which this command may not have. */
function readGivenValues(command: Command): Record<string, unknown> {
  const given = Object.entries(command.optsWithGlobals()).filter(
    ([key]) =>
      command.getOptionValueSource(key) !== undefined ||
      command.getOptionValueSourceWithGlobals(key) !== 'default',
  )
  return Object.fromEntries(given)
}

function createOption(flag: Flag): Option {
  const option = new Option(formatFlagSpec(flag), flag.description)
  if (flag.choices !== undefined) option.choices([...flag.choices])
  if (flag.fallback !== undefined && flag.kind !== 'switch') option.default(flag.fallback)
  if (flag.isRequired) option.makeOptionMandatory()
  if (flag.kind === 'number') option.argParser(Number)
  if (flag.isBare) option.preset('')
  if (flag.kind === 'list') {
    option.argParser((value: string, before: readonly string[] | undefined) => [
      ...(before ?? []),
      ...(flag.isSplit ? splitList(value) : [value]),
    ])
  }
  return option
}

function renderExamples(operation: Operation): string {
  const lines = operation.examples.map((it) => `  ${it.command}\n      ${it.purpose}`)
  return `\nExamples:\n${lines.join('\n')}`
}

const OUTPUT_FLAGS: ReadonlySet<string> = new Set(['json', 'quiet', 'verbose'])

function validateValues(
  operation: Operation,
  values: Record<string, unknown>,
): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(values).filter(([key]) => !OUTPUT_FLAGS.has(key)))
  const parsed = operation.input.safeParse(own)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const flag = readInputs(operation).flags.find((it) => it.key === issue?.path[0])
  // Positional arguments have no flag.
  const name = flag === undefined ? String(issue?.path[0] ?? 'input') : `--${flag.long}`
  // The default message of the schema library.
  const isUntold = issue?.message.startsWith('Invalid input') === true
  const isMissing = isUntold && issue.path.length === 1 && own[String(issue.path[0])] === undefined
  const what = isMissing ? 'is required' : (issue?.message ?? 'not valid')
  throw new EngineError('POC_E_REQUEST_INVALID', `${name}: ${what}`, {
    hint: `see \`dossier ${operation.name} --help\``,
  })
}

interface McpFlags {
  readonly segment: readonly string[]
  readonly repoRoot?: string
  readonly repo: readonly string[]
  readonly notes?: readonly string[] | true
  readonly dottedToolNames?: boolean
  readonly indexDir?: string
  readonly tools?: 'all'
}

function collectValue(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function addMcp(program: Command, cli: CliParts): void {
  program
    .command('mcp')
    .description(
      'Serve code, documentation and notes to an agent, over standard input and output. Serves this folder if nothing is named.',
    )
    .option(
      '--repo <text>',
      'Folder of a repository, for context_pack_create, context_pack_get and, once there is a flow, evidence; may be repeated.',
      collectValue,
      [],
    )
    .option(
      '-s, --segment <text>',
      'Folder of documents, for get_context and search_context; may be repeated.',
      collectValue,
      [],
    )
    .option('-r, --repo-root <text>', 'Folder that segments are relative to.')
    .option(
      '--notes [alias...]',
      'Workspaces of notes, for tana_context; all of them if none is named.',
    )
    .option(
      '--index-dir <text>',
      'Folder of the index instead of .dossier in the repository (default: DOSSIER_INDEX_DIR).',
    )
    .option('--dotted-tool-names', 'List context_pack.create and context_pack.get with dots.')
    .addOption(
      new Option('--tools <which>', 'Always list index_status and the evidence tools.').choices([
        'all',
      ]),
    )
    .helpOption('-h, --help', 'Show this help.')
    .addHelpText(
      'after',
      '\nExamples:\n  dossier mcp\n      the code and the documents of this folder, and your notes\n  dossier mcp --repo .\n      the code of this folder alone\n  dossier mcp --segment docs --segment handbook\n      two folders of documents\n  dossier mcp --notes\n      all your notes',
    )
    .action(
      async ({ segment, repoRoot, repo, notes, dottedToolNames, tools, indexDir }: McpFlags) => {
        const isUntold = segment.length + repo.length === 0 && notes === undefined
        await cli.serveMcp(cli.world({ quiet: false, indexDir }), {
          segments: segment,
          repoRoot,
          repositories: repo,
          notes: notes === true || isUntold ? [] : notes,
          noTargetGiven: isUntold,
          hasDottedNames: dottedToolNames === true,
          hasAllTools: tools === 'all',
        })
      },
    )
}

function addShell(program: Command, { parts, done }: CommandContext): void {
  program
    .command('shell')
    .description(
      'A prompt for a flow: /evidence, /ask, /assemble, …; other lines go to your shell.',
    )
    .option('--flow <text>', 'The flow: its name, a prefix of it, or its folder.')
    .helpOption('-h, --help', 'Show this help.')
    .addHelpText(
      'after',
      '\nExamples:\n  dossier shell\n      then /evidence add README.md, /evidence list, cat $e1\n  dossier shell < commands.txt\n      the same lines from a file',
    )
    .action(async ({ flow }: { readonly flow?: string }) => {
      done(await parts.openShell(parts.world({ quiet: false }), { flow }))
    })
}

function addCompletion(program: Command, cli: CliParts, operations: readonly Operation[]): void {
  program
    .command('completion')
    .description('Print a completion script for your shell.')
    .argument('<shell>', SHELL_NAMES.join(', '))
    .helpOption('-h, --help', 'Show this help.')
    .addHelpText('after', '\nExamples:\n  eval "$(dossier completion bash)"\n      in ~/.bashrc')
    .action((shell: string) => {
      const others = new Map(
        program.commands
          .filter((it) => it.commands.length === 0)
          .map((it) => [it.name(), it.options.map(toCompletionFlag)]),
      )
      const world = cli.world({ quiet: true })
      cli.out(renderCompletionScript(shell, { operations, others, world }))
    })
}

function toCompletionFlag(option: Option): CompletionFlag {
  const { short } = option
  return {
    long: (option.long ?? '').slice('--'.length),
    ...(short === undefined ? {} : { short: short.slice('-'.length) }),
    value: option.required || option.optional ? 'file' : 'none',
  }
}

function reportFailure(cli: CliParts, thrown: unknown, asJson: boolean): number {
  const error = asDiskError(thrown)
  // Commander throws this for help and version.
  if (error instanceof CommanderError) return 0
  if (error instanceof EngineError) {
    const { code, message, hint } = error
    if (asJson) cli.out(`${JSON.stringify({ error: { code, message, hint } }, null, 2)}\n`)
    else cli.err(renderError(error, cli.errorPaint))
    return EXIT_STATUS[code]
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  cli.err(`This is a bug in dossier. Please report it with these lines:\n${stack}\n`)
  return INTERNAL_ERROR_STATUS
}

interface PrintedError {
  readonly code: string
  readonly message: string
  readonly hint: string
}

function renderError(error: PrintedError, paint: Paint): string {
  return `${paint.bad(error.code)} ${error.message}\n  ${paint.faint(error.hint)}\n`
}
