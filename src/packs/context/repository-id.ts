/**
 * What a repository is called wherever its clone lies: by its remote, else by its first commit, else
 * by its folder. Reads files of git; git itself is run once, for the first commit, which is then kept.
 */
import { basename, dirname, join, relative, resolve } from 'node:path'
import { remoteIdentity } from '../../base/remote-identity.ts'
import { type Files, kindAt } from '../../platform/files.ts'
import { parseRemoteUrls } from '../../platform/git-config.ts'
import type { World } from '../../platform/world.ts'

interface RepositoryFolders {
  readonly top: string
  /** Where the index lies, and what may be kept beside it. */
  readonly indexRoot: string
}

export async function repositoryId(world: World, folders: RepositoryFolders): Promise<string> {
  const { top } = folders
  const clone = cloneAround(world.files, top)
  const name = basename(top)
  if (clone === undefined) return name
  const id = remoteName(world.files, clone) ?? (await firstCommit(world, folders, clone))
  if (id === undefined) return name
  const below = relative(clone.top, top).replaceAll('\\', '/')
  return below === '' ? id : `${id}#${below}`
}

interface Clone {
  readonly top: string
  /** What all its worktrees share. */
  readonly gitFolder: string
}

/** The nearest upwards. A worktree and a submodule have a file that says where their folder is. */
function cloneAround(files: Files, from: string): Clone | undefined {
  for (let top = from; ; top = dirname(top)) {
    const git = join(top, '.git')
    const kind = kindAt(files, git)
    if (kind !== undefined) {
      const own = kind === 'directory' ? git : linkedFolder(files, top, git)
      return own === undefined ? undefined : { top, gitFolder: sharedFolder(files, own) }
    }
    if (dirname(top) === top) return undefined
  }
}

function linkedFolder(files: Files, top: string, path: string): string | undefined {
  const folder = /^gitdir:(.*)$/m.exec(smallText(files, path) ?? '')?.[1]?.trim() ?? ''
  return folder === '' || isRemotePath(folder) ? undefined : resolve(top, folder)
}

function sharedFolder(files: Files, folder: string): string {
  const shared = smallText(files, join(folder, 'commondir'))?.trim() ?? ''
  return shared === '' || isRemotePath(shared) ? folder : resolve(folder, shared)
}

/** To look at `\\host\share` would log in there. */
function isRemotePath(path: string): boolean {
  return /^[/\\]{2}/.test(path)
}

function remoteName(files: Files, { gitFolder }: Clone): string | undefined {
  const urls = parseRemoteUrls(smallText(files, join(gitFolder, 'config')) ?? '')
  for (const url of urls) {
    const identity = remoteIdentity(url)
    if (identity !== undefined) return identity
  }
  return undefined
}

async function firstCommit(
  world: World,
  folders: RepositoryFolders,
  clone: Clone,
): Promise<string | undefined> {
  const { files } = world
  // Where history was cut off, each clone begins elsewhere.
  if (kindAt(files, join(clone.gitFolder, 'shallow')) !== undefined) return undefined
  if (!mayHaveCommits(files, clone)) return undefined
  const kept = join(folders.indexRoot, KEPT)
  const about = cloneMark(files, clone)
  const known = smallText(files, kept)?.split('\n') ?? []
  if (known[0] === about && COMMIT.test(known[1] ?? '')) return known[1]
  const { readFirstCommit } = await import('./first-commit.ts')
  const commit = await readFirstCommit(world, clone)
  if (commit !== undefined) keep(files, kept, `${about}\n${commit}\n`)
  return commit
}

/** Told by files: a folder in which nothing was committed would ask git on every call. */
function mayHaveCommits(files: Files, { gitFolder }: Clone): boolean {
  const head = smallText(files, join(gitFolder, 'HEAD'))
  if (head === undefined) return false
  const branch = /^ref: (\S+)/.exec(head)?.[1]
  if (branch === undefined) return true
  const places = [branch, 'packed-refs', 'reftable']
  return places.some((it) => kindAt(files, join(gitFolder, it)) !== undefined)
}

const KEPT = 'first-commit'
const COMMIT = /^[0-9a-f]{40,64}$/

/** Another clone in the same place is another one. */
function cloneMark(files: Files, { gitFolder }: Clone): string {
  const { dev = 0, ino = 0 } = files.mark(gitFolder) ?? {}
  return `${dev}:${ino}`
}

/** Where it cannot be written, the next call asks git again. */
function keep(files: Files, path: string, text: string): void {
  try {
    const file = files.replace(path, OWNER_ALONE)
    file.write(new TextEncoder().encode(text))
    file.commit()
  } catch {
    return
  }
}

const OWNER_ALONE = 0o600
const MOST_BYTES = 1_048_576

/** Undefined for what is no file, cannot be read, or is too large to be one of git's small ones. */
function smallText(files: Files, path: string): string | undefined {
  try {
    const { kind, size } = files.stat(path)
    return kind === 'file' && size <= MOST_BYTES
      ? new TextDecoder().decode(files.read(path))
      : undefined
  } catch {
    return undefined
  }
}
