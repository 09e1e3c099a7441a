/** A context pack as an answer: the pack, and the text that was asked for. */
import { firstOf } from '../../../base/text.ts'
import { packText } from '../../../format/pack-text.ts'
import type { ContextPack } from '../../../model/context-pack.ts'
import type { World } from '../../../platform/world.ts'
import type { About } from '../operation.ts'
import type { FORMATS } from './pack-input.ts'

export interface PackAnswer {
  readonly pack: ContextPack
  /** In the format that was asked for. */
  readonly text: string
  readonly format: Format | undefined
  /** Whether it was computed for this request, or had been kept. */
  readonly origin: 'made' | 'kept'
  /** Whether it is of another state of the index. */
  readonly isStale: boolean
}

type Format = (typeof FORMATS)[number]

/** What of a pack is printed is no part of the request, and so makes no other pack. */
interface Printing {
  readonly format?: Format | undefined
  readonly explain?: boolean | undefined
}

/** In its own rendering unless told: the one that its budget was counted on. */
export function shownPack(
  pack: ContextPack,
  { format, explain: explained = false }: Printing,
): string {
  if (format === 'json') return `${JSON.stringify(pack, null, 2)}\n`
  return packText(pack, format ?? pack.request.rendering, { explained })
}

/** Whoever pipes the pack on, as text or as JSON, hears that there is nothing in it. */
export function tellEmpty(world: World, { sections, stats }: ContextPack): void {
  if (sections.length > 0) return
  world.notice(
    stats.candidates === 0
      ? 'the pack is empty: nothing in the index holds a word of the query'
      : 'the pack is empty: nothing of what was found fits, or may be shown',
  )
}

/** An answer that is older than the files says so, with what was asked for or without. */
export function tellStale(world: World, changed: readonly string[]): void {
  if (changed.length === 0) return
  world.notice(
    `the pack is stale: the index is older than ${firstOf(changed)}; \`dossier index\` updates it`,
  )
}

export function answerText({ text }: PackAnswer): string {
  return text
}

/**
 * A model needs the text, within its budget. Many hosts show it nothing but the structured content
 * where there is some, and as JSON a pack takes five to eight times the tokens of its text. So there
 * is some only for a program that asks for JSON. Where the index lies is not told.
 */
export function aboutPack({ pack, format, isStale }: PackAnswer): About {
  const { packId, indexSignature, budgets, stats } = pack
  const { tokens, chars, itemsPerSection } = stats
  const stale = isStale ? '; it is older than the files' : ''
  const isWhole = format === 'json'
  const request = { ...pack.request, indexRoot: '' }
  return {
    ...(isWhole ? { text: shownPack(pack, {}), structured: { ...pack, request } } : {}),
    line: `packId ${packId}: ${tokens} of ${budgets.maxTotalTokens} tokens${stale}`,
    values: { packId, indexSignature, isStale, tokens, chars, items: { ...itemsPerSection } },
  }
}
