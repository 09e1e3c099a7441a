/**
 * The calls of the Tana Local API that read, with its limits kept and its answers checked. What is
 * asked when, and how often, is its caller's. Nodes in the trash are given as such: the API lists
 * them with all others.
 */
import { getJson, type JsonAnswer, type Patience } from '../../../platform/http-json.ts'
import { extendedIn } from './markdown.ts'
import { type LiveQuery, queryString } from './query.ts'
import { foreign, hiccup, invalid, unauthorized } from './trouble.ts'

export interface LiveAccess {
  /** As `localApiUrl` gives it. */
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

/** What lists say of a node. */
export interface LiveSummary {
  readonly id: string
  readonly name: string
  /** Its own, without those that these extend. */
  readonly tags: readonly LiveTag[]
  readonly docType: string
  readonly description: string
  readonly created?: number
  readonly inTrash: boolean
  /** Names of owners; hits of a search have it, children do not. */
  readonly breadcrumb?: readonly string[]
  /** Children have it, hits of a search do not. */
  readonly childCount?: number
}

export interface LiveTag {
  readonly id: string
  readonly name: string
}

/** `poison`: the program fails on this one node, and will again. */
export type LiveText = LiveMarkdown | 'absent' | 'poison'

export interface LiveMarkdown {
  readonly markdown: string
  readonly name?: string
  readonly description: string
}

export type LivePage = LiveChildren | 'absent' | 'poison'

export interface LiveChildren {
  readonly children: readonly LiveSummary[]
  readonly total: number
  readonly hasMore: boolean
}

export interface LiveSearch {
  readonly query: LiveQuery
  /** Never empty: without it only the workspace that has the focus is searched. */
  readonly workspaceIds: readonly string[]
}

/** There is no second page of a search: an offset is ignored, and the same hits come again. */
export const HITS_AT_MOST = 100
export const CHILDREN_AT_MOST = 200

/** Whether anybody is there shows at once, however long a restart is waited for later. */
const GREETINGS = 2
const GREETING_MS = 5000

/** Undefined for what is no URL at all; refuses those that would carry secrets into a file. */
export function localApiUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  const hint = 'give the address alone, such as http://127.0.0.1:8262'
  if (!URL.canParse(text)) throw invalid(`${text} is no URL`, hint)
  const url = new URL(text)
  if (url.username + url.password + url.search + url.hash !== '') {
    throw invalid(`the URL of ${url.host} has more than a host and a path`, hint)
  }
  return url.href.replace(/\/+$/, '')
}

export class LocalApi {
  readonly #access: LiveAccess

  constructor(access: LiveAccess) {
    this.#access = access
  }

