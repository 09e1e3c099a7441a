/** Permissions mean nothing to root, so tests about them run the program as nobody. */
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dossier } from './program.ts'

const NOBODY = 65_534

export interface Identity {
  readonly uid?: number
  readonly gid?: number
}

/** Undefined where nobody cannot read the project itself: then there is nothing to run. */
export async function unprivileged(): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return {}
  const identity = { uid: NOBODY, gid: NOBODY }
  const tried = await dossier(['--version'], { cwd: '/', ...identity })
  return tried.status === 0 ? identity : undefined
}

/** Hands a folder and all below it to that identity. */
export function giveTo(identity: Identity, folder: string): void {
  if (identity.uid === undefined) return
  const below = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const path of ['.', ...below]) {
    chownSync(join(folder, path), identity.uid, identity.gid ?? identity.uid)
  }
  chmodSync(folder, 0o755)
}
