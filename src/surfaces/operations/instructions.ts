/** What a model is told of the documentation before it asks: digest and index of every segment. */
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { ctxPrompt } from './ctx-prompt.ts'

export interface NamedSegment {
  readonly name: string
  readonly segment: string
  readonly repoRoot: string | undefined
}

/** For all segments together: instructions stand in every conversation, asked for or not. */
const MOST_TOKENS = 4000

/** A pack that is not there yet is no reason not to start: it may be built while we serve. */
export async function instructionsFor(
  world: World,
  segments: readonly NamedSegment[],
): Promise<string> {
  const maxTokens = Math.floor(MOST_TOKENS / Math.max(1, segments.length))
  const blocks: string[] = []
  for (const { name, segment, repoRoot } of segments) {
    try {
      const input = ctxPrompt.input.parse({ segment, repoRoot, maxTokens })
      blocks.push((await ctxPrompt.run(world, input)).text)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      world.notice(`${name}: ${error.message} (${error.hint})`)
      blocks.push(`# Documentation: ${name}\n\nNot available: ${error.message}. ${error.hint}\n`)
    }
  }
  return blocks.join('\n')
}
