/**
 * Chooses what to show of each offer, so that the caps hold exactly and what is shown is worth
 * most: a multiple-choice knapsack, solved greedily by what each further token buys. Costs are
 * counted on the real text when something is taken; estimates only say in which order to try.
 */
import { ascending, descending, inOrder } from '../base/order.ts'

/** One way to show something. */
export interface Option {
  /** Tokens, about. */
  readonly estimate: number
  readonly worth: number
}

export interface Offer {
  /** Where it is shown, and where it is shown instead when that holds as many as it may. */
  readonly sections: readonly string[]
  /** The section whose share pays for it. */
  readonly pool: string
  /** From least to most; each is worth more than the one before it. */
  readonly options: readonly Option[]
  /** The offer that it continues: at most detail the two are shown as one, which costs less. */
  readonly follows?: number | undefined
  /** Has as much as it can before all others, up to a share of the tokens. */
  readonly isFirst?: boolean | undefined
  /** Those of an earlier turn are all tried before any gets more than the least it is worth. */
  readonly turn?: number | undefined
  /** The offer that it hangs on: it is not taken without that. */
  readonly after?: number | undefined
}

export interface Cost {
  readonly tokens: number
  readonly chars: number
}

export interface Caps extends Cost {
  readonly items: number
  readonly itemsPerSection: number
}

export interface FitRequest {
  /** In the order in which they should be tried, all else being equal. */
  readonly offers: readonly Offer[]
  /** Shares of the tokens that each section may take before the others had their turn. */
  readonly sections: readonly { readonly type: string; readonly share: number }[]
  readonly caps: Caps
  /** What a token must buy at least: below that, room is left rather than filled. */
  readonly leastWorth?: number
  /** Exact, of each alone. */
  cost(offer: number, option: number): Cost
  /** What is saved, about, where an offer stands with the one that it follows. */
  saved?(offer: number): Cost
  /** Of a section's frame, when it has anything in it. */
  frame(section: string): Cost
}

export interface Fitted {
  /** By offer. */
  readonly choices: readonly Choice[]
  /** Frames included. */
  readonly cost: Cost
}

export interface Choice {
  readonly offer: number
  readonly option: number
  /** The one where it has found a place. */
  readonly section: string
}

export function fit(request: FitRequest): Fitted {
  const filling = new Filling(request)
  const { leastWorth = 0 } = request
  const steps = request.offers
    .flatMap((offer, at) => worthwhile(stepsOf(offer, at), offer, leastWorth))
    .toSorted(DEAREST_LAST)
  filling.takeEach(
    steps.filter((it) => request.offers[it.offer]?.isFirst === true),
    FIRST_SHARE * request.caps.tokens,
  )
  for (const { type, share } of request.sections) {
    const own = steps.filter((it) => request.offers[it.offer]?.pool === type)
    filling.takeEach(own, share * request.caps.tokens)
  }
  filling.takeEach(steps, Infinity)
  if (leastWorth === 0) filling.topUp()
  return filling.choices()
}

/** All of what comes first; of what has a turn at least its first option. */
function worthwhile(steps: readonly Step[], offer: Offer, leastWorth: number): readonly Step[] {
  if (offer.isFirst === true) return steps
  const kept = steps.filter((it) => it.efficiency >= leastWorth)
  const [first] = steps
  if (kept.length > 0 || offer.turn === undefined || first === undefined) return kept
  return [{ ...first, option: 0 }]
}

/** The rest is for what surrounds those that come first. */
const FIRST_SHARE = 0.8

interface Step {
  readonly offer: number
  readonly option: number
  readonly turn: number
  /** What a token buys on the way from the step before. */
  readonly efficiency: number
}

const DEAREST_LAST = inOrder<Step>(
  ascending((it) => it.turn),
  descending((it) => it.efficiency),
  ascending((it) => it.offer),
  ascending((it) => it.option),
)

/** The options that are worth a step: each buys less per token than the one before it. */
function stepsOf(offer: Offer, at: number): readonly Step[] {
  const steps: Step[] = []
  let here: Option = { estimate: 0, worth: 0 }
  for (let from = -1; from < offer.options.length - 1; ) {
    let best: Step | undefined
    const turn = offer.turn === undefined ? 0 : from < 0 ? offer.turn : Infinity
    for (let option = from + 1; option < offer.options.length; option += 1) {
      const to = offer.options[option]
      if (to === undefined) continue
      const efficiency = (to.worth - here.worth) / Math.max(1, to.estimate - here.estimate)
      if (best === undefined || efficiency >= best.efficiency) {
        best = { offer: at, option, turn, efficiency }
      }
    }
    if (best === undefined) break
    steps.push(best)
    from = best.option
    here = offer.options[from] ?? here
  }
  return steps
}

