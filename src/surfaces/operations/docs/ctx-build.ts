import { z } from 'zod'
import { buildDocsPack } from '../../../packs/docs/docs-pack.ts'
import { operation } from '../operation.ts'
import { buildOutput, buildText } from './build-text.ts'
import { SEGMENT_SHORT, segmentInput } from './segment-input.ts'

export const buildInput = {
  ...segmentInput,
  output: z
    .string()
    .min(1)
    .optional()
    .describe('Where to write the pack, when not to _ctx/context_pack.json in the segment.'),
  dryRun: z.boolean().default(false).describe('Say what would be written, and write nothing.'),
  force: z
    .boolean()
    .default(false)
    .describe('Replace a pack that another program or a newer version wrote.'),
  chunksIn: z
    .enum(['json', 'sqlite'])
    .optional()
    .describe('Where the texts live: in the JSON file as well, or in context.db alone.'),
  maxChars: z
    .int()
    .min(200)
    .max(1_000_000)
    .optional()
    .describe('Largest chunk in characters; larger sections are split (6000 if absent).'),
}

export const BUILD_SHORT = { ...SEGMENT_SHORT, output: 'o', dryRun: 'n', force: 'f' } as const

export const ctxBuild = operation({
  name: 'ctx build',
  examples: [
    { command: 'dossier ctx build', purpose: 'the current folder' },
    { command: 'dossier ctx build --segment docs --dry-run', purpose: 'look first' },
  ],
  input: z.strictObject(buildInput),
  short: BUILD_SHORT,
  async run(world, input) {
    return buildOutput(await buildDocsPack(world, { ...input, incremental: false }), input.dryRun)
  },
  text: buildText,
  succeeded: () => true,
})
