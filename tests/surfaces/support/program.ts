/** The real program in a process of its own, with an environment that holds nothing by accident. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))

/** The sources as they are, unless a built program is named: `DOSSIER_BIN=dist/bin/main.js`. */
export const BIN = join(PROJECT, process.env['DOSSIER_BIN'] ?? 'src/main.ts')

export interface Finished {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** What it has said so far. */
  stderr(): string
  stdout(): string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
  readonly timeoutMs?: number
}

const DEADLINE_MS = 50_000

/** Neither CI, nor colours, nor a home: a test sets what it is about. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  HOME: tmpdir(),
  LANG: 'C.UTF-8',
}

export function dossier(args: readonly string[], options: RunOptions): Promise<Finished> {
  return startDossier(args, options).finished
}

export function startDossier(args: readonly string[], options: RunOptions): Running {
  return start([process.execPath, BIN, ...args], options)
}

/** A line for bash, where `dossier` is the program under test. */
export function shell(line: string, options: RunOptions): Promise<Finished> {
  const folder = join(options.cwd, '.bin')
  mkdirSync(folder, { recursive: true })
  const command = join(folder, 'dossier')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(command, 0o755)
  const env = { ...options.env, PATH: `${folder}:${ENVIRONMENT['PATH']}` }
  return start(['bash', '-c', line], { ...options, env }).finished
}

/** Killed for good at its deadline: a process that hangs must not hang the tests. */
export function start(command: readonly string[], options: RunOptions): Running {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...ENVIRONMENT, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid ?? options.uid }),
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => err.push(bytes))
  const stdout = (): string => Buffer.concat(out).toString('utf8')
  const stderr = (): string => Buffer.concat(err).toString('utf8')
  const deadline = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? DEADLINE_MS)
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => {
      clearTimeout(deadline)
      resolve({ status, signal, stdout: stdout(), stderr: stderr() })
    })
  })
  return { child, finished, stdout, stderr }
}

/** `--json` output that the test knows the shape of. */
export function json<T>(finished: Finished): T {
  try {
    return JSON.parse(finished.stdout) as T
  } catch {
    throw new Error(`not one JSON value: ${finished.stdout}\nstderr: ${finished.stderr}`)
  }
}

export interface ErrorJson {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string }
}

export interface HitsJson {
  readonly hits: readonly { readonly id: string; readonly title: string }[]
}

export interface BuildJson {
  readonly written: boolean
  readonly documents: number
  readonly chunks: number
  readonly diagnostics: readonly { readonly code: string; readonly path: string }[]
}
