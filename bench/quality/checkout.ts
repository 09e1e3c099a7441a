/** Repositories of the data at their commits, in a scratch folder that later runs find again. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Places {
  /** The folder of the sets, with their `checkout.sh`. */
  readonly data: string
  /** The folder of git directories, `<owner>+<name>/repo`. */
  readonly mirror: string
}

export interface Checkout {
  readonly folder: string
  /** Beside the checkout, for what is built from it. */
  readonly scratch: string
}

/** The checkout, or a sentence that says why there is none. */
export function checkout(places: Places, repo: string, commit: string): Checkout | string {
  const name = `${repo.replace('/', '+')}@${commit.slice(0, 12)}`
  const home = join(tmpdir(), 'dossier-quality')
  const folder = join(home, name)
  const made = { folder, scratch: join(home, `${name}.packs`) }
  mkdirSync(made.scratch, { recursive: true })
  if (existsSync(folder)) return made
  // Renamed only when complete, so that a checkout that was broken off is never taken for one.
  const draft = mkdtempSync(`${folder}.draft-`)
  try {
    const script = join(places.data, 'checkout.sh')
    const run = spawnSync('bash', [script, repo, commit, draft], {
      env: { ...process.env, MIRROR: places.mirror },
      encoding: 'utf8',
    })
    if (run.status !== 0) return run.stderr.trim() || `checkout.sh ended with ${run.status}`
    renameSync(draft, folder)
    return made
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
