/** The history of the git repository that a folder lies in. */

import { basename } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import type { Git } from '../../platform/git.ts'
import type { World } from '../../platform/world.ts'
import { type RepositoryPlace, topOf } from '../index/index-options.ts'
import { findCommit, openGit } from '../open-git.ts'

export interface HistoryPlace extends RepositoryPlace {
  readonly since?: string | undefined
}

export interface OpenHistory {
  /** What the folder is called. */
  readonly name: string
  readonly git: Git
  /** Full id of the newest commit. */
  readonly head: string
  readonly since: string | undefined
  /** The folder, from the top of the repository, without a slash at its end. */
  readonly prefix: string
  readonly isShallow: boolean
}

export async function openHistory(
  world: World,
  { path, since }: HistoryPlace,
): Promise<OpenHistory> {
  const top = topOf(world, { path })
  const { git, prefix } = await openGit(world, { top, use: 'the history is read with' })
  return {
    name: basename(top),
    git,
    head: await commitNamed(git, 'HEAD'),
    since: since === undefined ? undefined : await commitNamed(git, since),
    prefix,
    isShallow: (await git.text(['rev-parse', '--is-shallow-repository'])).trim() === 'true',
  }
}

async function commitNamed(git: Git, name: string): Promise<string> {
  const found = await findCommit(git, name)
  if (found !== undefined) return found
  if (name === 'HEAD') {
    throw new EngineError('POC_E_REQUEST_INVALID', 'the repository has no commit yet', {
      hint: 'there must be commits to replay',
    })
  }
  throw new EngineError('POC_E_REQUEST_INVALID', `there is no commit ${name}`, {
    hint: 'name a commit, a branch or a tag',
  })
}
