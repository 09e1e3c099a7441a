/** Runs a program to its end, with its times and the most memory that it ever held. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Finished {
  readonly milliseconds: number
  /** Of the process with all its threads and, where asked for, those it started; Linux only. */
  readonly peakMegabytes: number | undefined
  /** Of the processor, in the process and all its threads: the same on a busy machine. Linux only. */
  readonly processorSeconds: number | undefined
  readonly stdout: string
  readonly stderr: string
  /** The exit code, or the name of the signal that ended it. */
  readonly end: number | string
}

export interface ChildOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

const POLL_EVERY = 10

/** `command` is a program with its arguments. */
export function runChild(
  command: readonly string[],
  options: ChildOptions = {},
): Promise<Finished> {
  const [program = '', ...args] = command
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const peaks = new Map<number, number>()
  let processorSeconds: number | undefined
  const timer = setInterval(() => {
    notePeaks(child.pid, peaks)
    processorSeconds = processorTime(child.pid) ?? processorSeconds
  }, POLL_EVERY)
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (it: Buffer) => out.push(it))
  child.stderr.on('data', (it: Buffer) => err.push(it))
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      clearInterval(timer)
      reject(error)
    })
    child.on('close', (code, signal) => {
      clearInterval(timer)
      resolve({
        milliseconds: performance.now() - startedAt,
        peakMegabytes: peaks.size === 0 ? undefined : Math.max(...peaks.values()) / 1000,
        processorSeconds,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        end: code ?? signal ?? 'unknown',
      })
    })
  })
}

/** A launcher that starts the real program must not hide it, so the tree below is looked at too. */
function notePeaks(pid: number | undefined, peaks: Map<number, number>): void {
  if (pid === undefined) return
  const peak = field(`/proc/${pid}/status`, /^VmHWM:\s+(\d+) kB/m)
  if (peak !== undefined) peaks.set(pid, Number(peak))
  const children = field(`/proc/${pid}/task/${pid}/children`, /^(.*)$/m)?.trim() ?? ''
  for (const child of children.split(' ').filter((it) => it !== '')) notePeaks(Number(child), peaks)
}

const TICKS_PER_SECOND = 100

/** What stands behind the name, which may have anything in it: the 12th and 13th are times. */
function processorTime(pid: number | undefined): number | undefined {
  const fields = field(`/proc/${pid}/stat`, /.*\) (.*)/)?.split(' ')
  if (fields === undefined) return undefined
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function field(file: string, pattern: RegExp): string | undefined {
  try {
    return pattern.exec(readFileSync(file, 'utf8'))?.[1]
  } catch {
    // It has ended between two looks, or this system has no such files.
    return undefined
  }
}
