/** Names of the owners of notes. A cyclic chain of owners is cut. */
import { VISIBLE } from './columns.ts'
import type { NotesState } from './state.ts'

export function readBreadcrumbs(
  state: NotesState,
  ids: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const parents = state.column('parents')
  const flags = state.column('flags')
  const statement = state.connection.prepare('SELECT name FROM notes WHERE n = ?')
  const names = new Map<number, string>()
  const nameOf = (number: number): string => {
    const known = names.get(number)
    if (known !== undefined) return known
    const name = String(statement.get(number)?.['name'] ?? '')
    names.set(number, name)
    return name
  }
  const found = new Map<string, readonly string[]>()
  for (const id of ids) {
    const number = state.findNumber(id)
    if (number === 0) continue
    const owners = new Set<number>([number])
    for (let at = parents[number] ?? 0; at !== 0 && !owners.has(at); at = parents[at] ?? 0) {
      owners.add(at)
    }
    owners.delete(number)
    const shown = [...owners].filter((it) => ((flags[it] ?? 0) & VISIBLE) !== 0)
    found.set(id, shown.toReversed().map(nameOf))
  }
  return found
}
