/** Validates the JSON of a context pack, which may be truncated or edited. */
import {
  CONFIDENCES,
  type ContextPack,
  DETAIL_LEVELS,
  DROP_REASONS,
  RULES,
  SECTION_TYPES,
  TRUNCATION_REASONS,
} from '../../model/context-pack.ts'
import { IMPACT_RELATIONS } from '../../model/impact.ts'
import { EVIDENCE_KINDS } from '../../model/index-record.ts'
import {
  DIRECTIONS,
  EDGE_TYPES,
  INTENTS,
  ORDERINGS,
  RENDERINGS,
  SEED_MODES,
  SEED_PROVIDERS,
  STRICTNESSES,
  TIE_BREAKERS,
} from '../../model/pack-request.ts'
import { CHANGE_STATUSES } from '../../model/repository-diff.ts'
import { z } from '../../platform/schema.ts'
import { createPackStoreError } from './pack-store-errors.ts'

/** Throws if the text is not a pack of this version; `where` is its name in the error. */
export function parseContextPack(text: string, where: string): ContextPack {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // Text that starts like JSON was truncated or edited; other text never was JSON.
    throw /^\s*\{/.test(text)
      ? createPackStoreError('corrupt', `${where} is damaged: it is not JSON`, error)
      : createPackStoreError('foreign', `${where} is not the JSON of a context pack`, error)
  }
  const head = z.object({ schema: z.literal('ContextPack') }).safeParse(value)
  if (!head.success) throw createPackStoreError('foreign', `${where} is not a context pack`)
  const version = z
    .object({ formatVersion: z.literal(1), schemaVersion: z.literal('1.0.0') })
    .safeParse(value)
  if (!version.success)
    throw createPackStoreError('version', `${where} is a context pack of another version`)
  const pack = packSchema.safeParse(value)
  if (!pack.success) {
    const [issue] = pack.error.issues
    const place = issue?.path.map(String).join('.') ?? ''
    throw createPackStoreError('corrupt', `${where} is damaged: ${place}: ${issue?.message ?? ''}`)
  }
  // The original object, with its keys in their original order.
  return value as ContextPack
}

const PATH_TYPES = [...EDGE_TYPES, 'inherit', 'mention', 'test'] as const
const count = z.int().check(z.minimum(0))
const texts = z.array(z.string())
const range = z.strictObject({ start: count, end: count })
const id = z.string().check(z.minLength(1))

const budgets = {
  maxTotalChars: count,
  maxTotalTokens: count,
  maxItems: count,
  maxItemsPerSection: count,
  maxBytesPerItem: count,
}

const requestSchema = z.strictObject({
  repoId: z.string(),
  indexRoot: z.string(),
  indexSignature: z.string(),
  query: z.string(),
  seedMode: z.enum(SEED_MODES),
  seedProvider: z.enum(SEED_PROVIDERS),
  intent: z.enum(INTENTS),
  focus: z.strictObject({
    symbolId: z.exactOptional(id),
    chunkUid: z.exactOptional(id),
    fileRelPath: z.exactOptional(id),
    line: z.exactOptional(z.int().check(z.minimum(1))),
  }),
  diff: z.exactOptional(
    z.strictObject({ source: z.string(), sha256: z.string(), base: z.string() }),
  ),
  expansion: z.strictObject({
    maxHops: count,
    edgeTypes: z.array(z.enum(EDGE_TYPES)),
    direction: z.enum(DIRECTIONS),
    includeSameFileNeighbors: z.boolean(),
    includeImports: z.boolean(),
    includeExports: z.boolean(),
    includeDataflow: z.boolean(),
    requireEvidence: z.boolean(),
    evidenceKinds: z.array(z.enum(EVIDENCE_KINDS)),
  }),
  budgets: z.strictObject(budgets),
  ordering: z.strictObject({
    primary: z.enum(ORDERINGS),
    stableTieBreakers: z.array(z.enum(TIE_BREAKERS)),
  }),
  strictness: z.enum(STRICTNESSES),
  includeExplain: z.boolean(),
  rendering: z.enum(RENDERINGS),
  fill: z.boolean(),
})

