import { EngineError } from '../../../model/engine-error.ts'
import { syncNotes } from '../../../packs/notes/notes-sync.ts'
import { z } from '../../../platform/schema.ts'
import { optional } from '../input.ts'
import { operation } from '../operation.ts'
import { listNotesCompletions } from './notes-completions.ts'
import { renderImport } from './render-import.ts'

export const notesSync = operation({
  name: 'notes sync',
  examples: [
    { command: 'dossier notes sync', purpose: 'all workspaces' },
    { command: 'dossier notes sync main', purpose: 'one of them' },
  ],
  input: z.strictObject({
    workspace: optional(z.string().check(z.minLength(1)), 'Alias of the workspace (default: all).'),
  }),
  positional: ['workspace'],
  offers: (world) => ({ workspace: listNotesCompletions(world).workspace }),
  run: syncNotes,
  text: ({ workspaces }, paint) => workspaces.map((it) => renderImport(it, paint)).join(''),
  json: ({ workspaces, troubles }) => ({
    workspaces,
    troubles: troubles.map(({ code, message, hint }) => ({ code, message, hint })),
  }),
  succeeded: ({ troubles }) => troubles.length === 0,
  trouble: ({ troubles }) => combineErrors(troubles),
})

function combineErrors(troubles: readonly EngineError[]): EngineError | undefined {
  const [first, ...others] = troubles
  if (first === undefined || others.length === 0) return first
  return new EngineError(first.code, troubles.map((it) => it.message).join('; '), {
    hint: `sync each separately: \`dossier notes sync <alias>\``,
  })
}
