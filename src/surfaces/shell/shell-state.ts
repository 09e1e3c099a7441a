/**
 * Lines for the person's own shell, each run by a shell of its own: after a line, that shell writes
 * down its folder and its exported variables, and the next line starts from there. One shell that
 * stays would have to share the terminal with the prompt, and a line that hangs would take the rest
 * along.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fishQuoted, posixQuoted } from '../../base/shell-quoting.ts'

export interface LineRequest {
  readonly line: string
  /** The variables of the evidence. */
  readonly variables: Readonly<Record<string, string>>
  /** Of the command before, for `$?`. */
  readonly status: number
  /** Whether the keyboard is the line's. */
  readonly isTerminal: boolean
}

export interface LineResult {
  readonly status: number
  /** Whether the line was to end the shell. */
  readonly isEnd: boolean
}

const INTERRUPTED = 130

/** Keeps this process in step: its folder and its variables are those of the lines. */
export class ShellState {
  readonly #shell = findShell()
  /** As the shell calls it, with links unresolved. */
  #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  run({ line, variables, status, isTerminal }: LineRequest): LineResult {
    const env = { ...withoutEvidence(process.env), ...variables }
    const stdio = [isTerminal ? 'inherit' : 'ignore', 'inherit', 'inherit'] as const
    if (this.#shell === undefined) {
      const done = spawnSync(line, { shell: true, stdio: [...stdio], cwd: this.#folder, env })
      return { status: done.status ?? INTERRUPTED, isEnd: EXIT.test(line) }
    }
    // Only its owner may look into it: variables hold keys.
    const place = mkdtempSync(join(tmpdir(), 'dossier-shell-'))
    try {
      const file = join(place, 'state')
      const script = this.#shell.script({ line, status, file })
      const done = spawnSync(this.#shell.path, ['-c', script], {
        stdio: [...stdio],
        cwd: this.#folder,
        env,
      })
      const isWhole = this.#take(file, env)
      const isEnd = !isWhole && done.signal === null && EXIT.test(line)
      return { status: done.status ?? INTERRUPTED, isEnd }
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }

  /** False where the line did not come to its end: it ended the shell, or was not one. */
  #take(file: string, given: Readonly<Record<string, string | undefined>>): boolean {
    const state = readState(file)
    if (state === undefined) return false
    const { folder, variables } = state
    // None at all: they could not be written.
    const names = variables.size === 0 ? [] : [...Object.keys(given), ...variables.keys()]
    for (const name of new Set(names)) {
      const value = variables.get(name)
      if (OURS.test(name) || value === given[name]) continue
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    try {
      process.chdir(folder)
      this.#folder = folder
      process.env['PWD'] = folder
    } catch {
      // The line removed the folder that it was in: the next one starts where this one did.
    }
    return true
  }
}

/** Ends the shell where it is a command; asked only of lines that did not come to their end. */
const EXIT = /(?:^|[\s;&|({])(?:exit|logout)(?=$|[\s;&|)}])/

/** What each line is given, and what a shell counts or says of itself. */
const OURS = /^(?:e\d+|EVIDENCE_COUNT|SHLVL|_|PWD)$/

/** Those of the flow as it was when the prompt was opened. */
function withoutEvidence(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^e\d+$/.test(name)))
}

interface Shell {
  readonly path: string
  script(run: ScriptParts): string
}

interface ScriptParts {
  readonly line: string
  readonly status: number
  readonly file: string
}

/** By its path: a line may have changed `PATH`. Every system with a shell of these has it there. */
const WRITE_VARIABLES = ['/usr/bin/env', '-0']

const SCRIPTS: Readonly<Record<string, Shell['script']>> = {
  sh: posixScript,
  ash: posixScript,
  dash: posixScript,
  bash: posixScript,
  ksh: posixScript,
  mksh: posixScript,
  zsh: posixScript,
  fish: fishScript,
}

/** The person's own, where its language is known; undefined on a system that has none of them. */
function findShell(): Shell | undefined {
  for (const path of [process.env['SHELL'] ?? '', '/bin/sh']) {
    const script = SCRIPTS[basename(path).replace(/\.exe$/, '')]
    if (script !== undefined && isProgram(path)) return { path, script }
  }
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** `eval` keeps a line that is no whole command from taking what follows it along. */
function posixScript({ line, status, file }: ScriptParts): string {
  return [
    ...(status === 0 ? [] : [`(exit ${status})`]),
    `eval ${posixQuoted(line)}`,
    'dossier_status=$?',
    `{ ${WRITE_VARIABLES.map(posixQuoted).join(' ')}; pwd; } > ${posixQuoted(file)}`,
    'exit "$dossier_status"',
  ].join('\n')
}

function fishScript({ line, status, file }: ScriptParts): string {
  return [
    ...(status === 0 ? [] : [`/bin/sh -c 'exit ${status}'`]),
    `eval ${fishQuoted(line)}`,
    'set -l dossier_status $status',
    `begin; ${WRITE_VARIABLES.map(fishQuoted).join(' ')}; pwd; end > ${fishQuoted(file)}`,
    'exit $dossier_status',
  ].join('\n')
}

interface WrittenState {
  readonly folder: string
  readonly variables: ReadonlyMap<string, string>
}

/** `A=1`, a zero, `B=2`, a zero, …, and the folder. */
function readState(file: string): WrittenState | undefined {
  const text = textOf(file)
  if (!text.endsWith('\n')) return undefined
  const parts = text.slice(0, -1).split('\0')
  const folder = parts.pop() ?? ''
  const variables = parts.map((it): readonly [string, string] => {
    const at = it.indexOf('=', 1)
    return [it.slice(0, at), it.slice(at + 1)]
  })
  return { folder, variables: new Map(variables) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
