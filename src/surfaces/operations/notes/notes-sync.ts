import { EngineError } from '../../../model/engine-error.ts'
import { syncNotes } from '../../../packs/notes/notes-sync.ts'
import { z } from '../../../platform/schema.ts'
import { optional } from '../input.ts'
import { operation } from '../operation.ts'
import { notesOffers } from './notes-offers.ts'
import { importText } from './notes-words.ts'

export const notesSync = operation({
  name: 'notes sync',
  examples: [
    { command: 'dossier notes sync', purpose: 'all workspaces' },
    { command: 'dossier notes sync main', purpose: 'one of them' },
  ],
  input: z.strictObject({
    workspace: optional(z.string().check(z.minLength(1)), 'Alias of the workspace; all if absent.'),
  }),
  positional: ['workspace'],
  offers: (world) => ({ workspace: notesOffers(world).workspace }),
  run: syncNotes,
  text: ({ workspaces }, paint) => workspaces.map((it) => importText(it, paint)).join(''),
  json: ({ workspaces, troubles }) => ({
    workspaces,
    troubles: troubles.map(({ code, message, hint }) => ({ code, message, hint })),
  }),
  succeeded: ({ troubles }) => troubles.length === 0,
  trouble: ({ troubles }) => together(troubles),
})

function together(troubles: readonly EngineError[]): EngineError | undefined {
  const [first, ...others] = troubles
  if (first === undefined || others.length === 0) return first
  return new EngineError(first.code, troubles.map((it) => it.message).join('; '), {
    hint: `see each by itself: \`dossier notes sync <alias>\``,
  })
}
