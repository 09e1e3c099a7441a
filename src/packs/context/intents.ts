/** What each intent wants to see: which sections, in which order, with which share of the budget. */
import type { PathRole } from '../../base/path-roles.ts'
import { SECTION_TITLES } from '../../format/pack-text.ts'
import type { SectionType } from '../../model/context-pack.ts'
import type { Direction, EdgeType, Intent, Ordering } from '../../model/pack-request.ts'
import type { Understood } from '../../retrieve/understand.ts'

export interface IntentPlan {
  /** In the order of the pack. What a section leaves of its share goes to the others. */
  readonly sections: readonly { readonly type: SectionType; readonly share: number }[]
  readonly edgeTypes: readonly EdgeType[]
  /** Which way the graph is walked unless the request says another. */
  readonly direction: Direction
  readonly ordering: Ordering
  /**
   * Whether what hangs on a seed may stand before it. The walk then starts at what is meant alone,
   * what is near gets room before what is far, and nothing is shown without what it hangs on.
   */
  readonly isGraphFirst: boolean
  /** Titles of sections, where they are others than usual. */
  readonly titles?: Readonly<Partial<Record<SectionType, string>>>
}

const SEED_TYPES: readonly EdgeType[] = ['call', 'usage', 'import']

/** Sections that the table of an intent leaves out follow in this order, with what is left over. */
const REST: readonly SectionType[] = [
  'callers',
  'callees',
  'usages',
  'exports',
  'imports',
  'dataflow',
  'tests',
  'docs',
  'related',
]

/** Where tests have a section worth the name, those that share words with the question stand there. */
export function seedSection(
  { sections, isGraphFirst }: IntentPlan,
  { role, query, isFocused }: SeedPlace,
): SectionType {
  // Who leads in to the focus is what was asked for; what shares a word with the question is not.
  if (isGraphFirst && isFocused) return 'related'
  const share = sections.find((it) => it.type === 'tests')?.share ?? 0
  const isApart = !isGraphFirst && share >= LEAST_APART && !query.roles.has('test')
  return isApart && role === 'test' ? 'tests' : 'seeds'
}

const LEAST_APART = 0.1

interface SeedPlace {
  readonly role: PathRole
  readonly query: Understood
  /** Whether the request names what it is about. */
  readonly isFocused: boolean
}

export function titleSection({ titles }: IntentPlan, type: SectionType): string {
  return titles?.[type] ?? SECTION_TITLES[type]
}

export const INTENT_PLANS: Readonly<Record<Intent, IntentPlan>> = {
  answer: plan({
    seeds: 0.91,
    related: 0,
    callees: 0.03,
    callers: 0.03,
    usages: 0.01,
    docs: 0.01,
    tests: 0.01,
  }),
  summarize: plan({
    seeds: 0.6,
    related: 0,
    docs: 0.15,
    exports: 0.1,
    imports: 0.05,
    callees: 0.1,
  }),
  refactor: plan({ seeds: 0.5, related: 0, callers: 0.2, usages: 0.15, callees: 0.05, tests: 0.1 }),
  debug: plan({ seeds: 0.6, related: 0, callers: 0.13, callees: 0.13, tests: 0.1, docs: 0.04 }),
  impact: {
    ...plan({ seeds: 0.3, callers: 0.3, usages: 0.2, exports: 0.1, tests: 0.1 }),
    direction: 'in',
    ordering: 'graphDistance',
    isGraphFirst: true,
  },
  review: {
    ...plan({ seeds: 0.55, callers: 0.15, usages: 0.08, tests: 0.12, docs: 0.05, exports: 0.05 }),
    direction: 'in',
    ordering: 'graphDistance',
    isGraphFirst: true,
  },
  contract: plan({ seeds: 0.4, related: 0, exports: 0.25, usages: 0.15, tests: 0.15, docs: 0.05 }, [
    ...SEED_TYPES,
    'export',
  ]),
}

function plan(
  shares: Readonly<Partial<Record<SectionType, number>>>,
  edgeTypes: readonly EdgeType[] = SEED_TYPES,
): IntentPlan {
  const named = (Object.entries(shares) as [SectionType, number][]).map(([type, share]) => ({
    type,
    share,
  }))
  const rest = REST.filter((type) => !(type in shares)).map((type) => ({ type, share: 0 }))
  return {
    sections: [...named, ...rest],
    edgeTypes,
    direction: 'both',
    ordering: 'hybridScore',
    isGraphFirst: false,
  }
}
