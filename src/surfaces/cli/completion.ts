/**
 * Shell completion, written off the table: commands by their words, then each command's flags, and
 * of a flag the values that it may have.
 */
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import type { Operation } from '../operations/operation.ts'
import { inputsOf } from './flags.ts'

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const SHELL_NAMES = Object.keys(SHELLS)

export interface CompletionFlag {
  readonly long: string
  readonly short?: string
  /** What follows it: nothing, one of these, any file or other text, or what nobody can offer. */
  readonly value: 'none' | 'file' | 'other' | readonly string[]
}

/** What may follow a run of words: `ctx` has build, sync, …; `ctx build` has --segment, … */
interface Following {
  readonly words: Set<string>
  readonly flags: readonly CompletionFlag[]
}

/** By the words; the empty text stands for none. */
type Commands = ReadonlyMap<string, Following>

/** Commands that are no operations, with their flags. */
export type OtherCommands = ReadonlyMap<string, readonly CompletionFlag[]>

export interface Completing {
  readonly operations: readonly Operation[]
  readonly others: OtherCommands
  /** Where names of the person's own are looked up. */
  readonly world: World
}

/** What flags may be given, by command and flag as they are spelled: `context --lens`. */
export function flagValues(
  operations: readonly Operation[],
  world: World,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    operations.flatMap((operation) =>
      flagsOf(operation, world).flatMap((flag) => {
        const { value } = flag
        if (typeof value === 'string') return []
        return spellings(operation.name, flag).map((it) => [it, value] as const)
      }),
    ),
  )
}

export function completionScript(shell: string, completing: Completing): string {
  const script = SHELLS[shell]
  if (script === undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `no completion for ${shell}`, {
      hint: `choose one of ${SHELL_NAMES.join(', ')}`,
    })
  }
  return script(commandsOf(completing))
}

const HELP: CompletionFlag = { long: 'help', short: 'h', value: 'none' }
const EVERYWHERE: readonly CompletionFlag[] = [
  { long: 'json', value: 'none' },
  { long: 'quiet', value: 'none' },
  { long: 'verbose', short: 'v', value: 'none' },
  HELP,
]

function commandsOf({ operations, others, world }: Completing): Commands {
  const all = new Map<string, Following>([['', { words: new Set(others.keys()), flags: [] }]])
  for (const [name, flags] of others) {
    const isOurs = name === 'completion'
    const words = new Set(isOurs ? SHELL_NAMES : [])
    all.set(name, { words, flags: isOurs ? [] : [...flags, HELP] })
  }
  for (const operation of operations) {
    const path = operation.name.split(' ')
    path.forEach((word, depth) => {
      const before = path.slice(0, depth).join(' ')
      const known = all.get(before) ?? { words: new Set(), flags: [] }
      known.words.add(word)
      all.set(before, known)
    })
    const words = all.get(operation.name)?.words ?? new Set()
    for (const word of placesOf(operation, world)) words.add(word)
    all.set(operation.name, { words, flags: [...flagsOf(operation, world), ...EVERYWHERE] })
  }
  return all
}

function flagsOf(operation: Operation, world: World): readonly CompletionFlag[] {
  const offers = operation.offers?.(world) ?? {}
  return inputsOf(operation).flags.map(({ key, long, short, kind, choices }) => ({
    long,
    ...(short === undefined ? {} : { short }),
    value: choices ?? offers[key]?.filter(isPlainWord) ?? VALUES[kind],
  }))
}

/** What may be given without a flag. */
function placesOf(operation: Operation, world: World): readonly string[] {
  const offers = operation.offers?.(world) ?? {}
  return inputsOf(operation).places.flatMap(({ key }) => offers[key]?.filter(isPlainWord) ?? [])
}

/** Names of the person's own become part of a script: none that it would have to quote. */
function isPlainWord(word: string): boolean {
  return /^[\p{L}\p{N}_.:@%+/-]+$/u.test(word)
}

const VALUES = { switch: 'none', number: 'other', text: 'file', list: 'file' } as const

