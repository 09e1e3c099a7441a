/** What could follow what has been typed: commands of the table, then names and ranks of parts. */
import { expanded } from './command-words.ts'

export interface Completable {
  /** Names of operations: `evidence add`. */
  readonly commands: readonly string[]
  /** Names and ranks of the parts of the flow. */
  readonly targets: readonly string[]
}

/** Candidates, and the end of the line that they would replace. */
export function completionsOf(
  line: string,
  { commands, targets }: Completable,
): readonly [readonly string[], string] {
  if (!line.startsWith('/')) return [[], line]
  const words = line.slice(1).split(/\s+/)
  const last = words.at(-1) ?? ''
  const before = expanded(words.slice(0, -1))
  const following = commands
    .map((it) => it.split(' '))
    .filter((it) => before.every((word, at) => it[at] === word))
    .flatMap((it) => it[before.length] ?? [])
  const isNamed =
    commands.includes(before.join(' ')) || commands.includes(before.slice(0, 2).join(' '))
  const candidates = [...new Set([...following, ...(isNamed ? targets : [])])].toSorted()
  const slash = before.length === 0 ? '/' : ''
  return [
    candidates.filter((it) => it.startsWith(last)).map((it) => `${slash}${it} `),
    `${slash}${last}`,
  ]
}
