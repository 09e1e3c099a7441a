/**
 * The public API: every operation by its name, with the inputs and outputs that the command line
 * has. Everything else is free to change.
 *
 *     import { ask } from 'dossier'
 *     const { hits } = await ask('ctx search', { segment: 'docs', query: 'token budget' })
 */
import { composeWorld } from './compose.ts'
import { EngineError } from './model/engine-error.ts'
import { SILENT } from './model/progress.ts'
import type { z } from './platform/schema.ts'
import type { OperationName } from './surfaces/operations/summaries.ts'
import { type BY_NAME, findLoader } from './surfaces/operations/table.ts'

export type { DocsPack } from './model/docs-pack.ts'
export { EngineError, ERROR_CODES, type ErrorCode } from './model/engine-error.ts'
export { canonicalDocsPack } from './packs/context/canonical-pack.ts'
export { generateChunkId } from './sources/markdown/chunk-id.ts'
export { chunkMarkdown } from './sources/markdown/read-document.ts'
export type { OperationName } from './surfaces/operations/summaries.ts'

type Operations = { [Name in OperationName]: Awaited<ReturnType<(typeof BY_NAME)[Name]>> }
export type Input<Name extends OperationName> = z.input<Operations[Name]['input']>
export type Output<Name extends OperationName> = Awaited<ReturnType<Operations[Name]['run']>>

export interface AskOptions {
  /** Where relative paths start; the process's folder if absent. */
  readonly workingFolder?: string
  readonly signal?: AbortSignal
  /** Called with what a person would have been told on stderr. */
  readonly onNotice?: (text: string) => void
}

/** Throws an `EngineError` with a stable code where the request cannot be met. */
export async function ask<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: AskOptions = {},
): Promise<Output<Name>> {
  const operation = await findLoader(name)()
  const parsed = operation.input.safeParse(input)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const place = issue?.path.join('.') ?? 'input'
    throw new EngineError('POC_E_REQUEST_INVALID', `${place}: ${issue?.message ?? 'not valid'}`, {
      hint: 'the inputs are those of the command line, in camel case',
    })
  }
  const world = composeWorld({
    workingFolder: options.workingFolder ?? process.cwd(),
    signal: options.signal ?? new AbortController().signal,
    progress: SILENT,
    notice: options.onNotice ?? (() => undefined),
  })
  const run = operation.run as (world: unknown, input: unknown) => Promise<Output<Name>>
  return run(world, parsed.data)
}
