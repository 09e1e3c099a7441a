/** The real client, talking to the real program over its standard input and output. */
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { BIN, ENVIRONMENT } from './program.ts'
import type { Identity } from './unprivileged.ts'

export interface Served {
  readonly client: Client
  readonly transport: StdioClientTransport
  /** What the server has said beside the protocol. */
  stderr(): string
}

export interface ServedOptions {
  readonly cwd: string
  readonly flags: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whom the server runs as. */
  readonly identity?: Identity
}

/** Closed when the test is finished. */
export function served(
  cwd: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  return servedAs({ cwd, flags, env })
}

export async function servedAs(options: ServedOptions): Promise<Served> {
  const { uid, gid = uid } = options.identity ?? {}
  const as =
    uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const [command = '', ...args] = [...as, process.execPath, BIN, 'mcp', ...options.flags]
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: options.cwd,
    env: { ...ENVIRONMENT, ...options.env },
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
