/**
 * Reading a repository's history through the `git` that is installed. Only plumbing that reads, by
 * object ids wherever it can: nothing is written to the repository, no hook, filter or textual
 * conversion is run, nothing is fetched, and no setting of the user changes an answer.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createGuardedEnvironment } from './run-tool.ts'

export interface GitLocation {
  /** The program's path. */
  readonly program: string
  /** A folder in the repository. */
  readonly folder: string
  /** Its git directory, when git should not look for it. */
  readonly gitFolder?: string
  readonly signal: AbortSignal
  /** Settings that hold whatever the repository says, each a name and a value. */
  readonly settings?: readonly (readonly [name: string, value: string])[]
}

export interface GitInput {
  /** What the command reads on its standard input. */
  readonly input?: string
  /** A command that prints more is ended. */
  readonly mostBytes?: number
}

/** Git ended with an error; what it said about it. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly said: string

  constructor(args: readonly string[], said: string) {
    super(`git ${args[0] ?? ''}: ${said}`)
    this.said = said
  }
}

/** Git printed more than was allowed. */
export class GitTooLarge extends GitError {
  constructor(args: readonly string[]) {
    super(args, 'prints too much')
  }
}

export class Git {
  readonly #place: GitLocation

  constructor(place: GitLocation) {
    this.#place = place
  }

  /** What a command prints. */
  async text(args: readonly string[], { input, mostBytes }: GitInput = {}): Promise<string> {
    const child = this.#start(args)
    child.stdin.end(input)
    const parts: Buffer[] = []
    let size = 0
    const isOver = (): boolean => mostBytes !== undefined && size > mostBytes
    child.stdout.on('data', (bytes: Buffer) => {
      size += bytes.length
      if (isOver()) child.kill('SIGKILL')
      else parts.push(bytes)
    })
    try {
      await waitForExit(child, args)
    } catch (error) {
      throw isOver() ? new GitTooLarge(args) : error
    }
    if (isOver()) throw new GitTooLarge(args)
    return Buffer.concat(parts).toString('utf8')
  }

  /** Records that a command prints with a NUL at the end of each. */
  async records(args: readonly string[], options: GitInput = {}): Promise<readonly string[]> {
    return (await this.text(args, options)).split('\0').slice(0, -1)
  }

  /** Objects in the order of their ids. Undefined: it is not here, or larger than `most` bytes. */
  async objects(
    ids: readonly string[],
    most: number,
    take: (at: number, bytes: Uint8Array | undefined) => void,
  ): Promise<void> {
    if (ids.length === 0) return
    const args = ['cat-file', '--batch']
    const child = this.#start(args)
    const reader = new ObjectReader(most, take)
    child.stdout.on('data', (bytes: Buffer) => reader.add(bytes))
    child.stdin.end(ids.map((id) => `${id}\n`).join(''))
    await waitForExit(child, args)
  }

  #start(args: readonly string[]): ChildProcessWithoutNullStreams {
    const { program, folder, gitFolder, signal, settings = [] } = this.#place
    const place = gitFolder === undefined ? [] : [`--git-dir=${gitFolder}`]
    return spawn(program, [...place, '--no-pager', ...SETTINGS, ...args], {
      cwd: folder,
      env: { ...createEnvironment(folder), ...settingVariables(settings) },
      signal,
      killSignal: 'SIGKILL',
      windowsHide: true,
    })
  }
}

const SETTINGS = ['core.fsmonitor=false', 'core.quotePath=false', 'protocol.allow=never'].flatMap(
  (it) => ['-c', it],
)

/**
 * Variables that a hook sets would lead to another repository than the one that is named. The
 * settings of a repository may name a command to fetch with, so no protocol is allowed at all.
 */
function createEnvironment(folder: string): NodeJS.ProcessEnv {
  const all = Object.entries(createGuardedEnvironment(folder))
  const own = all.filter(([name]) => !REDIRECTING_VARIABLES.test(name))
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  }
}

/** By the environment: the name of a setting may hold any character. */
function settingVariables(
  settings: readonly (readonly [name: string, value: string])[],
): NodeJS.ProcessEnv {
  if (settings.length === 0) return {}
  const pairs = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(settings.length) }
}

const REDIRECTING_VARIABLES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|EXTERNAL_DIFF|DIFF_OPTS|TRACE\w*)$/

const KEPT_WORDS = 4096

function waitForExit(
  child: ChildProcessWithoutNullStreams,
  args: readonly string[],
): Promise<void> {
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, KEPT_WORDS)
  })
  // Git may end before it has read all that it is asked; its own words say why.
  child.stdin.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) resolve()
      else reject(new GitError(args, said.trim() || `ended with ${status}`))
    })
  })
}

/** `<id> <type> <size>⏎<bytes>⏎` after each other, or `<id> missing⏎`, cut anywhere. */
class ObjectReader {
  readonly #most: number
  readonly #take: (at: number, bytes: Uint8Array | undefined) => void
  #at = 0
  #head: Buffer = Buffer.alloc(0)
  /** Bytes of the object that are still to come, its final line break included. */
  #missing = 0
  #isKept = false
  #parts: Buffer[] = []

  constructor(most: number, take: (at: number, bytes: Uint8Array | undefined) => void) {
    this.#most = most
    this.#take = take
  }

  add(bytes: Buffer): void {
    let rest = bytes
    while (rest.length > 0) rest = this.#missing > 0 ? this.#body(rest) : this.#header(rest)
  }

  #header(bytes: Buffer): Buffer {
    const end = bytes.indexOf(LINE_BREAK)
    this.#head = Buffer.concat([this.#head, end < 0 ? bytes : bytes.subarray(0, end)])
    if (end < 0) return NOTHING
    const size = / (\d+)$/.exec(this.#head.toString('latin1'))?.[1]
    this.#head = NOTHING
    if (size === undefined) this.#give(undefined)
    else {
      this.#missing = Number(size) + 1
      this.#isKept = Number(size) <= this.#most
    }
    return bytes.subarray(end + 1)
  }

  #body(bytes: Buffer): Buffer {
    const part = bytes.subarray(0, this.#missing)
    this.#missing -= part.length
    if (this.#isKept) this.#parts.push(part)
    if (this.#missing === 0) {
      const whole = this.#isKept ? Buffer.concat(this.#parts).subarray(0, -1) : undefined
      this.#parts = []
      this.#give(whole)
    }
    return bytes.subarray(part.length)
  }

  #give(bytes: Uint8Array | undefined): void {
    this.#take(this.#at, bytes)
    this.#at += 1
  }
}

const LINE_BREAK = 0x0a
const NOTHING = Buffer.alloc(0)
