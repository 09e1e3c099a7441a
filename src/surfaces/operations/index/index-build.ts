import { buildCodeIndex, type IndexOutcome } from '../../../packs/index/code-index.ts'
import { watchCodeIndex } from '../../../packs/index/watch-index.ts'
import { z } from '../../../platform/schema.ts'
import { formatBytes, formatDiagnostics, formatDuration } from '../format-values.ts'
import { optional, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
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
    watch: withDefault(z.boolean(), false, 'Keep running, and update the index as files change.'),
    force: withDefault(z.boolean(), false, 'Read all files again, and replace a damaged index.'),
    include: optional(
      z.array(z.string().check(z.minLength(1))),
      'Index only files that match a .gitignore pattern; may be repeated.',
    ),
    exclude: optional(
      z.array(z.string().check(z.minLength(1))),
      'Leave out files that match a .gitignore pattern; may be repeated.',
    ),
    maxFileBytes: optional(
      z.int().check(z.minimum(1024), z.maximum(256 * 1024 * 1024)),
      'Leave out files larger than this (default: 2 MB).',
    ),
    scip: optional(
      z.array(z.string().check(z.minLength(1))),
      'A SCIP index, which replaces our own analysis of the files in it; may be repeated (default: those used last).',
    ),
    withoutScip: withDefault(z.boolean(), false, 'Use no SCIP index, not even those used last.'),
    embed: optional(
      z.string().check(z.minLength(1)),
      'Embed the chunks: `self` learns them from the repository, a URL such as http://127.0.0.1:11434/v1 is an endpoint that computes them (key in DOSSIER_EMBED_KEY). Default: as used last.',
    ),
    embedModel: optional(z.string().check(z.minLength(1)), 'The model of the endpoint.'),
    withoutEmbed: withDefault(
      z.boolean(),
      false,
      'Do not embed the chunks, and drop existing vectors.',
    ),
    precise: withDefault(
      z.boolean(),
      false,
      'First create SCIP indexes with scip-typescript and scip-python, if they are installed outside of the repository.',
    ),
    preciseTool: optional(
      z.array(z.string().check(z.minLength(1))),
      'Like --precise, with the scip-typescript or scip-python at this path; may be repeated.',
    ),
  }),
  short: { watch: 'w', force: 'f' },
  positional: ['path'],
  run: buildCodeIndex,
  follow: (world, { watch, ...request }) => (watch ? watchCodeIndex(world, request) : undefined),
  text: renderOutcome,
  succeeded: () => true,
})

function renderOutcome(outcome: IndexOutcome, paint: Paint): string {
  const { read, removed, resolved, files, skipped } = outcome
  const gone = removed === 0 ? '' : `, ${removed} removed`
  const what =
    read + removed === 0
      ? 'nothing changed'
      : `${read} read (${formatBytes(outcome.bytes)})${gone}, ${resolved} resolved`
  const vectors = outcome.embedded === 0 ? '' : `, ${outcome.embedded} embedded`
  const head = `${paint.good('indexed')} ${files} files: ${what}${vectors}, in ${formatDuration(outcome.milliseconds)}`
  return `${[head, `  ${paint.faint(outcome.index)}`, ...formatDiagnostics(skipped, paint)].join('\n')}\n`
}
