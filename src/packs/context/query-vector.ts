/** The vector of a question, by the embedder that made those of the index. */
import { scaleToBytes } from '../../base/byte-vectors.ts'
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { World } from '../../platform/world.ts'
import { vectorOfWords } from '../../retrieve/ann.ts'
import type { Understood } from '../../retrieve/understand.ts'
import { endpointOf } from '../index/embed-choice.ts'

export interface Question {
  readonly text: string
  readonly understood: Understood
}

/** More than models read of a question. */
const MOST_TEXT = 8000

/** Undefined where the index has no vectors. */
export async function queryVector(
  world: World,
  index: CodeIndexReader,
  question: Question,
): Promise<Int8Array | undefined> {
  const info = await index.vectorInfo()
  if (info === undefined) return undefined
  if (info.name === 'self') return vectorOfWords(index, question.understood.words)
  const text = question.text.slice(0, MOST_TEXT).toWellFormed()
  const [vector = new Float32Array()] = await endpointOf(world, info).embed([text])
  return scaleToBytes(vector, vector.length).bytes
}
