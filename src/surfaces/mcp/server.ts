/**
 * The MCP server over standard input and output. Tools are the operations of the table that have a
 * tool name; which of them are offered, and on what, is said in `tools.ts`.
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
import { clientProgress, type ProgressReport } from './progress.ts'
import { type Served, type Tool, toolsOf } from './tools.ts'
import { inToolWords } from './words.ts'

export interface McpParts extends Served {
  readonly version: string
  /** What a model is told before it asks. */
  readonly instructions: string
  /** Whether names of tools have dots where the contract spells them so. */
  readonly hasDottedNames: boolean
  /** Whether a tool is listed now. One that is not is answered all the same. */
  isOffered(operation: Operation): boolean
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
  const isListed = ({ operation }: Tool): boolean => parts.isOffered(operation)
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: tools.filter(isListed).map(listed),
  }))
  mcp.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = byName.get(params.name)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    const known = tools.filter((it) => it === tool || isListed(it))
    const inWords = (text: string): string => visible(inToolWords(text, tool, known))
    const signal = AbortSignal.any([world.signal, mcpReq.signal])
    const { _meta: about } = params
    const progress = progressFor(world, about?.progressToken, mcpReq)
    return call({ ...world, signal, progress }, tool, { args: params.arguments, inWords })
  })
  return mcp
}

/** Where the client gives a token, it is told how far the work is. */
function progressFor(
  { progress, clock }: World,
  progressToken: string | number | undefined,
  { notify }: Pick<ServerContext['mcpReq'], 'notify'>,
): Progress {
  if (progressToken === undefined) return progress
  const send = (report: ProgressReport): void => {
    const params = { progressToken, ...report }
    // A client that has gone is told nothing more.
    notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  return clientProgress(send, () => clock.now())
}

function listed({ name, operation, input }: Tool): {
  name: string
  description: string
  inputSchema: { type: 'object' }
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; openWorldHint: boolean }
} {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', override: withoutNoise })
  const isReading = operation.changes !== true
  return {
    name,
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

/** Every character of the list stands in every conversation: a bound that no number reaches is none. */
function withoutNoise({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

interface Call {
  readonly args: unknown
  /** A sentence for the command line, as a client understands it. */
  inWords(text: string): string
}

async function call(served: World, tool: Tool, { args, inWords }: Call): Promise<CallToolResult> {
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
    const said = about?.text ?? shownText(operation, output)
    const text =
      trouble === undefined ? said : `${said === '' ? '' : `${said}\n`}${sentence(trouble)}\n`
    const structuredContent = trouble === undefined ? about?.structured : structured(trouble)
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
      content: [{ type: 'text', text: sentence(said) }],
      structuredContent: structured(said),
    }
  }
}

/** What files hold is given as it is; of everything else, nothing that a reader's screen would obey. */
function shownText(operation: Operation, output: unknown): string {
  const text = operation.text(output, PLAIN)
  return operation.isExact?.(output) === true ? text : visible(text)
}

const META_KEY = 'dossier/pack'

function structured({ code, message, hint }: EngineError): Record<string, unknown> {
  return { error: { code, message, hint } }
}

function sentence(error: EngineError): string {
  return `${error.code}: ${error.message}. ${error.hint}`
}
