/**
 * Tana's Local API on this machine, over a workspace in memory: a real server with the limits of its
 * OpenAPI file, and with what that file does not say. Booleans in a query string are refused, an
 * offset of a search is ignored, without workspaces only the focused one is searched (which is not
 * this one), what is in the trash is listed with the rest, and nodes can be poison.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  childEntry,
  hitEntry,
  markdownOf,
  pointsAt,
  type ServedNode,
  type ServedWorkspace,
  servedWorkspace,
  shownName,
  tagMarkdown,
} from './tana-nodes.ts'
import { tagId } from './tana-workspace.ts'

export const PERSONAL_TOKEN = 'personal-token-of-somebody'

/** `cut`: the connection ends in the middle. `truncate`: the answer does, and says that it is whole. */
export type Fault =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string }
  | { readonly delayMs: number }
  | { readonly body: string }
  | 'cut'
  | 'truncate'

export interface TanaServerOptions {
  readonly workspace?: ServedWorkspace
  readonly poison?: readonly string[]
  /** Asked for each request, with how many there were of the same before. */
  readonly fault?: (path: string, before: number) => Fault | undefined
  readonly health?: { readonly status: string; readonly nodeSpaceReady: boolean }
}

export interface Exchange {
  /** Path and query as they came. */
  readonly url: string
  readonly status: number
  readonly answer: unknown
  readonly authorization: string | undefined
}

export interface TanaServer {
  readonly url: string
  /** Those that were answered, in the order of the answers. */
  readonly exchanges: readonly Exchange[]
  /** The most that were being answered at the same time. */
  readonly mostAtOnce: number
  stop(): Promise<void>
  /** Again, at the same port. */
  start(): Promise<void>
}

export async function startTanaServer(options: TanaServerOptions = {}): Promise<TanaServer> {
  const exchanges: Exchange[] = []
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  let [port, now, mostAtOnce] = [0, 0, 0]
  let server: Server | undefined

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/'
    const before = counts.get(url) ?? 0
    counts.set(url, before + 1)
    now += 1
    mostAtOnce = Math.max(mostAtOnce, now)
    const fault = options.fault?.(url, before)
    if (typeof fault === 'object' && 'delayMs' in fault) await sleep(fault.delayMs)
    now -= 1
    const { authorization } = request.headers
    const asked = { url, authorization }
    const { status, answer } = answerOf(options, asked)
    const record = (code: number, said: unknown) =>
      exchanges.push({ url, status: code, answer: said, authorization })
    if (typeof fault === 'object' && !('delayMs' in fault)) {
      const code = 'status' in fault ? fault.status : 200
      const wait = 'retryAfter' in fault ? { 'retry-after': fault.retryAfter } : {}
      record(code, undefined)
      response.writeHead(code, wait).end(fault.body ?? 'not now')
      return
    }
    const text = JSON.stringify(answer)
    const headers = { 'content-type': 'application/json' }
    if (fault === 'cut') {
      response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) })
      response.write(text.slice(0, text.length / 2), () => response.destroy())
      return
    }
    record(status, answer)
    response.writeHead(status, headers)
    response.end(fault === 'truncate' ? text.slice(0, text.length / 2) : text)
  }

  async function start(): Promise<void> {
    const next = createServer((request, response) => void reply(request, response))
    next.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', resolve))
    port = (next.address() as AddressInfo).port
    server = next
  }

  async function stop(): Promise<void> {
    const ended = server
    server = undefined
    if (ended === undefined) return
    const closed = new Promise((resolve) => ended.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await start()
  onTestFinished(stop)
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    get mostAtOnce() {
      return mostAtOnce
    },
    start,
    stop,
  }
}

/** A port that nobody listens on. */
export async function closedPort(): Promise<string> {
  const server = await startTanaServer()
  await server.stop()
  return server.url
}

interface Asked {
  readonly url: string
  readonly authorization: string | undefined
}

interface Answer {
  readonly status: number
  readonly answer: unknown
}

function answerOf(options: TanaServerOptions, { url, authorization }: Asked): Answer {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
  const workspace = options.workspace ?? EVERYDAY
  if (pathname === '/health') {
    const { status, nodeSpaceReady } = options.health ?? { status: 'ok', nodeSpaceReady: true }
    return ok({ status, timestamp: '2026-01-15T12:00:00.000Z', nodeSpaceReady })
  }
  if (authorization !== `Bearer ${PERSONAL_TOKEN}`) {
    return bad(401, `Unauthorized: ${authorization} is no personal access token`)
  }
  if (pathname === '/workspaces') {
    const { id, name, homeNodeId } = workspace
    return ok([{ id, name, homeNodeId }])
  }
  if (pathname === '/nodes/search') return searched(workspace, searchParams)
  const tag = /^\/tags\/([^/]+)\/schema$/.exec(pathname)?.[1]
  if (tag !== undefined) {
    const name = Object.keys(workspace.tags).find((it) => tagId(it) === decodeURIComponent(tag))
    return name === undefined
      ? bad(404, 'no such tag')
      : ok({ markdown: tagMarkdown(workspace, name) })
  }
  const [, id = '', list] = /^\/nodes\/([^/]+)(\/children)?$/.exec(pathname) ?? []
  if (options.poison?.includes(id) === true) return bad(500, 'Internal server error')
  const node = workspace.nodes.get(decodeURIComponent(id))
  if (node === undefined) return bad(404, 'Node not found')
  return list === undefined
    ? read(workspace, node, searchParams)
    : listed(workspace, node, searchParams)
}

