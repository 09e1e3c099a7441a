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
  readonly section: string
  /** From least to most; each is worth more than the one before it. */
  readonly options: readonly Option[]
}

export interface Cost {
  readonly tokens: number
  readonly chars: number
}

export interface Caps extends Cost {
  readonly items: number
  readonly itemsPerSection: number
}

export interface ChoiceRequest {
  /** In the order in which they should be tried, all else being equal. */
  readonly offers: readonly Offer[]
  /** Shares of the tokens that each section may take before the others had their turn. */
  readonly sections: readonly { readonly type: string; readonly share: number }[]
  readonly caps: Caps
  /** Exact. */
  cost(offer: number, option: number): Cost
  /** Of a section's frame, when it has anything in it. */
  frame(section: string): Cost
}

export interface Choice {
  readonly offer: number
  readonly option: number
}

/** By offer. */
export function choose(request: ChoiceRequest): readonly Choice[] {
  const filling = new Filling(request)
  const steps = request.offers.flatMap((offer, at) => stepsOf(offer, at)).toSorted(DEAREST_LAST)
  for (const { type, share } of request.sections) {
    const own = steps.filter((it) => request.offers[it.offer]?.section === type)
    filling.takeEach(own, share * request.caps.tokens)
  }
  filling.takeEach(steps, Infinity)
  filling.topUp()
  return filling.choices()
}

interface Step {
  readonly offer: number
  readonly option: number
  /** What a token buys on the way from the step before. */
  readonly efficiency: number
}

const DEAREST_LAST = inOrder<Step>(
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
    for (let option = from + 1; option < offer.options.length; option += 1) {
      const to = offer.options[option]
      if (to === undefined) continue
      const efficiency = (to.worth - here.worth) / Math.max(1, to.estimate - here.estimate)
      if (best === undefined || efficiency >= best.efficiency) {
        best = { offer: at, option, efficiency }
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
  readonly #request: ChoiceRequest
  readonly #taken = new Map<number, number>()
  readonly #costs = new Map<string, Cost>()
  readonly #inSection = new Map<string, { items: number; tokens: number }>()
  #tokens = 0
  #chars = 0

  constructor(request: ChoiceRequest) {
    this.#request = request
  }

  takeEach(steps: readonly Step[], quota: number): void {
    for (const { offer, option } of steps) this.#take({ offer, option }, quota)
  }

  /** What is left over goes to whatever still fits, most detail first. */
  topUp(): void {
    for (const { type } of this.#request.sections) {
      for (const [at, offer] of this.#request.offers.entries()) {
        if (offer.section !== type) continue
        for (let option = offer.options.length - 1; option >= 0; option -= 1) {
          if (this.#take({ offer: at, option }, Infinity)) break
        }
      }
    }
  }

  choices(): readonly Choice[] {
    return [...this.#taken]
      .map(([offer, option]) => ({ offer, option }))
      .toSorted(ascending((it) => it.offer))
  }

  /** Whether it is taken now, or something better of the same offer was before. */
  #take({ offer, option }: Choice, quota: number): boolean {
    const before = this.#taken.get(offer)
    if (before !== undefined && before >= option) return true
    const { caps, offers } = this.#request
    const section = offers[offer]?.section ?? ''
    const used = this.#inSection.get(section) ?? { items: 0, tokens: 0 }
    const isNew = before === undefined
    if (isNew && (this.#taken.size >= caps.items || used.items >= caps.itemsPerSection))
      return false
    // Counting is what takes time: what cannot fit by far is not counted.
    const room = Math.min(caps.tokens - this.#tokens, quota - used.tokens)
    const about = offers[offer]?.options[option]?.estimate ?? 0
    const aboutBefore = isNew ? 0 : this.#cost(offer, before).tokens
    if (about * SURELY_LESS - aboutBefore > room) return false
    const cost = this.#cost(offer, option)
    const old = isNew ? NOTHING : this.#cost(offer, before)
    const frame = used.items === 0 ? this.#request.frame(section) : NOTHING
    const tokens = cost.tokens - old.tokens + frame.tokens
    const chars = cost.chars - old.chars + frame.chars
    if (this.#tokens + tokens > caps.tokens || this.#chars + chars > caps.chars) return false
    if (used.tokens + tokens > quota) return false
    this.#taken.set(offer, option)
    this.#tokens += tokens
    this.#chars += chars
    this.#inSection.set(section, {
      items: used.items + (isNew ? 1 : 0),
      tokens: used.tokens + tokens,
    })
    return true
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
