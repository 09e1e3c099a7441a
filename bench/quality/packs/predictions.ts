/** What a pack answers, in the form that the data's own scorer reads. */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { blockLines, blocksOf } from '../../../src/format/pack-blocks.ts'
import { packParts } from '../../../src/format/pack-text.ts'
import type { ContextPack } from '../../../src/model/context-pack.ts'
import type { CountTokens } from '../../../src/model/tokens.ts'
import { answerOf } from '../../../src/packs/eval/judge.ts'
import type { SetName, Variant } from './tasks.ts'

export interface Prediction {
  readonly id: string
  readonly set: SetName
  readonly variant: Variant
  readonly budget: number
  readonly files: readonly string[]
  readonly pack: readonly Piece[]
  /** Whether the whole budget was to be used. */
  readonly isFilled: boolean
  /** How many items are named without any text. */
  readonly named: number
  /** From query to pack. */
  readonly milliseconds: number
}

export interface Piece {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly tokens: number
}

/**
 * A piece per part of each excerpt, and one for items that touch. What a block costs as rendered
 * stands on its first part; the first piece of all has the rest besides: heads, tails, and items
 * that only have a title.
 */
export function predictionOf(
  pack: ContextPack,
  count: CountTokens,
): Pick<Prediction, 'files' | 'pack' | 'isFilled' | 'named'> {
  const parts = packParts(pack.request.rendering)
  const blocks = pack.sections.flatMap((section) => blocksOf(section.items))
  const pieces = blocks.flatMap((block) =>
    blockLines(block).map(({ start, end }, at) => ({
      path: block[0]?.fileRelPath ?? '',
      start,
      end,
      tokens: at === 0 ? count(parts.block(block)) : 0,
    })),
  )
  const rest = pack.stats.tokens - pieces.reduce((sum, it) => sum + it.tokens, 0)
  const titles = pack.sections.flatMap(({ items }) => items.filter((it) => it.excerpt.text === ''))
  return {
    isFilled: pack.request.fill,
    named: titles.length + pack.pointers.length,
    files: answerOf(pack).files,
    pack: pieces.map((it, at) => (at === 0 ? { ...it, tokens: it.tokens + rest } : it)),
  }
}

/** One file per set and budget, which `score.mjs` takes as it is. */
export function writePredictions(folder: string, predictions: readonly Prediction[]): void {
  const filled = predictions.filter((it) => it.isFilled)
  const files = Map.groupBy(filled, (it) =>
    join(folder, `predictions-${it.set}-${it.budget}.jsonl`),
  )
  for (const [file, own] of files) {
    rmSync(file, { force: true })
    for (const { id, variant, files: ranked, pack } of own) {
      const line = { id, variant: `query_${variant}`, files: ranked, pack }
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    }
  }
}
