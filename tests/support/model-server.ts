/** A server on loopback that speaks the protocols of language models, streams included. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

export interface ModelServer {
  readonly url: string
  readonly received: readonly Received[]
}

export type Behaviour = (
  response: ServerResponse,
  request: Received,
  count: number,
) => void | Promise<void>

/** Gone when the test is. */
export async function modelServer(behave: Behaviour): Promise<ModelServer> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (bytes: Buffer) => chunks.push(bytes))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Received['body']
      const told = { path: request.url ?? '', headers: request.headers, body }
      received.push(told)
      void behave(response, told, received.length)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received }
}

/** Events of a stream, cut at places that no event ends at. */
export function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
  response.end()
}

export function anthropicEvents(words: readonly string[]): string {
  const events: readonly Readonly<Record<string, unknown>>[] = [
    {
      type: 'message_start',
      message: { model: 'm-1', usage: { input_tokens: 7, cache_read_input_tokens: 5 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...words.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]
  return events
    .map((it) => `event: ${String(it['type'])}\ndata: ${JSON.stringify(it)}\n\n`)
    .join('')
}

export function openaiEvents(words: readonly string[]): string {
  const events = [
    ...words.map((content) => ({
      model: 'm-2',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })),
    { model: 'm-2', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { model: 'm-2', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } },
  ]
  return `${events.map((it) => `data: ${JSON.stringify(it)}\r\n\r\n`).join('')}data: [DONE]\r\n\r\n`
}
