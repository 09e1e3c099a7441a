/**
 * Bash and its relatives. A variable belongs to the whole script unless a function says `local`;
 * a command word is a reference only where it can be a function of a script.
 */

import { ROLE, TRAIT } from '../../../model/facts.ts'
import type { Builder, Rules } from '../builder.ts'
import type { Language } from '../language.ts'
import { defineState } from '../language-state.ts'
import { comment, functionLike, text } from '../rules.ts'

interface CommandWord {
  readonly node: number
  readonly scope: number
}

/** Resolved when the whole file has been visited: a function may be defined below its calls. */
const commandWords = defineState<CommandWord[]>(() => [])

/** Defines a variable, or writes to the one that is seen from here. */
function assign(
  build: Builder,
  at: number,
  it: { readonly node: number; readonly value: number; readonly scope: number },
): void {
  const own = build.textOf(at)
  const known = it.scope > 0 ? build.findIn(it.scope, own) : build.find(own)
  if (known >= 0 && build.draft(known).kind === 'variable') {
    build.refer('name', at, { role: ROLE.write })
    build.addValue(known, it.value)
    return
  }
  const owner = it.scope > 0 ? build.owner : 0
  const traits = it.scope > 0 ? 0 : TRAIT.exported
  build.define({ kind: 'variable', name: own, at, owner, traits, ...it })
}

/** The variable of `x=…` and of `x[1]=…`. */
function target(build: Builder, node: number): number {
  const at = build.field(node, 'name')
  if (build.kindName(at) !== 'subscript') return at
  build.visit(build.field(at, 'index'))
  return build.field(at, 'name')
}

function assignment(build: Builder, node: number, scope = 0): number {
  const value = build.visit(build.field(node, 'value'))
  const at = target(build, node)
  // `FOO=1 command` sets it for that command only.
  if (build.kindName(build.parent(node)) !== 'command') assign(build, at, { node, value, scope })
  return 0
}

function declaration(build: Builder, node: number): number {
  const isFunctions = build.children(node).some((it) => /^-\w*f/.test(build.textOf(it)))
  const isLocal = /^(?:local|declare|typeset)\b/.test(build.textOf(node))
  const isGlobal = build.children(node).some((it) => /^-\w*g/.test(build.textOf(it)))
  const inner = build.functionScope()
  const scope = isLocal && !isGlobal ? inner : 0
  for (const it of build.children(node)) {
    const kind = build.kindName(it)
    if (kind === 'variable_assignment') assignment(build, it, scope)
    else if (kind !== 'variable_name') build.visit(it)
    else if (isFunctions) build.state(commandWords).push({ node: it, scope: build.scope })
    else assign(build, it, { node: it, value: 0, scope })
  }
  return 0
}

function expansion(build: Builder, node: number): number {
  let expression = 0
  for (const it of build.children(node)) {
    if (build.kindName(it) === 'variable_name') expression = variable(build, it)
    else build.visit(it)
  }
  return expression
}

/** `$1` and `$@` are no variables of anybody. */
function variable(build: Builder, node: number): number {
  return /^\d/.test(build.textOf(node)) ? 0 : build.refer('name', node)
}

function command(build: Builder, node: number): number {
  const word = build.textOf(build.field(node, 'name'))
  const args = build.fieldsOf(node, 'argument')
  const first = args[0] ?? -1
  if ((word === 'source' || word === '.') && first >= 0) {
    for (const it of args) build.visit(it)
    sourced(build, node, first)
    return 0
  }
  for (const it of build.children(node)) build.visit(it)
  if (word === 'trap' && build.kindName(first) === 'word')
    build.state(commandWords).push({ node: first, scope: build.scope })
  if (READERS.has(word)) readInto(build, args, word)
  return 0
}

/** Commands that set the variables named by their arguments. */
const READERS = new Set(['read', 'mapfile', 'readarray', 'getopts'])

function readInto(build: Builder, args: readonly number[], word: string): void {
  const names = args.filter((it) => /^[A-Za-z_]\w*$/.test(build.textOf(it)))
  for (const it of word === 'read' ? names : names.slice(-1))
    if (build.kindName(it) === 'word') assign(build, it, { node: it, value: 0, scope: 0 })
}

/** All that the other script defines is known from here on. */
function sourced(build: Builder, node: number, file: number): void {
  const name = build.textOf(file).replaceAll(/^["']|["']$/g, '')
  const module = build.refer('module', file, { name, role: ROLE.import })
  const value = build.express('import', { of: module, name: '*' })
  build.define({ kind: 'import', name: '*', at: -1, node, value, scope: 0, owner: 0 })
}

function commandName(build: Builder, node: number): number {
  const [word] = build.children(node)
  if (build.kindName(word ?? -1) === 'word' && word !== undefined)
    build.state(commandWords).push({ node: word, scope: build.scope })
  else build.visitChildren(node)
  return 0
}

function functionDefinition(build: Builder, node: number): number {
  return functionLike(build, node, {
    scope: () => 0,
    traits: () => TRAIT.exported,
    before: (it, _, definition) => {
      it.draft(definition).owner = 0
    },
  })
}

function forLoop(build: Builder, node: number): number {
  const at = build.field(node, 'variable')
  if (at >= 0) assign(build, at, { node: at, value: 0, scope: 0 })
  for (const it of build.children(node)) if (it !== at) build.visit(it)
  return 0
}

/** Words that no script means a function of its own by, unless it defines one. */
const PROGRAMS = new Set(
  (
    'alias awk basename bg bind break builtin caller cat cd chmod chown command compgen complete ' +
    'continue cp curl cut date dirname dirs disown echo enable env eval exec exit expr false fg ' +
    'find getopts git grep hash head help history id jobs kill let ln logout ls make mapfile mkdir ' +
    'mktemp mv node npm npx popd printf ps pushd pwd python python3 read readarray readlink return ' +
    'rm rmdir sed seq set shift shopt sleep sort stat sudo suspend tail tar tee test time times ' +
    'touch tr trap true tput type ulimit umask unalias uname uniq unset wait wc wget which whoami ' +
    'xargs [ [[ :'
  ).split(' '),
)

/** Now that every function is known, a command word can be told from a program. */
function finish(build: Builder): void {
  const functions = new Set(
    build.definitions.filter((it) => it.kind === 'function').map((it) => it.name),
  )
  const isAlone = !build.definitions.some((it) => it.kind === 'import')
  for (const { node, scope } of build.state(commandWords)) {
    const word = build.textOf(node)
    const isPossible = !isAlone && /^[A-Za-z_][\w:.-]*$/.test(word) && !PROGRAMS.has(word)
    if (functions.has(word) || isPossible) build.refer('name', node, { scope, role: ROLE.call })
  }
}

const rules: Rules = {
  function_definition: functionDefinition,
  variable_assignment: (build, node) => assignment(build, node),
  declaration_command: declaration,
  simple_expansion: expansion,
  expansion,
  variable_name: variable,
  subscript: expansion,
  command,
  command_name: commandName,
  for_statement: forLoop,
  string: text(),
  raw_string: text(),
  comment: comment(),
}

export const bash: Language = {
  id: 'bash',
  grammar: 'bash',
  extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.ebuild', '.command'],
  fileNames: [
    '.bashrc',
    '.bash_profile',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    'PKGBUILD',
  ],
  interpreters: ['sh', 'bash', 'zsh', 'ksh', 'dash', 'ash', 'bats'],
  rules,
  finish,
}
