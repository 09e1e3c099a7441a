/**
 * Caches everything received from a live workspace. Requests are counted in the order in which they
 * are made, never in the order of the answers, so that at the limit always the same ones are
 * skipped.
 */
import { nearest } from '../../../base/nearest.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import { EngineError } from '../../../model/engine-error.ts'
import type { NoteKind } from '../../../model/note.ts'
import {
  type LiveSummary,
  type LiveTag,
  type LiveTextResult,
  type LiveWorkspace,
  type LocalApi,
  MAX_CHILDREN,
} from './client.ts'
import { createTemporaryError } from './errors.ts'
import { noteKind } from './kinds.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { type ParsedNode, parseNodeMarkdown } from './markdown.ts'
import type { LiveQuery } from './query.ts'

export interface LiveLimits {
  /** Total number of requests, without retries. */
  readonly requests: number
  readonly atOnce: number
  /** Pages of children per node; children beyond them are counted but not read. */
  readonly pages: number
}

export interface ChildListing {
  /** In the order of the list, including those in the trash. */
  readonly children: readonly LiveSummary[]
  readonly total: number
}

/** With this many failing nodes the problem is Tana, not a single node. */
const MAX_POISONED = 20

export class LiveViews {
  readonly #api: LocalApi
  readonly #limits: LiveLimits
  readonly #wanted: readonly string[]
  readonly #diagnostics = new Map<string, Diagnostic>()
  readonly #texts = new Map<string, LiveTextResult>()
  readonly #nodes = new Map<string, ParsedNode>()
  readonly #listings = new Map<string, ChildListing>()
  readonly #searches = new Map<string, readonly LiveSummary[]>()
  readonly #summaries = new Map<string, LiveSummary>()
  readonly #tags = new Set<string>()
  readonly #extended = new Map<string, readonly LiveTag[]>()
  readonly #places = new Set<string>()
  #workspaces: Promise<readonly LiveWorkspace[]> | undefined
  #left: number
  #unasked = 0
  #readable = 0
  #poison = 0

  constructor(api: LocalApi, workspaceIds: readonly string[], limits: LiveLimits) {
    this.#api = api
    this.#wanted = workspaceIds
    this.#limits = limits
    this.#left = limits.requests
  }

  /** The requested workspaces, or all; first checks that Tana is ready. */
  workspaces(): Promise<readonly LiveWorkspace[]> {
    this.#workspaces ??= this.#findWorkspaces()
    return this.#workspaces
  }

