/**
 * Vectors for the chunks of an index, as the last step before a commit. Those of an endpoint are
 * asked for once for each chunk. Those of `self` hang on the whole text, so they are learned again
 * with every change: an index that was updated must say what one built anew says.
 */
import { scaleToBytes } from '../../base/byte-vectors.ts'
import type { CodeIndexWriter, VectorWriter } from '../../model/code-index.ts'
import type { VectorInfo } from '../../model/embedder.ts'
import { EngineError } from '../../model/engine-error.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { learnVectors, SELF_DIMENSIONS } from '../../retrieve/self-vectors.ts'
import { endpointOf } from './embed-choice.ts'
import { wordMatrix } from './word-matrix.ts'

export interface Embedded {
  /** Whether there is anything to commit. */
  readonly isChanged: boolean
  /** How many chunks got a vector that was not known before. */
  readonly chunks: number
  /** What kept the rest from getting theirs. What is there can be committed, and is gone on with. */
  readonly trouble: EngineError | undefined
}

const NOTHING: Embedded = { isChanged: false, chunks: 0, trouble: undefined }

export async function embedChunks(
  world: World,
  writer: CodeIndexWriter,
  info: VectorInfo | undefined,
): Promise<Embedded> {
  const vectors = writer.vectors()
  const before = vectors.info()
  if (info === undefined) {
    await vectors.drop()
    return { ...NOTHING, isChanged: before !== undefined }
  }
  if (isSame(before, info) && vectors.isComplete()) return NOTHING
  await vectors.prepare(info)
  return info.name === 'self' ? learn(world, vectors) : request(world, vectors, info)
}

function isSame(a: VectorInfo | undefined, b: VectorInfo): boolean {
  return (
    a?.name === b.name && a.model === b.model && a.dimensions === b.dimensions && a.url === b.url
  )
}

/** So many chunks are asked for at once, and are kept if the next are not to be had. */
const CHUNKS_AT_ONCE = 128
/** Models read no more than their window; nobody should pay for what is cut off. */
const MOST_TEXT = 8000

async function request(world: World, vectors: VectorWriter, info: VectorInfo): Promise<Embedded> {
  const embedder = endpointOf(world, info)
  const missing = vectors.chunksWithoutVector(vectors.chunkHandles())
  let chunks = 0
  world.progress.begin('embedding', missing.length)
  try {
    for (; chunks < missing.length; chunks += CHUNKS_AT_ONCE) {
      const some = missing.subarray(chunks, chunks + CHUNKS_AT_ONCE)
      const found = await embedder.embed(vectors.chunkTexts(some).map(textOf))
      vectors.put(some, asBytes(found, info))
      world.progress.advance(some.length)
      await yieldToEventLoop(world)
    }
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'POC_E_CANCELLED') throw error
    return { isChanged: true, chunks, trouble: error }
  } finally {
    world.progress.end()
  }
  vectors.finish()
  return { isChanged: true, chunks: missing.length, trouble: undefined }
}

/** The name and the place say what a piece of code is for. */
function textOf({ path, title, text }: ReturnType<VectorWriter['chunkTexts']>[number]): string {
  return `${path}\n${title}\n${text}`.slice(0, MOST_TEXT).toWellFormed()
}

function asBytes(found: readonly Float32Array[], { dimensions, model }: VectorInfo): Int8Array {
  const all = new Float32Array(found.length * dimensions)
  for (const [at, vector] of found.entries()) {
    if (vector.length !== dimensions) {
      const message = `${model} now gives ${vector.length} numbers, and gave ${dimensions} before`
      throw new EngineError('POC_E_READ_FAILED', message, {
        hint: 'it is another model: leave the vectors out once with --without-embed',
      })
    }
    all.set(vector, at * dimensions)
  }
  return scaleToBytes(all, dimensions).bytes
}

async function learn(world: World, vectors: VectorWriter): Promise<Embedded> {
  const handles = vectors.chunkHandles()
  world.progress.begin('learning vectors', handles.length)
  const matrix = wordMatrix(handles, vectors.wordPostings())
  await yieldToEventLoop(world)
  const learned = learnVectors(matrix)
  await yieldToEventLoop(world)
  vectors.put(handles, learned.chunks)
  vectors.putWords(
    matrix.words,
    matrix.words.map((_, at) => ({
      worth: learned.worths[at] ?? 0,
      values: learned.words.subarray(at * SELF_DIMENSIONS, (at + 1) * SELF_DIMENSIONS),
    })),
  )
  vectors.finish()
  world.progress.advance(handles.length)
  world.progress.end()
  return { isChanged: true, chunks: handles.length, trouble: undefined }
}
