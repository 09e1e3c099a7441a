/**
 * A PackRequest as a client sends it: an object with the names of the contract, every field optional.
 * Loaded only where one is sent.
 */
import { nearest } from '../../../base/nearest.ts'
import { EngineError } from '../../../model/engine-error.ts'
import { EVIDENCE_KINDS } from '../../../model/index-record.ts'
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
} from '../../../model/pack-request.ts'
import type { PackWish } from '../../../packs/context/pack-request.ts'
import { z } from '../../../platform/schema.ts'

const text = z.optional(z.string().check(z.minLength(1)))
const flag = z.optional(z.boolean())
const number = z.optional(z.number())

const requestSchema = z.strictObject({
  query: z.optional(z.string()),
  seedMode: z.optional(z.enum(SEED_MODES)),
  seedProvider: z.optional(z.enum(SEED_PROVIDERS)),
  intent: z.optional(z.enum(INTENTS)),
  focus: z.optional(
    z.strictObject({ symbolId: text, chunkUid: text, fileRelPath: text, line: number }),
  ),
  expansion: z.optional(
    z.strictObject({
      maxHops: number,
      edgeTypes: z.optional(z.array(z.enum(EDGE_TYPES))),
      direction: z.optional(z.enum(DIRECTIONS)),
      includeSameFileNeighbors: flag,
      includeImports: flag,
      includeExports: flag,
      includeDataflow: flag,
      requireEvidence: flag,
      evidenceKinds: z.optional(z.array(z.enum(EVIDENCE_KINDS))),
    }),
  ),
  budgets: z.optional(
    z.strictObject({
      maxTotalChars: number,
      maxTotalTokens: number,
      maxItems: number,
      maxItemsPerSection: number,
      maxBytesPerItem: number,
    }),
  ),
  ordering: z.optional(
    z.strictObject({
      primary: z.optional(z.enum(ORDERINGS)),
      stableTieBreakers: z.optional(z.array(z.enum(TIE_BREAKERS))),
    }),
  ),
  strictness: z.optional(z.enum(STRICTNESSES)),
  includeExplain: flag,
  rendering: z.optional(z.enum(RENDERINGS)),
  fill: flag,
})

/** Known by the index that answers, not by who sends a request. */
const FILLED_IN: ReadonlySet<string> = new Set(['repoId', 'indexRoot', 'indexSignature', 'diff'])

/** The wish of the flat inputs with what the request adds; what both give must be the same. */
export function addRequest(wish: PackWish, request: unknown, focus?: string): PackWish {
  const sent = validateRequest(request)
  if (focus !== undefined && sent['focus'] !== undefined) throw createConflictError('request.focus')
  return merge(wish, sent, 'request') as PackWish
}

function validateRequest(request: unknown): Record<string, unknown> {
  const parsed = requestSchema.safeParse(request)
  if (parsed.success) return dropUndefined(parsed.data)
  const [issue] = parsed.error.issues
  const place = ['request', ...(issue?.path ?? []).map(String)].join('.')
  if (issue?.code !== 'unrecognized_keys')
    throw createRequestError(`${place}: ${issue?.message ?? 'not valid'}`, 'correct or omit it')
  const [key = ''] = issue.keys
  if (FILLED_IN.has(key)) throw createRequestError(`${place}.${key} cannot be given`, 'omit it')
  const names = listFields(issue.path)
  const near = nearest(key, names, 2)
  throw createRequestError(
    `${place} has no field ${key}`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `its fields: ${names.join(', ')}`,
  )
}

/** The names that an object of the request may have. */
function listFields(path: readonly PropertyKey[]): readonly string[] {
  const [first] = path
  if (first === undefined) return Object.keys(requestSchema.shape)
  const field = requestSchema.shape[first as keyof typeof requestSchema.shape]
  const { innerType } = field.def
  return 'shape' in innerType ? Object.keys(innerType.shape) : []
}

type RequestFields = Readonly<Record<string, unknown>>

function merge(before: RequestFields, added: RequestFields, place: string): RequestFields {
  const merged: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(added)) {
    const known = before[key]
    const here = `${place}.${key}`
    if (isFields(known) && isFields(value)) merged[key] = merge(known, value, here)
    else if (known === undefined || isEqual(known, value)) merged[key] = value
    else throw createConflictError(here)
  }
  return merged
}

function isFields(value: unknown): value is RequestFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** JSON has no `undefined`, but those who write JavaScript may. */
function dropUndefined(fields: RequestFields): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([key, value]) => [key, isFields(value) ? dropUndefined(value) : value]),
  )
}

function createConflictError(place: string): EngineError {
  return createRequestError(
    `${place} differs from the same input outside of the request`,
    'give it once',
  )
}

function createRequestError(message: string, hint: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', message, { hint })
}