class Filling {
  readonly #request: FitRequest
  readonly #taken = new Map<number, Choice>()
  readonly #costs = new Map<string, Cost>()
  /** The offer that follows, by the one that it follows. */
  readonly #followers = new Map<number, number>()
  /** How many are shown in each section, and what each section's share has paid for. */
  readonly #items = new Map<string, number>()
  readonly #spent = new Map<string, number>()
  #tokens = 0
  #chars = 0

  constructor(request: FitRequest) {
    this.#request = request
    for (const [at, { follows }] of request.offers.entries()) {
      if (follows !== undefined) this.#followers.set(follows, at)
    }
  }

  takeEach(steps: readonly Step[], quota: number): void {
    for (const { offer, option, turn } of steps) {
      // Whose turn it is has less rather than nothing.
      const least = this.#request.offers[offer]?.turn === turn ? 0 : option
      this.#takeMost(offer, { most: option, least }, quota)
    }
  }

  /** What is left over goes to whatever still fits, most detail first. */
  topUp(): void {
    const before = this.#taken.size
    for (const { type } of this.#request.sections) {
      for (const [at, offer] of this.#request.offers.entries()) {
        if (offer.pool !== type) continue
        this.#takeMost(at, { most: offer.options.length - 1, least: 0 }, Infinity)
      }
    }
    // Something may hang on what stands in a later section.
    const hasHung = this.#request.offers.some((it) => it.after !== undefined)
    if (hasHung && this.#taken.size > before) this.topUp()
  }

  #takeMost(
    offer: number,
    { most, least }: { readonly most: number; readonly least: number },
    quota: number,
  ): void {
    for (let option = most; option >= least; option -= 1) {
      if (this.#take(offer, option, quota)) return
    }
  }

  choices(): Fitted {
    const choices = [...this.#taken.values()].toSorted(ascending((it) => it.offer))
    return { choices, cost: { tokens: this.#tokens, chars: this.#chars } }
  }

  /** Whether it is taken now, or something better of the same offer was before. */
  #take(offer: number, option: number, quota: number): boolean {
    const before = this.#taken.get(offer)
    if (before !== undefined && before.option >= option) return true
    const own = this.#request.offers[offer]
    const section = before?.section ?? this.#placeFor(own)
    if (own === undefined || section === undefined || this.#lacks(own)) return false
    // Counting is what takes time: what cannot fit by far is not counted.
    const { caps } = this.#request
    const spent = this.#spent.get(own.pool) ?? 0
    const old = before === undefined ? NOTHING : this.#cost(offer, before.option)
    const room = Math.min(caps.tokens - this.#tokens, quota - spent)
    const saved = this.#saved({ offer, option, section })
    const least = (own.options[option]?.estimate ?? 0) * SURELY_LESS - old.tokens - saved.tokens
    if (least > room) return false
    const cost = this.#cost(offer, option)
    const items = this.#items.get(section) ?? 0
    const frame = items === 0 ? this.#request.frame(section) : NOTHING
    const tokens = cost.tokens - old.tokens + frame.tokens - saved.tokens
    const chars = cost.chars - old.chars + frame.chars - saved.chars
    if (tokens > room || this.#chars + chars > caps.chars) return false
    this.#taken.set(offer, { offer, option, section })
    this.#tokens += tokens
    this.#chars += chars
    this.#spent.set(own.pool, spent + tokens)
    this.#items.set(section, items + (before === undefined ? 1 : 0))
    return true
  }

  /** By standing with what goes before and with what goes on. */
  #saved(choice: Choice): Cost {
    const { offers, saved } = this.#request
    if (saved === undefined || !this.#isWhole(choice)) return NOTHING
    const { offer } = choice
    const before = this.#taken.get(offers[offer]?.follows ?? -1)
    const after = this.#taken.get(this.#followers.get(offer) ?? -1)
    const first = this.#isWhole(before) ? saved(offer) : NOTHING
    const second = this.#isWhole(after) ? saved(after?.offer ?? 0) : NOTHING
    return { tokens: first.tokens + second.tokens, chars: first.chars + second.chars }
  }

  #isWhole(choice: Choice | undefined): boolean {
    if (choice === undefined) return false
    return choice.option === (this.#request.offers[choice.offer]?.options.length ?? 0) - 1
  }

  #lacks({ after }: Offer): boolean {
    return after !== undefined && !this.#taken.has(after)
  }

  /** The section that has room for one more, if there is room for any. */
  #placeFor(offer: Offer | undefined): string | undefined {
    const { caps } = this.#request
    if (this.#taken.size >= caps.items) return undefined
    return offer?.sections.find((it) => (this.#items.get(it) ?? 0) < caps.itemsPerSection)
  }

  #cost(offer: number, option: number): Cost {
    const key = `${offer} ${option}`
    const known = this.#costs.get(key)
    if (known !== undefined) return known
    const made = this.#request.cost(offer, option)
    this.#costs.set(key, made)
    return made
  }
}

const NOTHING: Cost = { tokens: 0, chars: 0 }
/** An estimate is never more than twice the real cost. */
const SURELY_LESS = 0.5
