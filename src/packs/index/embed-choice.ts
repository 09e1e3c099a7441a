/** Which embedder an index is made with: the one that is asked for, or else that of the last time. */
import { resolve } from 'node:path'
import type { Embedder, EmbedderIdentity, VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import { openEndpoint, parseEndpointUrl } from '../../platform/embed-endpoint.ts'
import type { World } from '../../platform/world.ts'
import { SELF_DIMENSIONS, SELF_MODEL } from '../../retrieve/self-vectors.ts'
import { type IndexRequest, indexOptions } from './index-options.ts'

const SELF: VectorInfo = {
  name: 'self',
  model: SELF_MODEL,
  dimensions: SELF_DIMENSIONS,
  url: '',
}

export interface LastTime {
  /** Of the index as it is. */
  readonly options: string
  readonly vectors: VectorInfo | undefined
}

/** Undefined for none. */
export async function embedderInUse(
  world: World,
  request: IndexRequest,
  lastTime: LastTime,
): Promise<VectorInfo | undefined> {
  const { embed, embedModel: model, withoutEmbed } = request
  if (withoutEmbed === true) return undefined
  if (embed === 'self') return SELF
  if (embed === undefined && model === undefined) return asBefore(world, lastTime)
  const url = embed === undefined ? lastTime.vectors?.url : parseEndpointUrl(embed)
  if (url === undefined || url === '') throw noEndpoint(world, embed)
  if (model === undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `no model is named for ${url}`, {
      hint: 'name one that the endpoint has, such as --embed-model nomic-embed-text',
    })
  }
  return withDimensions(world, { name: 'endpoint', model, dimensions: 0, url }, lastTime)
}

export function endpointOf(world: World, { url, model }: VectorInfo): Embedder {
  return openEndpoint({ url, model, signal: world.signal })
}

/** Part of the signature: where an endpoint is does not change what it says. */
export function identityOf({ name, model, dimensions }: VectorInfo): EmbedderIdentity {
  return { name, model, dimensions }
}

function asBefore(world: World, { options, vectors }: LastTime): VectorInfo | undefined {
  const { embed } = indexOptions(options)
  if (embed === undefined) return undefined
  if (embed.name === 'self') return SELF
  if (vectors?.model === embed.model && vectors.name === embed.name) return vectors
  world.notice(`vectors of ${embed.model} are gone; --embed makes them again`)
  return undefined
}

/** An endpoint that is new to the index is asked how long its vectors are, before all else. */
async function withDimensions(
  world: World,
  info: VectorInfo,
  { vectors }: LastTime,
): Promise<VectorInfo> {
  if (vectors?.name === 'endpoint' && vectors.model === info.model) {
    return { ...info, dimensions: vectors.dimensions }
  }
  const [vector] = await endpointOf(world, info).embed(['dossier'])
  return { ...info, dimensions: vector?.length ?? 0 }
}

function noEndpoint(world: World, embed: string | undefined): EngineError {
  if (embed === undefined) {
    return new EngineError('POC_E_REQUEST_INVALID', 'a model is named, but no endpoint', {
      hint: 'give its address with --embed, such as http://127.0.0.1:11434/v1',
    })
  }
  if (isFolder(world, embed)) {
    return new EngineError('POC_E_NOT_SUPPORTED', `${embed} is a folder: models are not run here`, {
      hint: 'serve the model, for example with Ollama or llama.cpp, and give the address of that',
    })
  }
  return new EngineError('POC_E_REQUEST_INVALID', `${embed} is no embedder`, {
    hint: 'give `self`, or the address of an endpoint such as http://127.0.0.1:11434/v1',
  })
}

function isFolder(world: World, path: string): boolean {
  try {
    return world.files.stat(resolve(world.workingFolder, path)).kind === 'directory'
  } catch {
    return false
  }
}
