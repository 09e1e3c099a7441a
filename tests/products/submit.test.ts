/** The assembled context, sent to a server that speaks the protocol. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toggleParts } from '../../src/packs/evidence/evidence-changes.ts'
import { type AnswerPiece, prepareRequest, submitRequest } from '../../src/packs/evidence/submit.ts'
import { readEvents } from '../../src/platform/stream-answer.ts'
import type { World } from '../../src/platform/world.ts'
import { type FlowInFolder, flowWith } from '../support/flow.ts'
import {
  anthropicEvents,
  type Behaviour,
  modelServer,
  openaiEvents,
  stream,
} from '../support/model-server.ts'
import { temporaryFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

const NAMES = [
  '100_a.evidence.md',
  '110_b.evidence.md',
  '200_c.evidence.md',
  '300_d.evidence.md.skip',
  '310_e.evidence.md',
  '400_f.evidence.md',
]
const KEY = 'sk-very-secret-key'
const WISH = { answerTokens: 100 } as const

function flow(variables: Readonly<Record<string, string>> = {}): FlowInFolder {
  const it = flowWith(temporaryFolder(), NAMES)
  const world: World = { ...it.world, variable: (name) => variables[name] }
  return { ...it, world }
}

async function said(pieces: AsyncIterable<AnswerPiece>): Promise<readonly AnswerPiece[]> {
  return Array.fromAsync(pieces)
}

function kept(it: FlowInFolder, name: string): string {
  return readFileSync(join(it.flow.folder, 'build', name), 'utf8')
}

async function asked(it: FlowInFolder, api: 'anthropic' | 'openai') {
  const prepared = await prepareRequest(it.world, it.flow, { ...WISH, api })
  return said(submitRequest(it.world, it.flow, prepared))
}

async function anthropic(behave: Behaviour) {
  const server = await modelServer(behave)
  return { server, it: flow({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY }) }
}

describe('SU1 the request', () => {
  test('Anthropic: system, documents in their order with breakpoints, then the request', async () => {
    const it = flow()
    const { body, url } = await prepareRequest(it.world, it.flow, {
      ...WISH,
      api: 'anthropic',
      model: 'm',
    })
    expect(url).toBe('https://api.anthropic.com/v1/messages')
    expect(body).toMatchObject({
      model: 'm',
      max_tokens: 100,
      stream: true,
      system: [{ type: 'text', text: 'Be exact.', cache_control: { type: 'ephemeral' } }],
    })
    const [message] = body['messages'] as readonly {
      role: string
      content: Record<string, unknown>[]
    }[]
    expect(message?.role).toBe('user')
    const content = message?.content ?? []
    expect(content.map((one) => [one['type'], one['title'], 'cache_control' in one])).toEqual([
      ['document', 'a', false],
      ['document', 'b', true],
      ['document', 'c', true],
      ['document', 'e', false],
      ['document', 'f', true],
      ['text', undefined, false],
    ])
    expect(content[0]?.['source']).toEqual({
      type: 'text',
      media_type: 'text/plain',
      data: 'What 100_a.evidence.md says.\n',
    })
    expect(content.at(-1)).toEqual({ type: 'text', text: 'Do it.' })
    expect(JSON.stringify(body).match(/cache_control/g)?.length).toBeLessThanOrEqual(4)
  })

  test('a change of a later band leaves what stands before it as it was', async () => {
    const it = flow()
    const before = JSON.stringify(
      (await prepareRequest(it.world, it.flow, { ...WISH, api: 'anthropic' })).body,
    )
    await toggleParts(it.world, it.flow, { target: '400', state: 'off' })
    const after = JSON.stringify(
      (await prepareRequest(it.world, it.flow, { ...WISH, api: 'anthropic' })).body,
    )
    const upTo = before.indexOf('"title":"c","cache_control"')
    expect(upTo).toBeGreaterThan(0)
    expect(after.slice(0, upTo)).toBe(before.slice(0, upTo))
  })

  test('OpenAI: messages; and a limit of the context holds', async () => {
    const it = flow({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1/' })
    const { api, body, url } = await prepareRequest(it.world, it.flow, { ...WISH, maxTokens: 180 })
    expect([api, url]).toEqual(['openai', 'http://127.0.0.1:1/v1/chat/completions'])
    const messages = body['messages'] as readonly { role: string; content: string }[]
    expect(messages.map((one) => one.role)).toEqual(['system', 'user'])
    expect(messages[1]?.content).toMatch(/^## Evidence: a\nWhat 100_a[\s\S]*\n\nDo it\.$/)
    expect(messages[1]?.content).not.toContain('400_f')
  })

  test('T22 the limit of the answer has the name that the server knows', async () => {
    const own = 'https://api.openai.com/v1'
    const local = 'http://127.0.0.1:11434/v1'
    const azure = 'https://mine.openai.azure.com/openai/v1'
    for (const [baseUrl, model, name] of [
      [undefined, undefined, 'max_completion_tokens'],
      [own, 'gpt-4.1', 'max_completion_tokens'],
      [azure, 'gpt-5.1', 'max_completion_tokens'],
      [local, 'openai/o3-mini', 'max_completion_tokens'],
      [local, 'llama3.3', 'max_tokens'],
      [local, 'gpt-oss:20b', 'max_tokens'],
      [local, 'olmo2', 'max_tokens'],
    ] as const) {
      const it = flow()
      const wish = { ...WISH, api: 'openai', baseUrl, model } as const
      const { body } = await prepareRequest(it.world, it.flow, wish)
      const limits = Object.keys(body).filter((key) => key.startsWith('max_'))
      expect([baseUrl, model, limits, body[name]]).toEqual([baseUrl, model, [name], 100])
    }
  })

  test('T22 a request that is only shown needs no key and no address', async () => {
    const it = flow()
    const { api, body } = await prepareRequest(it.world, it.flow, { ...WISH, isDryRun: true })
    expect([api, body['max_tokens']]).toEqual(['anthropic', 100])
  })

  test('nothing to ask with, or nothing asked, is said', async () => {
    const it = flow()
    await expect(prepareRequest(it.world, it.flow, WISH)).rejects.toThrow(/no API key or base URL/)
    const wrong = { ...WISH, api: 'openai', baseUrl: 'localhost:80' } as const
    await expect(prepareRequest(it.world, it.flow, wrong)).rejects.toThrow(/not an HTTP URL/)
    writeFile(it.flow.folder, 'ctx/010_request.user.md', '  \n')
    await expect(prepareRequest(it.world, it.flow, { ...WISH, api: 'openai' })).rejects.toThrow(
      /has no user part/,
    )
  })
})

describe('SU2 the answer', () => {
  test('Anthropic: comes word by word and is kept with what it cost', async () => {
    const { server, it } = await anthropic((response) =>
      stream(response, anthropicEvents(['Größe', ' 🚢', '.'])),
    )
    const pieces = await asked(it, 'anthropic')
    expect(pieces.slice(0, 3)).toEqual(
      ['Größe', ' 🚢', '.'].map((text) => ({ kind: 'text', text })),
    )
    expect(server.received[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    })
    expect(kept(it, 'answer.md')).toBe('Größe 🚢.\n')
    expect(JSON.parse(kept(it, 'answer.json'))).toMatchObject({
      model: 'm-1',
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 3 },
      complete: true,
    })
    expect(JSON.parse(kept(it, 'request.json'))).toEqual(server.received[0]?.body)
  })

  test('OpenAI-compatible: the same', async () => {
    const server = await modelServer((response) =>
      stream(response, openaiEvents(['Yes', ', it does'])),
    )
    const it = flow({ OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: KEY })
    await asked(it, 'openai')
    expect(server.received[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
    })
    expect(kept(it, 'answer.md')).toBe('Yes, it does\n')
    expect(JSON.parse(kept(it, 'answer.json'))).toMatchObject({
      model: 'm-2',
      stop_reason: 'stop',
      complete: true,
    })
  })

  test('what had come before a break is kept, and said to be incomplete', async () => {
    const { it } = await anthropic((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(anthropicEvents(['Half']).split('event: content_block_stop')[0])
      setTimeout(() => response.destroy(), 20)
    })
    await expect(asked(it, 'anthropic')).rejects.toThrow(/broke off/)
    expect(kept(it, 'answer.md')).toBe('Half\n')
    expect(JSON.parse(kept(it, 'answer.json'))).toMatchObject({ complete: false })
  })

  test('a stream that ends too early is not taken for an answer', async () => {
    const { it } = await anthropic((response) =>
      stream(response, anthropicEvents(['Half']).split('event: message_delta')[0] ?? ''),
    )
    await expect(asked(it, 'anthropic')).rejects.toThrow(/before the answer was complete/)
  })
})

describe('SU3 trouble', () => {
  test('what may pass is tried again before the first word', async () => {
    const { server, it } = await anthropic((response, _, count) => {
      if (count > 2) return stream(response, anthropicEvents(['fine']))
      response.writeHead(count === 1 ? 529 : 429, { 'retry-after': '0' }).end('{"error":"busy"}')
    })
    await asked(it, 'anthropic')
    expect(server.received).toHaveLength(3)
    expect(kept(it, 'answer.md')).toBe('fine\n')
  })

  test('a wrong key is said without the key, and nothing is kept', async () => {
    const { it } = await anthropic((response) => {
      response.writeHead(401).end(`{"error":"wrong key ${KEY}"}`)
    })
    const trouble = await asked(it, 'anthropic').catch((error: unknown) => error)
    expect(trouble).toMatchObject({
      code: 'POC_E_UNAUTHORIZED',
      hint: 'set the key in ANTHROPIC_API_KEY',
    })
    expect(String(trouble)).not.toContain(KEY)
    expect(existsSync(join(it.flow.folder, 'build/answer.md'))).toBe(false)
  })

  test('an error in the stream, a bad request and a closed port have codes', async () => {
    const events =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
    const one = await anthropic((response) => stream(response, events))
    await expect(asked(one.it, 'anthropic')).rejects.toThrow(/returned an error: Overloaded/)
    const two = await anthropic((response) => {
      response.writeHead(400).end('no such model')
    })
    await expect(asked(two.it, 'anthropic')).rejects.toThrow(
      expect.objectContaining({
        code: 'POC_E_REQUEST_INVALID',
        message: expect.stringContaining('no such model'),
      }),
    )
  })

  test('the key is in no file', async () => {
    const { it } = await anthropic((response) => stream(response, anthropicEvents(['ok'])))
    await asked(it, 'anthropic')
    for (const name of [
      'answer.md',
      'answer.json',
      'request.json',
      'prompt.mdctx',
      'ctxplan.json',
    ]) {
      expect(kept(it, name)).not.toContain(KEY)
    }
  })
})

describe('SU2 events', () => {
  test('however the bytes are cut, the events are the same', async () => {
    const text = ': hi\r\nevent: a\r\ndata: 1\r\ndata: 2\r\n\r\ndata:größe\n\n\ndata: {"x":"y"}\n'
    const bytes = Buffer.from(text)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
        const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
        const events = await Array.fromAsync(readEvents(pieces))
        expect(events.map((it) => [it.event, it.data])).toEqual([
          ['a', '1\n2'],
          [undefined, 'größe'],
          [undefined, '{"x":"y"}'],
        ])
      }),
      runs(300),
    )
  })
})
