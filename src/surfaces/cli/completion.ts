/**
 * Generates shell completion from the table of operations: commands, their flags, and the values of
 * flags.
 */
import { EngineError } from '../../model/engine-error.ts'
import type { World } from '../../platform/world.ts'
import type { Operation } from '../operations/operation.ts'
import { readInputs } from './flags.ts'

const SHELLS: Readonly<Record<string, (commands: CommandTree) => string>> = {
  bash: renderBashScript,
  zsh: renderZshScript,
  fish: renderFishScript,
}

export const SHELL_NAMES = Object.keys(SHELLS)

export interface CompletionFlag {
  readonly long: string
  readonly short?: string
  /**
   * The value of the flag: none, one of these, any file or text, or one that cannot be completed.
   */
  readonly value: 'none' | 'file' | 'other' | readonly string[]
}

/** What may follow a run of words: `ctx` has build, sync, …; `ctx build` has --segment, … */
interface NextWords {
  readonly words: Set<string>
  readonly flags: readonly CompletionFlag[]
}

/** By command words; the empty string is the top level. */
type CommandTree = ReadonlyMap<string, NextWords>

/** Commands that are not operations, with their flags. */
export type OtherCommands = ReadonlyMap<string, readonly CompletionFlag[]>

export interface CompletionInput {
  readonly operations: readonly Operation[]
  readonly others: OtherCommands
  /** Where user-defined names are looked up. */
  readonly world: World
}

/** Possible values by command and flag: `context --lens`. */
export function collectFlagValues(
  operations: readonly Operation[],
  world: World,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    operations.flatMap((operation) =>
      listFlags(operation, world).flatMap((flag) => {
        const { value } = flag
        if (typeof value === 'string') return []
        return listSpellings(operation.name, flag).map((it) => [it, value] as const)
      }),
    ),
  )
}

export function renderCompletionScript(shell: string, completing: CompletionInput): string {
  const script = SHELLS[shell]
  if (script === undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `completion is not available for ${shell}`, {
      hint: `choose one of ${SHELL_NAMES.join(', ')}`,
    })
  }
  return script(buildCommandTree(completing))
}

const HELP: CompletionFlag = { long: 'help', short: 'h', value: 'none' }
const EVERYWHERE: readonly CompletionFlag[] = [
  { long: 'json', value: 'none' },
  { long: 'quiet', value: 'none' },
  { long: 'verbose', short: 'v', value: 'none' },
  HELP,
]

function buildCommandTree({ operations, others, world }: CompletionInput): CommandTree {
  const all = new Map<string, NextWords>([['', { words: new Set(others.keys()), flags: [] }]])
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
    for (const word of listPositionalValues(operation, world)) words.add(word)
    all.set(operation.name, { words, flags: [...listFlags(operation, world), ...EVERYWHERE] })
  }
  return all
}

function listFlags(operation: Operation, world: World): readonly CompletionFlag[] {
  const offers = operation.offers?.(world) ?? {}
  return readInputs(operation).flags.map(({ key, long, short, kind, choices }) => ({
    long,
    ...(short === undefined ? {} : { short }),
    value: choices ?? offers[key]?.filter(isPlainWord) ?? VALUES[kind],
  }))
}

/** Possible values of positional arguments. */
function listPositionalValues(operation: Operation, world: World): readonly string[] {
  const offers = operation.offers?.(world) ?? {}
  return readInputs(operation).positionals.flatMap(
    ({ key }) => offers[key]?.filter(isPlainWord) ?? [],
  )
}

/** User-defined names become part of a script, so names that need quoting are dropped. */
function isPlainWord(word: string): boolean {
  return /^[\p{L}\p{N}_.:@%+/-]+$/u.test(word)
}

const VALUES = { switch: 'none', number: 'other', text: 'file', list: 'file' } as const

/** `pack --intent` and `pack -i`: a flag as it is spelled after the words of its command. */
function listSpellings(path: string, { long, short }: CompletionFlag): readonly string[] {
  return [`${path} --${long}`, ...(short === undefined ? [] : [`${path} -${short}`])]
}

interface ValueFlag {
  readonly spelled: readonly string[]
  readonly value: Exclude<CompletionFlag['value'], 'none'>
}

function listValueFlags(commands: CommandTree): readonly ValueFlag[] {
  return [...commands].flatMap(([path, { flags }]) =>
    flags.flatMap((flag) =>
      flag.value === 'none' ? [] : [{ spelled: listSpellings(path, flag), value: flag.value }],
    ),
  )
}

/** Paths of commands and groups; the arguments of `completion` are not commands. */
function listCommandPaths(commands: CommandTree): readonly string[] {
  return [...commands.keys()].filter((it) => it !== '')
}

function quoteWords(words: readonly string[], between: string): string {
  return words.map((it) => `'${it}'`).join(between)
}

/**
 * A word that is not a subcommand is an argument, and so are all following words: a query may be
 * the name of a command. In zsh `path` is the search path, so no variable has that name.
 */
function renderBashScript(commands: CommandTree): string {
  const flags = listValueFlags(commands)
  const values = flags.flatMap(({ spelled, value }) => {
    if (value === 'file') return []
    const next = value === 'other' ? '' : ` next='${value.join(' ')}'`
    return `      ${quoteWords(spelled, '|')}) files=''${next} ;;`
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
          ${flags.map((it) => quoteWords(it.spelled, '|')).join('|')}) flag="$word" ;;
        esac
        continue ;;
    esac
    [ -n "$given" ] && continue
    case "\${at:+$at }$word" in
      ${quoteWords(listCommandPaths(commands), '|')}) at="\${at:+$at }$word" ;;
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

/** zsh runs bash completions, so there is only one script to maintain. */
function renderZshScript(commands: CommandTree): string {
  return `# For ~/.zshrc: eval "$(dossier completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${renderBashScript(commands).split('\n').slice(1).join('\n')}`
}

function renderFishScript(commands: CommandTree): string {
  const flags = listValueFlags(commands).flatMap((it) => it.spelled)
  const lines = [...commands].flatMap(([at, { words, flags: own }]) => {
    const when = `complete -c dossier -n 'test (__dossier_at) = "${at}"'`
    return [
      ...[...words].map((word) => `${when} -f -a ${word}`),
      ...own.map((flag) => `${when} ${renderFishFlag(flag)}`),
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
            if contains -- "$at $word" ${quoteWords(flags, ' ')}
                set is_value 1
            end
            continue
        end
        set -l longer (string trim -- "$at $word")
        if not contains -- $longer ${quoteWords(listCommandPaths(commands), ' ')}
            break
        end
        set at $longer
    end
    echo $at
end
${lines.join('\n')}
`
}

function renderFishFlag({ long, short, value }: CompletionFlag): string {
  const name = `-l ${long}${short === undefined ? '' : ` -s ${short}`}`
  if (value === 'none') return name
  if (value === 'file') return `${name} -r`
  return value === 'other' ? `${name} -x` : `${name} -x -a '${value.join(' ')}'`
}
