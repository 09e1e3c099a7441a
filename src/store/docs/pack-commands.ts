/** The commands that hints name, with all options that lead to the same pack again. */
import { type ChunksIn, DEFAULT_MAX_CHARS } from '../../model/docs-pack.ts'
import type { PackPaths } from './open-index.ts'

/** Settings that a rebuild keeps unless an option changes them. */
export interface PackSettings {
  readonly chunksIn?: ChunksIn
  readonly maxChars?: number
}

export function formatSyncCommand(paths: Pick<PackPaths, 'options'>): string {
  return `dossier ctx sync${paths.options ?? ''}`
}

/** From scratch, whatever is there. A build does not ask the pack for its settings, so they are named. */
export function formatBuildCommand(
  paths: Pick<PackPaths, 'options'>,
  { chunksIn, maxChars }: PackSettings = {},
): string {
  const limit = maxChars === undefined || maxChars === DEFAULT_MAX_CHARS ? undefined : maxChars
  return [
    `dossier ctx build${paths.options ?? ''}`,
    ...(chunksIn === 'sqlite' ? ['--chunks-in sqlite'] : []),
    ...(limit === undefined ? [] : [`--max-chars ${limit}`]),
  ].join(' ')
}
