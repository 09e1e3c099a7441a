/**
 * How the items of a pack relate, in a few lines at its top: chains of calls, and what tests them.
 * Every arrow is a call between the two symbols that it names.
 *
 *     Reply.send → onSendHook → onSendEnd; tested by test/hooks.test.js:120
 */
import type { ContextItem, ContextPack, ItemRelation } from '../model/context-pack.ts'
import { oneLine, shownPath, symbolName } from './pack-explain.ts'

/** A reader of so few sees at once how they relate. */
const FEW_ITEMS = 3
const MOST_LINES = 6
/** Of the budget: a small pack has fewer lines. */
const TOKENS_PER_LINE = 1_300
const LONGEST_CHAIN = 5
const MOST_CALLED = 5
const LONGEST_LINE = 200

type OverviewInput = Pick<ContextPack, 'budgets' | 'sections' | 'relations'>

/** None where there is nothing to say. */
export function overviewLines({ budgets, sections, relations }: OverviewInput): readonly string[] {
  const items = sections.flatMap((it) => it.items)
  if (items.length <= FEW_ITEMS) return []
  const tests = findTests(sections, relations)
  const isTest = (uid: string): boolean =>
    sections.some((it) => it.type === 'tests' && it.items.some((own) => own.chunkUid === uid))
  const calls = relations.filter(
    ({ edgeType, from, fromSymbol, toSymbol }) =>
      edgeType === 'call' && fromSymbol !== toSymbol && !isTest(from),
  )
  const seeds = sections.filter((it) => it.type === 'seeds').flatMap((it) => it.items)
  const asked = new Set(seeds.map((it) => it.chunkUid))
  const chains = joinForks(findChains(calls)).map((chain) => ({
    chain,
    isAsked: chain.some((step) => step.some((it) => asked.has(it.uid))),
  }))
  const most = Math.max(1, Math.floor(budgets.maxTotalTokens / TOKENS_PER_LINE))
  return [...chains.filter((it) => it.isAsked), ...chains.filter((it) => !it.isAsked)]
    .slice(0, Math.min(MOST_LINES, most))
    .map(({ chain }) => sayChain(chain, tests))
}

/** A symbol, and the item that defines it. */
interface ChainLink {
  readonly symbol: string
  readonly uid: string
}

/** Steps one after the other; where a symbol calls several, these are one step. */
type Chain = readonly (readonly ChainLink[])[]

/** The first item of the tests that refers to a symbol, by symbol. */
function findTests(
  sections: ContextPack['sections'],
  relations: readonly ItemRelation[],
): ReadonlyMap<string, ContextItem> {
  const items = sections.filter((it) => it.type === 'tests').flatMap((it) => it.items)
  const byUid = new Map(items.map((it) => [it.chunkUid, it]))
  const tests = new Map<string, ContextItem>()
  for (const { from, toSymbol } of relations) {
    const test = byUid.get(from)
    if (test !== undefined && !tests.has(toSymbol)) tests.set(toSymbol, test)
  }
  return tests
}

/** Each begins at what none of the others calls, or at the first that is left; no call is said twice. */
function findChains(calls: readonly ItemRelation[]): readonly (readonly ChainLink[])[] {
  const left = new Set(calls)
  const called = new Set(calls.map((it) => it.toSymbol))
  const chains: ChainLink[][] = []
  for (const root of [...calls.filter((it) => !called.has(it.fromSymbol)), ...calls]) {
    if (!left.has(root)) continue
    const chain = [{ symbol: root.fromSymbol, uid: root.from }]
    for (let next: ItemRelation | undefined = root; next !== undefined; ) {
      left.delete(next)
      const { toSymbol, to }: ItemRelation = next
      chain.push({ symbol: toSymbol, uid: to })
      const isKnown = (it: ItemRelation): boolean =>
        chain.some((link) => link.symbol === it.toSymbol)
      next =
        chain.length >= LONGEST_CHAIN
          ? undefined
          : [...left].find((it) => it.fromSymbol === toSymbol && !isKnown(it))
    }
    chains.push(chain)
  }
  return chains
}

/** What one symbol calls, and what calls nothing else, is said in one line. */
function joinForks(chains: readonly (readonly ChainLink[])[]): readonly Chain[] {
  const forks = new Map<string, ChainLink[]>()
  const joined: ChainLink[][][] = []
  for (const chain of chains) {
    const [from, to] = chain
    if (chain.length !== 2 || from === undefined || to === undefined) {
      joined.push(chain.map((link) => [link]))
      continue
    }
    const known = forks.get(from.symbol)
    if (known !== undefined && known.length < MOST_CALLED) known.push(to)
    else {
      const step = [to]
      forks.set(from.symbol, step)
      joined.push([[from], step])
    }
  }
  return joined
}

function sayChain(chain: Chain, tests: ReadonlyMap<string, ContextItem>): string {
  const names = chain.map((step) =>
    [...new Set(step.map((it) => symbolName(it.symbol)))].join(', '),
  )
  const test = chain
    .flat()
    .map((it) => tests.get(it.symbol))
    .find((it) => it !== undefined)
  const tested =
    test === undefined ? '' : `; tested by ${shownPath(test.fileRelPath)}:${test.lines.start}`
  return oneLine(names.join(' → ') + tested, LONGEST_LINE)
}
