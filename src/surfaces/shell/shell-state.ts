/**
 * Runs each line in a new process of the user's shell. After a line the shell writes its folder and
 * exported variables to a file, and the next line starts from there. A single long-lived shell
 * would have to share the terminal with the prompt, and a line that hangs would block all others.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { quoteForFish, quoteForPosix } from '../../base/shell-quoting.ts'

export interface LineRequest {
  readonly line: string
  /** The variables of the evidence. */
  readonly variables: Readonly<Record<string, string>>
  /** Exit status of the previous command, for `$?`. */
  readonly status: number
  /** Whether the line may read from the keyboard. */
  readonly isTerminal: boolean
}

export interface LineResult {
  readonly status: number
  /** Whether the line ended the shell. */
  readonly isEnd: boolean
}

const INTERRUPTED = 130

/** Applies the folder and variables of the lines to this process. */
export class ShellState {
  readonly #shell = findShell()
  /** As the shell reports it, with links unresolved. */
  #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  run({ line, variables, status, isTerminal }: LineRequest): LineResult {
    const env = { ...removeEvidenceVariables(process.env), ...variables }
    const stdio = [isTerminal ? 'inherit' : 'ignore', 'inherit', 'inherit'] as const
    if (this.#shell === undefined) {
      const done = spawnSync(line, { shell: true, stdio: [...stdio], cwd: this.#folder, env })
      return { status: done.status ?? INTERRUPTED, isEnd: EXIT.test(line) }
    }
    // Private to the owner: variables may contain keys.
    const place = mkdtempSync(join(tmpdir(), 'dossier-shell-'))
    try {
      const file = join(place, 'state')
      const script = this.#shell.script({ line, status, file })
      const done = spawnSync(this.#shell.path, ['-c', script], {
        stdio: [...stdio],
        cwd: this.#folder,
        env,
      })
      const isWhole = this.#readState(file, env)
      const isEnd = !isWhole && done.signal === null && EXIT.test(line)
      return { status: done.status ?? INTERRUPTED, isEnd }
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }

  /** False if the line did not complete: it ended the shell, or was invalid. */
  #readState(file: string, given: Readonly<Record<string, string | undefined>>): boolean {
    const state = readState(file)
    if (state === undefined) return false
    const { folder, variables } = state
    // No variables at all: they could not be written.
    const names = variables.size === 0 ? [] : [...Object.keys(given), ...variables.keys()]
    for (const name of new Set(names)) {
      const value = variables.get(name)
      if (OWN_VARIABLES.test(name) || value === given[name]) continue
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

/** A line that exits the shell; only checked for lines that did not complete. */
const EXIT = /(?:^|[\s;&|({])(?:exit|logout)(?=$|[\s;&|)}])/

/** Variables that are set for each line, and internal variables of the shell. */
const OWN_VARIABLES = /^(?:e\d+|EVIDENCE_COUNT|SHLVL|_|PWD)$/

/** Those of the flow as it was when the prompt was opened. */
function removeEvidenceVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^e\d+$/.test(name)))
}

interface UserShell {
  readonly path: string
  script(run: ScriptParts): string
}

interface ScriptParts {
  readonly line: string
  readonly status: number
  readonly file: string
}

/** By its path: a line may have changed `PATH`. */
const WRITE_VARIABLES = ['/usr/bin/env', '-0']

const SCRIPTS: Readonly<Record<string, UserShell['script']>> = {
  sh: renderPosixScript,
  ash: renderPosixScript,
  dash: renderPosixScript,
  bash: renderPosixScript,
  ksh: renderPosixScript,
  mksh: renderPosixScript,
  zsh: renderPosixScript,
  fish: renderFishScript,
}

/** The user's shell if it is supported; undefined if none is installed. */
function findShell(): UserShell | undefined {
  for (const path of [process.env['SHELL'] ?? '', '/bin/sh']) {
    const script = SCRIPTS[basename(path).replace(/\.exe$/, '')]
    if (script !== undefined && isExecutable(path)) return { path, script }
  }
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** With `eval`, an incomplete line does not affect the rest of the script. */
function renderPosixScript({ line, status, file }: ScriptParts): string {
  return [
    ...(status === 0 ? [] : [`(exit ${status})`]),
    `eval ${quoteForPosix(line)}`,
    'dossier_status=$?',
    `{ ${WRITE_VARIABLES.map(quoteForPosix).join(' ')}; pwd; } > ${quoteForPosix(file)}`,
    'exit "$dossier_status"',
  ].join('\n')
}

function renderFishScript({ line, status, file }: ScriptParts): string {
  return [
    ...(status === 0 ? [] : [`/bin/sh -c 'exit ${status}'`]),
    `eval ${quoteForFish(line)}`,
    'set -l dossier_status $status',
    `begin; ${WRITE_VARIABLES.map(quoteForFish).join(' ')}; pwd; end > ${quoteForFish(file)}`,
    'exit $dossier_status',
  ].join('\n')
}

interface WrittenState {
  readonly folder: string
  readonly variables: ReadonlyMap<string, string>
}

/** `A=1`, a zero, `B=2`, a zero, …, and the folder. */
function readState(file: string): WrittenState | undefined {
  const text = readText(file)
  if (!text.endsWith('\n')) return undefined
  const parts = text.slice(0, -1).split('\0')
  const folder = parts.pop() ?? ''
  const variables = parts.map((it): readonly [string, string] => {
    const at = it.indexOf('=', 1)
    return [it.slice(0, at), it.slice(at + 1)]
  })
  return { folder, variables: new Map(variables) }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