  /** Throws where Tana runs and cannot answer yet. Needs no token, and so is not shown it. */
  async refuseUnready(): Promise<void> {
    const { url, signal, patience = {} } = this.#access
    const tries = Math.min(patience.tries ?? GREETINGS, GREETINGS)
    const limitMs = Math.min(patience.limitMs ?? GREETING_MS, GREETING_MS)
    const soon = { ...patience, tries, limitMs }
    const answer = await getJson({ url: `${url}/health`, signal, patience: soon })
    const health = objectOf(this.#value(answer, 'its health'), 'its health')
    if (health['status'] === 'ok' && health['nodeSpaceReady'] === true) return
    if (health['status'] !== 'ok' && health['status'] !== 'degraded') throw shape('its health')
    const why = health['nodeSpaceReady'] === true ? 'is degraded' : 'has not loaded its notes yet'
    throw hiccup(`the Tana Local API at ${url} ${why}`, 'wait until Tana is ready')
  }

  async workspaces(): Promise<readonly LiveWorkspace[]> {
    const what = 'its workspaces'
    const list = listOf(this.#value(await this.#get('/workspaces'), what), what)
    return list.map((it) => {
      const one = objectOf(it, what)
      return {
        id: textOf(one['id'], what),
        name: textOf(one['name'], what),
        homeNodeId: textOf(one['homeNodeId'], what),
      }
    })
  }

  /** In no order that means anything. */
  async search({ query, workspaceIds }: LiveSearch): Promise<readonly LiveSummary[]> {
    const what = 'a search'
    const asked = queryString({ query, workspaceIds, limit: HITS_AT_MOST })
    const answer = await this.#get(`/nodes/search?${asked}`)
    return listOf(this.#value(answer, what), what).map((it) => summaryOf(it, what))
  }

  /** The node with its fields and the lines of its children. */
  async read(id: string): Promise<LiveText> {
    if (!isNodeId(id)) return 'absent'
    const answer = await this.#get(`/nodes/${id}?${queryString({ maxDepth: 1 })}`)
    const missing = missingIn(answer)
    if (missing !== undefined) return missing
    const what = `the node ${id}`
    const node = objectOf(this.#value(answer, what), what)
    const { name, description } = node
    return {
      markdown: textOf(node['markdown'], what),
      ...(typeof name === 'string' ? { name } : {}),
      description: typeof description === 'string' ? description : '',
    }
  }

  async children(id: string, offset: number): Promise<LivePage> {
    if (!isNodeId(id)) return 'absent'
    const asked = queryString({ limit: CHILDREN_AT_MOST, offset })
    const answer = await this.#get(`/nodes/${id}/children?${asked}`)
    const missing = missingIn(answer)
    if (missing !== undefined) return missing
    const what = `the children of ${id}`
    const page = objectOf(this.#value(answer, what), what)
    const { total, hasMore } = page
    if (typeof total !== 'number' || typeof hasMore !== 'boolean') throw shape(what)
    const children = listOf(page['children'], what).map((it) => summaryOf(it, what))
    return { children, total, hasMore }
  }

  /** The tags that a tag extends; none where Tana does not say. */
  async extendedBy(tagId: string): Promise<readonly LiveTag[]> {
    if (!isNodeId(tagId)) return []
    const answer = await this.#get(`/tags/${tagId}/schema`)
    if (missingIn(answer) !== undefined) return []
    const what = `the tag ${tagId}`
    const schema = objectOf(this.#value(answer, what), what)
    return extendedIn(textOf(schema['markdown'], what))
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
      throw passes ? hiccup(message) : foreign(message)
    }
    const { status, said } = answer
    const message = `${place} answered ${status} for ${what}${said === '' ? '' : `: ${said}`}`
    if (status === 401 || status === 403) throw unauthorized(message)
    if (status >= 500 || status === 429 || status === 408) throw hiccup(message)
    if (status === 404) throw foreign(message)
    throw invalid(
      message,
      'this version of Tana may speak another protocol: update Tana and Dossier',
    )
  }
}

/** What has another form never was an id, and need not be asked for. */
export function isNodeId(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

function missingIn(answer: JsonAnswer): 'absent' | 'poison' | undefined {
  if (answer.kind !== 'refused') return undefined
  if (answer.status === 404 || answer.status === 400) return 'absent'
  return answer.status === 500 ? 'poison' : undefined
}

function summaryOf(value: unknown, what: string): LiveSummary {
  const node = objectOf(value, what)
  const { inTrash, breadcrumb, childCount, description } = node
  if (typeof inTrash !== 'boolean') throw shape(what)
  const created = timeOf(node['created'])
  return {
    id: textOf(node['id'], what),
    name: textOf(node['name'], what),
    tags: listOf(node['tags'], what).map((it) => tagOf(objectOf(it, what), what)),
    docType: textOf(node['docType'], what),
    description: typeof description === 'string' ? description : '',
    inTrash,
    ...(created === undefined ? {} : { created }),
    ...(breadcrumb === undefined
      ? {}
      : { breadcrumb: listOf(breadcrumb, what).map((it) => textOf(it, what)) }),
    ...(typeof childCount === 'number' ? { childCount } : {}),
  }
}

function tagOf(tag: Readonly<Record<string, unknown>>, what: string): LiveTag {
  return { id: textOf(tag['id'], what), name: textOf(tag['name'], what).trim() }
}

/** A date as text, or milliseconds; before 1980 is what programs say when they do not know. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const time = /^\d{9,}$/.test(String(value)) ? Number(value) : Date.parse(String(value))
  return Number.isFinite(time) && time > Date.UTC(1980, 0) ? time : undefined
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw shape(what)
  return value as Readonly<Record<string, unknown>>
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw shape(what)
  return value
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw shape(what)
  return value
}

function shape(what: string) {
  return foreign(`the Tana Local API answered for ${what} in another form than it promises`)
}
