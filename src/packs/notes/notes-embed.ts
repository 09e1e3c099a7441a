/**
 * Computes vectors for the notes of a workspace. An endpoint embeds each note once, until it
 * changes. Vectors received before a failure are kept, and the next run continues from there.
 */
import { readConfig } from '../../config/config.ts'
import type { VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Note } from '../../model/note.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import { openEndpoint, parseEndpointUrl } from '../../platform/embed-endpoint.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import {
  findNotesWithoutVectors,
  type NotesFile,
  putVectors,
} from '../../store/notes/put-vectors.ts'
import { createModelChangedError } from './notes-vector.ts'
import { findWorkspace } from './notes-workspaces.ts'
import { withCopy } from './open-copies.ts'

export interface NotesEmbedRequest {
  readonly workspace?: string | undefined
  /** The URL of an endpoint; if absent, the one used last. */
  readonly embed?: string | undefined
  readonly embedModel?: string | undefined
  readonly force: boolean
}

export interface EmbedResult {
  readonly workspace: string
  readonly model: string
  readonly url: string
  readonly notes: number
  /** Number of notes embedded in this run. */
  readonly embedded: number
  readonly milliseconds: number
  /** Why the remaining notes were not embedded. */
  readonly trouble: EngineError | undefined
}

export async function embedNotes(world: World, request: NotesEmbedRequest): Promise<EmbedResult> {
  const startedAt = world.clock.now()
  const workspace = findWorkspace(world, readConfig(world), request.workspace)
  const { alias } = workspace
  return withCopy(world, workspace, async (reader) => {
    const { notes, vectors } = await reader.status()
    const info = await probeDimensions(world, chooseEndpoint(request, vectors))
    const place: NotesFile = {
      files: world.files,
      path: workspace.copy,
      signal: world.signal,
      onWait: () => world.notice(`waiting for another command that changes ${alias}`),
    }
    const done = await embedMissing(world, reader, { place, info, isAll: request.force })
    const milliseconds = world.clock.now() - startedAt
    const { model, url } = info
    return { workspace: alias, model, url, notes, ...done, milliseconds }
  })
}

function chooseEndpoint(
  { embed, embedModel: model }: NotesEmbedRequest,
  before: VectorInfo | undefined,
): VectorInfo {
  if (embed === 'self') {
    throw new EngineError(
      'POC_E_NOT_SUPPORTED',
      'the built-in word vectors are not available for notes',
      {
        hint: 'give the URL of an endpoint, such as --embed http://127.0.0.1:11434/v1',
      },
    )
  }
  const url = embed === undefined ? before?.url : parseEndpointUrl(embed)
  if (url === undefined) {
    const message = embed === undefined ? 'no embedding endpoint is given' : `${embed} is not a URL`
    throw new EngineError('POC_E_REQUEST_INVALID', message, {
      hint: 'give the URL of an endpoint with --embed, such as http://127.0.0.1:11434/v1',
    })
  }
  const name = model ?? before?.model
  if (name !== undefined) return { name: 'endpoint', model: name, dimensions: 0, url }
  throw new EngineError('POC_E_REQUEST_INVALID', `no model is given for ${url}`, {
    hint: 'name a model of the endpoint, such as --embed-model nomic-embed-text',
  })
}

/** Asks for the vector length first: the model behind the name may have changed. */
async function probeDimensions(world: World, info: VectorInfo): Promise<VectorInfo> {
  const { url, model } = info
  const [vector] = await openEndpoint({ url, model, signal: world.signal }).embed(['dossier'])
  return { ...info, dimensions: vector?.length ?? 0 }
}

/** Notes per request; each batch is stored before the next request. */
const BATCH_SIZE = 128

interface EmbedTask {
  readonly place: NotesFile
  readonly info: VectorInfo
  /** Whether notes that already have a vector are embedded again. */
  readonly isAll: boolean
}

async function embedMissing(
  world: World,
  reader: NotesReader,
  { place, info, isAll }: EmbedTask,
): Promise<Pick<EmbedResult, 'embedded' | 'trouble'>> {
  const { url, model } = info
  const endpoint = openEndpoint({ url, model, signal: world.signal })
  const missing = findNotesWithoutVectors(place, isAll ? { ...info, dimensions: -1 } : info)
  let embedded = 0
  world.progress.begin('embedding', missing.length)
  try {
    for (let at = 0; at < missing.length; at += BATCH_SIZE) {
      const some = missing.slice(at, at + BATCH_SIZE)
      const notes = new Map((await reader.notes(some.map((it) => it.id))).map((it) => [it.id, it]))
      const present = some.flatMap((it) => {
        const note = notes.get(it.id)
        return note === undefined ? [] : [{ ...it, text: buildEmbeddedText(note) }]
      })
      const found = await endpoint.embed(present.map((it) => it.text))
      const odd = found.find((it) => it.length !== info.dimensions)
      if (odd !== undefined) throw createModelChangedError(info, odd.length)
      const vectors = present.map((it, index) => ({
        id: it.id,
        version: it.version,
        vector: found[index] ?? new Float32Array(info.dimensions),
      }))
      embedded += await putVectors(place, info, vectors)
      world.progress.advance(some.length)
      await yieldToEventLoop(world)
    }
    return { embedded, trouble: undefined }
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    return { embedded, trouble: error }
  } finally {
    world.progress.end()
  }
}

/** Models ignore text beyond their window, so it is not sent. */
const MAX_TEXT_LENGTH = 2000

/** `[project] Atlas. Status: active. Search over everything.` */
export function buildEmbeddedText({ name, tags, fields, content }: Note): string {
  const said = fields.map((it) => `${it.name}: ${it.values.map((one) => one.text).join(', ')}`)
  const parts = [name, ...said, content].filter((it) => it.trim() !== '').join('. ')
  const text = `${tags.length === 0 ? '' : `[${tags.join(', ')}] `}${parts}`.trim()
  // Endpoints reject an empty text.
  return (text || '…').slice(0, MAX_TEXT_LENGTH).toWellFormed()
}
