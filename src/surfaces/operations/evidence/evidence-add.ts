import { useFlow } from '../../../evidence/flows.ts'
import { fileName } from '../../../evidence/part-names.ts'
import { addEvidence } from '../../../packs/evidence/evidence-add.ts'
import { flowStatus } from '../../../packs/evidence/evidence-status.ts'
import { z } from '../../../platform/schema.ts'
import { optional, required, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { budgetInput, flowInput, flowToFill, totalLines, worldIn } from './flow-input.ts'

const SELECTORS = z.array(z.string().check(z.minLength(1))).check(z.minLength(1))
const OF_FILES =
  'file, file::100,200 (lines), file::100 (to the end), file::100c,500c (bytes), each with #tags; a pattern; symbol:name or symbol:file:12 (all of what stands there)'
const IN_QUOTES = 'A path with :: or # in it goes in "quotes" of its own.'

export const evidenceAdd = operation({
  name: 'evidence add',
  examples: [
    { command: 'dossier evidence add README.md', purpose: 'a whole file' },
    { command: 'dossier evidence add README.md::1,3#intro', purpose: 'lines, with a tag' },
    { command: 'dossier evidence add "*.md" --rank 300', purpose: 'all that match, as peripheral' },
    { command: 'dossier evidence add README.md --link', purpose: 'read anew at every assembly' },
  ],
  input: z.strictObject({
    selectors: required(SELECTORS, `${OF_FILES}, chunk:uid, doc:id, note:id. ${IN_QUOTES}`),
    rank: optional(z.string(), 'From 0 to 999; after all others unless given.'),
    link: withDefault(z.boolean(), false, 'Link to whole files in place of copying them.'),
    workspace: optional(z.string(), 'Which notes note:id is of.'),
    ...flowInput,
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
    const here = worldIn(world, place)
    const { flow, isNew } = flowToFill(world, place)
    const outcome = await addEvidence(here, flow, { selectors, rank, isLinked: link, workspace })
    useFlow(world, flow)
    return { ...outcome, isNew, status: await flowStatus(world, flow, { budget }) }
  },
  text({ added, present, isNew, status }, paint) {
    const tokens = new Map(status.parts.map((it) => [it.path, it.tokens]))
    const lines = [
      ...(isNew ? [`${paint.good('✓')} Flow: ${paint.strong(status.flow.id)}`] : []),
      ...added.flatMap(({ part, bytes, span, tags, note }) => [
        `${paint.good('✓')} Added evidence: ${paint.strong(fileName(part))}`,
        `  Bytes: ${bytes} (~${tokens.get(part.path) ?? 0} tokens)`,
        ...(span === 'full' ? [] : [`  Range: ${span}`]),
        ...(tags.length === 0 ? [] : [`  Tags: ${tags.join(', ')}`]),
        ...(note === undefined ? [] : [`  Note: ${note}`]),
      ]),
      ...present.map(({ name, title }) => paint.faint(`  ${title} is there already: ${name}`)),
      ...totalLines(status),
    ]
    return `${lines.join('\n')}\n`
  },
  json: ({ added, present, status }) => ({
    added: added.map(({ part, title, bytes, span, tags }) => ({
      ...part,
      title,
      bytes,
      span,
      tags,
    })),
    present,
    bytes: status.bytes,
    tokens: status.tokens,
  }),
  succeeded: () => true,
})
