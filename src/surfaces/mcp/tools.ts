/**
 * Creates the tools that a server offers, with their inputs, and converts calls to requests. A
 * client names a served repository, segment or workspace, never a path.
 */
import { EngineError } from '../../model/engine-error.ts'
import { z } from '../../platform/schema.ts'
import { optional, withDefault } from '../operations/input.ts'
import type { Operation } from '../operations/operation.ts'

export interface ServedSegment {
  /** The name that clients use. */
  readonly name: string
  readonly segment: string
  readonly repoRoot: string | undefined
}

export interface ServedRepository {
  /** How clients call it. */
  readonly name: string
  readonly path: string
}

export interface ServedNotes {
  /** The default comes first. */
  readonly aliases: readonly string[]
  /** Names of all lenses, built-in and user-defined. */
  readonly lenses: readonly string[]
}

export interface ServedContent {
  readonly operations: readonly Operation[]
  readonly segments: readonly ServedSegment[]
  readonly repositories: readonly ServedRepository[]
  readonly notes: ServedNotes
}

export interface Tool {
  readonly operation: Operation
  readonly name: string
  /** Other names that calls may use. */
  readonly aliases: readonly string[]
  readonly input: z.ZodMiniObject
  /** The input of the operation, from what a client has sent. */
  request(args: unknown): Record<string, unknown>
}

/** Tools on documents where segments are served, on code where repositories are, and on notes. */
export function createTools(served: ServedContent, hasDots: boolean): readonly Tool[] {
  return served.operations.flatMap((operation) => {
    const { tool, dottedTool } = operation
    const place = chooseTarget(operation, served)
    if (tool === undefined || place === undefined) return []
    const names = [tool, ...(dottedTool === undefined ? [] : [dottedTool])]
    const [name = tool, ...aliases] = hasDots ? names.toReversed() : names
    const input = createToolInput(operation, place)
    return [
      { operation, name, aliases, input, request: createRequestParser(operation, place, input) },
    ]
  })
}

/** The targets of a tool, from which a client chooses by name. */
interface ToolTarget {
  readonly key: 'segment' | 'repo' | 'workspace'
  readonly description: string
  readonly choices: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** Whether to offer the choice even if there is only one, because the contract names it. */
  readonly isAlwaysOffered?: boolean
  /** Inputs whose values depend on what is served. */
  readonly inputs?: Readonly<Record<string, z.ZodMiniType>>
}

function chooseTarget({ input }: Operation, served: ServedContent): ToolTarget | undefined {
  const { segments, repositories, notes } = served
  if ('segment' in input.shape) {
    if (segments.length === 0) return undefined
    const choices = new Map(
      segments.map(({ name, segment, repoRoot }) => [name, { segment, repoRoot }] as const),
    )
    return { key: 'segment', description: 'Which documentation', choices }
  }
  // An operation that takes a repository is not limited to notes.
  if ('workspace' in input.shape && !('repo' in input.shape)) return createNotesTarget(notes)
  if (repositories.length === 0) return undefined
  const key = 'repo' in input.shape ? 'repo' : 'path'
  const choices = new Map(repositories.map(({ name, path }) => [name, { [key]: path }] as const))
  return { key: 'repo', description: 'Which repository', choices }
}

function createNotesTarget({ aliases, lenses }: ServedNotes): ToolTarget | undefined {
  const [first] = aliases
  if (first === undefined) return undefined
  return {
    key: 'workspace',
    description: 'Workspace alias',
    choices: new Map(aliases.map((alias) => [alias, { workspace: alias }] as const)),
    isAlwaysOffered: true,
    inputs: {
      lens: withDefault(z.enum(lenses), 'general', 'Traversal pattern to use.'),
    },
  }
}

/** Inputs that only the server decides: locations, and whether secrets are shown. */
const LOCATION_INPUTS: ReadonlySet<string> = new Set([
  'reveal',
  'segment',
  'repoRoot',
  'pack',
  'path',
  'repo',
  'workspace',
  'indexDir',
])

function createToolInput(operation: Operation, place: ToolTarget): z.ZodMiniObject {
  const { key, description, choices, isAlwaysOffered = false, inputs } = place
  const { toolInputs } = operation
  const own = Object.entries(operation.input.shape).filter(
    ([name]) => !LOCATION_INPUTS.has(name) && toolInputs?.includes(name) !== false,
  )
  const names = [...choices.keys()]
  const choice = optional(
    z.enum(names),
    `${description} (default: ${names[0]}): ${names.join(', ')}.`,
  )
  return z.strictObject({
    ...Object.fromEntries(own),
    ...operation.toolShape,
    ...inputs,
    ...(isAlwaysOffered || names.length > 1 ? { [key]: choice } : {}),
  })
}

function createRequestParser(
  operation: Operation,
  place: ToolTarget,
  input: z.ZodMiniObject,
): Tool['request'] {
  return (args) => {
    const sent = resolveAliases(operation, args ?? {})
    const parsed = input.safeParse(operation.adaptArguments?.(sent) ?? sent)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw createInputError(issue?.path.join('.') || 'arguments', issue?.message ?? 'not valid')
    }
    const { [place.key]: wanted, ...rest } = parsed.data
    const [first = {}] = place.choices.values()
    const where = typeof wanted === 'string' ? (place.choices.get(wanted) ?? first) : first
    return operation.input.parse({ ...rest, ...where })
  }
}

/** Renames aliases of inputs; giving an input and its alias is an error. */
function resolveAliases({ toolAliases = {} }: Operation, args: unknown): unknown {
  if (typeof args !== 'object' || args === null) return args
  const given: Record<string, unknown> = { ...args }
  for (const [alias, meaning] of Object.entries(toolAliases)) {
    if (!Object.hasOwn(given, alias)) continue
    const { [alias]: value, ...others } = given
    const meant = meaning(value)
    const twice = Object.keys(meant).find((key) => Object.hasOwn(others, key))
    if (twice !== undefined)
      throw createInputError(alias, `is an alias of ${twice}; give only one of them`)
    delete given[alias]
    Object.assign(given, meant)
  }
  return given
}

function createInputError(place: string, what: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', `${place}: ${what}`, {
    hint: 'check the input schema of the tool',
  })
}
