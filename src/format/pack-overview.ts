/**
 * How the items of a pack relate, in a few lines at its top: chains of calls, and what tests them.
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
const LONGEST_LINE = 200

/** None where there is nothing to say. */
export function overviewLines({
  budgets,
  sections,
  relations,
}: Pick<ContextPack, 'budgets' | 'sections' | 'relations'>): readonly string[] {
  const items = sections.flatMap((it) => it.items)
  if (items.length <= FEW_ITEMS) return []
  const byUid = new Map(items.map((it) => [it.chunkUid, it]))
  const calls = relations.filter(
    ({ edgeType, from, to }) =>
      edgeType === 'call' && isNamed(byUid.get(from)) && isNamed(byUid.get(to)),
  )
  const tests = new Map<string, ContextItem>()
  for (const { from, to } of relations) {
    const test = byUid.get(from)
    if (test !== undefined && isTest(test, sections) && !tests.has(to)) tests.set(to, test)
  }
  const asked = new Set(
    sections
      .filter((it) => it.type === 'seeds')
      .flatMap((it) => it.items.map((own) => own.chunkUid)),
  )
  const chains = joinForks(findChains(items, calls, (uid) => tests.has(uid)))
  const isAsked = (chain: Chain): boolean => chain.flat().some((uid) => asked.has(uid))
  const most = Math.min(
    MOST_LINES,
    Math.max(1, Math.floor(budgets.maxTotalTokens / TOKENS_PER_LINE)),
  )
  return [...chains.filter(isAsked), ...chains.filter((it) => !isAsked(it))]
    .slice(0, most)
    .map((chain) => {
      const test = chain
        .flat()
        .map((uid) => tests.get(uid))
        .find((it) => it !== undefined)
      const names = chain.map((uids) => uids.map((uid) => nameItem(byUid.get(uid))).join(', '))
      return oneLine(`${names.join(' → ')}${test === undefined ? '' : sayTest(test)}`, LONGEST_LINE)
    })
}

/** Items one after the other; where one calls several, these are one step. */
type Chain = readonly (readonly string[])[]

/** What one item calls, and what calls nothing else, is said in one line. */
function joinForks(chains: readonly (readonly string[])[]): readonly Chain[] {
  const forks = new Map<string, string[]>()
  const joined: string[][][] = []
  for (const chain of chains) {
    const [from, to] = chain
    if (chain.length !== 2 || from === undefined || to === undefined) {
      joined.push(chain.map((uid) => [uid]))
      continue
    }
    const known = forks.get(from)
    if (known !== undefined && known.length < MOST_CALLED) known.push(to)
    else {
      const called = [to]
      forks.set(from, called)
      joined.push([[from], called])
    }
  }
  return joined
}

const MOST_CALLED = 5

/** Each begins at what none of the others calls, or at the best that is left; no call is said twice. */
function findChains(
  items: readonly ContextItem[],
  calls: readonly ItemRelation[],
  isTested: (uid: string) => boolean,
): readonly (readonly string[])[] {
  const left = new Set(calls.filter((it) => it.from !== it.to))
  const chains: string[][] = []
  const called = new Set(calls.map((it) => it.to))
  const roots = items.map((it) => it.chunkUid)
  for (const root of [...roots.filter((it) => !called.has(it)), ...roots]) {
    for (;;) {
      const chain = [root]
      for (let at = root; chain.length < LONGEST_CHAIN; ) {
        const next = [...left].find((it) => it.from === at && !chain.includes(it.to))
        if (next === undefined) break
        left.delete(next)
        chain.push(next.to)
        at = next.to
      }
      if (chain.length === 1) break
      chains.push(chain)
    }
  }
  const [first] = roots.filter(isTested)
  return chains.length > 0 || first === undefined ? chains : [[first]]
}

function isNamed(item: ContextItem | undefined): boolean {
  return item?.symbolId !== undefined
}

function isTest({ chunkUid }: ContextItem, sections: ContextPack['sections']): boolean {
  return sections.some(
    (it) => it.type === 'tests' && it.items.some((own) => own.chunkUid === chunkUid),
  )
}

function nameItem(item: ContextItem | undefined): string {
  return item?.symbolId === undefined ? '' : symbolName(item.symbolId)
}

function sayTest({ fileRelPath, lines }: ContextItem): string {
  return `; tested by ${shownPath(fileRelPath)}:${lines.start}`
}
