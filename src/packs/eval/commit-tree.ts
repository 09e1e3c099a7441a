/**
 * The files of a commit in a scratch folder, and from there those of another one: only what differs
 * is written. Read from git's objects and not checked out, so that neither the working tree nor the
 * git directory of the repository is touched, and no filter of somebody's settings is run.
 */
import type { Git } from '../../platform/git.ts'
import { ScratchFolder } from '../../platform/scratch-folder.ts'
import { MAX_FILE_BYTES } from '../../sources/classify.ts'
import { INDEX_FOLDER } from '../index/index-place.ts'
import { rawChanges } from './raw-changes.ts'

export class CommitTree {
  readonly folder: ScratchFolder
  readonly #git: Git
  readonly #now: () => number
  #tree: string | undefined

  /** `tree` is what the folder holds already, by its id; undefined for nothing. */
  constructor(git: Git, folder: ScratchFolder, options: TreeOptions) {
    this.folder = folder
    this.#git = git
    this.#now = options.now
    this.#tree = options.tree
  }

  /** `tree` is the id of a tree. */
  async switchTo(tree: string): Promise<void> {
    if (tree === this.#tree) return
    const changes = this.#tree === undefined ? await this.#all(tree) : await this.#since(tree)
    // What is half-way between two trees is neither.
    this.#tree = undefined
    for (const { path, blob } of changes) if (blob === undefined) this.folder.delete(path)
    const files = changes.flatMap(({ path, blob }) => (blob === undefined ? [] : [{ path, blob }]))
    // Later than any time before, and long enough ago for the index to trust it.
    const writtenAt = new Date(this.#now() - AGE_MS)
    await this.#git.objects(
      files.map((it) => it.blob),
      MAX_FILE_BYTES,
      (at, bytes) => {
        const { path } = files[at] ?? { path: '' }
        if (bytes === undefined) this.folder.delete(path)
        else this.folder.write(path, bytes, writtenAt)
      },
    )
    this.#tree = tree
  }

  async #all(tree: string): Promise<readonly Wanted[]> {
    const entries = await this.#git.records(['ls-tree', '-r', '-z', '--full-tree', tree])
    return entries.flatMap((entry) => {
      const [, mode = '', blob = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(entry) ?? []
      return isFile(mode) && isWanted(path) ? [{ path, blob }] : []
    })
  }

  async #since(tree: string): Promise<readonly Wanted[]> {
    const changes = await rawChanges(this.#git, {
      before: this.#tree ?? '',
      after: tree,
      findRenames: false,
    })
    return changes
      .filter(({ path }) => isWanted(path))
      .map(({ path, newMode, newBlob }) => ({
        path,
        blob: isFile(newMode) ? newBlob : undefined,
      }))
  }
}

export interface TreeOptions {
  now(): number
  readonly tree?: string | undefined
}

/** Undefined: no file is to stand there. */
interface Wanted {
  readonly path: string
  readonly blob: string | undefined
}

const AGE_MS = 10_000

/** Links and submodules are no files of the repository. */
export function isFile(mode: string): boolean {
  return mode === '100644' || mode === '100755'
}

function isWanted(path: string): boolean {
  return ScratchFolder.admits(path) && path.split('/')[0] !== INDEX_FOLDER
}
