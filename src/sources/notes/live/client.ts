/**
 * Client for the read calls of the Tana Local API: keeps its limits and validates its answers. The
 * caller decides what to request. Nodes in the trash are marked: the API lists them with all
 * others.
 */
import { getJson, type JsonAnswer, type Patience } from '../../../platform/http-json.ts'
import {
  createForeignServerError,
  createRequestError,
  createTemporaryError,
  createTokenError,
} from './errors.ts'
import { parseExtendedTags } from './markdown.ts'
import { formatQueryString, type LiveQuery } from './query.ts'

export interface LiveAccess {
  /** As returned by `parseLocalApiUrl`. */
  readonly url: string
  readonly token: string
  readonly signal: AbortSignal
  readonly patience?: Partial<Patience>
}

export interface LiveWorkspace {
  readonly id: string
  readonly name: string
  readonly homeNodeId: string
}

/** The summary of a node in lists. */
export interface LiveSummary {
  readonly id: string
  readonly name: string
  /** Direct tags, without those that they extend. */
  readonly tags: readonly LiveTag[]
  readonly docType: string
  readonly description: string
  readonly created?: number
  readonly inTrash: boolean
  /** Names of owners; present in search hits, absent in lists of children. */
  readonly breadcrumb?: readonly string[]
  /** Present in lists of children, absent in search hits. */
  readonly childCount?: number
}

export interface LiveTag {
  readonly id: string
  readonly name: string
}

/** `poison`: Tana always fails on this node. */
export type LiveTextResult = LiveMarkdown | 'absent' | 'poison'

export interface LiveMarkdown {
  readonly markdown: string
  readonly name?: string
  readonly description: string
}

export type LivePageResult = LiveChildren | 'absent' | 'poison'

export interface LiveChildren {
  readonly children: readonly LiveSummary[]
  readonly total: number
  readonly hasMore: boolean
}

export interface LiveSearch {
  readonly query: LiveQuery
  /** Never empty: without it Tana searches only the focused workspace. */
  readonly workspaceIds: readonly string[]
}

/** Searches have no second page: Tana ignores the offset and returns the same hits. */
export const MAX_HITS = 100
export const MAX_CHILDREN = 200

/** The first contact fails fast, even if later requests wait for a restart of Tana. */
const HEALTH_ATTEMPTS = 2
const HEALTH_TIMEOUT_MS = 5000

/**
 * Undefined if the text is not a URL. Refuses URLs with credentials, which would be stored in a
 * file.
 */
export function parseLocalApiUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  const hint = 'give only scheme, host and port, such as http://127.0.0.1:8262'
  if (!URL.canParse(text)) throw createRequestError(`${text} is not a valid URL`, hint)
  const url = new URL(text)
  if (url.username + url.password + url.search + url.hash !== '') {
    throw createRequestError(`the URL of ${url.host} has more than a host and a path`, hint)
  }
  return url.href.replace(/\/+$/, '')
}

export class LocalApi {
  readonly #access: LiveAccess

  constructor(access: LiveAccess) {
    this.#access = access
  }

