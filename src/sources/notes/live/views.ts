/**
 * What has been learnt of a live workspace so far: asked for once, kept as long as the views are.
 * Requests are counted, and given out in the order of the questions, never in that of the answers:
 * where they run out, the same ones are left unasked every time.
 */
import { nearest } from '../../../base/nearest.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import { EngineError } from '../../../model/engine-error.ts'
import type { NoteKind } from '../../../model/note.ts'
import { atOnce } from './at-once.ts'
import {
  CHILDREN_AT_MOST,
  type LiveSummary,
  type LiveTag,
  type LiveText,
  type LiveWorkspace,
  type LocalApi,
} from './client.ts'
import { kindOf } from './kinds.ts'
import { type ReadNode, readMarkdown } from './markdown.ts'
import type { LiveQuery } from './query.ts'
import { hiccup } from './trouble.ts'

export interface LiveLimits {
  /** Of all questions together. Trying again is not counted. */
  readonly requests: number
  readonly atOnce: number
  /** Pages of children of one node; what is beyond them is counted, not read. */
  readonly pages: number
}

export interface Listing {
  /** As they are listed, with those in the trash. */
  readonly children: readonly LiveSummary[]
  readonly total: number
}

/** So many broken nodes are no accident of one node any more. */
const MANY_POISONED = 20

export class LiveViews {
  readonly #api: LocalApi
  readonly #limits: LiveLimits
  readonly #wanted: readonly string[]
  readonly #diagnostics = new Map<string, Diagnostic>()
  readonly #texts = new Map<string, LiveText>()
  readonly #nodes = new Map<string, ReadNode>()
  readonly #listings = new Map<string, Listing>()
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

  /** Those that were asked for, or all; asks first whether Tana can answer at all. */
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
      if (found === undefined) throw unknownWorkspace(id, all)
      return found
    })
  }

  get diagnostics(): readonly Diagnostic[] {
    const all = [...this.#diagnostics.values()]
    if (this.#unasked === 0) return all
    const message = `Tana was asked ${this.#limits.requests} times, which is the most for one document: ${this.#unasked} further questions were left unasked`
    return [...all, { code: 'too-large', path: 'local-api', message }]
  }

  /** What a list said of it, if any did. */
  summary(id: string): LiveSummary | undefined {
    return this.#summaries.get(id)
  }

  /** Undefined for what is no note. */
  kind(id: string): NoteKind | undefined {
    if (this.#places.has(id)) return 'system'
    // Whoever has a tag says that it is one.
    const docType = this.summary(id)?.docType ?? (this.#tags.has(id) ? 'tagDef' : '')
    return kindOf(id, docType)
  }

  /** What has been read of it, if it has been. */
  text(id: string): LiveText | undefined {
    return this.#texts.get(id)
  }

  node(id: string): ReadNode | undefined {
    const text = this.#texts.get(id)
    if (text === undefined || typeof text === 'string') return undefined
    const known = this.#nodes.get(id)
    if (known !== undefined) return known
    const listed = this.#listings.get(id)
    const node = readMarkdown(text.markdown, {
      ...(text.name === undefined ? {} : { name: text.name }),
      ...(listed === undefined ? {} : { children: new Set(listed.children.map((it) => it.id)) }),
    })
    this.#nodes.set(id, node)
    return node
  }

  listing(id: string): Listing | undefined {
    return this.#listings.get(id)
  }

  /** Reads those that have not been read. */
  async read(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => !this.#texts.has(id))
    await this.#ask(wanted, async (id) => {
      const text = await this.#api.read(id)
      if (text === 'poison') this.#poisoned(id, `read the node ${id}: it is left out`)
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
        const answer = await this.#api.children(id, page * CHILDREN_AT_MOST)
        if (typeof answer === 'string') {
          if (answer === 'poison') this.#poisoned(id, `list the children of the node ${id}`)
          return undefined
        }
        const list = found.get(id) ?? []
        found.set(id, list)
        // A list that changes while it is read can show a node twice.
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

  /** The hits of each question, in their order; undefined for those that could not be asked. */
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

  /** Asks what the tags of these extend, and what those do. One of these may be a tag itself. */
  async learnTags(ids: readonly string[]): Promise<void> {
    let open = ids.flatMap((id) => [
      ...(this.kind(id) === 'tag' ? [id] : []),
      ...(this.summary(id)?.tags ?? []).map((it) => it.id),
    ])
    while (open.length > 0) {
      const wanted = [...new Set(open)].filter((id) => !this.#extended.has(id))
      const found = await this.#ask(wanted, async (id) => {
        const tags = await this.#api.extendedBy(id)
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
    // What is added while it is walked is walked as well.
    for (const tag of all.keys()) {
      for (const it of this.#extended.get(tag) ?? []) if (!all.has(it.id)) all.set(it.id, it.name)
    }
    return [...new Set(all.values())]
  }

  /** What a tag extends, as far as that is known. */
  extended(id: string): readonly LiveTag[] {
    return this.#extended.get(id) ?? []
  }

  /** For whoever reads everything once: what it has made a record of it need not keep. */
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
    return atOnce(allowed, this.#limits.atOnce, work)
  }

  #poisoned(id: string, what: string): void {
    this.#poison += 1
    this.#diagnostics.set(id, { code: 'unreadable', path: id, message: `Tana fails to ${what}` })
  }

  #refuseManyPoisoned(): void {
    if (this.#poison <= MANY_POISONED || this.#poison <= this.#readable) return
    const counts = `failed on ${this.#poison} nodes and could read ${this.#readable}`
    throw hiccup(`the Tana Local API ${counts}`)
  }
}

function unknownWorkspace(id: string, all: readonly LiveWorkspace[]): EngineError {
  const names = all.flatMap((it) => [it.id, it.name])
  const [like] = nearest(id, names, 1)
  const meant = all.find((it) => it.id === like || it.name === like)
  const shown = (meant === undefined ? all : [meant]).map((it) => `${it.id} (${it.name})`)
  const hint = `${meant === undefined ? 'there are' : 'did you mean'} ${shown.join(', ')}`
  return new EngineError('POC_E_WORKSPACE_UNKNOWN', `Tana has no workspace ${id} open`, { hint })
}
