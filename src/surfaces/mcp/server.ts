/**
 * The MCP server over standard input and output. Tools are the operations of the table that have a
 * tool name; which of them are offered, and on what, is said in `tools.ts`.
 */
import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { EngineError } from '../../model/engine-error.ts'
import { z } from '../../platform/schema.ts'
import { asMemoryError } from '../../platform/trouble.ts'
import type { World } from '../../platform/world.ts'
import { PLAIN } from '../operations/operation.ts'
import { type Served, type Tool, toolsOf } from './tools.ts'
import { inToolWords } from './words.ts'

export interface McpParts extends Served {
  readonly version: string
  /** What a model is told before it asks. */
  readonly instructions: string
  /** Whether names of tools have dots where the contract spells them so. */
  readonly hasDottedNames: boolean
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

/** Our own handlers: the SDK's have no names that are answered and not listed. */
function createServer(world: World, parts: McpParts): McpServer {
  const tools = toolsOf(parts, parts.hasDottedNames)
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)),
  )
  const mcp = new McpServer(
    { name: 'dossier', version: parts.version },
    { instructions: parts.instructions, capabilities: { tools: {} } },
  )
  mcp.server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }))
  mcp.server.setRequestHandler('tools/call', ({ params }) => {
    const tool = byName.get(params.name)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    const told = (error: EngineError): EngineError => inClientsWords(error, tool, tools)
    return call(world, tool, { args: params.arguments, told })
  })
  return mcp
}

function listed({ name, operation, input }: Tool): {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object' }
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; openWorldHint: boolean }
} {
  const schema = z.toJSONSchema(input, { io: 'input' })
  const isReading = operation.changes !== true
  return {
    name,
    title: operation.toolSummary ?? operation.summary,
    description: operation.toolSummary ?? operation.summary,
    inputSchema: { ...schema, type: 'object' },
    annotations: {
      readOnlyHint: isReading,
      // No change loses anything: each can be undone.
      ...(isReading ? {} : { destructiveHint: false }),
      openWorldHint: false,
    },
  }
}

interface Call {
  readonly args: unknown
  /** The error as a client is told it. */
  told(error: EngineError): EngineError
}

async function call(world: World, tool: Tool, { args, told }: Call): Promise<CallToolResult> {
  const { operation } = tool
  try {
    const output = await operation.run(world, tool.request(args))
    const found = operation.trouble?.(output)
    const trouble = found === undefined ? undefined : told(found)
    const about = operation.about?.(output)
    const said = about?.text ?? operation.text(output, PLAIN)
    const text =
      trouble === undefined ? said : `${said === '' ? '' : `${said}\n`}${sentence(trouble)}\n`
    return {
      content: [text, ...(about === undefined ? [] : [about.line])].map((it) => ({
        type: 'text',
        text: it,
      })),
      ...(about === undefined ? {} : { _meta: { [META_KEY]: about.values } }),
      ...(trouble === undefined ? {} : { structuredContent: structured(trouble) }),
    }
  } catch (thrown) {
    const error = asMemoryError(thrown)
    if (!(error instanceof EngineError)) throw error
    const said = told(error)
    return {
      isError: true,
      content: [{ type: 'text', text: sentence(said) }],
      structuredContent: structured(said),
    }
  }
}

function inClientsWords(error: EngineError, tool: Tool, tools: readonly Tool[]): EngineError {
  const [message = '', hint = ''] = [error.message, error.hint].map((it) =>
    inToolWords(it, tool, tools),
  )
  return new EngineError(error.code, message, { hint, cause: error.cause })
}

const META_KEY = 'dossier/pack'

function structured({ code, message, hint }: EngineError): Record<string, unknown> {
  return { error: { code, message, hint } }
}

function sentence(error: EngineError): string {
  return `${error.code}: ${error.message}. ${error.hint}`
}
