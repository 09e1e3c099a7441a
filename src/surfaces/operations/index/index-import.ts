import { type ImportOutcome, importIndex } from '../../../packs/index/index-transfer.ts'
import { z } from '../../../platform/schema.ts'
import { formatDuration } from '../format-values.ts'
import { required } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { indexDirInput, repositoryInput } from './repository-input.ts'

export const indexImport = operation({
  name: 'index import',
  examples: [
    { command: 'dossier index import .dossier/artifacts', purpose: 'into the current folder' },
  ],
  input: z.strictObject({
    folder: required(
      z.string({ error: 'give the exported folder' }).check(z.minLength(1)),
      'The exported folder; its format is detected.',
    ),
    ...repositoryInput,
    ...indexDirInput,
  }),
  positional: ['folder', 'path'],
  run: importIndex,
  text: renderOutcome,
  succeeded: () => true,
})

function renderOutcome(outcome: ImportOutcome, paint: Paint): string {
  const { files, backend, milliseconds } = outcome
  const head = `${paint.good('imported')} ${files} files from ${backend}, in ${formatDuration(milliseconds)}`
  return `${[head, `  ${paint.faint(outcome.index)}`].join('\n')}\n`
}
