/**
 * The rival pack makers are no dependencies of this project: they are installed on demand, in exact
 * versions, in a folder of their own outside the repository, and found there the next time.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmInstall } from '../install.ts'

export const VERSIONS = { '@colbymchenry/codegraph': '1.6.1', sigmap: '8.49.2' }

/** The folder of the installed packages. Neither needs its install scripts. */
export function installContextPacks(): string {
  const manifest = JSON.stringify({ private: true, dependencies: VERSIONS }, null, 2)
  const key = createHash('sha256').update(manifest).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `dossier-context-packs-${key}`)
  const modules = join(folder, 'node_modules')
  if (existsSync(folder)) return modules
  // Renamed only when complete, so that an install that was broken off is never taken for one.
  const draft = mkdtempSync(`${folder}-draft-`)
  try {
    writeFileSync(join(draft, 'package.json'), manifest)
    npmInstall(draft, VERSIONS)
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return modules
}
