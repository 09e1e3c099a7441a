/**
 * What each candidate may be shown as and what that costs, exactly, on the text as it is printed.
 * Chooses what fits; does not know what a pack says besides its items.
 */
import { changeShowings } from '../../budget/change-showings.ts'
import { type Cost, fit } from '../../budget/fit.ts'
import { tokensAround } from '../../budget/known-tokens.ts'
import { showingsOf, siteShowings, TITLE } from '../../budget/showings.ts'
import { type Block, blocksOf } from '../../format/pack-blocks.ts'
import { type PackParts, packParts } from '../../format/pack-text.ts'
import type { Candidate } from '../../model/candidate.ts'
import type { StoredChunk } from '../../model/code-index.ts'
import type {
  ContextItem,
  ContextPack,
  ContextSection,
  SectionType,
} from '../../model/context-pack.ts'
import type { AssemblyParts, Findings } from './findings.ts'
import { titleSection } from './intents.ts'
import { lineWeights, matcher } from './line-weights.ts'
import { cutForChars, type ItemOptions, itemOf, type Shown } from './pack-item.ts'
import { ADDED_FRAME, offersOf } from './pack-offers.ts'

/**
 * What a token must add at least, in the units of `pack-offers.ts`. On the open tasks a default pack
 * of 8,000 tokens then holds .89 of the changed lines of one that is filled, for .55 of its tokens.
 */
const LEAST_WORTH = 0.0004

const NOTHING: Cost = { tokens: 0, chars: 0 }

interface OfferedCandidates {
  readonly kept: readonly Candidate[]
  /** Those that are at least named. */
  readonly named: ReadonlySet<Candidate>
}

/** The offers and what they cost, counted once however often a choice is made. */
export class OfferCosts {
  readonly #findings: Findings
  readonly #parts: AssemblyParts
  readonly #texts: PackParts
  readonly #offers: ReturnType<typeof offersOf>
  readonly #items = new Map<string, ContextItem>()
  /** Of each alone. */
  readonly #costs = new Map<ContextItem, Cost>()
  readonly #chunks: ReadonlyMap<string, StoredChunk>
  readonly #frames: ReadonlyMap<string, Cost>
  readonly #head: Cost
  readonly #options: ItemOptions

