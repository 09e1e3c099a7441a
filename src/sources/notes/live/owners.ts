/**
 * Finds the owner of a node, which the API does not report: search hits have only the names of
 * owners, and lists of children have none. An owner is known once its children have been listed.
 * Else it is searched by the last of these names, and accepted if its Markdown shows the node as
 * owned.
 */
import { ascending } from '../../../base/order.ts'
import { isSystemNodeName } from './kinds.ts'
import { isHidden, mapOwnership, type NodeOwner } from './live-note.ts'
import { stripMarkup } from './markdown.ts'
import type { LiveQuery } from './query.ts'
import type { LiveViews } from './views.ts'

/** How many nodes with the same name and path are checked. */
const MAX_CANDIDATES = 3
const MAX_SEARCH_LENGTH = 200

export class LiveOwners {
  readonly #views: LiveViews
  readonly #known = new Map<string, NodeOwner>()

  constructor(views: LiveViews) {
    this.#views = views
  }

  get known(): ReadonlyMap<string, NodeOwner> {
    return this.#known
  }

  /** Records what these nodes own. */
  learn(ids: readonly string[]): void {
    for (const id of ids) {
      for (const [child, owner] of mapOwnership(this.#views, id)) {
        if (!this.#known.has(child)) this.#known.set(child, owner)
      }
    }
  }

  /** Fetches summaries of nodes that were reached by a link. */
  async describe(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => this.#views.summary(id)?.breadcrumb === undefined)
    await this.#views.search(unknown.flatMap((id) => buildNameQueries(this.#nameOf(id))))
  }

  async find(ids: readonly string[]): Promise<void> {
    const lost = ids.filter((id) => !this.#known.has(id) && !isHidden(this.#views, id))
    await this.describe(lost)
    const wanted = lost.flatMap((id) => {
      const path = this.#views.summary(id)?.breadcrumb ?? []
      const name = path.at(-1)
      const isTop = name === undefined || (path.length === 1 && isSystemNodeName(name))
      return isTop ? [] : buildNameQueries(name).map((query) => ({ id, path, name, query }))
    })
    const answers = await this.#views.search(wanted.map((it) => it.query))
    const candidates = wanted.map(({ name, path }, at) =>
      (answers[at] ?? [])
        .filter((it) => it.name.trim() === name.trim() && isOwnerPath(it.breadcrumb ?? [], path))
        .filter((it) => !isHidden(this.#views, it.id))
        .toSorted(ascending((it) => it.id))
        .slice(0, MAX_CANDIDATES)
        .map((it) => it.id),
    )
    const some = candidates.flat()
    await this.#views.read(some)
    this.learn(some)
  }

  #nameOf(id: string): string {
    const text = this.#views.text(id)
    const name = (typeof text === 'object' ? text.name : undefined) ?? this.#views.summary(id)?.name
    return stripMarkup(name ?? this.#views.node(id)?.name ?? '')
  }
}

function buildNameQueries(name: string): readonly LiveQuery[] {
  const text = name.trim().slice(0, MAX_SEARCH_LENGTH)
  return text === '' ? [] : [{ and: [{ textContains: text }] }]
}

function isOwnerPath(path: readonly string[], below: readonly string[]): boolean {
  return path.length === below.length - 1 && path.every((it, at) => it === below[at])
}