const EVERYDAY = servedWorkspace()

function read(workspace: ServedWorkspace, node: ServedNode, query: URLSearchParams): Answer {
  const depth = numberIn(query, { name: 'maxDepth', least: 0, most: 10, usual: 1 })
  if (depth === undefined) return bad(400, 'maxDepth is out of range')
  const description = node.description === '' ? null : shownName(workspace, node.description)
  const name = shownName(workspace, node.written)
  return ok({ markdown: markdownOf(workspace, node), name, description })
}

function listed(workspace: ServedWorkspace, node: ServedNode, query: URLSearchParams): Answer {
  const limit = numberIn(query, { name: 'limit', least: 1, most: 200, usual: 100 })
  const offset = numberIn(query, { name: 'offset', least: 0, most: 1e9, usual: 0 })
  if (limit === undefined || offset === undefined) return bad(400, 'limit is out of range')
  const there = node.children.flatMap((id) => workspace.nodes.get(id) ?? [])
  const children = there.slice(offset, offset + limit).map((it) => childEntry(workspace, it))
  return ok({ children, total: there.length, hasMore: offset + limit < there.length })
}

function searched(workspace: ServedWorkspace, parameters: URLSearchParams): Answer {
  const { query, workspaceIds } = nested(parameters)
  const limit = numberIn(parameters, { name: 'limit', least: 1, most: 100, usual: 50 })
  if (limit === undefined) return bad(400, 'limit is out of range')
  if (!isTree(query)) return bad(400, 'query: required')
  if (hasBoolean(query)) return bad(400, 'expected boolean, received string')
  const wanted = isTree(workspaceIds) ? Object.values(workspaceIds) : []
  if (!wanted.includes(workspace.id)) return ok([])
  // Backwards: the order of hits means nothing.
  const nodes = [...workspace.nodes.values()].toReversed()
  const hits = nodes.filter((node) => matches(workspace, node, query))
  return ok(hits.slice(0, limit).map((it) => hitEntry(workspace, it)))
}

function matches(workspace: ServedWorkspace, node: ServedNode, query: Tree): boolean {
  return Object.entries(query).every(([operator, value]) => {
    const list = isTree(value) ? Object.values(value) : []
    const parts = list.filter(isTree)
    if (operator === 'and') return parts.every((it) => matches(workspace, node, it))
    if (operator === 'or') return parts.some((it) => matches(workspace, node, it))
    if (operator === 'textContains') {
      const name = shownName(workspace, node.written).toLowerCase()
      return name.includes(String(value).toLowerCase())
    }
    if (operator === 'linksTo') {
      const targets = pointsAt(workspace, node)
      return list.some((it) => targets.has(String(it)))
    }
    if (operator === 'hasType') return allTags(workspace, node.tags).has(String(value))
    return false
  })
}

function allTags(workspace: ServedWorkspace, names: readonly string[]): ReadonlySet<string> {
  const all = new Set(names)
  for (const name of all) for (const it of workspace.tags[name] ?? []) all.add(it)
  return new Set([...all].map(tagId))
}

/** `a[b][0]=c` and `a[]=c`, as trees of texts. */
export interface Tree {
  readonly [name: string]: string | Tree
}

export function nested(parameters: URLSearchParams): Tree {
  const root: Record<string, unknown> = {}
  for (const [name, value] of parameters) {
    const path = name.split(/\]\[|\[|\]/).filter((it, at, all) => it !== '' || at < all.length - 1)
    let at = root
    for (const step of path.slice(0, -1)) at = (at[step] ??= {}) as Record<string, unknown>
    at[path.at(-1) || String(Object.keys(at).length)] = value
  }
  return root as Tree
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}

const BOOLEANS = new Set(['recursive', 'includeRefs', 'includeSelf', 'overdue', 'inLibrary'])

function hasBoolean(query: Tree): boolean {
  return Object.entries(query).some(
    ([name, value]) => BOOLEANS.has(name) || (isTree(value) && hasBoolean(value)),
  )
}

interface NumberRule {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly usual: number
}

function numberIn(query: URLSearchParams, rule: NumberRule): number | undefined {
  const value = Number(query.get(rule.name) ?? rule.usual)
  return value >= rule.least && value <= rule.most ? value : undefined
}

function ok(answer: unknown): Answer {
  return { status: 200, answer }
}

function bad(status: number, message: string): Answer {
  return { status, answer: { code: status, message } }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
