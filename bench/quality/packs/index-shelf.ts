/**
 * Indexes of a repository at the commits of its tasks. Where each task has its own commit, a copy of
 * each index is kept for later runs: they are used again as long as no module has changed that
 * takes part in indexing.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCodeIndex, indexPath } from '../../../src/packs/index/code-index.ts'
import type { Git } from '../../../src/platform/git.ts'
import type { World } from '../../../src/platform/world.ts'
import { KeptFiles, type KeptPlace } from './kept-files.ts'

export class IndexShelf {
  readonly #world: World
  readonly #files: KeptFiles
  /** Undefined where one folder has them all. */
  readonly #copies: string | undefined

  constructor(world: World, git: Git, place: KeptPlace) {
    const { work, set, repo } = place
    this.#world = world
    this.#files = new KeptFiles(world, git, place)
    this.#copies =
      set === 'commit' ? undefined : join(work, `${set}-index`, repo.replace('/', '__'))
  }

  /** Where the index of a commit lies. */
  async at(commit: string): Promise<string> {
    if (this.#copies === undefined) return this.#make(commit)
    mkdirSync(this.#copies, { recursive: true })
    const name = commit.slice(0, 16)
    const copy = join(this.#copies, `${name}-${indexingVersion()}.db`)
    if (existsSync(copy)) return copy
    for (const old of readdirSync(this.#copies).filter((it) => it.startsWith(name)))
      rmSync(join(this.#copies, old))
    // Under its name only when it is whole.
    const draft = join(this.#copies, `${name}-draft`)
    copyFileSync(await this.#make(commit), draft)
    renameSync(draft, copy)
    return copy
  }

  async #make(commit: string): Promise<string> {
    const folder = await this.#files.at(commit)
    await buildCodeIndex(this.#world, { path: folder })
    return indexPath(folder)
  }
}

const ROOTS = ['../../../src/packs/index/code-index.ts', '../../../src/extractor.ts']

let version: string | undefined

/** A hash of every module that indexing imports, at whatever distance. */
function indexingVersion(): string {
  version ??= hashOf(modulesFrom(ROOTS.map((it) => fileURLToPath(new URL(it, import.meta.url)))))
  return version
}

function modulesFrom(roots: readonly string[]): readonly string[] {
  const found = new Set(roots)
  for (const file of found) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(file, 'utf8')
    for (const [, path = ''] of text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g))
      if (path !== '') found.add(join(dirname(file), path))
  }
  return [...found].toSorted()
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