/** `pack --intent` and `pack -i`: a flag as it is spelled after the words of its command. */
function spellings(path: string, { long, short }: CompletionFlag): readonly string[] {
  return [`${path} --${long}`, ...(short === undefined ? [] : [`${path} -${short}`])]
}

interface ValueFlag {
  readonly spelled: readonly string[]
  readonly value: Exclude<CompletionFlag['value'], 'none'>
}

function valueFlags(commands: Commands): readonly ValueFlag[] {
  return [...commands].flatMap(([path, { flags }]) =>
    flags.flatMap((flag) =>
      flag.value === 'none' ? [] : [{ spelled: spellings(path, flag), value: flag.value }],
    ),
  )
}

/** Runs of words that are commands or groups of them; what `completion` is given is none. */
function knownPaths(commands: Commands): readonly string[] {
  return [...commands.keys()].filter((it) => it !== '')
}

function quoted(words: readonly string[], between: string): string {
  return words.map((it) => `'${it}'`).join(between)
}

/**
 * A word that is no command of those before it is an argument, and so are all that follow: a query
 * may be a command's name. In zsh `path` is the search path, so nothing here is called that.
 */
function bashScript(commands: Commands): string {
  const flags = valueFlags(commands)
  const values = flags.flatMap(({ spelled, value }) => {
    if (value === 'file') return []
    const next = value === 'other' ? '' : ` next='${value.join(' ')}'`
    return `      ${quoted(spelled, '|')}) files=''${next} ;;`
  })
  const cases = [...commands].map(([at, { words, flags: own }]) => {
    const next = [...words, ...own.map((it) => `--${it.long}`)]
    return `      '${at}') next='${next.join(' ')}' ;;`
  })
  return `# For ~/.bashrc: eval "$(dossier completion bash)"
_dossier() {
  local at='' word flag='' given='' next='' files=1 current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$current" = '=' ] && current=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [ "$word" = '=' ] && continue
    if [ -n "$flag" ]; then flag=''; continue; fi
    case "$word" in
      -*)
        case "$at $word" in
          ${flags.map((it) => quoted(it.spelled, '|')).join('|')}) flag="$word" ;;
        esac
        continue ;;
    esac
    [ -n "$given" ] && continue
    case "\${at:+$at }$word" in
      ${quoted(knownPaths(commands), '|')}) at="\${at:+$at }$word" ;;
      *) given=1 ;;
    esac
  done
  if [ -n "$flag" ]; then
    case "$at $flag" in
${values.join('\n')}
    esac
  else
    case "$at" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$next" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && [ -n "$files" ] && COMPREPLY=($(compgen -f -- "$current"))
  return 0
}
complete -F _dossier dossier
`
}

/** zsh runs bash's completions, so there is one script to keep right. */
function zshScript(commands: Commands): string {
  return `# For ~/.zshrc: eval "$(dossier completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands).split('\n').slice(1).join('\n')}`
}

function fishScript(commands: Commands): string {
  const flags = valueFlags(commands).flatMap((it) => it.spelled)
  const lines = [...commands].flatMap(([at, { words, flags: own }]) => {
    const when = `complete -c dossier -n 'test (__dossier_at) = "${at}"'`
    return [
      ...[...words].map((word) => `${when} -f -a ${word}`),
      ...own.map((flag) => `${when} ${fishFlag(flag)}`),
    ]
  })
  return `# For ~/.config/fish/completions/dossier.fish: dossier completion fish
function __dossier_at
    set -l at ''
    set -l is_value 0
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $is_value = 1
            set is_value 0
            continue
        end
        if string match -q -- '-*' $word
            if contains -- "$at $word" ${quoted(flags, ' ')}
                set is_value 1
            end
            continue
        end
        set -l longer (string trim -- "$at $word")
        if not contains -- $longer ${quoted(knownPaths(commands), ' ')}
            break
        end
        set at $longer
    end
    echo $at
end
${lines.join('\n')}
`
}

function fishFlag({ long, short, value }: CompletionFlag): string {
  const name = `-l ${long}${short === undefined ? '' : ` -s ${short}`}`
  if (value === 'none') return name
  if (value === 'file') return `${name} -r`
  return value === 'other' ? `${name} -x` : `${name} -x -a '${value.join(' ')}'`
}
