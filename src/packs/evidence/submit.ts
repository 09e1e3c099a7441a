/** The assembled context, sent to a language model; its answer comes piece by piece and is kept. */
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
const ABOUT_FILE = `${BUILD_FOLDER}/answer.json`

export interface SubmitWish {
  /** If absent, the one that the environment has a key or an address of. */
  readonly api?: MessageApi | undefined
  readonly baseUrl?: string | undefined
  readonly model?: string | undefined
  /** Of the answer. */
  readonly answerTokens: number
  /** Of the context; see `assemble`. */
  readonly maxTokens?: number | undefined
  /** Whether it is only shown, which needs neither key nor address. */
  readonly isDryRun?: boolean
}

interface ApiFacts {
  readonly key: string
  readonly address: string
  readonly modelVariable: string
  readonly usualAddress: string
  readonly usualModel: string
  readonly path: string
}

const APIS: Readonly<Record<MessageApi, ApiFacts>> = {
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

/** Assembles the flow and makes the request of it. The key is no part of it. */
export async function prepareRequest(
  world: World,
  flow: Flow,
  wish: SubmitWish,
): Promise<PreparedRequest> {
  const api = wish.api ?? apiOf(world) ?? (wish.isDryRun === true ? MESSAGE_APIS[0] : undefined)
  if (api === undefined) throw noModel()
  const facts = APIS[api]
  const prompt = await assemblePrompt(world, flow, { maxTokens: wish.maxTokens })
  const parts = shownParts(prompt)
  if (!parts.some((it) => it.role === 'user' && it.text.trim() !== '')) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the flow asks nothing: it has no user part', {
      hint: `write the request into ${join(flow.folder, 'ctx/010_request.user.md')}`,
    })
  }
  const base = (wish.baseUrl ?? world.variable(facts.address) ?? facts.usualAddress).replace(
    /\/+$/,
    '',
  )
  refuseBadAddress(base)
  const model = wish.model ?? world.variable(facts.modelVariable) ?? facts.usualModel
  const options = { model, maxTokens: wish.answerTokens, isOpenAi: hostOf(base) === OPENAI_HOST }
  const body = requestBody(api, parts, options)
  return { api, url: `${base}${facts.path}`, body, plan: prompt.plan, strays: prompt.strays }
}

export type AnswerPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly about: AnswerAbout; readonly file: string }

export interface AnswerAbout {
  readonly model: string
  readonly stop_reason: string | null
  readonly usage: Readonly<Record<string, unknown>>
  readonly ctx_digest: string
  /** False where the stream broke off: the answer is what had come. */
  readonly complete: boolean
}

/** What has come is kept under `build/`, whether the stream ends well or not. */
export async function* submitRequest(
  world: World,
  flow: Flow,
  prepared: PreparedRequest,
): AsyncGenerator<AnswerPiece> {
  const { api, url, body, plan } = prepared
  const key = world.variable(APIS[api].key) ?? ''
  const answer = new Answer(api, String(body['model']), plan.ctx_digest)
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
      const text = answer.take(data)
      if (text !== '') yield { kind: 'text', text }
    }
    if (!answer.isComplete) trouble = brokenOff(url)
  } catch (error) {
    trouble = error
  }
  if (answer.hasBegun || trouble === undefined) {
    await withFlowLock(world, flow, () =>
      changeFolder(flow.folder, {
        moves: [],
        writes: [
          { path: REQUEST_FILE, text: `${JSON.stringify(body, null, 2)}\n` },
          { path: ANSWER_FILE, text: `${answer.text.trimEnd()}\n` },
          { path: ABOUT_FILE, text: `${JSON.stringify(answer.about(), null, 2)}\n` },
        ],
      }),
    )
  }
  if (trouble !== undefined) throw trouble
  yield { kind: 'end', about: answer.about(), file: join(flow.folder, ANSWER_FILE) }
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

/** By what the environment has; both, and the first is meant. */
function apiOf(world: World): MessageApi | undefined {
  return MESSAGE_APIS.find(
    (api) =>
      world.variable(APIS[api].key) !== undefined ||
      world.variable(APIS[api].address) !== undefined,
  )
}

function noModel(): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', 'there is no key and no address of a model', {
    hint: 'set ANTHROPIC_API_KEY or OPENAI_API_KEY (and ANTHROPIC_BASE_URL or OPENAI_BASE_URL for another server), or see the request with --dry-run',
  })
}

const OPENAI_HOST = 'api.openai.com'

function hostOf(base: string): string {
  return new URL(base).hostname
}

function refuseBadAddress(base: string): void {
  if (URL.canParse(base) && /^https?:$/.test(new URL(base).protocol)) return
  throw new EngineError('POC_E_REQUEST_INVALID', `${base} is no address of a server`, {
    hint: 'give one such as http://127.0.0.1:8080/v1',
  })
}

function brokenOff(url: string): EngineError {
  return new EngineError('POC_E_READ_FAILED', `${url} ended in the middle of its answer`, {
    hint: `what had come is in ${ANSWER_FILE}; try again`,
  })
}

function shownParts({ parts, plan }: Prompt) {
  return parts.filter((_, at) => {
    const status = plan.parts[at]?.status
    return status === 'active' || status === 'linked'
  })
}

/** An answer as it grows, from the events of either protocol. */
class Answer {
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

  get hasBegun(): boolean {
    return this.text !== ''
  }

  /** What is new of the text. */
  take(data: string): string {
    if (data === '[DONE]') {
      this.isComplete = true
      return ''
    }
    const event = parsed(data)
    const error = objectIn(event, 'error')
    if (error !== undefined) throw refused(String(error['message'] ?? data))
    const text = this.#api === 'anthropic' ? this.#anthropic(event) : this.#openai(event)
    this.text += text
    return text
  }

  about(): AnswerAbout {
    return {
      model: this.#model,
      stop_reason: this.#stopReason,
      usage: this.#usage,
      ctx_digest: this.#digest,
      complete: this.isComplete,
    }
  }

  #anthropic(event: Readonly<Record<string, unknown>>): string {
    const message = objectIn(event, 'message')
    const delta = objectIn(event, 'delta')
    if (typeof message?.['model'] === 'string') this.#model = message['model']
    this.#usage = { ...this.#usage, ...objectIn(message, 'usage'), ...objectIn(event, 'usage') }
    if (typeof delta?.['stop_reason'] === 'string') this.#stopReason = delta['stop_reason']
    if (event['type'] === 'message_stop') this.isComplete = true
    const text = delta?.['text']
    return event['type'] === 'content_block_delta' && typeof text === 'string' ? text : ''
  }

  #openai(event: Readonly<Record<string, unknown>>): string {
    const choices = event['choices']
    const choice = Array.isArray(choices) ? asObject(choices[0]) : undefined
    if (typeof event['model'] === 'string') this.#model = event['model']
    this.#usage = { ...this.#usage, ...objectIn(event, 'usage') }
    const reason = choice?.['finish_reason']
    if (typeof reason === 'string') {
      this.#stopReason = reason
      this.isComplete = true
    }
    const text = objectIn(choice, 'delta')?.['content']
    return typeof text === 'string' ? text : ''
  }
}

function parsed(data: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(data)) ?? {}
  } catch {
    throw refused(`an event that is no JSON: ${data.slice(0, 100)}`)
  }
}

function refused(message: string): EngineError {
  return new EngineError('POC_E_READ_FAILED', `the model's server says: ${message}`, {
    hint: 'try again later, or with less context',
  })
}

function objectIn(
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
