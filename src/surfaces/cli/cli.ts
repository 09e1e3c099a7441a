/**
 * The command line. Results go to stdout, talk goes to stderr. Knows no operation by name: what
 * can be asked for, with which flags, is read off the table.
 */
import { Command, CommanderError, Option } from 'commander'
import { nearest } from '../../base/nearest.ts'
import { descending } from '../../base/order.ts'
import { EngineError } from '../../model/engine-error.ts'
import { asDiskError } from '../../platform/trouble.ts'
import type { World } from '../../platform/world.ts'
import type { Operation, Paint } from '../operations/operation.ts'
import type { Entry } from '../operations/table.ts'
import { type CompletionFlag, completionScript, SHELL_NAMES } from './completion.ts'
import { EXIT_STATUS, INTERNAL_ERROR_STATUS } from './exit-status.ts'
import { type Flag, flagSpec, inputsOf, listItems } from './flags.ts'

export interface CliParts {
  readonly table: readonly Entry[]
  readonly version: string
  readonly paint: Paint
  /** For what goes to stderr, which may be a file where stdout is a terminal. */
  readonly errorPaint: Paint
  /** The world, once it is known how talkative it should be. */
  world(talk: Talk): World
  out(text: string): void
  /** What files hold, which a pipe gets unchanged. */
  handOn(text: string): void
  err(text: string): void
  /** Serves MCP until the client goes away. */
  serveMcp(world: World, options: McpOptions): Promise<void>
  /** A prompt, until the person ends it; gives its exit status. */
  openShell(world: World, options: ShellOptions): Promise<number>
}

export interface ShellOptions {
  readonly flow: string | undefined
}

export interface Talk {
  readonly quiet: boolean
  /** Where the index lies, as it was given. */
  readonly indexDir?: string | undefined
}

export interface McpOptions {
  readonly segments: readonly string[]
  readonly repoRoot: string | undefined
  readonly repositories: readonly string[]
  /** Aliases of workspaces; empty for all that there are; undefined for none. */
  readonly notes: readonly string[] | undefined
  /** Whether nothing was asked for by name: what there is is served. */
  readonly isUntold: boolean
  readonly hasDottedNames: boolean
  /** Whether to list tools that are otherwise listed only once they are of use. */
  readonly hasAllTools: boolean
}

/** Runs one command line and returns its exit status. */
export async function runCli(parts: CliParts, args: readonly string[]): Promise<number> {
  let status = 0
  const asJson = args.includes('--json')
  try {
    const program = programFor(parts, {
      ...(await commandsFor(parts.table, args)),
      done: (result) => {
        status = result
      },
    })
    await program.parseAsync([...args], { from: 'user' })
    return status
  } catch (error) {
    return failure(parts, misreadLine(error, parts.table, args) ?? asDiskError(error), asJson)
  }
}

/** What Commander cannot read, with the help of the command that was named. */
function misreadLine(
  error: unknown,
  table: readonly Entry[],
  args: readonly string[],
): EngineError | undefined {
  if (!(error instanceof CommanderError) || error.exitCode === 0) return undefined
  const named = [...table.map((it) => it.name), ...OTHER_COMMANDS]
    .filter((name) => isBegunBy(args, name))
    .toSorted(descending((name) => name.length))
  const help = `see \`${['dossier', ...named.slice(0, 1)].join(' ')} --help\``
  const isExcess = error.code === 'commander.excessArguments'
  return new EngineError('POC_E_REQUEST_INVALID', error.message.replace(/^error: /, ''), {
    hint: isExcess ? `put words that belong together in quotes, or ${help}` : help,
  })
}

/** Those that are no operations. */
const OTHER_COMMANDS = ['mcp', 'shell', 'completion']

function isBegunBy(args: readonly string[], name: string): boolean {
  return name.split(' ').every((word, at) => args[at] === word)
}

interface Commands {
  /** Those that a program for this call has to know. */
  readonly table: readonly Entry[]
  readonly operations: ReadonlyMap<string, Operation>
}

/**
 * To load all operations, to read all flags off their schemas and to make a command of each takes
 * as long as many a command. Most calls name one, and then what does not begin with the same word
 * has no say; the others are for help and for what has no such name.
 */
