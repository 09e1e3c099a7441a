/**
 * Who owns a node. The API does not say: a hit of a search has the names of its owners, and a list
 * of children has no owner at all. An owner is known when its list has been read. Else it is looked
 * for by the last of these names, and believed when its own Markdown shows the node as its own.
 */
import { ascending } from '../../../base/order.ts'
import { isPlaceName } from './kinds.ts'
import { isHidden, type Owner, ownershipOf } from './live-note.ts'
import { plainName } from './markdown.ts'
import type { LiveQuery } from './query.ts'
import type { LiveViews } from './views.ts'

/** Nodes with the same name at the same place that are looked into. */
const CANDIDATES = 3
const SEARCHED_LENGTH = 200

export class LiveOwners {
  readonly #views: LiveViews
  readonly #known = new Map<string, Owner>()

  constructor(views: LiveViews) {
    this.#views = views
  }

  get known(): ReadonlyMap<string, Owner> {
    return this.#known
  }

  /** Takes note of what these own. */
  learn(ids: readonly string[]): void {
    for (const id of ids) {
      for (const [child, owner] of ownershipOf(this.#views, id)) {
        if (!this.#known.has(child)) this.#known.set(child, owner)
      }
    }
  }

  /** Asks lists for what only they say of a node that was reached by a link. */
  async describe(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => this.#views.summary(id)?.breadcrumb === undefined)
    await this.#views.search(unknown.flatMap((id) => named(this.#nameOf(id))))
  }

  async find(ids: readonly string[]): Promise<void> {
    const lost = ids.filter((id) => !this.#known.has(id) && !isHidden(this.#views, id))
    await this.describe(lost)
    const wanted = lost.flatMap((id) => {
      const path = this.#views.summary(id)?.breadcrumb ?? []
      const name = path.at(-1)
      const isTop = name === undefined || (path.length === 1 && isPlaceName(name))
      return isTop ? [] : named(name).map((query) => ({ id, path, name, query }))
    })
    const answers = await this.#views.search(wanted.map((it) => it.query))
    const candidates = wanted.map(({ name, path }, at) =>
      (answers[at] ?? [])
        .filter((it) => it.name.trim() === name.trim() && isOwnerPath(it.breadcrumb ?? [], path))
        .filter((it) => !isHidden(this.#views, it.id))
        .toSorted(ascending((it) => it.id))
        .slice(0, CANDIDATES)
        .map((it) => it.id),
    )
    const some = candidates.flat()
    await this.#views.read(some)
    this.learn(some)
  }

  #nameOf(id: string): string {
    const text = this.#views.text(id)
    const name = (typeof text === 'object' ? text.name : undefined) ?? this.#views.summary(id)?.name
    return plainName(name ?? this.#views.node(id)?.name ?? '')
  }
}

function named(name: string): readonly LiveQuery[] {
  const text = name.trim().slice(0, SEARCHED_LENGTH)
  return text === '' ? [] : [{ and: [{ textContains: text }] }]
}

function isOwnerPath(path: readonly string[], below: readonly string[]): boolean {
  return path.length === below.length - 1 && path.every((it, at) => it === below[at])
}
