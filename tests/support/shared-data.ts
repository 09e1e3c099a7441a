/** Data that lies beside the project on the machines where it is worked on; a clean clone has none. */
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../shared/data/eval/', import.meta.url)

export function hasShared(path: string): boolean {
  return existsSync(new URL(path, FOLDER))
}

export function readShared(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8')
}
