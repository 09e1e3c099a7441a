/**
 * The MCP server over standard input and output. Tools are the operations of the table that have a
 * tool name. It serves the segments that it was started with and no others: a client names one of
 * them, never a path.
 */
import {
  type CallToolResult,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { type Operation, PLAIN } from '../operations/operation.ts'

export interface ServedSegment {
  /** How clients call it. */
  readonly name: string
  readonly segment: string
  readonly repoRoot: string | undefined
}

export interface McpParts {
  readonly operations: readonly Operation[]
  readonly version: string
  readonly segments: readonly ServedSegment[]
  /** Digest and index of all segments, for the model to see before it asks. */
  readonly instructions: string
}

/** Resolves when the client has gone. */
export function serveMcp(world: World, parts: McpParts): Promise<void> {
  return new Promise((resolve) => {
    const handle = serveStdio(() => createServer(world, parts), {
      onerror: (error) => world.notice(`mcp: ${error.message}`),
    })
    const stop = (): void => {
      void handle.close().finally(resolve)
    }
    process.stdin.once('end', stop)
    process.stdin.once('close', stop)
    world.signal.addEventListener('abort', stop, { once: true })
  })
}

function createServer(world: World, parts: McpParts): McpServer {
  const server = new McpServer(
    { name: 'dossier', version: parts.version },
    { instructions: parts.instructions, capabilities: { tools: {} } },
  )
  for (const operation of parts.operations) {
    if (operation.tool === undefined) continue
    server.registerTool(
      operation.tool,
      {
        title: operation.summary,
        description: operation.summary,
        inputSchema: unchecked(toolInput(operation, parts.segments)),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      (input: Record<string, unknown>) => call(world, operation, { parts, input }),
    )
  }
  return server
}

/** Where documents lie is the server's business; which of its segments to ask is the client's. */
function toolInput(operation: Operation, segments: readonly ServedSegment[]): z.ZodObject {
  const own = Object.entries(operation.input.shape).filter(([key]) => !PLACES.has(key))
  const names = segments.map((it) => it.name)
  const segment = z
    .enum(names)
    .optional()
    .describe(`Which documentation: ${names.join(', ')}.`)
  return z.strictObject({ ...Object.fromEntries(own), ...(names.length > 1 ? { segment } : {}) })
}

const PLACES: ReadonlySet<string> = new Set(['segment', 'repoRoot', 'pack'])

/** Shown to clients as it is, and left to `call` to check, so that its errors are ours. */
function unchecked(schema: z.ZodObject): StandardSchemaWithJSON<Record<string, unknown>> {
  const { jsonSchema, vendor, version } = schema['~standard']
  return { '~standard': { version, vendor, jsonSchema, validate: asItIs } }
}

function asItIs(value: unknown): { value: Record<string, unknown> } {
  return { value: value as Record<string, unknown> }
}

function checked(schema: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new EngineError(
    'POC_E_REQUEST_INVALID',
    `${issue?.path.join('.') || 'arguments'}: ${issue?.message ?? 'not valid'}`,
    { hint: 'see the input schema of the tool' },
  )
}

interface Call {
  readonly parts: McpParts
  readonly input: Record<string, unknown>
}

async function call(
  world: World,
  operation: Operation,
  { parts, input }: Call,
): Promise<CallToolResult> {
  try {
    const { segment: wanted, ...rest } = checked(toolInput(operation, parts.segments), input)
    const served = parts.segments.find((it) => it.name === wanted) ?? parts.segments[0]
    const request = { ...rest, segment: served?.segment, repoRoot: served?.repoRoot }
    const output = await operation.run(world, operation.input.parse(request))
    const trouble = operation.trouble?.(output)
    const text =
      operation.text(output, PLAIN) + (trouble === undefined ? '' : `\n${sentence(trouble)}\n`)
    const error = trouble === undefined ? {} : { structuredContent: structured(trouble) }
    return { content: [{ type: 'text', text }], ...error }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return {
      isError: true,
      content: [{ type: 'text', text: sentence(error) }],
      structuredContent: structured(error),
    }
  }
}

function structured({ code, message, hint }: EngineError): Record<string, unknown> {
  return { error: { code, message, hint } }
}

function sentence(error: EngineError): string {
  return `${error.code}: ${error.message}. ${error.hint}`
}
