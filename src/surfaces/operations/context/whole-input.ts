/** The inputs that only `context-pack` has: with those that most people want, all of a request. */
import { EVIDENCE_KINDS } from '../../../model/index-record.ts'
import {
  DEFAULT_BUDGETS,
  DIRECTIONS,
  EDGE_TYPES,
  GROWING_BUDGETS,
  HARD_CAPS,
  ORDERINGS,
  STRICTNESSES,
  TIE_BREAKERS,
} from '../../../model/pack-request.ts'
import { z } from '../../../platform/schema.ts'
import { optional, withDefault } from '../input.ts'

/** Under the names of the request. */
export const wholeInput = {
  maxTotalChars: createBudgetInput('characters of the text', 'maxTotalChars'),
  maxItems: createBudgetInput('items', 'maxItems'),
  maxItemsPerSection: createBudgetInput('items of a section', 'maxItemsPerSection'),
  maxBytesPerItem: createBudgetInput('bytes of the text of an item', 'maxBytesPerItem'),
  edgeTypes: optional(
    z.array(z.enum(EDGE_TYPES)).check(z.minLength(1)),
    `Which edges to follow through code, joined by commas: ${EDGE_TYPES.join(', ')}. Tests and documents of what is found are shown whatever this lists.`,
  ),
  direction: optional(
    z.enum(DIRECTIONS),
    'Direction to follow edges: out to callees, in to callers (default: both; in for impact).',
  ),
  sameFile: optional(z.boolean(), 'Include the neighbours of a hit in its file.'),
  exports: optional(z.boolean(), 'Follow exports too: adds export to the edge types.'),
  dataflow: optional(z.boolean(), 'Follow the flow of data too: adds dataflow to the edge types.'),
  imports: withDefault(
    z.boolean(),
    true,
    'Do not follow imports: removes import from the default edge types.',
  ),
  requireEvidence: optional(
    z.boolean(),
    'Require a position in the text for every edge; with strict, drop edges without one.',
  ),
  evidenceKinds: optional(
    z.array(z.enum(EVIDENCE_KINDS)).check(z.minLength(1)),
    `What counts as evidence, joined by commas: ${EVIDENCE_KINDS.join(', ')}.`,
  ),
  orderBy: optional(z.enum(ORDERINGS), 'The first sort criterion.'),
  tieBreakers: optional(
    z.array(z.enum(TIE_BREAKERS)).check(z.minLength(1)),
    `Tie breakers, joined by commas: ${TIE_BREAKERS.join(', ')}.`,
  ),
  strictness: optional(
    z.enum(STRICTNESSES),
    'What to do about missing evidence and budgets over a hard cap.',
  ),
  envelope: withDefault(
    z.boolean(),
    true,
    'Omit explanations from the pack: score terms, and what was left out.',
  ),
}

function createBudgetInput(
  what: string,
  name: keyof typeof DEFAULT_BUDGETS,
): z.ZodMiniOptional<z.ZodMiniInt> {
  const value = DEFAULT_BUDGETS[name]
  const tokens = DEFAULT_BUDGETS.maxTotalTokens
  const most = `${HARD_CAPS[name]} at most`
  const sizes = GROWING_BUDGETS.includes(name)
    ? `${value} up to ${tokens} tokens, ${(value * 1000) / tokens} more per 1000 above; ${most}`
    : `${value} if absent, ${most}`
  return optional(z.int().check(z.minimum(1)), `Most ${what} (${sizes}).`)
}
