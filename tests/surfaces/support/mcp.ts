/** The real client, talking to the real program over its standard input and output. */
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { BIN, ENVIRONMENT } from './program.ts'

export interface Served {
  readonly client: Client
  readonly transport: StdioClientTransport
  /** What the server has said beside the protocol. */
  stderr(): string
}

/** Closed when the test is finished. */
export async function served(
  cwd: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...flags],
    cwd,
    env: { ...ENVIRONMENT, ...env },
    stderr: 'pipe',
  })
  const said: Buffer[] = []
  transport.stderr?.on('data', (bytes: Buffer) => said.push(bytes))
  const client = new Client({ name: 'surface-test', version: '1.0.0' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return { client, transport, stderr: () => Buffer.concat(said).toString('utf8') }
}

export function textOf(result: CallToolResult): string {
  return result.content.map((it) => (it.type === 'text' ? it.text : '')).join('')
}

/** The code of an error, where programs look for it. */
export function codeOf(result: CallToolResult): unknown {
  const { error } = (result.structuredContent ?? {}) as { error?: { code?: unknown } }
  return error?.code
}
