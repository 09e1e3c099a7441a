import { LEAST_CHARS, MOST_CHARS } from '../../../model/docs-pack.ts'
import { buildDocsPack } from '../../../packs/docs/docs-pack.ts'
import { z } from '../../../platform/schema.ts'
import { optional, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { createBuildJson, createBuildOutput, renderBuild } from './build-text.ts'
import { SEGMENT_SHORT, segmentInput } from './segment-input.ts'

export const buildInput = {
  ...segmentInput,
  output: optional(
    z.string().check(z.minLength(1)),
    'Path of the pack (default: _ctx/context_pack.json in the segment).',
  ),
  dryRun: withDefault(z.boolean(), false, 'Show what would be written, and write nothing.'),
  force: withDefault(
    z.boolean(),
    false,
    'Replace a pack that another program or a newer version wrote.',
  ),
  chunksIn: optional(
    z.enum(['json', 'sqlite']),
    'Where to store the texts: also in the JSON file, or only in context.db.',
  ),
  maxChars: optional(
    z.int().check(z.minimum(LEAST_CHARS), z.maximum(MOST_CHARS)),
    'Largest chunk in characters; larger sections are split (6000 if absent).',
  ),
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
    return createBuildOutput(
      await buildDocsPack(world, { ...input, incremental: false }),
      input.dryRun,
    )
  },
  text: renderBuild,
  json: createBuildJson,
  succeeded: () => true,
})
