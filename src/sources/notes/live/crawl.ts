/**
 * Reads all notes of a running Tana breadth first, from its home node. Nodes that Tana fails on are
 * left out together with their descendants, with a diagnostic. If Tana stops answering, reading
 * ends with an error and the stored notes are not replaced.
 */
import type { Diagnostic } from '../../../model/diagnostic.ts'
import type { NoteRecord } from '../../../model/note.ts'
import type { NoteBatch, NotesSource, SourceAccount } from '../../../model/notes-index.ts'
import type { Patience } from '../../../platform/http-json.ts'
import { type LiveWorkspace, LocalApi } from './client.ts'
import { createTemporaryError, createTokenError } from './errors.ts'
import { systemNodeIds } from './kinds.ts'
import { buildRecord, isHidden, isPlain, mapOwnership, type NodeOwner } from './live-note.ts'
import { LiveOwners } from './owners.ts'
import type { LiveNotesOptions } from './reader.ts'
import { LiveViews } from './views.ts'

/** A restart of Tana takes some seconds; the retries wait for about half a minute in total. */
const PATIENCE: Partial<Patience> = { tries: 8, pauseMs: 250, limitMs: 60_000 }
const NODES_AT_ONCE = 64

export function openLocalApiSource(options: LiveNotesOptions): NotesSource {
  if (options.token === '') throw createTokenError('the Tana Local API requires a token')
  const patience = { ...PATIENCE, ...options.patience }
  const api = new LocalApi({ ...options, patience })
  const everything = { requests: Infinity, atOnce: 4, pages: Infinity, ...options.limits }
  const crawl = new Crawl(new LiveViews(api, options.workspaceIds, everything))
  return {
    kind: 'local-api',
    size: 0,
    batches: () => crawl.batches(),
    account: () => crawl.account(),
  }
}

/** A record that waits for its children: unreadable children are dropped. */
interface PendingNote {
  readonly record: NoteRecord
  readonly lostChildren: Set<string>
  left: number
}

class Crawl {
  readonly #views: LiveViews
  readonly #links: LiveOwners
  readonly #owners = new Map<string, NodeOwner>()
  readonly #seen = new Set<string>()
  readonly #waiting = new Map<string, PendingNote>()
  readonly #pointedAt = new Set<string>()
  readonly #diagnostics: Diagnostic[] = []
  #ready: NoteRecord[] = []
  #queue: string[] = []
  #trashed = 0
  #inlineReferences = 0
  #unresolved = 0

  constructor(views: LiveViews) {
    this.#views = views
    this.#links = new LiveOwners(views)
  }

