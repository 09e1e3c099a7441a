import { CONTEXT_FORMATS, type WeightedQuery } from '../../../model/context-document.ts'
import { EngineError } from '../../../model/engine-error.ts'
import { buildNotesContext, type NotesContextResult } from '../../../packs/notes/notes-context.ts'
import { z } from '../../../platform/schema.ts'
import { optional, required, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { revealInput, withReveal } from '../reveal-input.ts'
import { listNotesCompletions } from './notes-completions.ts'

const DEPTH_RULE = 'must be a whole number from 1 to 5'
const TOKENS_RULE = 'must be a whole number above 0'
const NOW_RULE = 'must be a day or a time with its zone, such as 2026-01-31T12:00:00Z'
/** A day alone is its first moment in UTC; a time without a zone would be that of the machine. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

export const context = operation({
  name: 'context',
  examples: [
    { command: 'dossier context "token budget"', purpose: 'what the notes have on a topic' },
    {
      command: 'dossier context "title path" --lens planning --depth 3 --max-tokens 8000',
      purpose: 'seen as a planner would, and further around',
    },
    {
      command: 'dossier context "token budget" --with "title path^0.5" --format json',
      purpose: 'two topics in one document, the second at half weight, for a program',
    },
  ],
  input: z.strictObject({
    query: required(
      z
        .string('give a topic, or the id of a note')
        .check(z.trim(), z.minLength(1, 'give a topic, or the id of a note'), z.maxLength(100_000)),
      'Topic to search for, or the id of a note to start from.',
    ),
    depth: withDefault(
      z.int(DEPTH_RULE).check(z.minimum(1, DEPTH_RULE), z.maximum(5, DEPTH_RULE)),
      2,
      'How many links to follow (1 to 5); a lens may allow less.',
    ),
    maxTokens: withDefault(
      z.int(TOKENS_RULE).check(z.minimum(1, TOKENS_RULE)),
      4000,
      'Token budget of the whole output.',
    ),
    lens: withDefault(
      z.string().check(z.minLength(1)),
      'general',
      'What to look for: general, writing, coding, planning, meeting-prep, or a lens of the config file.',
    ),
    format: withDefault(z.enum(CONTEXT_FORMATS), 'markdown', 'Output format.'),
    includeFields: withDefault(
      z.boolean(),
      true,
      'Include field values in the context (on by default).',
    ),
    workspace: optional(
      z.string().check(z.minLength(1)),
      'Alias of the workspace (default: the default workspace).',
    ),
    with: withDefault(
      z.array(z.string().check(z.trim(), z.minLength(1))).check(z.maxLength(20)),
      [],
      'Another topic or note to blend in, with its weight after a ^; may be repeated.',
    ),
    now: optional(
      z.string().check(z.refine(isTime, NOW_RULE)),
      'The reference time for recency, such as 2026-01-31T12:00:00Z.',
    ),
    offline: withDefault(
      z.boolean(),
      false,
      'Use only the imported copy, even if Tana is running.',
    ),
    ...revealInput,
  }),
  short: { depth: 'd', maxTokens: 't', lens: 'l', workspace: 'w' },
  positional: ['query'],
  unsplit: ['with'],
  offers: (world) => ({ ...listNotesCompletions(world) }),
  jsonInput: { format: 'json' },
  tool: 'tana_context',
  toolInputs: ['query', 'depth', 'maxTokens', 'lens', 'includeFields', 'format', 'workspace'],
  run(given, { query, with: others, now, reveal, ...wish }): Promise<NotesContextResult> {
    const world = withReveal(given, reveal)
    const queries = [{ text: query, weight: 1 }, ...others.map(parseWeightedQuery)]
    return buildNotesContext(world, {
      ...wish,
      queries,
      now: now === undefined ? world.clock.recorded(world.clock.now()) : Date.parse(now),
    })
  },
  text: ({ text, isEmpty }) => (isEmpty ? '' : text),
  isExact: () => true,
  jsonText: ({ text }) => text,
  succeeded: ({ isEmpty }) => !isEmpty,
  trouble: ({ document: { meta }, isEmpty }) =>
    isEmpty
      ? new EngineError(
          'POC_E_TARGET_UNKNOWN',
          `no notes found in ${meta.workspace} for: ${meta.query}`,
          { hint: 'try other words, another --workspace, or `dossier notes sync`' },
        )
      : undefined,
})

/** A day that the month has not is another day to the parser. */
function isTime(text: string): boolean {
  if (!ISO_TIME.test(text) || Number.isNaN(Date.parse(text))) return false
  const day = text.slice(0, DATE_LENGTH)
  return new Date(Date.parse(day)).toISOString().startsWith(day)
}

const DATE_LENGTH = 10

const WEIGHT = /^(.*\S)\s*\^(\d+(?:\.\d+)?|\.\d+)$/su
const MAX_WEIGHT = 10

/** `person Y^0.5` */
function parseWeightedQuery(text: string): WeightedQuery {
  const [, topic = text, digits = '1'] = WEIGHT.exec(text) ?? []
  const weight = Number(digits)
  if (weight > 0 && weight <= MAX_WEIGHT) return { text: topic, weight }
  throw new EngineError('POC_E_REQUEST_INVALID', `--with: the weight of ${topic} is ${digits}`, {
    hint: `give a weight above 0 and at most ${MAX_WEIGHT}; the first topic has weight 1`,
  })
}
