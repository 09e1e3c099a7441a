/** Sends the assembled prompt to a language model, streams its answer and stores it. */
import { join } from 'node:path'
import { withFlowLock } from '../../evidence/history.ts'
import { BUILD_FOLDER } from '../../evidence/part-names.ts'
import { MESSAGE_APIS, type MessageApi, requestBody } from '../../format/messages.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { ContextPlan, Flow } from '../../model/evidence.ts'
import { changeFolder } from '../../platform/folder-change.ts'
import { streamAnswer } from '../../platform/stream-answer.ts'
import type { World } from '../../platform/world.ts'
import { assemblePrompt, type Prompt } from './prompt.ts'

export const ANSWER_FILE = `${BUILD_FOLDER}/answer.md`
const REQUEST_FILE = `${BUILD_FOLDER}/request.json`
const ANSWER_INFO_FILE = `${BUILD_FOLDER}/answer.json`

export interface SubmitOptions {
  /** If absent, the API whose key or base URL is set in the environment. */
  readonly api?: MessageApi | undefined
  readonly baseUrl?: string | undefined
  readonly model?: string | undefined
  /** Maximum tokens of the answer. */
  readonly answerTokens: number
  /** Maximum tokens of the prompt; see `assemble`. */
  readonly maxTokens?: number | undefined
  /** Whether the request is only printed, which needs neither key nor URL. */
  readonly isDryRun?: boolean
}

interface ApiSettings {
  readonly key: string
  readonly address: string
  readonly modelVariable: string
  readonly usualAddress: string
  readonly usualModel: string
  readonly path: string
}

const APIS: Readonly<Record<MessageApi, ApiSettings>> = {
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    address: 'ANTHROPIC_BASE_URL',
    modelVariable: 'ANTHROPIC_MODEL',
    usualAddress: 'https://api.anthropic.com',
    usualModel: 'claude-sonnet-5',
    path: '/v1/messages',
  },
  openai: {
    key: 'OPENAI_API_KEY',
    address: 'OPENAI_BASE_URL',
    modelVariable: 'OPENAI_MODEL',
    usualAddress: 'https://api.openai.com/v1',
    usualModel: 'gpt-5.6-terra',
    path: '/chat/completions',
  },
}

export interface PreparedRequest {
  readonly api: MessageApi
  readonly url: string
  readonly body: Readonly<Record<string, unknown>>
  readonly plan: ContextPlan
  /** Files in the folders that are no parts. */
  readonly strays: readonly string[]
}

/** Assembles the flow and builds the request, without the API key. */
export async function prepareRequest(
  world: World,
  flow: Flow,
  options: SubmitOptions,
): Promise<PreparedRequest> {
  const api =
    options.api ?? detectApi(world) ?? (options.isDryRun === true ? MESSAGE_APIS[0] : undefined)
  if (api === undefined) throw createNoModelError()
  const facts = APIS[api]
  const prompt = await assemblePrompt(world, flow, { maxTokens: options.maxTokens })
  const parts = filterIncludedParts(prompt)
  if (!parts.some((it) => it.role === 'user' && it.text.trim() !== '')) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the flow has no user part with a request', {
      hint: `write the request into ${join(flow.folder, 'ctx/010_request.user.md')}`,
    })
  }
  const base = (options.baseUrl ?? world.variable(facts.address) ?? facts.usualAddress).replace(
    /\/+$/,
    '',
  )
  refuseInvalidUrl(base)
  const model = options.model ?? world.variable(facts.modelVariable) ?? facts.usualModel
  const bodyOptions = {
    model,
    maxTokens: options.answerTokens,
    isOpenAi: parseHost(base) === OPENAI_HOST,
  }
  const body = requestBody(api, parts, bodyOptions)
  return { api, url: `${base}${facts.path}`, body, plan: prompt.plan, strays: prompt.strays }
}

export type AnswerPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly about: AnswerInfo; readonly file: string }

export interface AnswerInfo {
  readonly model: string
  readonly stop_reason: string | null
  readonly usage: Readonly<Record<string, unknown>>
  readonly ctx_digest: string
  /** False if the stream ended early: the answer is incomplete. */
  readonly complete: boolean
}

/** Stores the received text under `build/`, even if the stream ends early. */
export async function* submitRequest(
  world: World,
  flow: Flow,
  prepared: PreparedRequest,
): AsyncGenerator<AnswerPiece> {
  const { api, url, body, plan } = prepared
  const key = world.variable(APIS[api].key) ?? ''
  const answer = new AnswerReader(api, String(body['model']), plan.ctx_digest)
  let trouble: unknown
  try {
    const events = streamAnswer({
      url,
      headers: headersFor(api, key),
      body: JSON.stringify(body),
      secret: key,
      signal: world.signal,
      keyVariable: APIS[api].key,
    })
    for await (const { data } of events) {
      const text = answer.readEvent(data)
      if (text !== '') yield { kind: 'text', text }
    }
    if (!answer.isComplete) trouble = createIncompleteAnswerError(url)
  } catch (error) {
    trouble = error
  }
  if (answer.hasText || trouble === undefined) {
    await withFlowLock(world, flow, () =>
      changeFolder(flow.folder, {
        moves: [],
        writes: [
          { path: REQUEST_FILE, text: `${JSON.stringify(body, null, 2)}\n` },
          { path: ANSWER_FILE, text: `${answer.text.trimEnd()}\n` },
          { path: ANSWER_INFO_FILE, text: `${JSON.stringify(answer.summarize(), null, 2)}\n` },
        ],
      }),
    )
  }
  if (trouble !== undefined) throw trouble
  yield { kind: 'end', about: answer.summarize(), file: join(flow.folder, ANSWER_FILE) }
}

