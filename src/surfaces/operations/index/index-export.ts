import { type ExportOutcome, exportIndex } from '../../../packs/index/index-transfer.ts'
import { z } from '../../../platform/schema.ts'
import { formatBytes, formatDuration } from '../format-values.ts'
import { optional, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { indexDirInput, repositoryInput } from './repository-input.ts'

export const indexExport = operation({
  name: 'index export',
  examples: [
    { command: 'dossier index export', purpose: 'as JSONL, to .dossier/artifacts' },
    { command: 'dossier index export --backend lmdb', purpose: 'to .dossier/index.lmdb' },
    { command: 'dossier index export . --to out/index', purpose: 'to a folder of your own' },
  ],
  input: z.strictObject({
    ...repositoryInput,
    ...indexDirInput,
    backend: withDefault(z.enum(['jsonl', 'lmdb']), 'jsonl', 'The format to write.'),
    to: optional(
      z.string().check(z.minLength(1)),
      'Folder to write; an existing export there is replaced.',
    ),
  }),
  positional: ['path'],
  run: exportIndex,
  text: renderOutcome,
  succeeded: () => true,
})

function renderOutcome(outcome: ExportOutcome, paint: Paint): string {
  const { files, bytes, pieces, milliseconds } = outcome
  const size = `${formatBytes(bytes)} in ${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`
  const head = `${paint.good('exported')} ${files} files: ${size}, in ${formatDuration(milliseconds)}`
  return `${[head, `  ${paint.faint(outcome.folder)}`].join('\n')}\n`
}
