/**
 * Which notes are shown, at which length, and which only by name, so that the whole costs no more
 * than there is room for. What was asked for comes first, then the best; one that does not fit is
 * passed over, and what is left at the end lengthens what was cut.
 */
import type { ContextNode } from '../model/context-document.ts'
import type { NoteCandidate } from '../model/note-candidate.ts'

export interface NotesFillRequest {
  /** What was asked for first, then the best first; no twins. */
  readonly candidates: readonly NoteCandidate[]
  /** By the id of a note that is no candidate: who says the same in its place. */
  readonly twins: ReadonlyMap<string, string>
  /** Tokens for all notes and names. */
  readonly room: number
  readonly pricing: NotePricing
  /** No contents: names alone. */
  readonly isSummary: boolean
}

export interface NotePricing {
  whole(candidate: NoteCandidate): PricedNode
  /** As much of it as costs no more than this; undefined where that would say too little. */
  cut(candidate: NoteCandidate, tokens: number): PricedNode | undefined
  /** Of its name in the list at the end. */
  line(candidate: NoteCandidate): number
}

export interface PricedNode {
  readonly node: ContextNode
  readonly tokens: number
}

export interface NotesFilling {
  /** In the order of the candidates. */
  readonly shown: readonly ContextNode[]
  readonly named: readonly NoteCandidate[]
  /** Neither shown nor named. */
  readonly unlisted: number
  /** Whether all was shown at its full length: more room would not be used. */
  readonly isAll: boolean
}

/** All numbers of the filling, as shares of the room and as tokens. */
export const NOTES_FILL = {
  /** Of one source, where there is more than one note; the sources share it. */
  sources: 0.6,
  /** Of any other note. */
  note: 0.2,
  /** Kept for names while notes are chosen. */
  names: 0.08,
  /** A note that is cut has at least so much. */
  leastPerNote: 50,
  /** Less room than this is not worth looking further. */
  leastLeft: 8,
  /** After so many that did not fit, no smaller one is looked for. */
  misses: 60,
} as const

export function fillNotes(request: NotesFillRequest): NotesFilling {
  const tray = new Tray(request)
  if (!request.isSummary && !tray.takeAll()) {
    tray.take(Math.floor(request.room * (1 - NOTES_FILL.names)))
    tray.lengthen(Math.floor(request.room * (1 - NOTES_FILL.names)))
  }
  tray.name()
  if (!request.isSummary) tray.promote()
  tray.lengthen(request.room)
  return tray.filling()
}

/**
 * Where two say the same in the same words, the better one says it: by the id of the other. One
 * without an outline says the same as an equal one that has an outline besides, and that one says it.
 */
export function twinsOf(candidates: readonly NoteCandidate[]): ReadonlyMap<string, string> {
  const alike = new Map<string, NoteCandidate[]>()
  for (const candidate of candidates) {
    const { name, tags, fields = {} } = candidate.node
    const key = JSON.stringify([name, candidate.content.own, tags, fields])
    const group = alike.get(key)
    if (group === undefined) alike.set(key, [candidate])
    else group.push(candidate)
  }
  const twins = new Map<string, string>()
  for (const group of alike.values()) {
    for (const [at, candidate] of group.entries()) {
      const sayer = group.find((it, place) => saysMore(it, candidate, place < at))
      if (sayer !== undefined) twins.set(candidate.node.id, sayer.node.id)
    }
  }
  return twins
}

/** What was asked for is said by what was asked for. */
function saysMore(it: NoteCandidate, than: NoteCandidate, isBefore: boolean): boolean {
  if (it.node.content === than.node.content) return isBefore
  if (than.content.lines.length > 0) return false
  return it.node.distance === 0 || than.node.distance > 0
}

class Tray {
  readonly #request: NotesFillRequest
  readonly #byId: ReadonlyMap<string, NoteCandidate>
  readonly #sources: number
  readonly #shown = new Map<string, PricedNode>()
  readonly #cut = new Set<string>()
  #named: readonly NoteCandidate[] = []
  #spent = 0

  constructor(request: NotesFillRequest) {
    this.#request = request
    this.#sources = request.candidates.filter((it) => it.node.distance === 0).length
    this.#byId = new Map(request.candidates.map((it) => [it.node.id, it]))
  }

  /** Everything at its full length, or nothing. */
  takeAll(): boolean {
    const { candidates, pricing, room } = this.#request
    let sum = 0
    for (const candidate of candidates) {
      sum += pricing.whole(candidate).tokens
      if (sum > room) return false
    }
    for (const candidate of candidates) this.#put(candidate, pricing.whole(candidate))
    return true
  }