  account(): SourceAccount {
    return {
      seen: this.#seen.size,
      trashed: this.#trashed,
      inlineReferences: this.#inlineReferences,
      // The Markdown shows the owner of each node, so no parents need correction.
      correctedParents: 0,
      unresolved: this.#unresolved,
      diagnostics: [...this.#views.diagnostics, ...this.#diagnostics],
    }
  }

  async *batches(): AsyncGenerator<NoteBatch> {
    const workspaces = await this.#views.workspaces()
    await this.#refuseUnreadableHome(workspaces)
    for (const it of workspaces) this.#enqueue([it.homeNodeId, ...systemNodeIds(it.id)])
    while (this.#queue.length > 0 || (await this.#takeStrays())) {
      const ids = this.#queue.splice(0, NODES_AT_ONCE)
      await this.#readSome(ids)
      const records = this.#ready
      this.#ready = []
      if (records.length > 0) yield { records, read: records.length }
    }
  }

  /**
   * Without its home node the workspace would be stored as empty and replace the existing notes.
   */
  async #refuseUnreadableHome(workspaces: readonly LiveWorkspace[]): Promise<void> {
    await this.#views.read(workspaces.map((it) => it.homeNodeId))
    for (const { id, name, homeNodeId } of workspaces) {
      if (typeof this.#views.text(homeNodeId) === 'object') continue
      throw createTemporaryError(`Tana cannot read the home node of the workspace ${id} (${name})`)
    }
  }

  #enqueue(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#seen.has(id)) continue
      this.#seen.add(id)
      this.#queue.push(id)
    }
  }

  async #readSome(ids: readonly string[]): Promise<void> {
    const views = this.#views
    const inner = ids.filter((id) => !isPlain(views.summary(id)))
    await views.read(inner)
    const readable = inner.filter((id) => typeof views.text(id) === 'object')
    await views.list(readable.filter((id) => views.summary(id)?.childCount !== 0))
    await views.learnTags(ids)
    for (const id of ids) this.#readOne(id)
    for (const id of ids) views.forget(id)
  }

  #readOne(id: string): void {
    const record = buildRecord(this.#views, id, this.#owners)
    if (record === undefined) {
      this.#finishNode(id, undefined)
      return
    }
    const listing = this.#views.listing(id)?.children ?? []
    this.#trashed += listing.filter((it) => it.inTrash).length
    if (listing.some((it) => it.id === id)) this.#diagnose('cycle', id, 'lists itself as a child')
    const children: string[] = []
    for (const [child, owner] of mapOwnership(this.#views, id)) {
      if (this.#seen.has(child)) {
        if (this.#isOwnedBy(id, child)) {
          this.#diagnose('cycle', child, `is below ${id}, which is below it`)
        }
        continue
      }
      this.#owners.set(child, owner)
      children.push(child)
    }
    this.#count(record)
    const own = { ...record, children }
    if (children.length === 0) this.#finishNode(id, own)
    else this.#waiting.set(id, { record: own, lostChildren: new Set(), left: children.length })
    this.#enqueue(children)
  }

  /** Pending nodes are still known as owners. */
  #isOwnedBy(id: string, other: string): boolean {
    let at: string | undefined = id
    while (at !== undefined && at !== other) at = this.#owners.get(at)?.id
    return at === other
  }

  #count(record: NoteRecord): void {
    const node = this.#views.node(record.id)
    const line = this.#owners.get(record.id)?.line
    this.#inlineReferences += (node?.references ?? line?.references ?? []).length
    const targets = record.fields.flatMap((it) => it.values).map((it) => it.target)
    for (const id of [...record.references, ...targets]) {
      if (id !== undefined) this.#pointedAt.add(id)
    }
  }

  /** Marks a node as delivered or lost, which may complete its owner and further ancestors. */
  #finishNode(id: string, record: NoteRecord | undefined): void {
    let done: { readonly id: string; readonly record: NoteRecord | undefined } = { id, record }
    for (;;) {
      if (done.record !== undefined) this.#ready.push(done.record)
      const owner = this.#owners.get(done.id)?.id ?? ''
      this.#owners.delete(done.id)
      const waiting = this.#waiting.get(owner)
      if (waiting === undefined) return
      if (done.record === undefined) waiting.lostChildren.add(done.id)
      waiting.left -= 1
      if (waiting.left > 0) return
      this.#waiting.delete(owner)
      const children = waiting.record.children.filter((it) => !waiting.lostChildren.has(it))
      done = { id: owner, record: { ...waiting.record, children } }
    }
  }

  /** Enqueues referenced nodes that no walked node owns. True if there is more to read. */
  async #takeStrays(): Promise<boolean> {
    const strays = [...this.#pointedAt].filter((id) => !this.#seen.has(id)).toSorted()
    this.#pointedAt.clear()
    await this.#views.read(strays)
    const there = strays.filter((id) => typeof this.#views.text(id) === 'object')
    // Only lists show whether a node is in the trash.
    await this.#links.describe(there)
    const shown = new Set(there.filter((id) => !isHidden(this.#views, id)))
    for (const id of strays) {
      if (shown.has(id)) continue
      this.#seen.add(id)
      if (this.#views.summary(id)?.inTrash === true) this.#trashed += 1
      else if (this.#views.text(id) === 'absent') {
        this.#unresolved += 1
        this.#diagnose('unresolved', id, 'is referenced but does not exist')
      }
    }
    // A node with an owner is read together with its owner.
    const owned = new Set([...shown].flatMap((id) => [...mapOwnership(this.#views, id).keys()]))
    this.#enqueue([...shown].filter((id) => !owned.has(id)))
    return this.#queue.length > 0
  }

  #diagnose(code: 'cycle' | 'unresolved', id: string, what: string): void {
    this.#diagnostics.push({ code, path: id, message: `the node ${id} ${what}` })
  }
}