  async #findWorkspaces(): Promise<readonly LiveWorkspace[]> {
    await this.#api.refuseUnready()
    const all = await this.#api.workspaces()
    for (const it of all) this.#places.add(it.id).add(it.homeNodeId)
    if (this.#wanted.length === 0) return all
    return this.#wanted.map((id) => {
      const found = all.find((it) => it.id === id)
      if (found === undefined) throw createUnknownWorkspaceError(id, all)
      return found
    })
  }

  get diagnostics(): readonly Diagnostic[] {
    const all = [...this.#diagnostics.values()]
    if (this.#unasked === 0) return all
    const message = `reached the limit of ${this.#limits.requests} requests to Tana for one document: ${this.#unasked} further requests were skipped`
    return [...all, { code: 'too-large', path: 'local-api', message }]
  }

  /** The summary from a list, if there is one. */
  summary(id: string): LiveSummary | undefined {
    return this.#summaries.get(id)
  }

  /** Undefined if the node is not a note. */
  kind(id: string): NoteKind | undefined {
    if (this.#places.has(id)) return 'system'
    // A node that is used as a tag is a tag.
    const docType = this.summary(id)?.docType ?? (this.#tags.has(id) ? 'tagDef' : '')
    return noteKind(id, docType)
  }

  /** The text, if it has been read. */
  text(id: string): LiveTextResult | undefined {
    return this.#texts.get(id)
  }

  node(id: string): ParsedNode | undefined {
    const text = this.#texts.get(id)
    if (text === undefined || typeof text === 'string') return undefined
    const known = this.#nodes.get(id)
    if (known !== undefined) return known
    const listed = this.#listings.get(id)
    const node = parseNodeMarkdown(text.markdown, {
      ...(text.name === undefined ? {} : { name: text.name }),
      ...(listed === undefined ? {} : { children: new Set(listed.children.map((it) => it.id)) }),
    })
    this.#nodes.set(id, node)
    return node
  }

  listing(id: string): ChildListing | undefined {
    return this.#listings.get(id)
  }

  /** Reads those that have not been read. */
  async read(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => !this.#texts.has(id))
    await this.#ask(wanted, async (id) => {
      const text = await this.#api.read(id)
      if (text === 'poison') this.#poisoned(id, `read the node ${id}, which is left out`)
      else this.#readable += 1
      this.#texts.set(id, text)
    })
    this.#refuseManyPoisoned()
  }

  /** Lists the children of those that have not been listed, page by page. */
  async list(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => !this.#listings.has(id))
    const found = new Map<string, LiveSummary[]>()
    let open: readonly string[] = wanted
    for (let page = 0; page < this.#limits.pages && open.length > 0; page += 1) {
      const further = await this.#ask(open, async (id) => {
        const answer = await this.#api.children(id, page * MAX_CHILDREN)
        if (typeof answer === 'string') {
          if (answer === 'poison') this.#poisoned(id, `list the children of the node ${id}`)
          return undefined
        }
        const list = found.get(id) ?? []
        found.set(id, list)
        // A list that changes between pages can contain a node twice.
        const before = new Set(list.map((it) => it.id))
        list.push(...answer.children.filter((it) => !before.has(it.id)))
        this.#listings.set(id, { children: list, total: Math.max(answer.total, list.length) })
        return answer.hasMore && answer.children.length > 0 ? id : undefined
      })
      open = further.filter((it) => it !== undefined)
    }
    for (const id of wanted) {
      this.#nodes.delete(id)
      for (const child of found.get(id) ?? []) this.#learn(child)
    }
    this.#refuseManyPoisoned()
  }

  /** The hits of each query, in order; undefined for queries beyond the request limit. */
  async search(
    queries: readonly LiveQuery[],
  ): Promise<readonly (readonly LiveSummary[] | undefined)[]> {
    const workspaceIds = (await this.workspaces()).map((it) => it.id)
    const keys = queries.map((it) => JSON.stringify(it))
    const wanted = new Map(queries.map((it, at) => [keys[at] ?? '', it]))
    const open = [...wanted].filter(([key]) => !this.#searches.has(key))
    const answers = await this.#ask(open, async ([key, query]) => {
      const hits = await this.#api.search({ query, workspaceIds })
      this.#searches.set(key, hits)
      return hits
    })
    for (const hits of answers) for (const hit of hits) this.#learn(hit)
    return keys.map((key) => this.#searches.get(key))
  }

  /** Fetches which tags the tags of these nodes extend, recursively. A node may itself be a tag. */
  async learnTags(ids: readonly string[]): Promise<void> {
    let open = ids.flatMap((id) => [
      ...(this.kind(id) === 'tag' ? [id] : []),
      ...(this.summary(id)?.tags ?? []).map((it) => it.id),
    ])
    while (open.length > 0) {
      const wanted = [...new Set(open)].filter((id) => !this.#extended.has(id))
      const found = await this.#ask(wanted, async (id) => {
        const tags = await this.#api.fetchExtendedTags(id)
        this.#extended.set(id, tags)
        return tags
      })
      open = found.flat().map((it) => it.id)
    }
  }

  /** Names: its own tags, then what these extend as far as that is known; undefined without a list. */
  tags(id: string): readonly string[] | undefined {
    const own = this.summary(id)?.tags
    if (own === undefined) return undefined
    const all = new Map(own.map((it) => [it.id, it.name]))
    // Items added during the iteration are visited too.
    for (const tag of all.keys()) {
      for (const it of this.#extended.get(tag) ?? []) if (!all.has(it.id)) all.set(it.id, it.name)
    }
    return [...new Set(all.values())]
  }

  /** What a tag extends, as far as that is known. */
  extended(id: string): readonly LiveTag[] {
    return this.#extended.get(id) ?? []
  }

  /** For a reader that visits each node once: frees the cached data of a node. */
  forget(id: string): void {
    this.#texts.delete(id)
    this.#nodes.delete(id)
    this.#listings.delete(id)
    this.#summaries.delete(id)
  }

  #learn(summary: LiveSummary): void {
    for (const tag of summary.tags) this.#tags.add(tag.id)
    this.#summaries.set(summary.id, { ...this.#summaries.get(summary.id), ...summary })
  }

  async #ask<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
    if (items.length === 0) return []
    await this.workspaces()
    const allowed = items.slice(0, this.#left)
    this.#left -= allowed.length
    this.#unasked += items.length - allowed.length
    return mapConcurrently(allowed, this.#limits.atOnce, work)
  }

  #poisoned(id: string, what: string): void {
    this.#poison += 1
    this.#diagnostics.set(id, { code: 'unreadable', path: id, message: `Tana fails to ${what}` })
  }

  #refuseManyPoisoned(): void {
    if (this.#poison <= MAX_POISONED || this.#poison <= this.#readable) return
    const counts = `failed on ${this.#poison} nodes and could read ${this.#readable}`
    throw createTemporaryError(`the Tana Local API ${counts}`)
  }
}

function createUnknownWorkspaceError(id: string, all: readonly LiveWorkspace[]): EngineError {
  const names = all.flatMap((it) => [it.id, it.name])
  const [like] = nearest(id, names, 1)
  const meant = all.find((it) => it.id === like || it.name === like)
  const shown = (meant === undefined ? all : [meant]).map((it) => `${it.id} (${it.name})`)
  const hint = `${meant === undefined ? 'open workspaces:' : 'did you mean'} ${shown.join(', ')}`
  return new EngineError('POC_E_WORKSPACE_UNKNOWN', `the workspace ${id} is not open in Tana`, {
    hint,
  })
}