  take(limit: number): void {
    let misses = 0
    for (const candidate of this.#request.candidates) {
      if (limit - this.#spent < NOTES_FILL.leastLeft || misses >= NOTES_FILL.misses) return
      if (this.#shown.has(candidate.node.id)) continue
      misses = this.#takeWithWay(candidate, limit) ? 0 : misses + 1
    }
  }

  /** A line of an outline comes with the lines above it, which it would hang in the air without. */
  #takeWithWay(candidate: NoteCandidate, limit: number): boolean {
    const { path, distance } = candidate.node
    const source = path[0]?.from ?? ''
    if (distance > 0 && !this.#shown.has(this.#request.twins.get(source) ?? source)) return false
    const way = candidate.isPlain
      ? path.flatMap(({ from }) => (this.#shown.has(from) ? [] : (this.#byId.get(from) ?? [])))
      : []
    const priced: (readonly [NoteCandidate, PricedNode, boolean])[] = []
    let left = limit - this.#spent
    for (const one of [...way, candidate]) {
      const offer = this.#offer(one, left)
      if (offer === undefined) return false
      priced.push([one, offer.priced, offer.isCut])
      left -= offer.priced.tokens
    }
    for (const [one, it, isCut] of priced) {
      this.#put(one, it)
      if (isCut) this.#cut.add(one.node.id)
    }
    return true
  }

  #offer(candidate: NoteCandidate, left: number) {
    const { pricing } = this.#request
    const share = Math.max(NOTES_FILL.leastPerNote, this.#share(candidate))
    const whole = pricing.whole(candidate)
    if (whole.tokens <= Math.min(left, share)) return { priced: whole, isCut: false }
    // Where a share is not enough for anything, more than that is.
    const cut = pricing.cut(candidate, Math.min(left, share))
    if (cut !== undefined) return { priced: cut, isCut: true }
    if (whole.tokens <= left) return { priced: whole, isCut: false }
    const larger = pricing.cut(candidate, left)
    return larger === undefined ? undefined : { priced: larger, isCut: true }
  }

  #share({ node }: NoteCandidate): number {
    const { room } = this.#request
    const share = node.distance > 0 ? NOTES_FILL.note : NOTES_FILL.sources / this.#sources
    return Math.floor(room * share)
  }

  #put(candidate: NoteCandidate, priced: PricedNode): void {
    const { id } = candidate.node
    this.#spent += priced.tokens - (this.#shown.get(id)?.tokens ?? 0)
    this.#shown.set(id, priced)
  }

  /** What was cut gets what is left, the best first. */
  lengthen(limit: number): void {
    const { candidates, pricing } = this.#request
    for (const candidate of candidates) {
      const { id } = candidate.node
      const before = this.#shown.get(id)
      if (before === undefined || !this.#cut.has(id)) continue
      const most = before.tokens + limit - this.#spent
      const whole = pricing.whole(candidate)
      if (whole.tokens <= most) {
        this.#put(candidate, whole)
        this.#cut.delete(id)
        continue
      }
      const longer = pricing.cut(candidate, most)
      if (longer !== undefined && longer.tokens > before.tokens) this.#put(candidate, longer)
    }
  }

  /** Names for all that is left, as far as it goes. */
  name(): void {
    const { candidates, pricing, room } = this.#request
    const rest = candidates.filter((it) => !this.#shown.has(it.node.id))
    if (rest.length === 0) return
    let misses = 0
    const named: NoteCandidate[] = []
    for (const candidate of rest) {
      if (room - this.#spent < NOTES_FILL.leastLeft || misses >= NOTES_FILL.misses) break
      const tokens = pricing.line(candidate)
      if (this.#spent + tokens > room) {
        misses += 1
        continue
      }
      named.push(candidate)
      this.#spent += tokens
    }
    this.#named = named
  }

  /** Where all have a name and there is room left, the first of them get more than a name. */
  promote(): void {
    const { pricing, room } = this.#request
    for (const candidate of this.#named) {
      if (room - this.#spent < NOTES_FILL.leastPerNote) break
      if (this.#shown.has(candidate.node.id)) continue
      const line = pricing.line(candidate)
      if (this.#takeWithWay(candidate, room + line)) this.#spent -= line
    }
    this.#named = this.#named.filter((it) => !this.#shown.has(it.node.id))
  }

  filling(): NotesFilling {
    const { candidates, isSummary } = this.#request
    const shown = candidates.flatMap((it) => this.#shown.get(it.node.id)?.node ?? [])
    const unlisted = candidates.length - shown.length - this.#named.length
    const isAll = isSummary ? unlisted === 0 : shown.length === candidates.length
    return { shown, named: this.#named, unlisted, isAll: isAll && this.#cut.size === 0 }
  }
}
