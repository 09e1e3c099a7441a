import { type EmbedResult, embedNotes } from '../../../packs/notes/notes-embed.ts'
import { z } from '../../../platform/schema.ts'
import { formatDuration } from '../format-values.ts'
import { optional, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { listNotesCompletions } from './notes-completions.ts'
import { formatNumber } from './render-import.ts'

export const notesEmbed = operation({
  name: 'notes embed',
  examples: [
    {
      command:
        'dossier notes embed --embed http://127.0.0.1:11434/v1 --embed-model nomic-embed-text',
      purpose: 'by a model that Ollama serves',
    },
    { command: 'dossier notes embed', purpose: 'what is new since, by the same model' },
  ],
  input: z.strictObject({
    workspace: optional(
      z.string().check(z.minLength(1)),
      'Alias of the workspace (default: the default workspace).',
    ),
    embed: optional(
      z.string().check(z.minLength(1)),
      'URL of an OpenAI-compatible endpoint (key in DOSSIER_EMBED_KEY). Default: the one used last.',
    ),
    embedModel: optional(
      z.string().check(z.minLength(1)),
      'The model of the endpoint (default: the one used last).',
    ),
    force: withDefault(z.boolean(), false, 'Embed all notes again.'),
  }),
  short: { force: 'f' },
  positional: ['workspace'],
  offers: (world) => ({ workspace: listNotesCompletions(world).workspace }),
  run: embedNotes,
  text: renderOutcome,
  succeeded: ({ trouble }) => trouble === undefined,
  trouble: ({ trouble }) => trouble,
  json: ({ trouble, ...outcome }) => ({
    ...outcome,
    ...(trouble === undefined ? {} : { trouble: trouble.message }),
  }),
})

function renderOutcome(outcome: EmbedResult, paint: Paint): string {
  const { workspace, embedded, notes, model, milliseconds } = outcome
  const what =
    embedded === 0 ? 'nothing changed' : `${formatNumber(embedded)} of ${formatNumber(notes)} notes`
  return `${paint.good('embedded')} ${paint.strong(workspace)}: ${what}, by ${model}, in ${formatDuration(milliseconds)}\n`
}
