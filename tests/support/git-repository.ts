/** A real git repository in a temporary folder, with commits whose dates say their order. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './project.ts'

export const hasGit = spawnSync('git', ['--version']).status === 0
if (!hasGit) process.stderr.write('git is not installed: tests that need it are left out\n')

/** Files to write; null for those to remove. */
export type Changes = Readonly<Record<string, string | Uint8Array | null>>

export class GitRepository {
  readonly folder: string
  #seconds = Date.UTC(2024, 0, 1) / 1000

  constructor() {
    this.folder = temporaryFolder()
    this.run('init', '--quiet', '--initial-branch=main')
  }

  /** The id of the commit. */
  commit(message: string, changes: Changes): string {
    for (const [path, content] of Object.entries(changes)) {
      const place = join(this.folder, path)
      rmSync(place, { recursive: true, force: true })
      if (content === null) continue
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, content)
    }
    this.run('add', '--all')
    this.run('commit', '--quiet', '--allow-empty', '--message', message)
    return this.run('rev-parse', 'HEAD')
  }

  run(...args: readonly string[]): string {
    this.#seconds += 60
    const date = `${this.#seconds} +0000`
    return execFileSync('git', args, {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_NAME: 'A',
        GIT_AUTHOR_EMAIL: 'a@example.com',
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@example.com',
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      },
    }).trim()
  }
}