  /** Throws if Tana runs but is not ready. Sends no token, because none is needed. */
  async refuseUnready(): Promise<void> {
    const { url, signal, patience = {} } = this.#access
    const tries = Math.min(patience.tries ?? HEALTH_ATTEMPTS, HEALTH_ATTEMPTS)
    const limitMs = Math.min(patience.limitMs ?? HEALTH_TIMEOUT_MS, HEALTH_TIMEOUT_MS)
    const soon = { ...patience, tries, limitMs }
    const answer = await getJson({ url: `${url}/health`, signal, patience: soon })
    const health = requireObject(this.#value(answer, 'its health'), 'its health')
    if (health['status'] === 'ok' && health['nodeSpaceReady'] === true) return
    if (health['status'] !== 'ok' && health['status'] !== 'degraded')
      throw createFormatError('its health')
    const why = health['nodeSpaceReady'] === true ? 'is degraded' : 'has not loaded its notes yet'
    throw createTemporaryError(`the Tana Local API at ${url} ${why}`, 'wait until Tana is ready')
  }

  async workspaces(): Promise<readonly LiveWorkspace[]> {
    const what = 'its workspaces'
    const list = requireList(this.#value(await this.#get('/workspaces'), what), what)
    return list.map((it) => {
      const one = requireObject(it, what)
      return {
        id: requireText(one['id'], what),
        name: requireText(one['name'], what),
        homeNodeId: requireText(one['homeNodeId'], what),
      }
    })
  }

  /** In arbitrary order. */
  async search({ query, workspaceIds }: LiveSearch): Promise<readonly LiveSummary[]> {
    const what = 'a search'
    const asked = formatQueryString({ query, workspaceIds, limit: MAX_HITS })
    const answer = await this.#get(`/nodes/search?${asked}`)
    return requireList(this.#value(answer, what), what).map((it) => parseSummary(it, what))
  }

  /** The node with its fields and the lines of its children. */
  async read(id: string): Promise<LiveTextResult> {
    if (!isNodeId(id)) return 'absent'
    const answer = await this.#get(`/nodes/${id}?${formatQueryString({ maxDepth: 1 })}`)
    const missing = classifyMissing(answer)
    if (missing !== undefined) return missing
    const what = `the node ${id}`
    const node = requireObject(this.#value(answer, what), what)
    const { name, description } = node
    return {
      markdown: requireText(node['markdown'], what),
      ...(typeof name === 'string' ? { name } : {}),
      description: typeof description === 'string' ? description : '',
    }
  }

  async children(id: string, offset: number): Promise<LivePageResult> {
    if (!isNodeId(id)) return 'absent'
    const asked = formatQueryString({ limit: MAX_CHILDREN, offset })
    const answer = await this.#get(`/nodes/${id}/children?${asked}`)
    const missing = classifyMissing(answer)
    if (missing !== undefined) return missing
    const what = `the children of ${id}`
    const page = requireObject(this.#value(answer, what), what)
    const { total, hasMore } = page
    if (typeof total !== 'number' || typeof hasMore !== 'boolean') throw createFormatError(what)
    const children = requireList(page['children'], what).map((it) => parseSummary(it, what))
    return { children, total, hasMore }
  }

  /** The tags that a tag extends; empty if Tana does not report any. */
  async fetchExtendedTags(tagId: string): Promise<readonly LiveTag[]> {
    if (!isNodeId(tagId)) return []
    const answer = await this.#get(`/tags/${tagId}/schema`)
    if (classifyMissing(answer) !== undefined) return []
    const what = `the tag ${tagId}`
    const schema = requireObject(this.#value(answer, what), what)
    return parseExtendedTags(requireText(schema['markdown'], what))
  }

  #get(path: string): Promise<JsonAnswer> {
    const { url, token, signal, patience = {} } = this.#access
    return getJson({ url: `${url}${path}`, token, signal, patience })
  }

  #value(answer: JsonAnswer, what: string): unknown {
    if (answer.kind === 'json') return answer.value
    const place = `the Tana Local API at ${this.#access.url}`
    if (answer.kind === 'failed') {
      const message = `${place} cannot be read (${what}): ${answer.message}`
      const passes = answer.why !== 'foreign' && answer.why !== 'too-large'
      throw passes ? createTemporaryError(message) : createForeignServerError(message)
    }
    const { status, said } = answer
    const message = `${place} answered ${status} for ${what}${said === '' ? '' : `: ${said}`}`
    if (status === 401 || status === 403) throw createTokenError(message)
    if (status >= 500 || status === 429 || status === 408) throw createTemporaryError(message)
    if (status === 404) throw createForeignServerError(message)
    throw createRequestError(
      message,
      'this version of Tana may use another protocol: update Tana and Dossier',
    )
  }
}

/** Text in another form cannot be an id, so it is not requested. */
export function isNodeId(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

function classifyMissing(answer: JsonAnswer): 'absent' | 'poison' | undefined {
  if (answer.kind !== 'refused') return undefined
  if (answer.status === 404 || answer.status === 400) return 'absent'
  return answer.status === 500 ? 'poison' : undefined
}

function parseSummary(value: unknown, what: string): LiveSummary {
  const node = requireObject(value, what)
  const { inTrash, breadcrumb, childCount, description } = node
  if (typeof inTrash !== 'boolean') throw createFormatError(what)
  const created = parseTime(node['created'])
  return {
    id: requireText(node['id'], what),
    name: requireText(node['name'], what),
    tags: requireList(node['tags'], what).map((it) => parseTag(requireObject(it, what), what)),
    docType: requireText(node['docType'], what),
    description: typeof description === 'string' ? description : '',
    inTrash,
    ...(created === undefined ? {} : { created }),
    ...(breadcrumb === undefined
      ? {}
      : { breadcrumb: requireList(breadcrumb, what).map((it) => requireText(it, what)) }),
    ...(typeof childCount === 'number' ? { childCount } : {}),
  }
}

function parseTag(tag: Readonly<Record<string, unknown>>, what: string): LiveTag {
  return { id: requireText(tag['id'], what), name: requireText(tag['name'], what).trim() }
}

/** A date as text, or milliseconds. Times before 1980 mean unknown. */
function parseTime(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const time = /^\d{9,}$/.test(String(value)) ? Number(value) : Date.parse(String(value))
  return Number.isFinite(time) && time > Date.UTC(1980, 0) ? time : undefined
}

function requireObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw createFormatError(what)
  return value as Readonly<Record<string, unknown>>
}

function requireList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw createFormatError(what)
  return value
}

function requireText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw createFormatError(what)
  return value
}

function createFormatError(what: string) {
  return createForeignServerError(`the Tana Local API answered for ${what} in an unexpected format`)
}
