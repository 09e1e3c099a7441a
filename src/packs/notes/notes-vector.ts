/** Embeds topics with the embedder that made the vectors of the workspace. */
import type { Embedder, VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import { openEndpoint } from '../../platform/embed-endpoint.ts'
import type { World } from '../../platform/world.ts'
import type { SemanticSearch } from './context-document.ts'

export interface TrackedSemanticSearch extends SemanticSearch {
  /** The error of the last request, if it failed. */
  trouble(): EngineError | undefined
}

/** Longer than what models read of a query. */
const MAX_QUERY_LENGTH = 8000
/** The user is waiting. */
const TIMEOUT_MS = 20_000
const PAUSE_MS = 50

export function createSemanticSearch(world: World, info: VectorInfo): TrackedSemanticSearch {
  const endpoint = createEmbedder(world, info)
  let trouble: EngineError | undefined
  return {
    embedder: info.model,
    async embedText(text) {
      try {
        const [vector = new Float32Array()] = await endpoint.embed([
          text.slice(0, MAX_QUERY_LENGTH).toWellFormed(),
        ])
        if (vector.length !== info.dimensions) throw createModelChangedError(info, vector.length)
        return vector
      } catch (error) {
        if (error instanceof EngineError && error.code !== 'POC_E_CANCELLED') trouble = error
        throw error
      }
    },
    trouble: () => trouble,
  }
}

function createEmbedder({ signal }: World, { url, model }: VectorInfo): Embedder {
  return openEndpoint({ url, model, signal, limitMs: TIMEOUT_MS, pauseMs: PAUSE_MS })
}

export function createModelChangedError(
  { model, dimensions }: VectorInfo,
  length: number,
): EngineError {
  const message = `${model} now returns vectors of ${length} numbers instead of ${dimensions}`
  return new EngineError('POC_E_READ_FAILED', message, {
    hint: 'the model has changed: embed all notes again with `dossier notes embed --force`',
  })
}