const item = {
  kind: z.enum(['chunk', 'symbol']),
  symbolId: z.exactOptional(id),
  chunkUid: id,
  fileRelPath: id,
  range,
  lines: range,
  languageId: z.string(),
  title: z.string(),
  scores: z.strictObject({
    seedScore: z.number(),
    graphDistance: count,
    evidenceScore: z.number(),
    hybridScore: z.number(),
  }),
  excerpt: z.strictObject({
    text: z.string(),
    level: z.enum(DETAIL_LEVELS),
    parts: z.array(z.strictObject({ range, lines: range })),
    truncated: z.boolean(),
    truncation: z.exactOptional(
      z.strictObject({ maxBytes: count, reason: z.enum(TRUNCATION_REASONS) }),
    ),
    redacted: z.exactOptional(count),
  }),
  why: z.strictObject({
    rule: z.enum(RULES),
    path: z.array(
      z.strictObject({ edgeType: z.enum(PATH_TYPES), from: id, to: id, evidenceId: id }),
    ),
    evidence: z.array(
      z.strictObject({
        kind: z.enum(EVIDENCE_KINDS),
        evidenceId: id,
        confidence: z.number(),
        fileRelPath: z.string(),
        line: count,
      }),
    ),
    reasons: texts,
  }),
  changes: z.exactOptional(
    z.strictObject({
      lines: z.array(range),
      others: z.array(z.strictObject({ before: count, count, lines: texts })),
      isPending: z.boolean(),
    }),
  ),
}

const changesSchema = z.strictObject({
  source: z.string(),
  counts: z.strictObject({
    files: count,
    symbols: count,
    addedLines: count,
    removedLines: count,
    referrers: count,
    together: count,
    commits: count,
  }),
  files: z.array(
    z.strictObject({
      path: z.string(),
      oldPath: z.exactOptional(z.string()),
      status: z.enum(CHANGE_STATUSES),
      addedLines: count,
      removedLines: count,
      symbols: texts,
      removedNames: texts,
      notes: texts,
    }),
  ),
  referrers: z.array(
    z.strictObject({
      path: z.string(),
      lines: z.array(count),
      name: z.string(),
      to: z.string(),
      isRemoved: z.boolean(),
    }),
  ),
  together: z.array(
    z.strictObject({ path: z.string(), with: z.string(), together: count, of: count }),
  ),
  notes: texts,
})

const termsSchema = z.record(
  z.string(),
  z.array(z.strictObject({ name: z.string(), value: z.number() })),
)

const explainSchema = z.strictObject({
  query: z.strictObject({ words: texts, identifiers: texts, paths: texts, phrases: texts }),
  terms: termsSchema,
  seedTerms: termsSchema,
  evidenceGaps: z.array(z.strictObject({ chunkUid: id, step: count })),
  leftOut: z.array(
    z.strictObject({
      chunkUid: id,
      symbolId: z.exactOptional(id),
      fileRelPath: z.string(),
      lines: range,
      title: z.string(),
      reason: z.enum(DROP_REASONS),
      of: z.exactOptional(id),
    }),
  ),
  notes: texts,
})

const impactList = z.strictObject({
  count,
  isCut: z.boolean(),
  places: z.array(
    z.strictObject({
      path: z.string(),
      lines: z.array(count),
      name: z.string(),
      depth: count,
      relation: z.enum(IMPACT_RELATIONS),
      through: z.exactOptional(z.string()),
    }),
  ),
  more: z.array(z.strictObject({ path: z.string(), count })),
})

const impactSchema = z.strictObject({
  of: z.string(),
  callers: impactList,
  tests: impactList,
  possible: impactList,
})

/** Typed by the model: a field that is added there and missing here does not compile. */
const packSchema: z.ZodMiniType<ContextPack> = z.strictObject({
  formatVersion: z.literal(1),
  schema: z.literal('ContextPack'),
  schemaVersion: z.literal('1.0.0'),
  indexSignature: z.string(),
  packId: id,
  createdAt: z.string(),
  request: requestSchema,
  budgets: z.strictObject({
    ...budgets,
    clamped: z.array(
      z.strictObject({ field: z.string(), requested: z.number(), applied: z.number() }),
    ),
  }),
  confidence: z.strictObject({
    level: z.enum(CONFIDENCES),
    likelihood: z.number(),
    unknown: texts,
  }),
  impact: z.exactOptional(impactSchema),
  changes: z.exactOptional(changesSchema),
  seeds: z.array(z.strictObject({ ...item, vector: z.record(z.string(), z.number()) })),
  sections: z.array(
    z.strictObject({
      type: z.enum(SECTION_TYPES),
      title: z.string(),
      items: z.array(z.strictObject(item)),
      omitted: z.array(z.strictObject({ reason: z.enum(DROP_REASONS), count })),
    }),
  ),
  relations: z.array(
    z.strictObject({
      from: id,
      to: id,
      edgeType: z.enum(PATH_TYPES),
      fromSymbol: id,
      toSymbol: id,
      evidenceId: id,
      line: count,
    }),
  ),
  pointers: z.array(z.strictObject(item)),
  explain: z.exactOptional(explainSchema),
  stats: z.strictObject({
    itemsPerSection: z.partialRecord(z.enum(SECTION_TYPES), count),
    dropped: z.record(z.enum(DROP_REASONS), count),
    maxHop: count,
    candidates: count,
    edgesWalked: count,
    tokens: count,
    chars: count,
    timings: z.record(z.string(), z.number()),
  }),
})
