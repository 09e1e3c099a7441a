/**
 * Vectors for the notes of a workspace: asked of an endpoint once for each note, and kept until the
 * note changes. What was had before an endpoint fails is kept, and gone on with the next time.
 */
import { readConfig } from '../../config/config.ts'
import type { VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Note } from '../../model/note.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import { endpointUrl, openEndpoint } from '../../platform/embed-endpoint.ts'
import { breathe, type World } from '../../platform/world.ts'
import { type NotesPlace, notesWithoutVectors, putVectors } from '../../store/notes/put-vectors.ts'
import { anotherModel } from './notes-vector.ts'
import { workspaceNamed } from './notes-workspaces.ts'
import { withCopy } from './with-notes.ts'

export interface NotesEmbedRequest {
  readonly workspace?: string | undefined
  /** The address of an endpoint; that of the last time if absent. */
  readonly embed?: string | undefined
  readonly embedModel?: string | undefined
  readonly force: boolean
}

export interface EmbedOutcome {
  readonly workspace: string
  readonly model: string
  readonly url: string
  readonly notes: number
  /** How many have got a vector now. */
  readonly embedded: number
  readonly milliseconds: number
  /** What kept the rest from getting theirs. */
  readonly trouble: EngineError | undefined
}

export async function embedNotes(world: World, request: NotesEmbedRequest): Promise<EmbedOutcome> {
  const startedAt = world.clock.now()
  const workspace = workspaceNamed(world, readConfig(world), request.workspace)
  const { alias } = workspace
  return withCopy(world, workspace, async (reader) => {
    const { notes, vectors } = await reader.status()
    const info = await withDimensions(world, chosen(request, vectors))
    const place: NotesPlace = {
      files: world.files,
      path: workspace.copy,
      signal: world.signal,
      onWait: () => world.notice(`waiting for another change of ${alias}`),
    }
    const done = await embedMissing(world, reader, { place, info, isAll: request.force })
    const milliseconds = world.clock.now() - startedAt
    const { model, url } = info
    return { workspace: alias, model, url, notes, ...done, milliseconds }
  })
}

function chosen(
  { embed, embedModel: model }: NotesEmbedRequest,
  before: VectorInfo | undefined,
): VectorInfo {
  if (embed === 'self') {
    throw new EngineError('POC_E_NOT_SUPPORTED', 'notes have no vectors of their own words', {
      hint: 'give the address of an endpoint, such as --embed http://127.0.0.1:11434/v1',
    })
  }
  const url = embed === undefined ? before?.url : endpointUrl(embed)
  if (url === undefined) {
    const message = embed === undefined ? 'no endpoint is named' : `${embed} is no address`
    throw new EngineError('POC_E_REQUEST_INVALID', message, {
      hint: 'give the address of one with --embed, such as http://127.0.0.1:11434/v1',
    })
  }
  const name = model ?? before?.model
  if (name !== undefined) return { name: 'endpoint', model: name, dimensions: 0, url }
  throw new EngineError('POC_E_REQUEST_INVALID', `no model is named for ${url}`, {
    hint: 'name one that the endpoint has, such as --embed-model nomic-embed-text',
  })
}

/** How long vectors are is asked first: a model of the same name may have become another. */
async function withDimensions(world: World, info: VectorInfo): Promise<VectorInfo> {
  const { url, model } = info
  const [vector] = await openEndpoint({ url, model, signal: world.signal }).embed(['dossier'])
  return { ...info, dimensions: vector?.length ?? 0 }
}

/** So many are asked for at once, and are kept if the next are not to be had. */
const NOTES_AT_ONCE = 128

interface Embedding {
  readonly place: NotesPlace
  readonly info: VectorInfo
  /** Whether those that have one get another. */
  readonly isAll: boolean
}

async function embedMissing(
  world: World,
  reader: NotesReader,
  { place, info, isAll }: Embedding,
): Promise<Pick<EmbedOutcome, 'embedded' | 'trouble'>> {
  const { url, model } = info
  const endpoint = openEndpoint({ url, model, signal: world.signal })
  const missing = notesWithoutVectors(place, isAll ? { ...info, dimensions: -1 } : info)
  let embedded = 0
  world.progress.begin('embedding', missing.length)
  try {
    for (let at = 0; at < missing.length; at += NOTES_AT_ONCE) {
      const some = missing.slice(at, at + NOTES_AT_ONCE)
      const notes = new Map((await reader.notes(some.map((it) => it.id))).map((it) => [it.id, it]))
      const present = some.flatMap((it) => {
        const note = notes.get(it.id)
        return note === undefined ? [] : [{ ...it, text: embeddedText(note) }]
      })
      const found = await endpoint.embed(present.map((it) => it.text))
      const odd = found.find((it) => it.length !== info.dimensions)
      if (odd !== undefined) throw anotherModel(info, odd.length)
      const vectors = present.map((it, index) => ({
        id: it.id,
        edition: it.edition,
        vector: found[index] ?? new Float32Array(info.dimensions),
      }))
      embedded += await putVectors(place, info, vectors)
      world.progress.advance(some.length)
      await breathe(world)
    }
    return { embedded, trouble: undefined }
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    return { embedded, trouble: error }
  } finally {
    world.progress.end()
  }
}

/** Models read no more than their window; nobody should pay for what is cut off. */
const MOST_TEXT = 2000

/** `[project] Atlas. Status: active. Search over everything.` */
export function embeddedText({ name, tags, fields, content }: Note): string {
  const said = fields.map((it) => `${it.name}: ${it.values.map((one) => one.text).join(', ')}`)
  const parts = [name, ...said, content].filter((it) => it.trim() !== '').join('. ')
  const text = `${tags.length === 0 ? '' : `[${tags.join(', ')}] `}${parts}`.trim()
  // Endpoints refuse a text without anything in it.
  return (text || '…').slice(0, MOST_TEXT).toWellFormed()
}
