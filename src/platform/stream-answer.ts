/**
 * A request that is answered by a stream of events. Retried only until the response begins: a part
 * of an answer cannot be requested again. The key is sent in a header and appears nowhere else.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { EngineError } from '../model/engine-error.ts'
import { type Attempt, isTransientStatus, readRetryAfter, retry } from './retry.ts'

export interface StreamRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Removed from every message of the server. */
  readonly secret: string
  readonly signal: AbortSignal
  /** The environment variable of the key, for messages. */
  readonly keyVariable: string
  /** The first pause before another attempt. */
  readonly pauseMs?: number
  /** How long the server may send nothing. */
  readonly silenceMs?: number
}

const TRIES = 4
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Models think, but send signs of life meanwhile. */
const SILENCE_MS = 300_000

export async function* streamAnswer(request: StreamRequest): AsyncGenerator<EventSourceMessage> {
  const quiet = new AbortController()
  const signal = AbortSignal.any([request.signal, quiet.signal])
  let timer: NodeJS.Timeout | undefined
  const restartTimer = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => quiet.abort(), request.silenceMs ?? SILENCE_MS)
  }
  try {
    restartTimer()
    const response = await openStream(request, signal)
    yield* readEvents(response.body ?? [], restartTimer)
  } catch (error) {
    throw toStreamError(error, request, quiet.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
}

/** The events of a stream, wherever its bytes are cut. */
export async function* readEvents(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (it) => events.push(it) })
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    onBytes()
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* events.splice(0)
  }
  // Many servers close without the empty line that ends an event.
  parser.feed(`${decoder.decode()}\n\n`)
  yield* events.splice(0)
}

async function openStream(request: StreamRequest, signal: AbortSignal): Promise<Response> {
  const policy = {
    tries: TRIES,
    pauseMs: request.pauseMs ?? FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
  }
  const opened = await retry(policy, signal, () => attemptOpen(request, signal))
  if (opened instanceof Response) return opened
  throw opened
}

async function attemptOpen(
  request: StreamRequest,
  signal: AbortSignal,
): Promise<Attempt<Response | Error>> {
  const { url, headers, body } = request
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (response.ok) return { result: response, mayRetry: false }
    return {
      result: await createRefusalError(request, response),
      mayRetry: isTransientStatus(response.status),
      waitMs: readRetryAfter(response.headers),
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error
    return { result: error, mayRetry: true }
  }
}

const MAX_MESSAGE_LENGTH = 400

async function createRefusalError(
  request: StreamRequest,
  response: Response,
): Promise<EngineError> {
  const { url, secret, keyVariable } = request
  const body = await response.text().catch(() => '')
  const said = (secret === '' ? body : body.replaceAll(secret, '…'))
    .trim()
    .slice(0, MAX_MESSAGE_LENGTH)
  const message = `${url} answered ${response.status}: ${said}`
  if (response.status === 401 || response.status === 403) {
    return new EngineError('POC_E_UNAUTHORIZED', message, { hint: `set the key in ${keyVariable}` })
  }
  if (isTransientStatus(response.status)) {
    return new EngineError('POC_E_READ_FAILED', message, { hint: 'try again later' })
  }
  const hint = 'check the name of the model and the URL'
  return new EngineError('POC_E_REQUEST_INVALID', message, { hint })
}

function toStreamError(error: unknown, request: StreamRequest, isSilent: boolean): unknown {
  if (request.signal.aborted) {
    return new EngineError('POC_E_CANCELLED', 'cancelled', { hint: 'the received part is kept' })
  }
  if (error instanceof EngineError) return error
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = isSilent ? 'sent nothing for too long' : `broke off: ${String(cause)}`
  return new EngineError('POC_E_READ_FAILED', `${request.url} ${why}`, {
    hint: 'check that it runs and that the URL is right, then try again',
    cause: error,
  })
}
