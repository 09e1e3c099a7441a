/**
 * A request that is answered by a stream of events. Tried again as long as nothing of the answer has
 * come; afterwards what was lost cannot be had again. The key goes into a header and nowhere else.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type ServerEvent, ServerEvents } from '../base/server-events.ts'
import { EngineError } from '../model/engine-error.ts'

export interface StreamRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Taken out of whatever the server says. */
  readonly secret: string
  readonly signal: AbortSignal
  /** The variable that a key is read from, for messages. */
  readonly keyVariable: string
  /** How long the first pause before trying again is. */
  readonly pauseMs?: number
  /** How long nothing may come. */
  readonly silenceMs?: number
}

const TRIES = 4
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Models think, but send signs of life meanwhile. */
const SILENCE_MS = 300_000

export async function* streamAnswer(request: StreamRequest): AsyncGenerator<ServerEvent> {
  const quiet = new AbortController()
  const signal = AbortSignal.any([request.signal, quiet.signal])
  let timer: NodeJS.Timeout | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => quiet.abort(), request.silenceMs ?? SILENCE_MS)
  }
  try {
    heard()
    const response = await opened(request, signal)
    const events = new ServerEvents()
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) {
      heard()
      yield* events.take(decoder.decode(bytes as Uint8Array, { stream: true }))
    }
    yield* events.take(decoder.decode())
    yield* events.finish()
  } catch (error) {
    throw asTrouble(error, request, quiet.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
}

async function opened(request: StreamRequest, signal: AbortSignal): Promise<Response> {
  const { url, headers, body } = request
  for (let tries = 1; ; tries += 1) {
    let trouble: unknown
    let waitMs: number | undefined
    try {
      const init = { method: 'POST', headers, body, signal, redirect: 'error' as const }
      const response = await fetch(url, init)
      if (response.ok) return response
      trouble = await refusal(request, response)
      if (!mayPass(response.status)) throw trouble
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      waitMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
    } catch (error) {
      if (error instanceof EngineError || signal.aborted) throw error
      trouble = error
    }
    if (tries === TRIES) throw trouble
    const usual = (request.pauseMs ?? FIRST_PAUSE_MS) * 2 ** (tries - 1)
    await pause(Math.min(waitMs ?? usual, LONGEST_PAUSE_MS), undefined, { signal })
  }
}

/** Too many requests, or a server that is not well at the moment. */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

const MOST_SAID = 400

async function refusal(request: StreamRequest, response: Response): Promise<EngineError> {
  const { url, secret, keyVariable } = request
  const body = await response.text().catch(() => '')
  const said = (secret === '' ? body : body.replaceAll(secret, '…')).trim().slice(0, MOST_SAID)
  const message = `${url} answered ${response.status}: ${said}`
  if (response.status === 401 || response.status === 403) {
    return new EngineError('POC_E_UNAUTHORIZED', message, { hint: `set the key in ${keyVariable}` })
  }
  if (mayPass(response.status)) {
    return new EngineError('POC_E_READ_FAILED', message, { hint: 'try again later' })
  }
  const hint = 'see the name of the model and the address'
  return new EngineError('POC_E_REQUEST_INVALID', message, { hint })
}

function asTrouble(error: unknown, request: StreamRequest, isSilent: boolean): unknown {
  if (request.signal.aborted) {
    return new EngineError('POC_E_CANCELLED', 'cancelled', { hint: 'what had come is kept' })
  }
  if (error instanceof EngineError) return error
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = isSilent ? 'said nothing for too long' : `broke off: ${String(cause)}`
  return new EngineError('POC_E_READ_FAILED', `${request.url} ${why}`, {
    hint: 'see that it runs and that the address is right, then try again',
    cause: error,
  })
}
