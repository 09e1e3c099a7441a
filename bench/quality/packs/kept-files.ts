/** The files of a repository at one commit after the other, in a folder that later runs find again. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommitTree } from '../../../src/packs/eval/commit-tree.ts'
import type { Git } from '../../../src/platform/git.ts'
import { ScratchFolder } from '../../../src/platform/scratch-folder.ts'
import type { World } from '../../../src/platform/world.ts'
import type { SetName } from './tasks.ts'

export interface KeptPlace {
  readonly work: string
  readonly set: SetName
  readonly repo: string
}

export class KeptFiles {
  readonly #world: World
  readonly #git: Git
  readonly #folder: string
  /** Says which tree the folder holds; empty while it is neither this nor that. */
  readonly #note: string
  readonly #isOthers: boolean
  #tree: CommitTree | undefined

  constructor(world: World, git: Git, { work, set, repo }: KeptPlace) {
    this.#world = world
    this.#git = git
    this.#folder = join(work, set === 'commit' ? 'co' : set, repo.replace('/', '__'))
    this.#note = `${this.#folder}.tree`
    // A folder without a note is one that `checkout-all.sh` made: at the base, as it is wanted.
    this.#isOthers = set === 'commit' && existsSync(this.#folder) && !existsSync(this.#note)
  }

  async at(commit: string): Promise<string> {
    if (this.#isOthers) return this.#folder
    const found = await this.#git.text(['rev-parse', '--verify', `${commit}^{tree}`])
    const tree = found.trim()
    this.#tree ??= this.#open()
    writeFileSync(this.#note, '')
    await this.#tree.switchTo(tree)
    writeFileSync(this.#note, tree)
    return this.#folder
  }

  #open(): CommitTree {
    const held = existsSync(this.#note) ? readFileSync(this.#note, 'utf8') : ''
    if (held === '') rmSync(this.#folder, { recursive: true, force: true })
    return new CommitTree(this.#git, ScratchFolder.at(this.#folder), {
      now: () => this.#world.clock.now(),
      tree: held === '' ? undefined : held,
    })
  }
}
