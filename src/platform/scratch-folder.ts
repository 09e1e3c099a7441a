/**
 * A folder of our own that others' files are put into for a while. No link is ever made in it, so
 * nothing that is written to it can end up elsewhere. Whoever made it removes it.
 */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export class ScratchFolder {
  /** Native, absolute, links resolved. */
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** A new one, among the system's temporary files. */
  static make(): ScratchFolder {
    return new ScratchFolder(realpathSync(mkdtempSync(join(tmpdir(), 'dossier-eval-'))))
  }

  /** One that is kept from run to run. */
  static at(path: string): ScratchFolder {
    mkdirSync(path, { recursive: true })
    return new ScratchFolder(realpathSync(path))
  }

  /** Whether a relative path is one of a file inside. Git makes no others; what it is given may. */
  static admits(path: string): boolean {
    const names = path.split('/')
    return (
      !names.some((it) => it === '' || it === '.' || it === '..' || it.toLowerCase() === '.git') &&
      !(process.platform === 'win32' && /[\\:]/.test(path))
    )
  }

  write(path: string, bytes: Uint8Array, writtenAt: Date): void {
    const place = join(this.path, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, bytes)
    utimesSync(place, writtenAt, writtenAt)
  }

  /** With the folders that are empty then, which may stand in the way of files. */
  delete(path: string): void {
    rmSync(join(this.path, path), { force: true })
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.path, folder))
      } catch {
        return
      }
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
  }
}
