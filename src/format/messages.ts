/**
 * An assembled context as the request of a language model's API: what holds always, then the evidence
 * in its order, then what is asked. The order is stable, so that what did not change can be cached.
 */
import type { PartRole } from '../model/evidence.ts'

export const MESSAGE_APIS = ['anthropic', 'openai'] as const

export type MessageApi = (typeof MESSAGE_APIS)[number]

export interface MessagePart {
  readonly role: PartRole
  readonly rank: string
  readonly title: string
  readonly text: string
}

export interface MessageOptions {
  readonly model: string
  /** Of the answer. */
  readonly maxTokens: number
  /** Whether the server is OpenAI's own, and not one that speaks its protocol. */
  readonly isOpenAi: boolean
}

export function requestBody(
  api: MessageApi,
  parts: readonly MessagePart[],
  options: MessageOptions,
): Readonly<Record<string, unknown>> {
  return api === 'anthropic' ? anthropicBody(parts, options) : openaiBody(parts, options)
}

const CACHED = { cache_control: { type: 'ephemeral' } } as const
/** The API allows four: one for the system's text, the others for evidence. */
const MOST_BREAKS = 3

function anthropicBody(parts: readonly MessagePart[], { model, maxTokens }: MessageOptions) {
  const system = textsOf(parts, 'system')
  const evidence = parts.filter((it) => it.role === 'evidence')
  const breaks = breaksIn(evidence)
  const documents = evidence.map(({ title, text }, at) => ({
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: text },
    title,
    ...(breaks.has(at) ? CACHED : {}),
  }))
  const request = textsOf(parts, 'user').map((text) => ({ type: 'text', text }))
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(system.length === 0
      ? {}
      : {
          system: system.map((text, at) => ({
            type: 'text',
            text,
            ...(at === system.length - 1 ? CACHED : {}),
          })),
        }),
    messages: [{ role: 'user', content: [...documents, ...request] }],
  }
}

/** After the last piece of a band of ranks: bands change at different times. The last one always. */
function breaksIn(evidence: readonly MessagePart[]): ReadonlySet<number> {
  const ends = evidence.flatMap(({ rank }, at) =>
    evidence[at + 1]?.rank.slice(0, 1) === rank.slice(0, 1) ? [] : [at],
  )
  return new Set([...ends.slice(0, MOST_BREAKS - 1), ...ends.slice(-1)])
}

/**
 * OpenAI's own API knows `max_completion_tokens` for every model, and its reasoning models refuse
 * `max_tokens`, wherever they are served. Other servers (Ollama, llama.cpp, vLLM) know `max_tokens`.
 */
const REASONING_MODEL = /^(?:.*\/)?(?:gpt-(?:[5-9]|\d\d)|o\d)/i

function openaiBody(parts: readonly MessagePart[], options: MessageOptions) {
  const { model, maxTokens, isOpenAi } = options
  const system = textsOf(parts, 'system').join('\n\n')
  const evidence = parts
    .filter((it) => it.role === 'evidence')
    .map(({ title, text }) => `## Evidence: ${title}\n${text}`)
  const content = [...evidence, ...textsOf(parts, 'user')].join('\n\n')
  return {
    model,
    ...(isOpenAi || REASONING_MODEL.test(model)
      ? { max_completion_tokens: maxTokens }
      : { max_tokens: maxTokens }),
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content },
    ],
  }
}

/** Empty blocks are refused by the APIs. */
function textsOf(parts: readonly MessagePart[], role: PartRole): readonly string[] {
  return parts
    .filter((it) => it.role === role)
    .map((it) => it.text.trim())
    .filter((it) => it !== '')
}
