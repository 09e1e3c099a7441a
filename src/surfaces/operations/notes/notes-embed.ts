import { type EmbedResult, embedNotes } from '../../../packs/notes/notes-embed.ts'
import { z } from '../../../platform/schema.ts'
import { optional, withDefault } from '../input.ts'
import { operation, type Paint } from '../operation.ts'
import { inTime } from '../words.ts'
import { notesOffers } from './notes-offers.ts'
import { inThousands } from './notes-words.ts'

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
      'Alias of the workspace; the default one if absent.',
    ),
    embed: optional(
      z.string().check(z.minLength(1)),
      'Address of an endpoint that speaks the protocol of OpenAI (key in DOSSIER_EMBED_KEY). If absent, that of the last time.',
    ),
    embedModel: optional(
      z.string().check(z.minLength(1)),
      'The model that the endpoint is asked for. If absent, that of the last time.',
    ),
    force: withDefault(z.boolean(), false, 'Make all vectors again.'),
  }),
  short: { force: 'f' },
  positional: ['workspace'],
  offers: (world) => ({ workspace: notesOffers(world).workspace }),
  run: embedNotes,
  text: embedText,
  succeeded: ({ trouble }) => trouble === undefined,
  trouble: ({ trouble }) => trouble,
  json: ({ trouble, ...outcome }) => ({
    ...outcome,
    ...(trouble === undefined ? {} : { trouble: trouble.message }),
  }),
})

function embedText(outcome: EmbedResult, paint: Paint): string {
  const { workspace, embedded, notes, model, milliseconds } = outcome
  const what =
    embedded === 0 ? 'nothing changed' : `${inThousands(embedded)} of ${inThousands(notes)} notes`
  return `${paint.good('embedded')} ${paint.strong(workspace)}: ${what}, by ${model}, in ${inTime(milliseconds)}\n`
}
