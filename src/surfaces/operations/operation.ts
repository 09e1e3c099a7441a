/**
 * One thing a caller can ask for. The CLI, the MCP server, later the HTTP server, the reference
 * page and shell completion are all read off one table of these.
 */
import { resolve } from 'node:path'
import type { EngineError } from '../../model/engine-error.ts'
import type { z } from '../../platform/schema.ts'
import { asDiskError } from '../../platform/trouble.ts'
import type { World } from '../../platform/world.ts'
import { type OperationName, SUMMARIES } from './summaries.ts'

export interface Operation<In extends z.ZodMiniObject = z.ZodMiniObject, Out = unknown> {
  /** The words of the command: `ctx build`. */
  readonly name: OperationName
  readonly summary: string
  /** Command lines that work, each with what it is for. */
  readonly examples: readonly Example[]
  readonly input: In
  /** One-letter names of inputs on the command line. */
  readonly short?: Readonly<Partial<Record<string, string>>>
  /** Inputs that are given on the command line without a flag, in this order. */
  readonly positional?: readonly string[]
  /** Texts that may be given as a flag alone, which means the empty text. */
  readonly bareFlags?: readonly string[]
  /** Lists whose items may hold a comma: on the command line each is a flag of its own. */
  readonly unsplit?: readonly string[]
  /** Values to complete inputs with, where they are known only when they are asked for. */
  offers?(world: World): Readonly<Record<string, readonly string[]>>
  /** What `--json` says of the input, whatever else is said. */
  readonly jsonInput?: Readonly<Record<string, unknown>>
  /** The name of the MCP tool, when there is one. */
  readonly tool?: string
  /** How the tool is spelled where names may have dots; calls by this name are answered too. */
  readonly dottedTool?: string
  /** Which inputs the tool offers: all but the places, unless told. */
  readonly toolInputs?: readonly string[]
  /** Inputs that are another matter over MCP than on the command line. */
  readonly toolShape?: Readonly<Record<string, z.ZodMiniType>>
  /** Inputs that are for tools and for the library: the command line spells them otherwise. */
  readonly toolOnly?: readonly string[]
  /** What a client sent, with what it gave elsewhere moved to the input that needs it. */
  adaptArguments?(args: unknown): unknown
  /** Other names that inputs of the tool are accepted under, each with the inputs that it means. */
  readonly toolAliases?: Readonly<Record<string, (value: unknown) => Record<string, unknown>>>
  /** What the tool is for, where the summary speaks of the command line, or is long. */
  readonly toolSummary?: string
  /** When the tool is listed, if not always: once there is a flow, or only where all tools are wanted. */
  readonly toolWhen?: 'flow' | 'all'
  /** Whether it changes something that the caller can see; what can be made again does not count. */
  readonly changes?: boolean
  run(world: World, input: z.output<In>): Promise<Out>
  /** Where the answer has no end: one output after the other, when the input asks for that. */
  follow?(world: World, input: z.output<In>): AsyncIterable<Out> | undefined
  /**
   * Whether the text is what files hold, which programs are given unchanged. Any other text is made
   * visible before it leaves.
   */
  isExact?(output: Out): boolean
  /** For people and for models: what `run` gave, as text. */
  text(output: Out, paint: Paint): string
  /** What `--json` prints, where it is not all of the output. */
  json?(output: Out): unknown
  /** The same as a text, where each of its characters counts. */
  jsonText?(output: Out): string
  /** What a tool says beside the text: a line for the model, and values for programs. */
  about?(output: Out): About
  /** Whether the request was met in full; decides between exit status 0 and 1. */
  succeeded(output: Out): boolean
  /** What was wrong with a request that was met in part. */
  trouble?(output: Out): EngineError | undefined
}

export interface About {
  /** In place of the text, where that says what is none of a client's business. */
  readonly text?: string
  readonly line: string
  readonly values: Readonly<Record<string, unknown>>
  /** All of it as JSON, for a program that asked for that. Many hosts show a model nothing else. */
  readonly structured?: Record<string, unknown>
}

export interface Example {
  readonly command: string
  readonly purpose: string
}

/** How a surface shows emphasis. Plain text is the rule; a terminal may do more. */
export interface Paint {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
  /** Whether to name everything, or only the first few. */
  readonly isVerbose: boolean
  /** Whether who reads it can give flags. */
  readonly hasFlags: boolean
}

const same = (text: string): string => text

export const PLAIN: Paint = {
  strong: same,
  faint: same,
  good: same,
  bad: same,
  isVerbose: false,
  hasFlags: false,
}

/**
 * Lets each file infer its own input and output while the table holds them all. What the disk
 * complains about leaves every operation as an error with a code.
 */
export function operation<In extends z.ZodMiniObject, Out>(
  it: Omit<Operation<In, Out>, 'summary'>,
): Operation<In, Out> {
  const { follow } = it
  return {
    ...it,
    summary: SUMMARIES[it.name],
    run: async (world, given) => {
      try {
        const { place, input } = atIndexDir(world, given)
        return await it.run(place, input)
      } catch (error) {
        throw asDiskError(error)
      }
    },
    ...(follow === undefined
      ? {}
      : {
          follow: (world, given) => {
            const { place, input } = atIndexDir(world, given)
            return follow.call(it, place, input)
          },
        }),
  }
}

/** The folder of the index is a matter of the world, so that all who open one agree. */
function atIndexDir<In>(world: World, given: In): { readonly place: World; readonly input: In } {
  const { indexDir, ...input } = given as { readonly indexDir?: unknown }
  if (typeof indexDir !== 'string') return { place: world, input: input as In }
  const indexFolder = resolve(world.workingFolder, indexDir)
  return { place: { ...world, indexFolder }, input: input as In }
}
