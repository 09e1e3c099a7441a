/** How much a reviewer looks at a file, by what it is for: where there is no room for all, code stays. */
import type { PathRole } from '../../base/path-roles.ts'

const ROLE_WORTH: Readonly<Record<PathRole, number>> = {
  source: 1,
  types: 0.9,
  support: 0.7,
  test: 0.6,
  settings: 0.5,
  docs: 0.5,
  log: 0.4,
  vendored: 0.2,
}

/** From 0 to 1. */
export function reviewWorth(role: PathRole): number {
  return ROLE_WORTH[role]
}

/** Whether others can refer to what the file defines. */
export function isOfCode(role: PathRole): boolean {
  return reviewWorth(role) > ROLE_WORTH.settings
}
