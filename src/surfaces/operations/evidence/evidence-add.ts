import { counted } from '../../../base/text.ts'
import { useFlow } from '../../../evidence/flows.ts'
import { partFileName } from '../../../evidence/part-names.ts'
import type { Diagnostic } from '../../../model/diagnostic.ts'
import { addEvidence } from '../../../packs/evidence/evidence-add.ts'
import { readFlowStatus } from '../../../packs/evidence/evidence-status.ts'
import type { UnchangedPart } from '../../../packs/evidence/evidence-update.ts'
import { z } from '../../../platform/schema.ts'
import { indexDirInput } from '../index/repository-input.ts'
import { optional, required, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import {
  applyFlowLocation,
  budgetInput,
  flowInput,
  openOrCreateFlow,
  RANK,
  renderSize,
  renderTotal,
} from './flow-input.ts'

const SELECTORS = z.array(z.string().check(z.minLength(1))).check(z.minLength(1))
const OF_FILES =
  'file, file::100,200 (lines), file::100 (to the end), file::100c,500c (bytes), each with #tags; a pattern; symbol:name or symbol:file:12 (the whole symbol there)'
const IN_QUOTES = 'Put a path that contains :: or # in "quotes".'

export const evidenceAdd = operation({
  name: 'evidence add',
  examples: [
    { command: 'dossier evidence add README.md', purpose: 'a whole file' },
    { command: 'dossier evidence add README.md::1,3#intro', purpose: 'lines, with a tag' },
    {
      command: 'dossier evidence add "docs/*.md" --rank 300',
      purpose: 'all that match, as peripheral',
    },
    { command: 'dossier evidence add SPEC.md --link', purpose: 'read again at every assembly' },
  ],
  input: z.strictObject({
    selectors: required(SELECTORS, `${OF_FILES}, chunk:uid, doc:id, note:id. ${IN_QUOTES}`),
    rank: optional(
      RANK,
      'Rank from 0 to 999, for new and existing pieces (default: new ones go last).',
    ),
    link: withDefault(z.boolean(), false, 'Link to whole files instead of copying them.'),
    workspace: optional(z.string(), 'Workspace of notes for note:id.'),
    ...flowInput,
    ...indexDirInput,
    ...budgetInput,
  }),
  positional: ['selectors'],
  tool: 'evidence_add',
  toolWhen: 'flow',
  toolInputs: ['selectors', 'rank'],
  // Notes are a person's own, and are not to be reached by way of a repository.
  toolSummary: 'Pick files, lines, bytes, symbols or documents of the repository as evidence.',
  toolShape: {
    selectors: required(SELECTORS, `${OF_FILES}, chunk:uid or doc:id. ${IN_QUOTES}`),
  },
  changes: true,
  async run(world, { budget, selectors, rank, link, workspace, ...place }) {
    const here = applyFlowLocation(world, place)
    const { flow, isNew } = openOrCreateFlow(world, place)
    const outcome = await addEvidence(here, flow, {
      selectors,
      rank: rank === undefined ? undefined : String(rank),
      isLinked: link,
      workspace,
    })
    useFlow(world, flow)
    return { ...outcome, isNew, status: await readFlowStatus(world, flow, { budget }) }
  },
  text({ added, updated, present, diagnostics, isNew, status }, paint) {
    const sizes = new Map(status.parts.map((it) => [it.path, it]))
    const sizeOf = ({ path }: { readonly path: string }) =>
      renderSize(sizes.get(path) ?? { bytes: 0, tokens: 0 })
    const lines = [
      ...(isNew ? [`${paint.good('✓')} Flow: ${paint.strong(status.flow.id)}`] : []),
      ...added.flatMap(({ part, span, tags, note }) => [
        `${paint.good('✓')} Added evidence: ${paint.strong(partFileName(part))}`,
        sizeOf(part),
        ...(span === 'full' ? [] : [`  Range: ${span}`]),
        ...(tags.length === 0 ? [] : [`  Tags: ${tags.join(', ')}`]),
        ...(note === undefined ? [] : [`  Note: ${note}`]),
      ]),
      ...updated.flatMap(({ part, rankBefore, tags, addedTags }) => [
        `${paint.good('✓')} Updated evidence: ${paint.strong(partFileName(part))}`,
        sizeOf(part),
        ...(rankBefore === undefined ? [] : [`  Rank: ${rankBefore} → ${part.rank}`]),
        ...(addedTags.length === 0
          ? []
          : [`  Tags: ${tags.join(', ')} (added: ${addedTags.join(', ')})`]),
      ]),
      ...present.flatMap((it) => renderUnchanged(it, paint)),
      ...renderLeftOut(diagnostics, paint),
      ...renderTotal(status),
    ]
    return `${lines.join('\n')}\n`
  },
  json: ({ added, updated, present, diagnostics, status }) => ({
    added: added.map(({ part, title, bytes, span, tags }) => ({
      ...part,
      title,
      bytes,
      span,
      tags,
    })),
    updated: updated.map(({ part, ...rest }) => ({ ...part, ...rest })),
    present,
    diagnostics,
    bytes: status.bytes,
    tokens: status.tokens,
    budget: status.budget,
  }),
  succeeded: () => true,
})

function renderUnchanged({ name, title, ...it }: UnchangedPart, paint: Paint): readonly string[] {
  const way = (command: string, effect: string): string =>
    paint.hasFlags ? `: \`dossier evidence ${command} ${name}\` ${effect}` : ''
  const hints = [
    ...(it.note === undefined ? [] : [it.note]),
    ...(it.state === 'skipped' ? [`it is skipped${way('toggle on', 'activates it')}`] : []),
    ...(it.hasChanged ? [`its source has changed${way('refresh', 'takes the new text')}`] : []),
  ]
  return [`  ${title} is already evidence: ${name}`, ...hints.map((hint) => `  Note: ${hint}`)].map(
    (line) => paint.faint(line),
  )
}

const MAX_LEFT_OUT = 10

function renderLeftOut(diagnostics: readonly Diagnostic[], paint: Paint): readonly string[] {
  const shown = paint.isVerbose ? diagnostics : diagnostics.slice(0, MAX_LEFT_OUT)
  const rest = diagnostics.length - shown.length
  return [
    ...shown.map((it) => `  left out: ${it.path} (${it.message})`),
    ...(rest === 0 ? [] : [`  left out: ${counted(rest, 'more file')}`]),
  ]
}
