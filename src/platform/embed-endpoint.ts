/**
 * Vectors from an endpoint that speaks OpenAI's protocol: theirs, Ollama, llama.cpp, vLLM and
 * others. Knows texts and numbers alone. The key goes into a header, and nowhere else.
 */
import { redacted } from '../base/secrets.ts'
import type { Embedder } from '../model/embedder.ts'
import { EngineError, type ErrorCode } from '../model/engine-error.ts'
import { type Attempt, isTransientStatus, readRetryAfter, retry } from './retry.ts'

export interface Endpoint {
  /** Up to and without `/embeddings`, as `endpointUrl` gives it. */
  readonly url: string
  readonly model: string
  readonly signal: AbortSignal
  /** If absent, that of the environment. */
  readonly key?: string
  /** How long one answer may take, and how long the first pause before trying again is. */
  readonly limitMs?: number
  readonly pauseMs?: number
}

const KEY_VARIABLE = 'DOSSIER_EMBED_KEY'

const TEXTS_AT_ONCE = 32
const REQUESTS_AT_ONCE = 4
const TRIES = 5
const LIMIT_MS = 120_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** Undefined for what is no URL at all; refuses those that would carry secrets into an index. */
export function endpointUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  if (!URL.canParse(text))
    throw trouble('POC_E_REQUEST_INVALID', `${text} is not a valid URL`, URL_HINT)
  const url = new URL(text)
  if (url.username + url.password + url.search + url.hash !== '') {
    throw trouble(
      'POC_E_REQUEST_INVALID',
      `the URL of ${url.host} has more than a host and a path`,
      `give a key in the environment variable ${KEY_VARIABLE}, not in the URL`,
    )
  }
  return url.href.replace(/\/+$/, '').replace(/\/embeddings$/, '')
}

const URL_HINT = 'give the address up to /v1, such as http://127.0.0.1:11434/v1'

export function openEndpoint(options: Endpoint): Embedder {
  const endpoint = { key: process.env[KEY_VARIABLE] ?? '', ...options }
  return {
    async embed(texts) {
      const batches: (readonly string[])[] = []
      for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
        batches.push(texts.slice(at, at + TEXTS_AT_ONCE))
      }
      const found: Float32Array[] = []
      for (let at = 0; at < batches.length; at += REQUESTS_AT_ONCE) {
        const some = batches.slice(at, at + REQUESTS_AT_ONCE)
        const answers = await Promise.all(some.map((batch) => embedBatch(endpoint, batch)))
        found.push(...answers.flat())
      }
      refuseUneven(endpoint, found)
      return found
    },
  }
}

async function embedBatch(
  endpoint: Endpoint,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const policy = {
    tries: TRIES,
    pauseMs: endpoint.pauseMs ?? FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
  }
  try {
    const answer = await retry(policy, endpoint.signal, () => attemptEmbed(endpoint, texts))
    if (answer instanceof EngineError) throw answer
    return answer
  } catch (error) {
    if (endpoint.signal.aborted) throw cancelled()
    throw error
  }
}

type Answer = readonly Float32Array[] | EngineError

async function attemptEmbed(
  endpoint: Endpoint,
  texts: readonly string[],
): Promise<Attempt<Answer>> {
  let response: Response
  let body: string
  try {
    response = await post(endpoint, texts)
    body = await response.text()
  } catch (error) {
    if (endpoint.signal.aborted) throw error
    return { result: unreachable(endpoint, error), mayRetry: true }
  }
  if (response.status !== 200) {
    return {
      result: refusal(endpoint, response.status, body),
      mayRetry: isTransientStatus(response.status),
      waitMs: readRetryAfter(response.headers),
    }
  }
  const vectors = vectorsIn(body, texts.length)
  const message = `${endpoint.url} answered, but not with a vector for each text`
  const result = vectors ?? trouble('POC_E_READ_FAILED', message, URL_HINT)
  return { result, mayRetry: false }
}

async function post(endpoint: Endpoint, texts: readonly string[]): Promise<Response> {
  return fetch(`${endpoint.url}/embeddings`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
    },
    // A secret must not reach an endpoint, and adds nothing to the meaning of a text.
    body: JSON.stringify({ model: endpoint.model, input: texts.map((it) => redacted(it).text) }),
    // A key must not follow a redirect.
    redirect: 'error',
    signal: AbortSignal.any([endpoint.signal, AbortSignal.timeout(endpoint.limitMs ?? LIMIT_MS)]),
  })
}

/** In the order of the texts, whatever the order in the answer. */
function vectorsIn(body: string, count: number): readonly Float32Array[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const data = field(parsed, 'data')
  if (!Array.isArray(data) || data.length !== count) return undefined
  const found = new Map<number, Float32Array>()
  for (const [at, item] of data.entries()) {
    const embedding = field(item, 'embedding')
    const index = field(item, 'index') ?? at
    if (!isVector(embedding) || typeof index !== 'number') return undefined
    found.set(index, Float32Array.from(embedding))
  }
  const inOrder = Array.from({ length: count }, (_, at) => found.get(at))
  return inOrder.every((it) => it !== undefined) ? inOrder : undefined
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((it) => Number.isFinite(it))
}

function refuseUneven(endpoint: Endpoint, vectors: readonly Float32Array[]): void {
  const [first] = vectors
  if (vectors.every((it) => it.length === first?.length)) return
  const message = `${endpoint.url} gives vectors of different lengths`
  throw trouble('POC_E_READ_FAILED', message, 'give one model with --embed-model')
}

function unreachable(endpoint: Endpoint, error: unknown): EngineError {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = isLate ? 'did not answer in time' : `cannot be reached: ${String(cause)}`
  return new EngineError('POC_E_READ_FAILED', `${endpoint.url} ${why}`, {
    hint: 'see that it runs and that the address is right, then run the same command again',
    cause: error,
  })
}

function refusal(endpoint: Endpoint, status: number, body: string): EngineError {
  // An endpoint may quote what it was sent.
  const said = (endpoint.key ? body.replaceAll(endpoint.key, '…') : body).trim().slice(0, 300)
  const message = `${endpoint.url} answered ${status} for the model ${endpoint.model}: ${said}`
  if (status === 401 || status === 403) {
    return trouble('POC_E_REQUEST_INVALID', message, `set the key in ${KEY_VARIABLE}`)
  }
  if (!isTransientStatus(status)) {
    return trouble('POC_E_REQUEST_INVALID', message, `see the model's name; ${URL_HINT}`)
  }
  return trouble('POC_E_READ_FAILED', message, 'run the same command again later')
}

function trouble(code: ErrorCode, message: string, hint: string): EngineError {
  return new EngineError(code, message, { hint })
}

function cancelled(): EngineError {
  return trouble('POC_E_CANCELLED', 'cancelled', 'nothing was changed')
}
