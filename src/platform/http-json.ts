/**
 * JSON by GET from a program that may be slow, busy, restarting or gone. What the answer means is up
 * to the caller. The token is sent in a header and appears nowhere else.
 */
import { createCancelledError } from './cancelled.ts'
import {
  type Attempt,
  isTransientStatus,
  type RetryPolicy,
  readRetryAfter,
  retry,
} from './retry.ts'

export interface JsonRequest {
  readonly url: string
  /** Sent as a bearer token. */
  readonly token?: string
  readonly signal: AbortSignal
  readonly patience?: Partial<Patience>
}

export interface Patience extends RetryPolicy {
  /** How long one answer may take. */
  readonly limitMs: number
  /** A larger answer is not read to its end. */
  readonly maxBytes: number
}

export type JsonAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  /** It answered, with another status than 200; `said` is the beginning of what it said. */
  | { readonly kind: 'refused'; readonly status: number; readonly said: string }
  /** Nothing whole came back. */
  | { readonly kind: 'failed'; readonly why: RequestFailure; readonly message: string }

/** `broken`: it began like JSON and is none. `foreign`: it did not even begin like it. */
export type RequestFailure = 'unreachable' | 'late' | 'broken' | 'foreign' | 'too-large'

const DEFAULT_PATIENCE: Patience = {
  tries: 3,
  limitMs: 30_000,
  pauseMs: 200,
  longestPauseMs: 30_000,
  maxBytes: 64 * 1024 * 1024,
}

const SAID_LENGTH = 300

export async function getJson(request: JsonRequest): Promise<JsonAnswer> {
  const patience = { ...DEFAULT_PATIENCE, ...request.patience }
  try {
    return await retry(patience, request.signal, () => attemptGet(request, patience))
  } catch (error) {
    if (request.signal.aborted) throw createCancelledError()
    throw error
  }
}

async function attemptGet(request: JsonRequest, patience: Patience): Promise<Attempt<JsonAnswer>> {
  if (request.signal.aborted) throw createCancelledError()
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
    const body = await readBody(response, patience.maxBytes)
    return readAnswer(request, response, body)
  } catch (error) {
    if (request.signal.aborted) throw createCancelledError()
    if (limit.signal.aborted)
      return createFailure('late', `no answer within ${patience.limitMs} ms`)
    return createFailure('unreachable', redactToken(request, describeError(error)))
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener('abort', stop)
  }
}

/** Undefined where it is larger than it may be. */
async function readBody(response: Response, maxBytes: number): Promise<string | undefined> {
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

function readAnswer(
  request: JsonRequest,
  response: Response,
  body: string | undefined,
): Attempt<JsonAnswer> {
  if (body === undefined) return createFailure('too-large', 'the answer is larger than the limit')
  if (response.status !== 200) {
    const said = redactToken(request, body).trim().slice(0, SAID_LENGTH)
    return {
      result: { kind: 'refused', status: response.status, said },
      // A program that fails on one request answers 500 to it every time.
      mayRetry: response.status !== 500 && isTransientStatus(response.status),
      waitMs: readRetryAfter(response.headers),
    }
  }
  try {
    return { result: { kind: 'json', value: JSON.parse(body) }, mayRetry: false }
  } catch {
    return /^\s*(?:[[{"]|$)/.test(body)
      ? createFailure('broken', 'the answer is incomplete JSON')
      : createFailure('foreign', 'the answer is not JSON')
  }
}

function createFailure(why: RequestFailure, message: string): Attempt<JsonAnswer> {
  const mayRetry = why !== 'too-large' && why !== 'foreign'
  return { result: { kind: 'failed', why, message }, mayRetry }
}

function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return String(cause)
}

/** Whoever answers may quote what it was sent. */
function redactToken({ token }: JsonRequest, text: string): string {
  return token ? text.replaceAll(token, '…') : text
}
