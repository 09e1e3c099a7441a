/**
 * Which tools a server offers, with which inputs, and what a call of one is as a request. Where
 * documents, repositories and notes lie is the server's business: a client names one of those that
 * are served, never a path.
 */
import { EngineError } from '../../model/engine-error.ts'
import { z } from '../../platform/schema.ts'
import { optional, withDefault } from '../operations/input.ts'
import type { Operation } from '../operations/operation.ts'

export interface ServedSegment {
  /** How clients call it. */
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
  /** The one that is meant where none is named comes first. */
  readonly aliases: readonly string[]
  /** Names of all lenses: those that everybody has, and the person's own. */
  readonly lenses: readonly string[]
}

export interface Served {
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
export function toolsOf(served: Served, hasDots: boolean): readonly Tool[] {
  return served.operations.flatMap((operation) => {
    const { tool, dottedTool } = operation
    const place = placeOf(operation, served)
    if (tool === undefined || place === undefined) return []
    const names = [tool, ...(dottedTool === undefined ? [] : [dottedTool])]
    const [name = tool, ...aliases] = hasDots ? names.toReversed() : names
    const input = toolInput(operation, place)
    return [{ operation, name, aliases, input, request: requestOf(operation, place, input) }]
  })
}

/** What a tool works on: one of these, which a client may choose by name. */
interface Place {
  readonly key: 'segment' | 'repo' | 'workspace'
  readonly description: string
  readonly choices: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** Whether to offer the choice even where there is one: where the contract names it. */
  readonly isAlwaysOffered?: boolean
  /** Inputs whose values are known only here. */
  readonly inputs?: Readonly<Record<string, z.ZodMiniType>>
}

function placeOf({ input }: Operation, served: Served): Place | undefined {
  const { segments, repositories, notes } = served
  if ('segment' in input.shape) {
    if (segments.length === 0) return undefined
    const choices = new Map(
      segments.map(({ name, segment, repoRoot }) => [name, { segment, repoRoot }] as const),
    )
    return { key: 'segment', description: 'Which documentation', choices }
  }
  // Where a repository can be named too, notes are beside the point.
  if ('workspace' in input.shape && !('repo' in input.shape)) return notesPlace(notes)
  if (repositories.length === 0) return undefined
  const key = 'repo' in input.shape ? 'repo' : 'path'
  const choices = new Map(repositories.map(({ name, path }) => [name, { [key]: path }] as const))
  return { key: 'repo', description: 'Which repository', choices }
}

function notesPlace({ aliases, lenses }: ServedNotes): Place | undefined {
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

/** What a server decides: where things lie, and that no secret is shown. */
const PLACES: ReadonlySet<string> = new Set([
  'reveal',
  'segment',
  'repoRoot',
  'pack',
  'path',
  'repo',
  'workspace',
  'indexDir',
])

function toolInput(operation: Operation, place: Place): z.ZodMiniObject {
  const { key, description, choices, isAlwaysOffered = false, inputs } = place
  const { toolInputs } = operation
  const own = Object.entries(operation.input.shape).filter(
    ([name]) => !PLACES.has(name) && toolInputs?.includes(name) !== false,
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

function requestOf(operation: Operation, place: Place, input: z.ZodMiniObject): Tool['request'] {
  return (args) => {
    const sent = underOwnNames(operation, args ?? {})
    const parsed = input.safeParse(operation.adaptArguments?.(sent) ?? sent)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      throw invalid(issue?.path.join('.') || 'arguments', issue?.message ?? 'not valid')
    }
    const { [place.key]: wanted, ...rest } = parsed.data
    const [first = {}] = place.choices.values()
    const where = typeof wanted === 'string' ? (place.choices.get(wanted) ?? first) : first
    return operation.input.parse({ ...rest, ...where })
  }
}

/** What is given by another name becomes the input that it means; both at once mean nothing. */
function underOwnNames({ toolAliases = {} }: Operation, args: unknown): unknown {
  if (typeof args !== 'object' || args === null) return args
  const given: Record<string, unknown> = { ...args }
  for (const [alias, meaning] of Object.entries(toolAliases)) {
    if (!Object.hasOwn(given, alias)) continue
    const { [alias]: value, ...others } = given
    const meant = meaning(value)
    const twice = Object.keys(meant).find((key) => Object.hasOwn(others, key))
    if (twice !== undefined) throw invalid(alias, `is another name of ${twice}; give one of them`)
    delete given[alias]
    Object.assign(given, meant)
  }
  return given
}

function invalid(place: string, what: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', `${place}: ${what}`, {
    hint: 'see the input schema of the tool',
  })
}
