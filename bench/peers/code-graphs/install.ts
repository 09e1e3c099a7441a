/**
 * The rival code graphs are no dependencies of this project: they are installed on demand, in exact
 * versions, in a folder of their own outside the repository, and found there the next time.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { InstallError } from '../install.ts'

export const VERSIONS = { '@colbymchenry/codegraph': '1.6.1', '@optave/codegraph': '3.11.2' }

/**
 * One of the peers brings a native module that crashes at random on some newer Node, which would
 * not be its fault. So the peers get a Node of their own, with the headers to build that module.
 */
const NODE_VERSION = '22.23.3'
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const NATIVE = 'better-sqlite3'

export interface Installed {
  readonly modules: string
  /** The program that runs the peers. */
  readonly node: string
}

/** Finds the peers, and installs them first if need be. */
export function installCodeGraphs(): Installed {
  const folder = installedFolder()
  return { modules: join(folder, 'node_modules'), node: join(nodeFolder(folder), 'bin', 'node') }
}

function installedFolder(): string {
  const dependencies = { ...VERSIONS, [NODE]: NODE_VERSION }
  const manifest = JSON.stringify({ private: true, dependencies }, null, 2)
  const key = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `dossier-code-graphs-${key}`)
  if (existsSync(folder)) return folder
  // Renamed only when complete, so that an install that was broken off is never taken for one.
  const draft = mkdtempSync(`${folder}-draft-`)
  try {
    writeFileSync(join(draft, 'package.json'), manifest)
    npm(draft, ['install', '--ignore-scripts'])
    npm(draft, ['rebuild', NATIVE])
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

function nodeFolder(folder: string): string {
  return join(folder, 'node_modules', NODE)
}

function npm(folder: string, args: readonly string[]): void {
  const flags = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', [...args, ...flags], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: join(nodeFolder(folder), 'bin') + delimiter + (process.env['PATH'] ?? ''),
      // Its headers come with it, so that nothing but the registry has to be within reach.
      npm_config_nodedir: nodeFolder(folder),
    },
    // npm is a script on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  throw new InstallError(
    [
      `npm ${args.join(' ')} failed for ${Object.keys(VERSIONS).join(', ')}: is the npm registry within reach?`,
      (error?.message ?? stderr).trim(),
    ].join('\n'),
  )
}
