import { importNotes } from '../../../packs/notes/notes-import.ts'
import { z } from '../../../platform/schema.ts'
import { optional, required, withDefault } from '../input.ts'
import { operation } from '../operation.ts'
import { renderImport } from './render-import.ts'

export const notesImport = operation({
  name: 'notes import',
  examples: [
    { command: 'dossier notes import docs', purpose: 'a vault: a folder of Markdown pages' },
    {
      command: 'dossier notes import docs --workspace handbook --json',
      purpose: 'into a workspace of its own, for a program',
    },
  ],
  input: z.strictObject({
    source: required(
      z
        .string('give a file, a folder, or a URL')
        .check(z.minLength(1, 'give a file, a folder, or a URL')),
      'An export, a folder, or the URL of the Local API.',
    ),
    workspace: optional(
      z.string().check(z.minLength(1)),
      'Alias of the workspace (default: the default workspace, `main` at first).',
    ),
    replace: withDefault(z.boolean(), false, 'Replace a workspace that has another source.'),
    tanaWorkspace: optional(
      z.string().check(z.minLength(1)),
      'Id of the workspace, if the Local API has several.',
    ),
  }),
  short: { workspace: 'w' },
  positional: ['source'],
  run: importNotes,
  text: renderImport,
  succeeded: () => true,
})
