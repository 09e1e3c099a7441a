import { type ImportOutcome, importIndex } from '../../../packs/index/index-transfer.ts'
import { z } from '../../../platform/schema.ts'
import { required } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { inTime } from '../words.ts'
import { indexDirInput, repositoryInput } from './repository-input.ts'

export const indexImport = operation({
  name: 'index import',
  examples: [
    { command: 'dossier index import .dossier/artifacts', purpose: 'into the current folder' },
  ],
  input: z.strictObject({
    folder: required(
      z.string({ error: 'name the folder that was exported' }).check(z.minLength(1)),
      'Folder that was exported; what it holds is recognised.',
    ),
    ...repositoryInput,
    ...indexDirInput,
  }),
  positional: ['folder', 'path'],
  run: importIndex,
  text: outcomeText,
  succeeded: () => true,
})

function outcomeText(outcome: ImportOutcome, paint: Paint): string {
  const { files, backend, milliseconds } = outcome
  const head = `${paint.good('imported')} ${files} files from ${backend}, in ${inTime(milliseconds)}`
  return `${[head, `  ${paint.faint(outcome.index)}`].join('\n')}\n`
}
