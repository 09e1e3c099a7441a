import { z } from 'zod'
import { importNotes } from '../../../packs/notes/notes-import.ts'
import { operation } from '../operation.ts'
import { importText } from './notes-words.ts'

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
    source: z
      .string('name a file, a folder, or a URL')
      .min(1, 'name a file, a folder, or a URL')
      .describe('An export, a folder, or the address of the Local API.'),
    workspace: z
      .string()
      .min(1)
      .optional()
      .describe('Alias of the workspace; the default one if absent, `main` at first.'),
    replace: z
      .boolean()
      .default(false)
      .describe('Take the place of a workspace that has another source.'),
    tanaWorkspace: z
      .string()
      .min(1)
      .optional()
      .describe('Id of the workspace, where the Local API has several.'),
  }),
  short: { workspace: 'w' },
  positional: ['source'],
  run: importNotes,
  text: importText,
  succeeded: () => true,
})
