/** A context pack as an answer: the pack, and its text in the requested format. */
import { joinFirst } from '../../../base/text.ts'
import { packText } from '../../../format/pack-text.ts'
import type { ContextPack } from '../../../model/context-pack.ts'
import type { World } from '../../../platform/world.ts'
import type { ToolExtras } from '../operation.ts'
import type { FORMATS } from './pack-input.ts'

export interface PackAnswer {
  readonly pack: ContextPack
  /** In the requested format. */
  readonly text: string
  readonly format: Format | undefined
  /** Whether it was built for this request, or was stored. */
  readonly origin: 'made' | 'kept'
  /** Whether it belongs to another state of the index. */
  readonly isStale: boolean
}

type Format = (typeof FORMATS)[number]

/** Print options are not part of the request, so they do not change the pack. */
interface PrintOptions {
  readonly format?: Format | undefined
  readonly explain?: boolean | undefined
}

/** In its own rendering unless told: the one that its budget was counted on. */
export function renderPack(
  pack: ContextPack,
  { format, explain: explained = false }: PrintOptions,
): string {
  if (format === 'json') return `${JSON.stringify(pack, null, 2)}\n`
  return packText(pack, format ?? pack.request.rendering, { explained })
}

/** A notice on stderr, also if the pack is piped as text or JSON. */
export function noticeEmpty(world: World, { sections, stats, changes }: ContextPack): void {
  if (sections.length > 0) return
  if (changes !== undefined) {
    if (changes.counts.files === 0) world.notice('the pack is empty: nothing has changed')
    return
  }
  world.notice(
    stats.candidates === 0
      ? 'the pack is empty: the index contains no word of the query'
      : 'the pack is empty: no result fits the budget or may be shown',
  )
}

/** A notice if the answer is older than the files. */
export function noticeStale(world: World, changed: readonly string[]): void {
  if (changed.length === 0) return
  world.notice(
    `the pack is stale: the index is older than ${joinFirst(changed)}; \`dossier index\` updates it`,
  )
}

export function getAnswerText({ text }: PackAnswer): string {
  return text
}

/**
 * A model needs the text, within its budget. Many hosts show it nothing but the structured content
 * where there is some, and as JSON a pack takes five to eight times the tokens of its text. So there
 * is some only for a program that asks for JSON. Where the index lies is not told.
 */
export function describePack({ pack, format, isStale }: PackAnswer): ToolExtras {
  const { packId, indexSignature, budgets, stats } = pack
  const { tokens, chars, itemsPerSection } = stats
  const stale = isStale ? '; it is older than the files' : ''
  const isWhole = format === 'json'
  const request = { ...pack.request, indexRoot: '' }
  return {
    ...(isWhole ? { text: renderPack(pack, {}), structured: { ...pack, request } } : {}),
    line: `packId ${packId}: ${tokens} of ${budgets.maxTotalTokens} tokens${stale}`,
    values: { packId, indexSignature, isStale, tokens, chars, items: { ...itemsPerSection } },
  }
}