function headersFor(api: MessageApi, key: string): Readonly<Record<string, string>> {
  const common = { 'content-type': 'application/json', accept: 'text/event-stream' }
  if (api === 'anthropic') {
    return {
      ...common,
      'anthropic-version': '2023-06-01',
      ...(key === '' ? {} : { 'x-api-key': key }),
    }
  }
  return { ...common, ...(key === '' ? {} : { authorization: `Bearer ${key}` }) }
}

/** The first API whose key or base URL is set in the environment. */
function detectApi(world: World): MessageApi | undefined {
  return MESSAGE_APIS.find(
    (api) =>
      world.variable(APIS[api].key) !== undefined ||
      world.variable(APIS[api].address) !== undefined,
  )
}

function createNoModelError(): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', 'no API key or base URL of a model is set', {
    hint: 'set ANTHROPIC_API_KEY or OPENAI_API_KEY (and ANTHROPIC_BASE_URL or OPENAI_BASE_URL for another server), or print the request with --dry-run',
  })
}

const OPENAI_HOST = 'api.openai.com'

function parseHost(base: string): string {
  return new URL(base).hostname
}

function refuseInvalidUrl(base: string): void {
  if (URL.canParse(base) && /^https?:$/.test(new URL(base).protocol)) return
  throw new EngineError('POC_E_REQUEST_INVALID', `${base} is not an HTTP URL`, {
    hint: 'give a URL such as http://127.0.0.1:8080/v1',
  })
}

function createIncompleteAnswerError(url: string): EngineError {
  return new EngineError(
    'POC_E_READ_FAILED',
    `${url} closed the connection before the answer was complete`,
    {
      hint: `the received part is in ${ANSWER_FILE}; try again`,
    },
  )
}

function filterIncludedParts({ parts, plan }: Prompt) {
  return parts.filter((_, at) => {
    const status = plan.parts[at]?.status
    return status === 'active' || status === 'linked'
  })
}

/** Collects an answer from the events of either protocol. */
class AnswerReader {
  text = ''
  isComplete = false
  #stopReason: string | null = null
  #usage: Record<string, unknown> = {}
  #model: string
  readonly #api: MessageApi
  readonly #digest: string

  constructor(api: MessageApi, model: string, digest: string) {
    this.#api = api
    this.#model = model
    this.#digest = digest
  }

  get hasText(): boolean {
    return this.text !== ''
  }

  /** Returns the new text of the event. */
  readEvent(data: string): string {
    if (data === '[DONE]') {
      this.isComplete = true
      return ''
    }
    const event = parseEvent(data)
    const error = readObject(event, 'error')
    if (error !== undefined) throw createServerError(String(error['message'] ?? data))
    const text = this.#api === 'anthropic' ? this.#anthropic(event) : this.#openai(event)
    this.text += text
    return text
  }

  summarize(): AnswerInfo {
    return {
      model: this.#model,
      stop_reason: this.#stopReason,
      usage: this.#usage,
      ctx_digest: this.#digest,
      complete: this.isComplete,
    }
  }

  #anthropic(event: Readonly<Record<string, unknown>>): string {
    const message = readObject(event, 'message')
    const delta = readObject(event, 'delta')
    if (typeof message?.['model'] === 'string') this.#model = message['model']
    this.#usage = { ...this.#usage, ...readObject(message, 'usage'), ...readObject(event, 'usage') }
    if (typeof delta?.['stop_reason'] === 'string') this.#stopReason = delta['stop_reason']
    if (event['type'] === 'message_stop') this.isComplete = true
    const text = delta?.['text']
    return event['type'] === 'content_block_delta' && typeof text === 'string' ? text : ''
  }

  #openai(event: Readonly<Record<string, unknown>>): string {
    const choices = event['choices']
    const choice = Array.isArray(choices) ? asObject(choices[0]) : undefined
    if (typeof event['model'] === 'string') this.#model = event['model']
    this.#usage = { ...this.#usage, ...readObject(event, 'usage') }
    const reason = choice?.['finish_reason']
    if (typeof reason === 'string') {
      this.#stopReason = reason
      this.isComplete = true
    }
    const text = readObject(choice, 'delta')?.['content']
    return typeof text === 'string' ? text : ''
  }
}

function parseEvent(data: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(data)) ?? {}
  } catch {
    throw createServerError(`an event that is not JSON: ${data.slice(0, 100)}`)
  }
}

function createServerError(message: string): EngineError {
  return new EngineError('POC_E_READ_FAILED', `the model server returned an error: ${message}`, {
    hint: 'try again later, or with a smaller prompt',
  })
}

function readObject(
  value: Readonly<Record<string, unknown>> | undefined,
  key: string,
): Readonly<Record<string, unknown>> | undefined {
  return value === undefined ? undefined : asObject(value[key])
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
