/**
 * The instructions of the MCP server: digest and index of every documentation segment, and how to
 * ask for code and notes.
 */
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import { ctxPrompt } from './docs/ctx-prompt.ts'

export interface NamedSegment {
  readonly name: string
  readonly segment: string
  readonly repoRoot: string | undefined
}

/** For all segments together: the instructions are part of every conversation. */
const MAX_TOKENS = 4000

/** A missing pack does not stop the server: it may be built later. */
export async function buildDocsInstructions(
  world: World,
  segments: readonly NamedSegment[],
): Promise<string> {
  const maxTokens = Math.floor(MAX_TOKENS / Math.max(1, segments.length))
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

/** Only says when to call the tools; their inputs have descriptions. */
export function buildCodeInstructions(names: readonly string[], hasEvidence: boolean): string {
  if (names.length === 0) return ''
  return `# Code: ${names.join(', ')}

Before you read or search files one by one, call context_pack_create with the task, the question, or the error message with its stack trace, as it is.
It gives the pieces of the repository that belong together for it, within a token budget, each with its place (path:lines) and the reason why it is there; the index is brought up to date first.
Name what you look at as focus (path, path:line or symbol), and say what for as intent: debug shows callers, callees and tests first, impact who depends on it, contract what others rely on. To review or finish a change, give diff: HEAD for the files on disk, or a range.
context_pack_get gives a pack again by its packId.
${hasEvidence ? EVIDENCE : ''}`
}

const EVIDENCE = `To collect by hand what an answer rests on, call evidence_add with files, lines (path::10,20) or symbols (symbol:name); evidence_list shows what is in and what it costs, ask_evidence what covers a topic, what is missing for it and what is redundant, and assemble_prompt gives all of it as one text.
`

export function buildNotesInstructions(aliases: readonly string[]): string {
  if (aliases.length === 0) return ''
  return `# Notes: ${aliases.join(', ')}

When the task touches what the person knows, plans or has written down (projects, people, meetings, decisions), call tana_context with the topic or the id of a note: it gives the notes that belong to it, with their fields and how they are linked, within a token budget.
`
}
