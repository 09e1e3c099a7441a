/**
 * What a model is told before it asks: digest and index of every segment of documentation, and how
 * to ask for code.
 */
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

/** So much as a model needs to know when to ask; what it may ask for is in the tool's inputs. */
export function codeInstructions(names: readonly string[]): string {
  if (names.length === 0) return ''
  return `# Code: ${names.join(', ')}

Before you read or search files one by one, call context_pack_create with the task, the question, or the error message with its stack trace, as it is.
It gives the pieces of the repository that belong together for it, within a token budget, each with its place (path:lines) and the reason why it is there; the index is brought up to date first.
Name what you look at as focus (path, path:line or symbol), and say what for as intent: debug shows callers, callees and tests first, impact who depends on it, contract what others rely on.
context_pack_get gives a pack again by its packId; index_status says what is indexed.
`
}
