/** The inputs that the operations on context packs share, and what of a request each one is. */

import { EngineError } from '../../../model/engine-error.ts'
import {
  DEFAULT_BUDGETS,
  HARD_CAPS,
  INTENTS,
  SEED_MODES,
  SEED_PROVIDERS,
} from '../../../model/pack-request.ts'
import type { DiffWish } from '../../../packs/context/diff-request.ts'
import type { PackWish } from '../../../packs/context/pack-request.ts'
import { inputText } from '../../../packs/input-text.ts'
import { z } from '../../../platform/schema.ts'
import type { World } from '../../../platform/world.ts'
import { optional, withDefault } from '../input.ts'
import type { wholeInput } from './whole-input.ts'

export const FORMATS = ['markdown', 'xml', 'json'] as const

export const formatInput = optional(
  z.enum(FORMATS),
  'Markdown for people and prompts, XML tags for prompts, or JSON for programs.',
)

/** For tools: the token limit applies in every format. */
export const toolFormatInput = optional(
  z.enum(FORMATS),
  'How the text is written. json: as markdown, with the whole pack in structuredContent, for programs.',
)

/** What most people want to say. */
export const packInput = {
  tokens: optional(
    z.int().check(z.minimum(1)),
    `Maximum tokens of the whole pack as Markdown or XML (${DEFAULT_BUDGETS.maxTotalTokens} if absent). JSON has the same items with all that explains them, and is longer.`,
  ),
  intent: optional(
    z.enum(INTENTS),
    'The purpose: decides which sections the pack has, and in which order (answer if absent; review for a change).',
  ),
  focus: optional(
    z.string().check(z.minLength(1), z.maxLength(4096)),
    'Center the pack on FILE, FILE:LINE, FILE:SYMBOL, the name or id of a symbol, or a chunkUid.',
  ),
  format: formatInput,
  mode: optional(z.enum(SEED_MODES), 'Search in code, in prose, or in both.'),
}

/** What a pack may be about in place of a question. */
export const diffInput = {
  diff: optional(
    z.string().check(z.maxLength(4096)),
    'Make the pack about a change: without a value, the files on disk against HEAD; a range such as main... or HEAD~3..; one revision, the files on disk against it; - a patch from standard input.',
  ),
  staged: optional(z.boolean(), 'Make the pack about what is staged for the next commit.'),
}

/** What of the input says which change the pack is about. */
export async function readDiffWish(
  world: World,
  { diff, staged, query }: Given<typeof diffInput> & { readonly query?: string | undefined },
): Promise<DiffWish | undefined> {
  if (staged === true && diff !== undefined) {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      '--diff and --staged are two different changes',
      {
        hint: 'give one of them',
      },
    )
  }
  if (staged === true) return { kind: 'staged' }
  if (diff === undefined) return undefined
  if (diff !== '-') return { kind: 'range', range: diff.trim() }
  if (query === '-') {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the query and the patch are both -', {
      hint: 'give the query as text',
    })
  }
  return { kind: 'patch', text: await inputText(world, 'a patch') }
}

export const indexInput = withDefault(
  z.boolean(),
  true,
  'Use the index without updating it; warns if files have changed since.',
)

export const seekingInput = {
  provider: optional(
    z.enum(SEED_PROVIDERS),
    'How hits are found: hybrid, or one of its retrievers alone.',
  ),
  hops: optional(
    z.int().check(z.minimum(0)),
    `How far to follow the graph from a hit (2 if absent, ${HARD_CAPS.maxHops} at most).`,
  ),
  fill: optional(z.boolean(), 'Use the whole budget, also for what is less likely to be needed.'),
  explain: withDefault(
    z.boolean(),
    false,
    'Also print the path, evidence and score of each item, beyond the token budget.',
  ),
}

type Given<Shape extends z.core.$ZodShape> = Partial<z.output<z.ZodMiniObject<Shape>>>
export type PackInput = Given<typeof packInput> &
  Given<typeof seekingInput> &
  Given<typeof wholeInput>

/** The given inputs under the names of the request; absent ones get their defaults later. */
export function toPackWish(query: string, input: PackInput): PackWish {
  const said = {
    query,
    seedMode: input.mode,
    seedProvider: input.provider,
    intent: input.intent,
    strictness: input.strictness,
    includeExplain: input.envelope,
    fill: input.fill,
    rendering: input.format === 'json' ? undefined : input.format,
    expansion: dropUndefined({
      maxHops: input.hops,
      edgeTypes: input.edgeTypes,
      direction: input.direction,
      includeSameFileNeighbors: input.sameFile,
      includeImports: input.imports === false ? false : undefined,
      includeExports: input.exports,
      includeDataflow: input.dataflow,
      requireEvidence: input.requireEvidence,
      evidenceKinds: input.evidenceKinds,
    }),
    budgets: dropUndefined({
      maxTotalTokens: input.tokens,
      maxTotalChars: input.maxTotalChars,
      maxItems: input.maxItems,
      maxItemsPerSection: input.maxItemsPerSection,
      maxBytesPerItem: input.maxBytesPerItem,
    }),
    ordering: dropUndefined({ primary: input.orderBy, stableTieBreakers: input.tieBreakers }),
  }
  return { ...dropUndefined(said), query } as PackWish
}

function dropUndefined<T extends object>(
  values: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as { readonly [K in keyof T]?: Exclude<T[K], undefined> }
}

/** A query may be a whole report with its stack trace: `-` takes it from standard input. */
export async function readQuery(world: World, query = ''): Promise<string> {
  return query === '-' ? inputText(world, 'a query') : query
}
