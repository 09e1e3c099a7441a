/**
 * The MCP server over standard input and output. Tools are the operations of the table that have a
 * tool name; `tools.ts` decides which of them are offered.
 */
import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { visible } from '../../base/visible.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Progress } from '../../model/progress.ts'
import { z } from '../../platform/schema.ts'
import { asDiskError } from '../../platform/trouble.ts'
import type { World } from '../../platform/world.ts'
import { type Operation, PLAIN } from '../operations/operation.ts'
import { createClientProgress, type ProgressReport } from './progress.ts'
import { createTools, type ServedContent, type Tool } from './tools.ts'
import { translateCommands } from './translate-commands.ts'

export interface McpParts extends ServedContent {
  readonly version: string
  /** Instructions for the model. */
  readonly instructions: string
  /** Whether names of tools have dots where the contract spells them so. */
  readonly hasDottedNames: boolean
  /** Whether a tool is listed now. Calls of unlisted tools are still answered. */
  isOffered(operation: Operation): boolean
}

/** Resolves when the client disconnects. */
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

/** Custom handlers: the SDK cannot answer tools that are not listed. */
function createServer(world: World, parts: McpParts): McpServer {
  const tools = createTools(parts, parts.hasDottedNames)
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)),
  )
  const mcp = new McpServer(
    { name: 'dossier', version: parts.version },
    { instructions: parts.instructions, capabilities: { tools: {} } },
  )
  const isListed = ({ operation }: Tool): boolean => parts.isOffered(operation)
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: tools.filter(isListed).map(describeTool),
  }))
  mcp.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = byName.get(params.name)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    const known = tools.filter((it) => it === tool || isListed(it))
    const inWords = (text: string): string => visible(translateCommands(text, tool, known))
    const signal = AbortSignal.any([world.signal, mcpReq.signal])
    const { _meta: about } = params
    const progress = createProgress(world, about?.progressToken, mcpReq)
    return callTool({ ...world, signal, progress }, tool, { args: params.arguments, inWords })
  })
  return mcp
}

/** Reports progress if the client sent a progress token. */
function createProgress(
  { progress, clock }: World,
  progressToken: string | number | undefined,
  { notify }: Pick<ServerContext['mcpReq'], 'notify'>,
): Progress {
  if (progressToken === undefined) return progress
  const send = (report: ProgressReport): void => {
    const params = { progressToken, ...report }
    // Failures to notify a disconnected client are ignored.
    notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  return createClientProgress(send, () => clock.now())
}

function describeTool({ name, operation, input }: Tool): {
  name: string
  description: string
  inputSchema: { type: 'object' }
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; openWorldHint: boolean }
} {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: removeDefaultBounds,
  })
  const isReading = operation.changes !== true
  return {
    name,
    description: operation.toolSummary ?? operation.summary,
    inputSchema: { ...schema, type: 'object' },
    annotations: {
      readOnlyHint: isReading,
      // Not destructive: every change can be undone.
      ...(isReading ? {} : { destructiveHint: false }),
      openWorldHint: false,
    },
  }
}

/** The tool list is part of every conversation, so bounds that no number reaches are removed. */
function removeDefaultBounds({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

interface ToolCall {
  readonly args: unknown
  /** Translates messages that mention the command line for a client. */
  inWords(text: string): string
}

async function callTool(
  served: World,
  tool: Tool,
  { args, inWords }: ToolCall,
): Promise<CallToolResult> {
  const { operation } = tool
  const notices: string[] = []
  const notice = (text: string): void => {
    served.notice(text)
    notices.push(inWords(text))
  }
  const told = ({ code, message, hint, cause }: EngineError): EngineError =>
    new EngineError(code, inWords(message), { hint: inWords(hint), cause })
  try {
    const output = await operation.run({ ...served, notice }, tool.request(args))
    const found = operation.trouble?.(output)
    const trouble = found === undefined ? undefined : told(found)
    const about = operation.about?.(output)
    const said = about?.text ?? renderText(operation, output)
    const text =
      trouble === undefined ? said : `${said === '' ? '' : `${said}\n`}${formatError(trouble)}\n`
    const structuredContent = trouble === undefined ? about?.structured : toStructuredError(trouble)
    return {
      content: [text, ...(about === undefined ? [] : [about.line]), ...notices].map((it) => ({
        type: 'text',
        text: it,
      })),
      ...(about === undefined ? {} : { _meta: { [META_KEY]: about.values } }),
      ...(structuredContent === undefined ? {} : { structuredContent }),
    }
  } catch (thrown) {
    const error = asDiskError(thrown)
    if (!(error instanceof EngineError)) throw error
    const said = told(error)
    return {
      isError: true,
      content: [{ type: 'text', text: formatError(said) }],
      structuredContent: toStructuredError(said),
    }
  }
}

/** File content is returned unchanged; in all other text control characters are escaped. */
function renderText(operation: Operation, output: unknown): string {
  const text = operation.text(output, PLAIN)
  return operation.isExact?.(output) === true ? text : visible(text)
}

const META_KEY = 'dossier/pack'

function toStructuredError({ code, message, hint }: EngineError): Record<string, unknown> {
  return { error: { code, message, hint } }
}

function formatError(error: EngineError): string {
  return `${error.code}: ${error.message}. ${error.hint}`
}
