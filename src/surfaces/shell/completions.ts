/**
 * Completes a line: commands of the table, names and ranks of parts, flags with known values, and
 * those values.
 */
import { expandShortName } from './command-words.ts'

export interface Completable {
  /** Names of operations: `evidence add`. */
  readonly commands: readonly string[]
  /** Names and ranks of the parts of the flow. */
  readonly targets: readonly string[]
  /** Possible values by command and flag: `context --lens`. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** Candidates, and the end of the line that they replace. */
export function listCompletions(
  line: string,
  { commands, targets, values }: Completable,
): readonly [readonly string[], string] {
  if (!line.startsWith('/')) return [[], line]
  const words = line.slice(1).split(/\s+/)
  const last = words.at(-1) ?? ''
  const before = expandShortName(words.slice(0, -1))
  const following = commands
    .map((it) => it.split(' '))
    .filter((it) => before.every((word, at) => it[at] === word))
    .flatMap((it) => it[before.length] ?? [])
  const command = [2, 1]
    .map((count) => before.slice(0, count).join(' '))
    .find(createSetFilter(commands))
  const isNamed = commands.includes(before.join(' ')) || command !== undefined
  const given = findValues({ command, flag: before.at(-1) ?? '', last }, values)
  const others = [...following, ...(isNamed ? targets : []), ...listFlags(command, values)]
  const candidates =
    given ?? [...new Set(last === '' ? others.filter(isNotFlag) : others)].toSorted()
  const slash = before.length === 0 ? '/' : ''
  return [
    candidates.filter((it) => it.startsWith(last)).map((it) => `${slash}${it} `),
    `${slash}${last}`,
  ]
}

function createSetFilter(all: readonly string[]): (word: string) => boolean {
  return (word) => all.includes(word)
}

/** Flags are only offered after a dash. */
function isNotFlag(word: string): boolean {
  return !word.startsWith('-')
}

interface FlagPosition {
  readonly command: string | undefined
  /** The word before. */
  readonly flag: string
  readonly last: string
}

/** Those of `--lens` before the word, or of `--lens=` at its beginning. */
function findValues(
  { command, flag, last }: FlagPosition,
  values: Completable['values'],
): readonly string[] | undefined {
  if (command === undefined) return undefined
  const joined = /^(--[a-z-]+=)/.exec(last)?.[1]
  if (joined === undefined) return values.get(`${command} ${flag}`)
  return values.get(`${command} ${joined.slice(0, -1)}`)?.map((it) => `${joined}${it}`)
}

function listFlags(command: string | undefined, values: Completable['values']): readonly string[] {
  if (command === undefined) return []
  const start = `${command} --`
  return [...values.keys()]
    .filter((it) => it.startsWith(start))
    .map((it) => it.slice(command.length + 1))
}
