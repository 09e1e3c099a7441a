/** One tool on the tasks of one repository: what its answers hold, and how long they took. */
import type { CountTokens } from '../../../src/model/tokens.ts'
import { linesOf } from '../../../src/packs/eval/changed-lines.ts'
import { judge } from '../../quality/packs/judge.ts'
import type { PackTask } from '../../quality/packs/tasks.ts'
import { CheckoutText } from './checkout-text.ts'
import { firstTokens } from './cut.ts'
import type { Place } from './pieces.ts'
import { timedRun } from './timed-run.ts'
import { type PackReading, type PackTool, QUIET } from './tools.ts'

export interface Found {
  readonly id: string
  readonly repo: string
  readonly reading: string
  /** Of the lines that were to be found, how many there are and which share is there. */
  readonly gold: number
  readonly share: number
  readonly tokens: number
}

export interface Timing {
  readonly repo: string
  readonly tool: string
  readonly wallMs: number
  readonly cpuMs: number
}

export interface Answers {
  readonly found: readonly Found[]
  readonly timings: readonly Timing[]
  /** What the tool gave for each task, to be compared. */
  readonly texts: ReadonlyMap<string, string>
}

export interface Ask {
  readonly folder: string
  readonly home: string
  readonly tasks: readonly PackTask[]
  readonly tokens: number
  readonly count: CountTokens
}

export async function answersOf(tool: PackTool, ask: Ask): Promise<Answers> {
  const { folder, home, tasks, tokens, count } = ask
  const checkout = new CheckoutText(folder)
  const found: Found[] = []
  const timings: Timing[] = []
  const texts = new Map<string, string>()
  for (const task of tasks) {
    tool.forget?.(folder)
    const run = await timedRun(tool.ask(queryOf(task)), { cwd: folder, env: envOf(home) })
    const { repo, id } = task
    timings.push({ repo, tool: tool.name, wallMs: run.wallMs, cpuMs: run.cpuMs })
    const text = tool.output?.(folder) ?? run.stdout
    texts.set(id, text)
    const cut = firstTokens(text, tokens, count)
    for (const reading of tool.readings) {
      const places = placesOf(reading, { cut, checkout, tokens, count })
      const { share, gold } = judged(task, places)
      found.push({ id, repo, reading: reading.name, gold, share, tokens: count(text) })
    }
  }
  return { found, timings, texts }
}

/** With a home of its own for what a tool keeps there. */
export function envOf(home: string): Readonly<Record<string, string>> {
  return { ...QUIET, HOME: home }
}

export function queryOf(task: PackTask): string {
  return task.queries.get('raw') ?? ''
}

interface Cut {
  readonly cut: string
  readonly checkout: CheckoutText
  readonly tokens: number
  readonly count: CountTokens
}

function placesOf(
  { read, next }: PackReading,
  { cut, checkout, tokens, count }: Cut,
): readonly Place[] {
  const places = [...read(cut, checkout)]
  let left = tokens - count(cut)
  for (const { path, start, end } of next?.(cut, checkout) ?? []) {
    const text = checkout
      .lines(path)
      .slice(start - 1, end)
      .join('\n')
    const shown = firstTokens(text, left, count)
    left -= count(shown)
    places.push({ path, start, end: start + shown.split('\n').length - 1 })
    if (shown !== text) break
  }
  return places
}

/** By the scorer of the quality bench; what is beyond the budget has been cut off already. */
function judged(task: PackTask, places: readonly Place[]): { share: number; gold: number } {
  const pack = places.map((it) => ({ ...it, tokens: 0 }))
  const files = [...new Set(places.map((it) => it.path))]
  const { lineRec } = judge(task, { files, pack, budget: 0 })
  const gold = task.gold.reduce((sum, { ranges }) => sum + linesOf(ranges).length, 0)
  return { share: lineRec, gold }
}
