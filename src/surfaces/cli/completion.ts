/** Shell completion, written off the table: commands by their words, then each command's flags. */
import { EngineError } from '../../model/engine-error.ts'
import type { Operation } from '../operations/operation.ts'
import { inputsOf } from './flags.ts'

const SHELLS: Readonly<Record<string, (words: CompletionWords) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const SHELL_NAMES = Object.keys(SHELLS)

/** What may follow each run of words: `ctx` → build, sync, …; `ctx build` → --segment, … */
type CompletionWords = ReadonlyMap<string, readonly string[]>

/** Commands that are no operations, with what may follow them. */
export type OtherCommands = ReadonlyMap<string, readonly string[]>

export function completionScript(
  shell: string,
  operations: readonly Operation[],
  others: OtherCommands,
): string {
  const script = SHELLS[shell]
  if (script === undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `no completion for ${shell}`, {
      hint: `choose one of ${SHELL_NAMES.join(', ')}`,
    })
  }
  return script(completionWords(operations, others))
}

const EVERYWHERE = ['--json', '--quiet', '--verbose', '--help']

function completionWords(operations: readonly Operation[], others: OtherCommands): CompletionWords {
  const words = new Map<string, Set<string>>([['', new Set(others.keys())]])
  for (const [name, next] of others) words.set(name, new Set([...next, '--help']))
  for (const operation of operations) {
    const path = operation.name.split(' ')
    path.forEach((word, depth) => {
      const before = path.slice(0, depth).join(' ')
      words.set(before, (words.get(before) ?? new Set()).add(word))
    })
    words.set(
      operation.name,
      new Set([...inputsOf(operation).flags.map((flag) => `--${flag.long}`), ...EVERYWHERE]),
    )
  }
  words.set('completion', new Set(SHELL_NAMES))
  return new Map([...words].map(([path, next]) => [path, [...next]]))
}

function bashScript(words: CompletionWords): string {
  const known = new Set(
    [...words.keys()].flatMap((path) => path.split(' ')).filter((it) => it !== ''),
  )
  const cases = [...words].map(([path, next]) => `    '${path}') next='${next.join(' ')}' ;;`)
  return `# For ~/.bashrc: eval "$(dossier completion bash)"
_dossier() {
  local path='' word next=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) break ;;
      ${[...known].join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  return 0
}
complete -F _dossier dossier
`
}

/** zsh runs bash's completions, so there is one script to keep right. */
function zshScript(words: CompletionWords): string {
  return `# For ~/.zshrc: eval "$(dossier completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${bashScript(words).split('\n').slice(1).join('\n')}`
}

function fishScript(words: CompletionWords): string {
  const lines = [...words].flatMap(([path, next]) => {
    const seen = path.split(' ').filter((it) => it !== '')
    const commands = next.filter((it) => !it.startsWith('-'))
    const conditions = [
      ...seen.map((word) => `__fish_seen_subcommand_from ${word}`),
      ...(commands.length > 0 ? [`not __fish_seen_subcommand_from ${commands.join(' ')}`] : []),
    ].join('; and ')
    return next.map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
      return `complete -c dossier -n '${conditions}' ${what}`
    })
  })
  return `# For ~/.config/fish/completions/dossier.fish: dossier completion fish\n${lines.join('\n')}\n`
}
