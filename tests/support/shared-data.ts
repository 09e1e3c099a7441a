/**
 * Data beside the project, in `../shared/data`. A clean clone has none: tests that need it name it in
 * their titles, and each skipped one says what was missing.
 */
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../shared/data/eval/', import.meta.url)

/** Prints the path where it is missing, so that a skipped test is not silent. */
export function hasShared(path: string): boolean {
  const isThere = existsSync(new URL(path, FOLDER))
  if (!isThere) process.stderr.write(`skipped: needs ../shared/data/eval/${path}\n`)
  return isThere
}

export function readShared(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8')
}
