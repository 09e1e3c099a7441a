/**
 * What could follow what has been typed: commands of the table, then names and ranks of parts, flags
 * whose values are known, and those values.
 */
import { expanded } from './command-words.ts'

export interface Completable {
  /** Names of operations: `evidence add`. */
  readonly commands: readonly string[]
  /** Names and ranks of the parts of the flow. */
  readonly targets: readonly string[]
  /** What a flag may be given, by command and flag: `context --lens`. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** Candidates, and the end of the line that they would replace. */
export function completionsOf(
  line: string,
  { commands, targets, values }: Completable,
): readonly [readonly string[], string] {
  if (!line.startsWith('/')) return [[], line]
  const words = line.slice(1).split(/\s+/)
  const last = words.at(-1) ?? ''
  const before = expanded(words.slice(0, -1))
  const following = commands
    .map((it) => it.split(' '))
    .filter((it) => before.every((word, at) => it[at] === word))
    .flatMap((it) => it[before.length] ?? [])
  const command = [2, 1].map((count) => before.slice(0, count).join(' ')).find(isIn(commands))
  const isNamed = commands.includes(before.join(' ')) || command !== undefined
  const given = valuesFor({ command, flag: before.at(-1) ?? '', last }, values)
  const others = [...following, ...(isNamed ? targets : []), ...flagsOf(command, values)]
  const candidates =
    given ?? [...new Set(last === '' ? others.filter(isNoFlag) : others)].toSorted()
  const slash = before.length === 0 ? '/' : ''
  return [
    candidates.filter((it) => it.startsWith(last)).map((it) => `${slash}${it} `),
    `${slash}${last}`,
  ]
}

function isIn(all: readonly string[]): (word: string) => boolean {
  return (word) => all.includes(word)
}

/** Names first: flags are offered to whoever begins one. */
function isNoFlag(word: string): boolean {
  return !word.startsWith('-')
}

interface FlagPlace {
  readonly command: string | undefined
  /** The word before. */
  readonly flag: string
  readonly last: string
}

/** Those of `--lens` before the word, or of `--lens=` at its beginning. */
function valuesFor(
  { command, flag, last }: FlagPlace,
  values: Completable['values'],
): readonly string[] | undefined {
  if (command === undefined) return undefined
  const joined = /^(--[a-z-]+=)/.exec(last)?.[1]
  if (joined === undefined) return values.get(`${command} ${flag}`)
  return values.get(`${command} ${joined.slice(0, -1)}`)?.map((it) => `${joined}${it}`)
}

function flagsOf(command: string | undefined, values: Completable['values']): readonly string[] {
  if (command === undefined) return []
  const start = `${command} --`
  return [...values.keys()]
    .filter((it) => it.startsWith(start))
    .map((it) => it.slice(command.length + 1))
}
