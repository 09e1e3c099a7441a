/**
 * Other people's programs: found where they are installed, run to their end or to a time limit.
 * What they print is kept for whoever has to explain a failure, and goes nowhere else.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export interface Tools {
  /** The program's path; undefined when it is not installed. Looks into the folder's packages first. */
  find(name: string, folder: string): string | undefined
  /** Rejects only if the program cannot be started. */
  run(run: ToolRun): Promise<ToolOutcome>
}

export interface ToolRun {
  readonly program: string
  readonly args: readonly string[]
  readonly workingFolder: string
  readonly limitMs: number
  readonly signal: AbortSignal
}

export interface ToolOutcome {
  readonly kind: 'ended' | 'too-long' | 'cancelled'
  /** 0 is success; of a program that was ended, -1. */
  readonly status: number
  /** The end of all that it printed. */
  readonly output: string
}

/** `home` is a folder of ours: programs that came along with this package are found from it. */
export function systemTools(home: string, searchPath = process.env['PATH'] ?? ''): Tools {
  return {
    find(name, folder) {
      const paths = searchPath.split(delimiter).filter((it) => it !== '')
      const places = [binaries(folder), ...ancestors(home).map(binaries), ...paths]
      const names = isWindows ? [`${name}.cmd`, `${name}.exe`] : [name]
      return places.flatMap((place) => names.map((it) => join(place, it))).find(isProgram)
    },
    run: runTool,
  }
}

const isWindows = process.platform === 'win32'

function binaries(folder: string): string {
  return join(folder, 'node_modules', '.bin')
}

function ancestors(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const KEPT_OUTPUT = 4096

async function runTool(run: ToolRun): Promise<ToolOutcome> {
  const { program, args, workingFolder, limitMs, signal } = run
  // Loaded when there is something to run: no other command should wait for it.
  const { spawn } = await import('node:child_process')
  // Scripts of packages are batch files on Windows, which only a shell can start.
  const isScript = program.endsWith('.cmd')
  const quoted = (text: string): string => (isScript ? `"${text}"` : text)
  return new Promise((resolve, reject) => {
    const child = spawn(quoted(program), args.map(quoted), {
      cwd: workingFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: isScript,
      windowsHide: true,
    })
    let output = ''
    let kind: ToolOutcome['kind'] = 'ended'
    const end = (why: 'too-long' | 'cancelled'): void => {
      kind = why
      child.kill('SIGKILL')
    }
    const cancel = (): void => end('cancelled')
    const timer = setTimeout(() => end('too-long'), limitMs)
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-KEPT_OUTPUT)
      })
    }
    child.on('error', (error) => {
      settle()
      reject(error)
    })
    child.on('close', (status) => {
      settle()
      resolve({ kind, status: status ?? -1, output })
    })
  })
}
