/**
 * Questions to one open index in this process: how long each pack takes, the same as a server
 * answers it, with a look at the files first, and bare reading of its chunks.
 */
import { packText } from '../../src/format/pack-text.ts'
import type { CodeIndexReader } from '../../src/model/code-index.ts'
import type { ContextPack } from '../../src/model/context-pack.ts'
import { askForPack } from '../../src/packs/context/ask-pack.ts'
import { createContextPack } from '../../src/packs/context/context-pack.ts'
import { packRequest } from '../../src/packs/context/pack-request.ts'
import type { World } from '../../src/platform/world.ts'

/** Until the engine has compiled what is used often. */
const WARM_UP = 60

export interface Times {
  /** Milliseconds of each question: by the clock, and of the processor. */
  readonly wall: readonly number[]
  readonly cpu: readonly number[]
}

export interface WarmTimes {
  readonly packs: Times
  /** With the check that the index says what the files say, as for a call over MCP. */
  readonly checked: Times
  /** Reading as many chunks by their ids as the pack has seeds and items. */
  readonly reading: Times
  readonly chunksRead: number
}

export interface Asked {
  /** The repository that the index is of. */
  readonly folder: string
  readonly questions: readonly string[]
  readonly tokens: number
}

export async function warmTimes(
  world: World,
  index: CodeIndexReader,
  { folder, questions, tokens }: Asked,
): Promise<WarmTimes> {
  const identity = { repoId: 'corpus', indexRoot: '', indexSignature: await index.signature() }
  const packFor = async (query: string): Promise<ContextPack> => {
    const wish = { query, budgets: { maxTotalTokens: tokens } }
    const pack = await createContextPack(world, index, packRequest(wish, identity))
    packText(pack, pack.request.rendering)
    return pack
  }
  for (const query of questions.slice(0, WARM_UP)) await packFor(query)
  const shown: (readonly string[])[] = []
  const packs = await timed(questions, async (query) => {
    shown.push(chunksOf(await packFor(query)))
  })
  const answerFor = async (query: string): Promise<void> => {
    const wish = { query, budgets: { maxTotalTokens: tokens } }
    const { pack } = await askForPack(world, { path: folder, wish, isFresh: true, isKept: false })
    packText(pack, pack.request.rendering)
  }
  for (const query of questions.slice(0, WARM_UP)) await answerFor(query)
  const checked = await timed(questions, answerFor)
  const reading = await timed(shown, async (uids) => {
    await index.chunks(uids)
  })
  return { packs, checked, reading, chunksRead: shown.reduce((sum, it) => sum + it.length, 0) }
}

function chunksOf({ seeds, sections }: ContextPack): readonly string[] {
  const items = sections.flatMap((it) => it.items)
  return [...new Set([...seeds, ...items].map((it) => it.chunkUid))]
}

async function timed<T>(list: readonly T[], ask: (it: T) => Promise<void>): Promise<Times> {
  const wall: number[] = []
  const cpu: number[] = []
  for (const it of list) {
    const before = process.cpuUsage()
    const start = performance.now()
    await ask(it)
    wall.push(performance.now() - start)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
  }
  return { wall, cpu }
}

/** The value that this share of the values is at most. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
