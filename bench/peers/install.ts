/**
 * The rival splitters are no dependencies of this project: they are installed on demand, in exact
 * versions, in a folder of their own outside the repository, and found there the next time.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const VERSIONS = {
  '@chonkiejs/core': '0.0.11',
  '@langchain/core': '1.2.13',
  '@langchain/textsplitters': '1.0.2',
  '@llamaindex/core': '0.6.23',
  '@llamaindex/env': '0.1.31',
} as const

/**
 * A module in the scratch folder itself, since only a module there resolves the packages that are
 * installed there, and resolves them as ES modules.
 */
const ENTRIES = {
  chonkie: "export { RecursiveChunker } from '@chonkiejs/core'\n",
  langchain: "export { MarkdownTextSplitter } from '@langchain/textsplitters'\n",
  llamaindex: [
    "export { MarkdownNodeParser, SentenceSplitter } from '@llamaindex/core/node-parser'",
    "export { Document } from '@llamaindex/core/schema'",
    '',
  ].join('\n'),
} as const

export type Peer = keyof typeof ENTRIES

export class InstallError extends Error {}

/** The folder with the peers, installed first if need be. */
export function installPeers(): string {
  const manifest = JSON.stringify(
    { private: true, type: 'module', dependencies: VERSIONS },
    null,
    2,
  )
  const key = createHash('sha256').update(manifest).update(JSON.stringify(ENTRIES)).digest('hex')
  const folder = join(tmpdir(), `dossier-peers-${key.slice(0, 12)}`)
  if (existsSync(folder)) return folder
  mkdirSync(tmpdir(), { recursive: true })
  // Renamed only when complete, so that an install that was broken off is never taken for one.
  const draft = mkdtempSync(`${folder}-draft-`)
  try {
    writeFileSync(join(draft, 'package.json'), manifest)
    for (const [peer, source] of Object.entries(ENTRIES)) {
      writeFileSync(join(draft, `${peer}.js`), source)
    }
    npmInstall(draft, VERSIONS)
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

export async function importPeer<Module>(folder: string, peer: Peer): Promise<Module> {
  return (await import(pathToFileURL(join(folder, `${peer}.js`)).href)) as Module
}

/** Fails with a message that names what was to be installed. */
export function npmInstall(folder: string, versions: Readonly<Record<string, string>>): void {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', ['install', ...flags], {
    cwd: folder,
    encoding: 'utf8',
    // npm is a script on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  const list = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  throw new InstallError(
    [
      `cannot install the peers (${list.join(', ')}): is the npm registry within reach?`,
      (error?.message ?? stderr).trim(),
    ].join('\n'),
  )
}
