/** JSON over a connection that fails in every way it can: NL1. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { getJson, type Patience } from '../../src/platform/http-json.ts'
import { failureOf } from '../support/live-notes.ts'
import { closedPort, type Fault, PERSONAL_TOKEN, startTanaServer } from '../support/tana-server.ts'

const signal = new AbortController().signal

async function get(fault: (before: number) => Fault | undefined, patience: Partial<Patience> = {}) {
  const server = await startTanaServer({ fault: (_, before) => fault(before) })
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const answer = await getJson({
    url: `${server.url}/workspaces`,
    token: PERSONAL_TOKEN,
    signal,
    patience: { pause, pauseMs: 100, ...patience },
  })
  return { answer, pauses, server }
}

describe('NL1 what is tried again', () => {
  test('NL1 busy and broken answers, with growing pauses; what was whole at last counts', async () => {
    const faults: readonly Fault[] = [{ status: 503 }, 'cut', 'truncate', { status: 502 }]
    const { answer, pauses } = await get((before) => faults[before], { tries: 5 })
    expect(answer).toMatchObject({ kind: 'json', value: [{ id: 'company' }] })
    expect(pauses).toEqual([100, 200, 400, 800])
  })

  test('NL1 as long as the other side asks for, but not longer than allowed', async () => {
    const faults: readonly Fault[] = [
      { status: 429, retryAfter: '7' },
      { status: 503, retryAfter: '3600' },
      { status: 504, retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' },
    ]
    const { pauses } = await get((before) => faults[before], { tries: 4, longestPauseMs: 9000 })
    expect(pauses).toEqual([7000, 9000, 400])
  })

  test('NL1 an answer that comes too late', async () => {
    const { answer, pauses } = await get((n) => (n === 0 ? { delayMs: 300 } : undefined), {
      limitMs: 100,
    })
    expect(answer.kind).toBe('json')
    expect(pauses).toEqual([100])
    const late = await get(() => ({ delayMs: 200 }), { limitMs: 30, tries: 2 })
    expect(late.answer).toMatchObject({ kind: 'failed', why: 'late' })
    expect(late.pauses).toEqual([100])
  })

  test('NL1 a port that nobody listens on, as often as allowed', async () => {
    const pauses: number[] = []
    const pause = async (it: number) => void pauses.push(it)
    const url = await closedPort()
    const answer = await getJson({ url, signal, patience: { pause, pauseMs: 1, tries: 4 } })
    expect(answer).toMatchObject({ kind: 'failed', why: 'unreachable' })
    expect(answer).toHaveProperty('message', expect.stringContaining('ECONNREFUSED'))
    expect(pauses).toEqual([1, 2, 4])
  })

  test('NL1 not what will not pass: 400, 401, 404, 500, another program, too much', async () => {
    for (const status of [400, 401, 404, 500]) {
      const { answer, pauses } = await get(() => ({ status, body: 'no' }))
      expect(answer).toEqual({ kind: 'refused', status, said: 'no' })
      expect(pauses).toEqual([])
    }
    const page = await get(() => ({ body: '<!doctype html>' }))
    expect(page.answer).toMatchObject({ kind: 'failed', why: 'foreign' })
    const large = await get(() => ({ body: `[${'1,'.repeat(5000)}1]` }), { maxBytes: 5000 })
    expect(large.answer).toMatchObject({ kind: 'failed', why: 'too-large' })
    expect([...page.pauses, ...large.pauses]).toEqual([])
  })
})

describe('NL1 secrets and stopping', () => {
  test('NL1 a token that is quoted back is not passed on', async () => {
    const body = `who is ${PERSONAL_TOKEN}? ${'x'.repeat(1000)}`
    const { answer } = await get(() => ({ status: 400, body }))
    expect(answer).toMatchObject({ kind: 'refused', said: expect.stringContaining('who is …?') })
    expect(JSON.stringify(answer)).not.toContain(PERSONAL_TOKEN)
    expect(JSON.stringify(answer).length).toBeLessThan(400)
  })

  test('NL1 a redirection is not followed', async () => {
    const other = await startTanaServer()
    const server = createServer((_, response) => {
      response.writeHead(302, { location: `${other.url}/workspaces` }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const answer = await getJson({ url, token: PERSONAL_TOKEN, signal, patience: { tries: 1 } })
    expect(answer.kind).toBe('failed')
    expect(other.exchanges).toEqual([])
  })

  test('NL1 a wish to stop ends a request, a pause, and what has not begun', async () => {
    const server = await startTanaServer({ fault: () => ({ delayMs: 500 }) })
    const ask = async (after: number) => {
      const stopping = new AbortController()
      const asked = getJson({ url: `${server.url}/health`, signal: stopping.signal })
      setTimeout(() => stopping.abort(), after)
      return failureOf(asked)
    }
    expect(await ask(20)).toMatchObject({ code: 'POC_E_CANCELLED' })
    await server.stop()
    expect(await ask(50)).toMatchObject({ code: 'POC_E_CANCELLED' })
    const asked = getJson({ url: server.url, signal: AbortSignal.abort() })
    expect(await failureOf(asked)).toMatchObject({ code: 'POC_E_CANCELLED' })
  })
})
