/** Vectors of notes and of topics, by the embedder that a workspace's vectors are made with. */
import type { Embedder, VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import { openEndpoint } from '../../platform/embed-endpoint.ts'
import type { World } from '../../platform/world.ts'
import type { SemanticSearch } from './context-document.ts'

export interface AskedSemantics extends SemanticSearch {
  /** What kept it from giving a vector. */
  trouble(): EngineError | undefined
}

/** More than models read of a question. */
const MOST_TEXT = 8000
/** A person waits. */
const LIMIT_MS = 20_000
const PAUSE_MS = 50

export function semanticSearch(world: World, info: VectorInfo): AskedSemantics {
  const endpoint = endpointOf(world, info)
  let trouble: EngineError | undefined
  return {
    embedder: info.model,
    async vectorOf(text) {
      try {
        const [vector = new Float32Array()] = await endpoint.embed([
          text.slice(0, MOST_TEXT).toWellFormed(),
        ])
        if (vector.length !== info.dimensions) throw anotherModel(info, vector.length)
        return vector
      } catch (error) {
        if (error instanceof EngineError && error.code !== 'POC_E_CANCELLED') trouble = error
        throw error
      }
    },
    trouble: () => trouble,
  }
}

function endpointOf({ signal }: World, { url, model }: VectorInfo): Embedder {
  return openEndpoint({ url, model, signal, limitMs: LIMIT_MS, pauseMs: PAUSE_MS })
}

export function anotherModel({ model, dimensions }: VectorInfo, length: number): EngineError {
  const message = `${model} now gives ${length} numbers, and gave ${dimensions} before`
  return new EngineError('POC_E_READ_FAILED', message, {
    hint: 'it is another model: make all vectors again with `dossier notes embed --force`',
  })
}
