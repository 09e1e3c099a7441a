/** The index as its user gets it: the command, run as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { realFiles } from '../../src/platform/files.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { builtProgram } from '../built.ts'
import { type Finished, runChild } from './child.ts'

export async function dossier(...args: readonly string[]): Promise<Finished> {
  const run = await runChild([process.execPath, await builtProgram(), ...args])
  if (run.end === 0) return run
  throw new Error(`dossier ${args.join(' ')} ended with ${run.end}:\n${run.stderr}${run.stdout}`)
}

export function forgetIndex(folder: string): void {
  rmSync(join(folder, '.dossier'), { recursive: true, force: true })
}

export function indexMegabytes(folder: string): number {
  return statSync(join(folder, '.dossier', 'index.db')).size / 1e6
}

/** A digest of all edges, whatever the order and the ids in which they are kept. */
export async function edgeSet(folder: string): Promise<string> {
  const reader = openCodeIndex(realFiles, join(folder, '.dossier', 'index.db'))
  try {
    const paths = (await reader.files()).map((it) => it.path)
    const hash = createHash('sha256')
    let count = 0
    for (const { edges } of await reader.storedFiles(paths)) {
      for (const it of edges) hash.update(`${JSON.stringify(it)}\n`)
      count += edges.length
    }
    if (count === 0) throw new Error('the index has no edges to compare')
    return hash.digest('hex')
  } finally {
    await reader.close()
  }
}

export interface Watching {
  /** Resolves when the command says that the next update is in the index. */
  updated(): Promise<void>
  stop(): Promise<void>
}

/** Resolves when the command is up to date and waits for changes. */
export async function watchIndex(folder: string): Promise<Watching> {
  const command = [await builtProgram(), 'index', '--watch', '--json', folder]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  /** Each line tells of one update; the first one of what was there to do at the start. */
  const next = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const seen = (): void => {
        settle()
        resolve()
      }
      const ended = (): void => {
        settle()
        reject(new Error('dossier index --watch ended before it was up to date'))
      }
      const settle = (): void => {
        lines.off('line', seen)
        child.off('exit', ended)
      }
      lines.on('line', seen)
      child.on('exit', ended)
    })
  await next()
  return { updated: next, stop: () => stopped(child) }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  await exit
}
