/**
 * A context pack as text. The text is the plain concatenation of parts that do not depend on each
 * other; each ends with a line break and none begins with one, so that a budget can sum what each
 * part costs. How the parts look is said in `pack-markdown.ts` and `pack-xml.ts`.
 */
import type {
  ContextPack,
  ContextSection,
  ExplainEnvelope,
  SectionType,
} from '../model/context-pack.ts'
import type { Rendering, SeedProvider } from '../model/pack-request.ts'
import { type Block, blocksOf } from './pack-blocks.ts'
import { markdownParts } from './pack-markdown.ts'
import { xmlParts } from './pack-xml.ts'

export type PackHead = Pick<
  ContextPack,
  'indexSignature' | 'request' | 'confidence' | 'changes' | 'impact'
>
export type PackOverview = Pick<ContextPack, 'budgets' | 'sections' | 'relations'>
export type PackTail = Pick<ContextPack, 'budgets' | 'explain' | 'pointers' | 'sections'>
export type SectionHead = Pick<ContextSection, 'type' | 'title'>
export type SectionTail = Pick<ContextSection, 'omitted'>

/** Each may be empty where it has nothing to say. */
export interface PackParts {
  head(pack: PackHead): string
  /** How the items relate. */
  overview(pack: PackOverview): string
  sectionHead(section: SectionHead): string
  block(items: Block): string
  sectionTail(section: SectionTail): string
  tail(pack: PackTail): string
}

export interface PartsOptions {
  /** Whether each item comes with its path and the terms of its score. */
  readonly explained?: boolean
  readonly scoring?: Scoring
}

/** What the scores of items are made of. */
export interface Scoring extends Pick<ExplainEnvelope, 'terms' | 'seedTerms'> {
  readonly seedProvider: SeedProvider
}

export const SECTION_TITLES: Readonly<Record<SectionType, string>> = {
  seeds: 'Seeds',
  callers: 'Callers',
  callees: 'Callees',
  imports: 'Imports',
  exports: 'Exports',
  usages: 'Usages',
  dataflow: 'Data flow',
  tests: 'Tests',
  docs: 'Documentation',
  related: 'Related',
}

export function packText(
  pack: ContextPack,
  rendering: Rendering,
  options: Pick<PartsOptions, 'explained'> = {},
): string {
  const { explain, request } = pack
  const scoring = explain && { ...explain, seedProvider: request.seedProvider }
  const parts = packParts(rendering, scoring === undefined ? options : { ...options, scoring })
  const sections = pack.sections.flatMap((section) => [
    parts.sectionHead(section),
    ...blocksOf(section.items).map((block) => parts.block(block)),
    parts.sectionTail(section),
  ])
  return [parts.head(pack), parts.overview(pack), ...sections, parts.tail(pack)].join('')
}

export function packParts(rendering: Rendering, options: PartsOptions = {}): PackParts {
  return rendering === 'xml' ? xmlParts(options) : markdownParts(options)
}