  constructor(findings: Findings, parts: AssemblyParts, { kept, named }: OfferedCandidates) {
    const { request, budgets, query } = findings
    this.#findings = findings
    this.#parts = parts
    this.#options = { languageOf: findings.languageOf, maxBytes: budgets.maxBytesPerItem }
    this.#texts = packParts(request.rendering)
    const weigh = lineWeights(query.words)
    const { maxBytesPerItem: maxBytes } = budgets
    const { plan } = parts
    this.#offers = offersOf(kept, { plan, named, fill: request.fill }, (candidate) => {
      const { chunk, sites, scores, section, changes } = candidate
      if (changes !== undefined) return changeShowings(chunk, changes, { maxBytes, ...request })
      const isListed = scores.graphDistance > 1 || section === 'tests' || section === 'docs'
      if (sites !== undefined && !request.fill)
        return siteShowings(chunk, isListed ? [] : sites, maxBytes)
      if (!request.fill && !plan.isGraphFirst && candidate.via !== undefined) return [TITLE]
      return showingsOf(chunk, { matches: matcher(candidate, weigh), maxBytes })
    })
    this.#chunks = new Map(kept.map((it) => [it.chunk.uid, it.chunk]))
    this.#frames = new Map(
      parts.plan.sections.map(({ type }) => [type, this.#costOf(this.#frame(type))]),
    )
    const { indexSignature } = request
    const { confidence, changes, impact } = findings
    this.#head = this.#costOf(
      this.#texts.head({
        request,
        indexSignature,
        confidence,
        ...(changes && { changes }),
        ...(impact && { impact }),
      }),
    )
  }

  /** With what it costs, about, the head included. */
  choose(reserve: Cost): { readonly chosen: readonly Shown[]; readonly estimate: Cost } {
    const { budgets } = this.#findings
    const { choices, cost } = fit({
      offers: this.#offers,
      sections: this.#parts.plan.sections,
      leastWorth: this.#findings.request.fill || this.#parts.plan.isGraphFirst ? 0 : LEAST_WORTH,
      caps: {
        tokens: budgets.maxTotalTokens - this.#head.tokens - reserve.tokens,
        chars: budgets.maxTotalChars - this.#head.chars - reserve.chars,
        items: budgets.maxItems,
        itemsPerSection: budgets.maxItemsPerSection,
      },
      cost: (offer, option) => this.#cost(offer, option),
      saved: (offer) => this.#saved(offer),
      frame: (section) => this.#frames.get(section) ?? NOTHING,
    })
    const chosen = choices.flatMap(({ offer, option, section }) => {
      const candidate = this.#offers[offer]?.candidate
      const item = this.#item(offer, option)
      const type = this.#parts.plan.sections.find((it) => it.type === section)?.type
      if (candidate === undefined || item === undefined || type === undefined) return []
      return [{ candidate, section: type, item }]
    })
    return { chosen, estimate: total([this.#head, cost]) }
  }

  /** Exact, of the head, the items and the frames of their sections. */
  costOf(sections: readonly ContextSection[]): Cost {
    const frames = sections.map(({ type }) => this.#frames.get(type) ?? NOTHING)
    const blocks = sections.flatMap(({ items }) => blocksOf(items))
    const costs = blocks.map((block) => {
      const [first, second] = block
      return first === undefined || second !== undefined
        ? this.#costOfBlock(block)
        : this.#costOfItem(first)
    })
    return total([this.#head, ...frames, ...costs])
  }

  /** What was cut says for want of what: of tokens, unless its whole chunk would have had them. */
  withReasons(sections: readonly ContextSection[], used: Cost): readonly ContextSection[] {
    const { maxTotalTokens, maxTotalChars } = this.#findings.budgets
    const lacksChars = (item: ContextItem): boolean => {
      const { text = '', tokens = 0 } = this.#chunks.get(item.chunkUid) ?? {}
      const hidden = text.length - item.excerpt.text.length
      const hiddenTokens = (tokens * hidden) / Math.max(1, text.length)
      return used.chars + hidden > maxTotalChars && used.tokens + hiddenTokens <= maxTotalTokens
    }
    return sections.map((section) => ({
      ...section,
      items: section.items.map((it) => (lacksChars(it) ? cutForChars(it) : it)),
    }))
  }

  /** Of the parts that depend on the choice. The tokens of parts add up, so none is counted twice. */
  endsOf(pack: ContextPack): Cost {
    const ends = pack.sections.map((section) => this.#texts.sectionTail(section))
    return this.#costOf([this.#texts.overview(pack), ...ends, this.#texts.tail(pack)].join(''))
  }

  #cost(offer: number, option: number): Cost {
    const item = this.#item(offer, option)
    return item === undefined ? { tokens: Infinity, chars: Infinity } : this.#costOfItem(item)
  }

  /** The heading, but for what it adds to that of the block. */
  #saved(offer: number): Cost {
    const own = this.#offers[offer]
    if (own === undefined) return NOTHING
    const { tokens, chars } = this.#cost(offer, own.options.length - 1)
    const { chunk } = own.candidate
    return {
      tokens: Math.max(0, tokens - chunk.tokens - ADDED.tokens),
      chars: Math.max(0, chars - chunk.text.length - ADDED.chars),
    }
  }

  #item(offer: number, option: number): ContextItem | undefined {
    const key = `${offer} ${option}`
    const known = this.#items.get(key)
    if (known !== undefined) return known
    const own = this.#offers[offer]
    const showing = own?.showings[option]
    if (own === undefined || showing === undefined) return undefined
    const made = itemOf(own.candidate, showing, this.#options)
    this.#items.set(key, made)
    return made
  }

  #costOfItem(item: ContextItem): Cost {
    const known = this.#costs.get(item)
    if (known !== undefined) return known
    const made = this.#costOfBlock([item])
    this.#costs.set(item, made)
    return made
  }

  #costOfBlock(block: Block): Cost {
    const text = this.#texts.block(block)
    // Most of what is counted are whole chunks, and these were counted when they were indexed.
    const chunks = block.flatMap(({ excerpt, chunkUid }) =>
      excerpt.level === 'whole' ? (this.#chunks.get(chunkUid) ?? []) : [],
    )
    return { tokens: tokensAround(this.#parts.countTokens, text, chunks), chars: text.length }
  }

  #frame(type: SectionType): string {
    return this.#texts.sectionHead({ type, title: titleSection(this.#parts.plan, type) })
  }

  #costOf(text: string): Cost {
    return { tokens: this.#parts.countTokens(text), chars: text.length }
  }
}

/** What an item adds to the heading of its block. */
const ADDED: Cost = { tokens: ADDED_FRAME, chars: 40 }

function total(costs: readonly Cost[]): Cost {
  return {
    tokens: costs.reduce((sum, it) => sum + it.tokens, 0),
    chars: costs.reduce((sum, it) => sum + it.chars, 0),
  }
}
