/**
 * Requests vectors from an OpenAI-compatible endpoint: OpenAI, Ollama, llama.cpp, vLLM and others.
 * The key is sent in a header and appears nowhere else.
 */
import { redactSecrets } from '../base/secrets.ts'
import type { Embedder } from '../model/embedder.ts'
import { EngineError, type ErrorCode } from '../model/engine-error.ts'
import { createCancelledError } from './cancelled.ts'
import { type Attempt, isTransientStatus, readRetryAfter, retry } from './retry.ts'

export interface Endpoint {
  /** Without `/embeddings`, as returned by `parseEndpointUrl`. */
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

/**
 * Undefined if the text is not a URL. Refuses URLs with credentials, which would be stored in an
 * index.
 */
export function parseEndpointUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  if (!URL.canParse(text))
    throw createError('POC_E_REQUEST_INVALID', `${text} is not a valid URL`, URL_HINT)
  const url = new URL(text)
  if (url.username + url.password + url.search + url.hash !== '') {
    throw createError(
      'POC_E_REQUEST_INVALID',
      `the URL of ${url.host} has more than a host and a path`,
      `give a key in the environment variable ${KEY_VARIABLE}, not in the URL`,
    )
  }
  return url.href.replace(/\/+$/, '').replace(/\/embeddings$/, '')
}

const URL_HINT = 'give the URL up to /v1, such as http://127.0.0.1:11434/v1'

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
      refuseUnevenLengths(endpoint, found)
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
    if (endpoint.signal.aborted) throw createCancelledError()
    throw error
  }
}

type EmbedAnswer = readonly Float32Array[] | EngineError

async function attemptEmbed(
  endpoint: Endpoint,
  texts: readonly string[],
): Promise<Attempt<EmbedAnswer>> {
  let response: Response
  let body: string
  try {
    response = await post(endpoint, texts)
    body = await response.text()
  } catch (error) {
    if (endpoint.signal.aborted) throw error
    return { result: createUnreachableError(endpoint, error), mayRetry: true }
  }
  if (response.status !== 200) {
    return {
      result: createRefusalError(endpoint, response.status, body),
      mayRetry: isTransientStatus(response.status),
      waitMs: readRetryAfter(response.headers),
    }
  }
  const vectors = parseVectors(body, texts.length)
  const message = `${endpoint.url} did not return a vector for each text`
  const result = vectors ?? createError('POC_E_READ_FAILED', message, URL_HINT)
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
    body: JSON.stringify({
      model: endpoint.model,
      input: texts.map((it) => redactSecrets(it).text),
    }),
    // A key must not follow a redirect.
    redirect: 'error',
    signal: AbortSignal.any([endpoint.signal, AbortSignal.timeout(endpoint.limitMs ?? LIMIT_MS)]),
  })
}

/** In the order of the texts, whatever the order in the answer. */
function parseVectors(body: string, count: number): readonly Float32Array[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const data = readField(parsed, 'data')
  if (!Array.isArray(data) || data.length !== count) return undefined
  const found = new Map<number, Float32Array>()
  for (const [at, item] of data.entries()) {
    const embedding = readField(item, 'embedding')
    const index = readField(item, 'index') ?? at
    if (!isVector(embedding) || typeof index !== 'number') return undefined
    found.set(index, Float32Array.from(embedding))
  }
  const inOrder = Array.from({ length: count }, (_, at) => found.get(at))
  return inOrder.every((it) => it !== undefined) ? inOrder : undefined
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((it) => Number.isFinite(it))
}

function refuseUnevenLengths(endpoint: Endpoint, vectors: readonly Float32Array[]): void {
  const [first] = vectors
  if (vectors.every((it) => it.length === first?.length)) return
  const message = `${endpoint.url} returned vectors of different lengths`
  throw createError('POC_E_READ_FAILED', message, 'give one model with --embed-model')
}

function createUnreachableError(endpoint: Endpoint, error: unknown): EngineError {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = isLate ? 'did not answer in time' : `cannot be reached: ${String(cause)}`
  return new EngineError('POC_E_READ_FAILED', `${endpoint.url} ${why}`, {
    hint: 'check that it runs and that the URL is right, then run the same command again',
    cause: error,
  })
}

function createRefusalError(endpoint: Endpoint, status: number, body: string): EngineError {
  // An endpoint may quote what it was sent.
  const said = (endpoint.key ? body.replaceAll(endpoint.key, '…') : body).trim().slice(0, 300)
  const message = `${endpoint.url} answered ${status} for the model ${endpoint.model}: ${said}`
  if (status === 401 || status === 403) {
    return createError('POC_E_REQUEST_INVALID', message, `set the key in ${KEY_VARIABLE}`)
  }
  if (!isTransientStatus(status)) {
    return createError('POC_E_REQUEST_INVALID', message, `check the name of the model; ${URL_HINT}`)
  }
  return createError('POC_E_READ_FAILED', message, 'run the same command again later')
}

function createError(code: ErrorCode, message: string, hint: string): EngineError {
  return new EngineError(code, message, { hint })
}