async function commandsFor(table: readonly Entry[], args: readonly string[]): Promise<Commands> {
  const named = table.filter((it) => isBegunBy(args, it.name))
  const isNamed = named.length > 0
  const wanted = isNamed || args[0] === '--version' ? named : table
  const loaded = await Promise.all(wanted.map((it) => it.load()))
  return {
    table: isNamed ? table.filter((it) => it.name.split(' ')[0] === args[0]) : table,
    operations: new Map(loaded.map((it) => [it.name, it])),
  }
}

interface Call extends Commands {
  done(status: number): void
}

function programFor(parts: CliParts, { table, operations, done }: Call): Command {
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
    const command = commandFor(groupFor(entry, program, groups), entry)
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
      if (stray !== undefined) throw unknownCommand(stray, program)
      parts.out(program.helpInformation())
    })
  return program
}

const GROUPS: Readonly<Record<string, string>> = {
  ctx: 'Context packs of Markdown documentation: digest, index, chunks on demand.',
  notes: 'Workspaces of notes: Tana, Obsidian, Logseq, folders of Markdown.',
  flow: 'Flows: a folder for the hand-picked context of one task.',
  evidence: 'Evidence: what the context of a flow is made of, by rank, role and state.',
}

/** The command that this operation is a subcommand of. */
function groupFor(entry: Entry, program: Command, groups: Map<string, Command>): Command {
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
      if (stray !== undefined) throw unknownCommand(stray, command)
      command.outputHelp()
    })
    group.allowExcessArguments(true).allowUnknownOption(true)
  }
  groups.set(word, group)
  return group
}

function unknownCommand(word: string, under: Command): EngineError {
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

interface Adding {
  readonly parts: CliParts
  done(status: number): void
}

function commandFor(group: Command, { name, summary }: Entry): Command {
  return group
    .command(name.split(' ').at(-1) ?? name)
    .description(summary)
    .helpOption('-h, --help', 'Show this help.')
    .allowExcessArguments(false)
}

function addOperation(command: Command, operation: Operation, { parts: cli, done }: Adding): void {
  const { places, flags } = inputsOf(operation)
  for (const it of places) {
    command.argument(it.kind === 'list' ? `[${it.long}...]` : `[${it.long}]`, it.description)
  }
  for (const flag of flags) command.addOption(optionFor(flag))
  command
    .option('--json', 'Print the result as JSON.')
    .option('--quiet', 'No progress and no notices.')
    .option('-v, --verbose', 'Name everything, not only the first few.')
    .addHelpText('after', exampleText(operation))
  command.action(async () => {
    // With those that a command above took, which knows some of the same flags.
    const values = givenValues(command)
    for (const [at, { key, kind }] of places.entries())
      if (command.args[at] !== undefined)
        values[key] = kind === 'list' ? command.args.slice(at) : command.args[at]
    const world = cli.world({ quiet: values['quiet'] === true })
    const implied = values['json'] === true ? operation.jsonInput : undefined
    const input = checked(operation, { ...values, ...implied })
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
    if (trouble !== undefined) cli.err(errorText(trouble, cli.errorPaint))
    done(operation.succeeded(output) ? 0 : 1)
  })
}

function printJson(cli: CliParts, operation: Operation, output: unknown): void {
  const text = operation.jsonText?.(output)
  if (text !== undefined) cli.handOn(text)
  else cli.out(`${JSON.stringify(operation.json?.(output) ?? output, null, 2)}\n`)
}

/** Without what a command above would take for granted, and this one may not know. */
function givenValues(command: Command): Record<string, unknown> {
  const given = Object.entries(command.optsWithGlobals()).filter(
    ([key]) =>
      command.getOptionValueSource(key) !== undefined ||
      command.getOptionValueSourceWithGlobals(key) !== 'default',
  )
  return Object.fromEntries(given)
}

function optionFor(flag: Flag): Option {
  const option = new Option(flagSpec(flag), flag.description)
  if (flag.choices !== undefined) option.choices([...flag.choices])
  if (flag.fallback !== undefined && flag.kind !== 'switch') option.default(flag.fallback)
  if (flag.isRequired) option.makeOptionMandatory()
  if (flag.kind === 'number') option.argParser(Number)
  if (flag.isBare) option.preset('')
  if (flag.kind === 'list') {
    option.argParser((value: string, before: readonly string[] | undefined) => [
      ...(before ?? []),
      ...(flag.isSplit ? listItems(value) : [value]),
    ])
  }
  return option
}

function exampleText(operation: Operation): string {
  const lines = operation.examples.map((it) => `  ${it.command}\n      ${it.purpose}`)
  return `\nExamples:\n${lines.join('\n')}`
}

const TALK_FLAGS: ReadonlySet<string> = new Set(['json', 'quiet', 'verbose'])

function checked(operation: Operation, values: Record<string, unknown>): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(values).filter(([key]) => !TALK_FLAGS.has(key)))
  const parsed = operation.input.safeParse(own)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const flag = inputsOf(operation).flags.find((it) => it.key === issue?.path[0])
  // What is given by place has no flag.
  const name = flag === undefined ? String(issue?.path[0] ?? 'input') : `--${flag.long}`
  // Where the schema has no words of its own for it.
  const isUntold = issue?.message.startsWith('Invalid input') === true
  const isMissing = isUntold && issue.path.length === 1 && own[String(issue.path[0])] === undefined
  const what = isMissing ? 'must be given' : (issue?.message ?? 'not valid')
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

