/**
 * JSON by GET from a program that may be slow, busy, restarting or gone. Knows tries, pauses and
 * bytes; what the answer means is the caller's. The token goes into a header, and nowhere else.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { EngineError } from '../model/engine-error.ts'

export interface JsonRequest {
  readonly url: string
  /** Sent as a bearer token. */
  readonly token?: string
  readonly signal: AbortSignal
  readonly patience?: Partial<Patience>
}

export interface Patience {
  /** How often it is asked altogether. */
  readonly tries: number
  /** How long one answer may take. */
  readonly limitMs: number
  /** The first pause; each further one is twice as long. */
  readonly pauseMs: number
  readonly longestPauseMs: number
  /** A larger answer is not read to its end. */
  readonly maxBytes: number
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

export type JsonAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  /** It answered, with another status than 200; `said` is the beginning of what it said. */
  | { readonly kind: 'refused'; readonly status: number; readonly said: string }
  /** Nothing whole came back. */
  | { readonly kind: 'failed'; readonly why: Failure; readonly message: string }

/** `broken`: it began like JSON and is none. `foreign`: it did not even begin like it. */
export type Failure = 'unreachable' | 'late' | 'broken' | 'foreign' | 'too-large'

const USUAL: Patience = {
  tries: 3,
  limitMs: 30_000,
  pauseMs: 200,
  longestPauseMs: 30_000,
  maxBytes: 64 * 1024 * 1024,
  pause: (milliseconds, signal) => rest(milliseconds, undefined, { signal }),
}

const MAY_PASS: ReadonlySet<number> = new Set([429, 502, 503, 504])
const SAID_LENGTH = 300

export async function getJson(request: JsonRequest): Promise<JsonAnswer> {
  const patience = { ...USUAL, ...request.patience }
  for (let tries = 1; ; tries += 1) {
    const { answer, waitMs } = await ask(request, patience)
    if (tries >= patience.tries || !mayPass(answer)) return answer
    const usual = patience.pauseMs * 2 ** (tries - 1)
    try {
      await patience.pause(Math.min(waitMs ?? usual, patience.longestPauseMs), request.signal)
    } catch (error) {
      if (request.signal.aborted) throw cancelled()
      throw error
    }
  }
}

function mayPass(answer: JsonAnswer): boolean {
  if (answer.kind === 'refused') return MAY_PASS.has(answer.status)
  return answer.kind === 'failed' && answer.why !== 'too-large' && answer.why !== 'foreign'
}

interface Asked {
  readonly answer: JsonAnswer
  /** As the other side asks for it. */
  readonly waitMs?: number
}

async function ask(request: JsonRequest, patience: Patience): Promise<Asked> {
  if (request.signal.aborted) throw cancelled()
  const limit = new AbortController()
  const stop = () => limit.abort()
  const timer = setTimeout(stop, patience.limitMs)
  request.signal.addEventListener('abort', stop, { once: true })
  try {
    const response = await fetch(request.url, {
      headers: {
        accept: 'application/json',
        ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      },
      // A token must not follow to where somebody else sends us.
      redirect: 'error',
      signal: limit.signal,
    })
    const body = await bodyOf(response, patience.maxBytes)
    return answerOf(request, response, body)
  } catch (error) {
    if (request.signal.aborted) throw cancelled()
    if (limit.signal.aborted) return failed('late', `no answer within ${patience.limitMs} ms`)
    return failed('unreachable', withoutToken(request, reasonOf(error)))
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener('abort', stop)
  }
}

/** Undefined where it is larger than it may be. */
async function bodyOf(response: Response, maxBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.byteLength
    // Leaving the loop ends the connection.
    if (length > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function answerOf(request: JsonRequest, response: Response, body: string | undefined): Asked {
  if (body === undefined) return failed('too-large', 'the answer is larger than is read')
  if (response.status !== 200) {
    const said = withoutToken(request, body).trim().slice(0, SAID_LENGTH)
    const waitMs = waitOf(response.headers.get('retry-after'))
    const answer = { kind: 'refused', status: response.status, said } as const
    return waitMs === undefined ? { answer } : { answer, waitMs }
  }
  try {
    return { answer: { kind: 'json', value: JSON.parse(body) } }
  } catch {
    return /^\s*(?:[[{"]|$)/.test(body)
      ? failed('broken', 'the answer breaks off')
      : failed('foreign', 'the answer is no JSON')
  }
}

function failed(why: Failure, message: string): Asked {
  return { answer: { kind: 'failed', why, message } }
}

/** Seconds; dates are left alone. */
function waitOf(header: string | null): number | undefined {
  if (header === null || !/^\d+$/.test(header.trim())) return undefined
  return Number(header) * 1000
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return String(cause)
}

/** Whoever answers may quote what it was sent. */
function withoutToken({ token }: JsonRequest, text: string): string {
  return token ? text.replaceAll(token, '…') : text
}

function cancelled(): EngineError {
  return new EngineError('POC_E_CANCELLED', 'cancelled', { hint: 'nothing was changed' })
}
