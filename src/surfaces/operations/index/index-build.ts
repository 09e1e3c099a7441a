import { buildCodeIndex, type IndexOutcome } from '../../../packs/index/code-index.ts'
import { watchCodeIndex } from '../../../packs/index/watch-index.ts'
import { z } from '../../../platform/schema.ts'
import { optional, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { inBytes, inTime, listed } from '../words.ts'
import { indexDirInput, repositoryInput } from './repository-input.ts'

export const indexBuild = operation({
  name: 'index',
  examples: [
    { command: 'dossier index', purpose: 'the current folder' },
    { command: 'dossier index . --json', purpose: 'for a program' },
    { command: 'dossier index --embed self', purpose: 'with vectors, for the seeds `ann`' },
    { command: "dossier index --exclude 'fixtures/'", purpose: 'leave something out' },
  ],
  input: z.strictObject({
    ...repositoryInput,
    ...indexDirInput,
    watch: withDefault(z.boolean(), false, 'Stay, and keep the index fresh as files change.'),
    force: withDefault(
      z.boolean(),
      false,
      'Read everything again, changed or not; replace an index that is damaged.',
    ),
    include: optional(
      z.array(z.string().check(z.minLength(1))),
      'Only files that match, as in .gitignore; may be repeated.',
    ),
    exclude: optional(
      z.array(z.string().check(z.minLength(1))),
      'No files that match, as in .gitignore; may be repeated.',
    ),
    maxFileBytes: optional(
      z.int().check(z.minimum(1024), z.maximum(256 * 1024 * 1024)),
      'Larger files are left out (2 MB if absent).',
    ),
    scip: optional(
      z.array(z.string().check(z.minLength(1))),
      'A SCIP index: what it says of a file takes the place of what is guessed; may be repeated. If absent, those of the last time are used.',
    ),
    withoutScip: withDefault(
      z.boolean(),
      false,
      'Use no SCIP index, those of the last time neither.',
    ),
    embed: optional(
      z.string().check(z.minLength(1)),
      'Make vectors of the chunks: `self` learns them from the repository, an address such as http://127.0.0.1:11434/v1 is asked for them (key in DOSSIER_EMBED_KEY). If absent, as the last time.',
    ),
    embedModel: optional(
      z.string().check(z.minLength(1)),
      'The model that the endpoint is asked for.',
    ),
    withoutEmbed: withDefault(
      z.boolean(),
      false,
      'Make no vectors, and drop those of the last time.',
    ),
    precise: withDefault(
      z.boolean(),
      false,
      'First have SCIP indexes made, by scip-typescript and scip-python if they are installed outside of the repository.',
    ),
    preciseTool: optional(
      z.array(z.string().check(z.minLength(1))),
      'As --precise, with the scip-typescript or scip-python at this path, wherever it lies; may be repeated.',
    ),
  }),
  short: { watch: 'w', force: 'f' },
  positional: ['path'],
  run: buildCodeIndex,
  follow: (world, { watch, ...request }) => (watch ? watchCodeIndex(world, request) : undefined),
  text: outcomeText,
  succeeded: () => true,
})

function outcomeText(outcome: IndexOutcome, paint: Paint): string {
  const { read, removed, resolved, files, skipped } = outcome
  const gone = removed === 0 ? '' : `, ${removed} removed`
  const what =
    read + removed === 0
      ? 'nothing changed'
      : `${read} read (${inBytes(outcome.bytes)})${gone}, ${resolved} resolved`
  const vectors = outcome.embedded === 0 ? '' : `, ${outcome.embedded} embedded`
  const head = `${paint.good('indexed')} ${files} files: ${what}${vectors}, in ${inTime(outcome.milliseconds)}`
  return `${[head, `  ${paint.faint(outcome.index)}`, ...listed(skipped, paint)].join('\n')}\n`
}