function withMore(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function addMcp(program: Command, cli: CliParts): void {
  program
    .command('mcp')
    .description(
      'Serve code, documentation and notes to an agent, over standard input and output; this folder, where nothing is named.',
    )
    .option(
      '--repo <text>',
      'Folder of a repository, for context_pack_create, context_pack_get and, once there is a flow, evidence; may be repeated.',
      withMore,
      [],
    )
    .option(
      '-s, --segment <text>',
      'Folder of documents, for get_context and search_context; may be repeated.',
      withMore,
      [],
    )
    .option('-r, --repo-root <text>', 'Folder that segments are relative to.')
    .option(
      '--notes [alias...]',
      'Workspaces of notes, for tana_context; all of them if none is named.',
    )
    .option(
      '--index-dir <text>',
      'Folder of the index, in place of .dossier in the repository; else DOSSIER_INDEX_DIR.',
    )
    .option('--dotted-tool-names', 'List context_pack.create and context_pack.get with dots.')
    .addOption(
      new Option(
        '--tools <which>',
        'List index_status and the tools on evidence in any case.',
      ).choices(['all']),
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
          isUntold,
          hasDottedNames: dottedToolNames === true,
          hasAllTools: tools === 'all',
        })
      },
    )
}

function addShell(program: Command, { parts, done }: Adding): void {
  program
    .command('shell')
    .description('A prompt for a flow: /evidence, /ask, /assemble, …; all else goes to your shell.')
    .option('--flow <text>', 'Which flow: its name, the beginning of it, or its folder.')
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
          .map((it) => [it.name(), it.options.map(completionFlag)]),
      )
      const world = cli.world({ quiet: true })
      cli.out(completionScript(shell, { operations, others, world }))
    })
}

function completionFlag(option: Option): CompletionFlag {
  const { short } = option
  return {
    long: (option.long ?? '').slice('--'.length),
    ...(short === undefined ? {} : { short: short.slice('-'.length) }),
    value: option.required || option.optional ? 'file' : 'none',
  }
}

function failure(cli: CliParts, thrown: unknown, asJson: boolean): number {
  const error = asDiskError(thrown)
  // Help and version are asked for in this way.
  if (error instanceof CommanderError) return 0
  if (error instanceof EngineError) {
    const { code, message, hint } = error
    if (asJson) cli.out(`${JSON.stringify({ error: { code, message, hint } }, null, 2)}\n`)
    else cli.err(errorText(error, cli.errorPaint))
    return EXIT_STATUS[code]
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  cli.err(`This is a bug in dossier. Please report it with these lines:\n${stack}\n`)
  return INTERNAL_ERROR_STATUS
}

interface Trouble {
  readonly code: string
  readonly message: string
  readonly hint: string
}

function errorText(error: Trouble, paint: Paint): string {
  return `${paint.bad(error.code)} ${error.message}\n  ${paint.faint(error.hint)}\n`
}
