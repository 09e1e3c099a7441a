/** A wish becomes a whole request: every default filled in, nothing left to guess. */
import type { ClampedLimit } from '../../model/context-pack.ts'
import { EngineError } from '../../model/engine-error.ts'
import { EVIDENCE_KINDS } from '../../model/index-record.ts'
import {
  type Budgets,
  DEFAULT_BUDGETS,
  EDGE_TYPES,
  type EdgeType,
  type Expansion,
  type Focus,
  GROWING_BUDGETS,
  HARD_CAPS,
  type PackRequest,
} from '../../model/pack-request.ts'
import type { DiffIdentity } from '../../model/repository-diff.ts'
import { INTENT_PLANS } from './intents.ts'

export type PackWish = { readonly query: string } & Partial<
  Omit<
    PackRequest,
    'query' | 'expansion' | 'budgets' | 'ordering' | 'focus' | 'diff' | keyof IndexIdentity
  >
> & {
    readonly diff?: DiffIdentity | undefined
    readonly focus?: Focus | undefined
    readonly expansion?: Partial<Expansion> | undefined
    readonly budgets?: Partial<Budgets> | undefined
    readonly ordering?: Partial<PackRequest['ordering']> | undefined
  }

export type IndexIdentity = Pick<PackRequest, 'repoId' | 'indexRoot' | 'indexSignature'>

/** More is no question any more, and somebody would have to carry it around. */
export const LONGEST_QUERY = 1_048_576

export function packRequest(wish: PackWish, index: IndexIdentity): PackRequest {
  const focus = wish.focus ?? {}
  const { diff } = wish
  checkQuery(wish.query, focus, diff !== undefined)
  const intent = wish.intent ?? (diff === undefined ? 'answer' : 'review')
  const plan = INTENT_PLANS[intent]
  const budgets = { ...usualBudgets(wish.budgets?.maxTotalTokens), ...defined(wish.budgets) }
  const expansion: Expansion = {
    maxHops: 2,
    direction: plan.direction,
    includeSameFileNeighbors: false,
    requireEvidence: false,
    evidenceKinds: EVIDENCE_KINDS,
    ...defined(wish.expansion),
    ...resolveEdgeTypes(defined(wish.expansion), plan.edgeTypes),
  }
  for (const [name, value] of Object.entries({ ...budgets, maxHops: expansion.maxHops })) {
    checkNumber(name, value)
  }
  return {
    ...index,
    // Half a character has no canonical form.
    query: wish.query.toWellFormed(),
    seedMode: wish.seedMode ?? 'mixed',
    seedProvider: wish.seedProvider ?? 'hybrid',
    intent,
    focus,
    ...(diff === undefined ? {} : { diff }),
    expansion,
    budgets,
    ordering: {
      primary: wish.ordering?.primary ?? plan.ordering,
      stableTieBreakers: wish.ordering?.stableTieBreakers ?? [
        'fileRelPath',
        'startLine',
        'chunkUid',
      ],
    },
    strictness: wish.strictness ?? 'warn',
    includeExplain: wish.includeExplain ?? true,
    rendering: wish.rendering ?? 'markdown',
    fill: wish.fill ?? false,
  }
}

/** Who has room for more tokens has room for more items, as far as the hard caps go. */
function usualBudgets(tokens = DEFAULT_BUDGETS.maxTotalTokens): Budgets {
  const growth = Math.max(1, tokens / DEFAULT_BUDGETS.maxTotalTokens)
  const grown = GROWING_BUDGETS.map((name) => {
    const value = Math.round(DEFAULT_BUDGETS[name] * growth)
    return [name, Math.min(HARD_CAPS[name], value)] as const
  })
  return { ...DEFAULT_BUDGETS, ...Object.fromEntries(grown) }
}

const INCLUDE_FLAGS = [
  ['import', 'includeImports'],
  ['export', 'includeExports'],
  ['dataflow', 'includeDataflow'],
] as const

type EdgeChoice = Pick<Expansion, 'edgeTypes' | (typeof INCLUDE_FLAGS)[number][1]>

/**
 * The edge types and the three `include` flags, made to agree: a flag that is true adds its type, one
 * that is false removes it from the defaults. A request that lists a type and excludes it is refused.
 */
function resolveEdgeTypes(given: Partial<EdgeChoice>, defaults: readonly EdgeType[]): EdgeChoice {
  const types = new Set(given.edgeTypes ?? defaults)
  for (const [type, flag] of INCLUDE_FLAGS) {
    if (given[flag] === true) types.add(type)
    if (given[flag] !== false) continue
    if (given.edgeTypes?.includes(type) === true) throw contradiction(type, flag)
    types.delete(type)
  }
  return {
    edgeTypes: EDGE_TYPES.filter((it) => types.has(it)),
    includeImports: types.has('import'),
    includeExports: types.has('export'),
    includeDataflow: types.has('dataflow'),
  }
}

function contradiction(type: EdgeType, flag: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', `edgeTypes lists ${type}, and ${flag} is false`, {
    hint: `remove ${type} from edgeTypes, or leave ${flag} out`,
  })
}

/** The caps that hold, and which requested limits they reduced. */
export function resolvedBudgets(request: PackRequest): {
  readonly budgets: Budgets
  readonly maxHops: number
  readonly clamped: readonly ClampedLimit[]
} {
  const asked = { ...request.budgets, maxHops: request.expansion.maxHops }
  const clamped = (Object.keys(HARD_CAPS) as (keyof typeof HARD_CAPS)[])
    .filter((name) => asked[name] > HARD_CAPS[name])
    .map((name) => ({ field: name, requested: asked[name], applied: HARD_CAPS[name] }))
  const [first] = clamped
  if (first !== undefined && request.strictness === 'strict') {
    throw new EngineError(
      'POC_E_BUDGET_EXCEEDED',
      `${first.field} is ${first.requested}, and at most ${first.applied} is allowed`,
      { hint: 'ask for less, or without `strict`, which cuts it down' },
    )
  }
  const { maxHops, ...budgets } = Object.fromEntries(
    Object.entries(HARD_CAPS).map(([name, most]) => [
      name,
      Math.min(asked[name as keyof typeof asked], most),
    ]),
  ) as unknown as typeof asked
  return { budgets, maxHops, clamped }
}

function checkQuery(query: string, focus: Focus, hasDiff: boolean): void {
  const isFocused = Object.keys(focus).length > 0
  if (isFocused && hasDiff) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'a pack is about a focus or about a diff', {
      hint: 'leave one of them out',
    })
  }
  if (query.trim() === '' && !isFocused && !hasDiff) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the query is empty', {
      hint: 'say what you are looking for, or name a file or a symbol as focus, or give a diff',
    })
  }
  if (query.length > LONGEST_QUERY) {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      `the query has ${query.length} characters, and at most ${LONGEST_QUERY} are read`,
      { hint: 'send the part that says what you are looking for' },
    )
  }
}

function checkNumber(name: string, value: number): void {
  const least = name === 'maxHops' ? 0 : 1
  if (Number.isSafeInteger(value) && value >= least) return
  throw new EngineError(
    'POC_E_REQUEST_INVALID',
    `${name} is ${value}, and must be a whole number of at least ${least}`,
    { hint: 'leave it out for the default' },
  )
}

/** Without the fields that are undefined, which would hide defaults. */
function defined<T extends object>(values: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(values ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>
}
