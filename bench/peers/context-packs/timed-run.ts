/** Runs a command to its end, with its wall time and, where a shell can tell, its processor time. */
import { type ChildOptions, runChild } from '../../code/child.ts'

export interface TimedRun {
  readonly stdout: string
  readonly wallMs: number
  /** Of the program and of all that it started and waited for; NaN where nobody can tell. */
  readonly cpuMs: number
}

export async function timedRun(
  command: readonly string[],
  options: ChildOptions,
): Promise<TimedRun> {
  const isPosix = process.platform !== 'win32'
  const wrapped = isPosix ? ['sh', '-c', WITH_TIMES, 'sh', ...command] : command
  const { stdout, stderr, milliseconds, end } = await runChild(wrapped, options)
  if (end !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with ${end}:\n${stderr}`)
  return { stdout, wallMs: milliseconds, cpuMs: isPosix ? childrenTime(stderr) : Number.NaN }
}

/** The second line of `times` is for the children: user, then system. */
const WITH_TIMES = '"$@"; status=$?; times >&2; exit $status'

function childrenTime(stderr: string): number {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, seconds]) => {
    return sum + (60 * Number(minutes) + Number(seconds)) * 1000
  }, 0)
}
