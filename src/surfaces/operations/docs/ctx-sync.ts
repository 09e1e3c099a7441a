import { buildDocsPack } from '../../../packs/docs/docs-pack.ts'
import { z } from '../../../platform/schema.ts'
import { operation } from '../operation.ts'
import { createBuildJson, createBuildOutput, renderBuild } from './build-text.ts'
import { BUILD_SHORT, buildInput } from './ctx-build.ts'

/** Above this many chunks a JSON file with all texts becomes slow to load for other readers. */
const MANY_CHUNKS = 200

export const ctxSync = operation({
  name: 'ctx sync',
  examples: [
    { command: 'dossier ctx sync', purpose: 'the current folder' },
    {
      command: 'dossier ctx sync --segment docs --chunks-in sqlite',
      purpose: 'texts in the database',
    },
  ],
  input: z.strictObject(buildInput),
  short: BUILD_SHORT,
  async run(world, input) {
    const report = await buildDocsPack(world, { ...input, incremental: true })
    if (report.written && report.chunks > MANY_CHUNKS && report.chunksIn === 'json') {
      world.notice(
        `${report.chunks} chunks: \`--chunks-in sqlite\` stores the texts only in context.db and keeps the JSON small`,
      )
    }
    return createBuildOutput(report, input.dryRun)
  },
  text: renderBuild,
  json: createBuildJson,
  succeeded: () => true,
})
