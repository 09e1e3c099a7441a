/**
 * Other people's programs: found where they are installed, run to their end or to a time limit.
 * What they print is kept for whoever has to explain a failure, and goes nowhere else.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path'

export interface Tools {
  /**
   * The program's path; undefined when it is not installed. Nothing in the repository that the folder
   * belongs to is ever found: what somebody has cloned is not to be executed.
   */
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
export function createSystemTools(home: string, searchPath = process.env['PATH'] ?? ''): Tools {
  return {
    find(name, folder) {
      const repository = findRepository(folder)
      const own = listAncestors(home).map(binariesFolder)
      const places = [
        ...own.filter((it) => !isInside(repository, it)),
        ...filterSearchPath(folder, searchPath),
      ]
      const names = isWindows ? [`${name}.cmd`, `${name}.exe`] : [name]
      return places
        .flatMap((place) => names.map((it) => join(place, it)))
        .find((it) => isExecutable(it) && !isInside(repository, it))
    },
    run: (run) => runTool(run, searchPath),
  }
}

/** Whether a path is in a folder, by its name or by where its links lead. */
function isInside(folder: string, path: string): boolean {
  return [path, realPath(path)].some((it) => {
    const way = relative(folder, it)
    return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The git repository around a folder, else the folder. */
function findRepository(folder: string): string {
  const real = realPath(folder)
  return listAncestors(real).find((it) => existsSync(join(it, '.git'))) ?? real
}

/** The folders of a search path that no repository can have a say in. */
function filterSearchPath(folder: string, searchPath: string): readonly string[] {
  const repository = findRepository(folder)
  return searchPath.split(delimiter).filter((it) => isAbsolute(it) && !isInside(repository, it))
}

/**
 * The environment for a program that works in a folder of somebody else: what it starts in turn is not
 * found there either. The last two keep Python and Windows from looking into the working folder.
 */
export function createGuardedEnvironment(
  folder: string,
  searchPath = process.env['PATH'] ?? '',
): NodeJS.ProcessEnv {
  // Windows spells it `Path`.
  const others = Object.entries(process.env).filter(([name]) => name.toUpperCase() !== 'PATH')
  return {
    ...Object.fromEntries(others),
    PATH: filterSearchPath(folder, searchPath).join(delimiter),
    PYTHONSAFEPATH: '1',
    NoDefaultCurrentDirectoryInExePath: '1',
  }
}

const isWindows = process.platform === 'win32'

function binariesFolder(folder: string): string {
  return join(folder, 'node_modules', '.bin')
}

function listAncestors(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...listAncestors(above)]
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const KEPT_OUTPUT = 4096

async function runTool(run: ToolRun, searchPath: string): Promise<ToolOutcome> {
  const { program, args, workingFolder, limitMs, signal } = run
  // Loaded when there is something to run: no other command should wait for it.
  const { spawn } = await import('node:child_process')
  // Scripts of packages are batch files on Windows, which only a shell can start.
  const isScript = program.endsWith('.cmd')
  const quoted = (text: string): string => (isScript ? `"${text}"` : text)
  return new Promise((resolve, reject) => {
    const child = spawn(quoted(program), args.map(quoted), {
      cwd: workingFolder,
      env: createGuardedEnvironment(workingFolder, searchPath),
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
