/**
 * One operation. The command line, the MCP server, the reference page and shell completion are all
 * generated from one table of operations.
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
  /** Lists whose items may contain a comma: on the command line the flag is repeated instead. */
  readonly unsplit?: readonly string[]
  /** Completion values that are only known at run time. */
  offers?(world: World): Readonly<Record<string, readonly string[]>>
  /** Input values that `--json` sets. */
  readonly jsonInput?: Readonly<Record<string, unknown>>
  /** The name of the MCP tool, when there is one. */
  readonly tool?: string
  /** The name of the tool with dots; calls by this name are answered too. */
  readonly dottedTool?: string
  /** Inputs that the tool offers; by default all except locations. */
  readonly toolInputs?: readonly string[]
  /** Inputs that differ between MCP and the command line. */
  readonly toolShape?: Readonly<Record<string, z.ZodMiniType>>
  /** Inputs only for tools and the library; the command line has other flags for them. */
  readonly toolOnly?: readonly string[]
  /** Moves arguments that a client sent elsewhere to the right input. */
  adaptArguments?(args: unknown): unknown
  /** Aliases of inputs of the tool. */
  readonly toolAliases?: Readonly<Record<string, (value: unknown) => Record<string, unknown>>>
  /** The summary of the tool, if that of the command does not fit. */
  readonly toolSummary?: string
  /**
   * When the tool is listed, if not always: once there is a flow, or only if all tools are
   * requested.
   */
  readonly toolWhen?: 'flow' | 'all'
  /** Whether it changes user-visible data; derived data does not count. */
  readonly changes?: boolean
  run(world: World, input: z.output<In>): Promise<Out>
  /** For streaming: yields one output after the other, if the input asks for that. */
  follow?(world: World, input: z.output<In>): AsyncIterable<Out> | undefined
  /**
   * Whether the text is file content, which programs get unchanged. In other text control
   * characters are escaped.
   */
  isExact?(output: Out): boolean
  /** Renders the output as text, for people and models. */
  text(output: Out, paint: Paint): string
  /** What `--json` prints, where it is not all of the output. */
  json?(output: Out): unknown
  /** The same as text, if the exact characters matter. */
  jsonText?(output: Out): string
  /** What a tool returns besides the text: a line for the model, and values for programs. */
  about?(output: Out): ToolExtras
  /** Whether the request was met in full; decides between exit status 0 and 1. */
  succeeded(output: Out): boolean
  /** What was wrong with a request that was met in part. */
  trouble?(output: Out): EngineError | undefined
}

export interface ToolExtras {
  /** Replaces the text, if that contains what a client must not see. */
  readonly text?: string
  readonly line: string
  readonly values: Readonly<Record<string, unknown>>
  /**
   * The whole output as JSON, for programs that request it. Many hosts show only this to the model.
   */
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
  /** Whether the reader can use flags. */
  readonly hasFlags: boolean
}

const keepText = (text: string): string => text

export const PLAIN: Paint = {
  strong: keepText,
  faint: keepText,
  good: keepText,
  bad: keepText,
  isVerbose: false,
  hasFlags: false,
}

/**
 * Lets each file infer its own input and output while the table holds them all. Disk errors are
 * converted to errors with a code.
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
        const { place, input } = applyIndexDir(world, given)
        return await it.run(place, input)
      } catch (error) {
        throw asDiskError(error)
      }
    },
    ...(follow === undefined
      ? {}
      : {
          follow: (world, given) => {
            const { place, input } = applyIndexDir(world, given)
            return follow.call(it, place, input)
          },
        }),
  }
}

/** The folder of the index is set in the world, so that every part uses the same one. */
function applyIndexDir<In>(world: World, given: In): { readonly place: World; readonly input: In } {
  const { indexDir, ...input } = given as { readonly indexDir?: unknown }
  if (typeof indexDir !== 'string') return { place: world, input: input as In }
  const indexFolder = resolve(world.workingFolder, indexDir)
  return { place: { ...world, indexFolder }, input: input as In }
}
