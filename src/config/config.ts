/** Reads and updates the user's settings, one JSON file. Unknown keys are kept unchanged. */
import { dirname } from 'node:path'
import { nearest } from '../base/nearest.ts'
import { EngineError } from '../model/engine-error.ts'
import { acquireLock } from '../platform/lock.ts'
import { asWriteError } from '../platform/trouble.ts'
import type { World } from '../platform/world.ts'
import { locateJsonError } from './json-error.ts'
import { type Config, configSchema, KNOWN_KEYS, type WorkspaceSettings } from './schema.ts'

export interface ConfigChange {
  /** The keys to set; other keys of the same workspace are kept. */
  readonly workspaces: ReadonlyMap<string, WorkspaceSettings>
}

/** A missing file means empty settings. Unknown keys are reported as a notice. */
export function readConfig(world: World): Config {
  const { configFile } = world.home
  restrictHome(world)
  const raw = readRawConfig(world)
  for (const line of describeUnknownKeys(raw)) world.notice(`${configFile}: ${line}`)
  return parseConfig(configFile, raw)
}

/** Calls `change` with the current settings while the file is locked. */
export async function changeConfig(
  world: World,
  change: (config: Config) => ConfigChange,
): Promise<Config> {
  const path = resolveWritePath(world)
  try {
    world.files.makeFolder(dirname(path))
    restrictHome(world)
    const lock = await acquireLock(`${path}.lock`, {
      signal: world.signal,
      onWait: () => world.notice(`waiting for another command that changes ${path}`),
    })
    try {
      const raw = readRawConfig(world)
      const changed = mergeChange(raw, change(parseConfig(world.home.configFile, raw)))
      const config = parseConfig(world.home.configFile, changed)
      if (JSON.stringify(changed) !== JSON.stringify(raw)) writeConfig(world, path, changed)
      return config
    } finally {
      lock.release()
    }
  } catch (error) {
    throw asWriteError(error, path)
  }
}

type RawConfig = Readonly<Record<string, unknown>>

function readRawConfig(world: World): RawConfig {
  const { configFile } = world.home
  const text = readText(world, configFile)
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { line, column, what } = locateJsonError(text)
    throw createConfigError(`${configFile}:${line}:${column} is not JSON: ${what}`)
  }
  if (isObject(value)) return value
  throw createConfigError(`${configFile} is not a JSON object such as { "workspaces": {} }`)
}

function readText(world: World, path: string): string {
  let bytes: Uint8Array
  try {
    bytes = world.files.read(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    const why = error instanceof Error ? error.message : String(error)
    throw new EngineError('POC_E_READ_FAILED', `${path} cannot be read: ${why}`, {
      hint: 'this path must be your settings file: check what it is, and its permissions',
      cause: error,
    })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw createConfigError(`${path} is not UTF-8 text`)
  }
}

function parseConfig(file: string, raw: RawConfig): Config {
  const parsed = configSchema.safeParse(raw)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const place = issue?.path.map(String).join('.') || 'top level'
    // Problems with a name are reported in a nested issue.
    const said = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
    throw createConfigError(`${file}: ${place}: ${said ?? 'not valid'}`)
  }
  const { defaultWorkspace, workspaces = {}, lenses = {} } = parsed.data
  return {
    defaultWorkspace,
    workspaces: new Map(Object.entries(workspaces)),
    lenses: new Map(Object.entries(lenses)),
  }
}

/** `workspaces.main: unknown key "tokens" (did you mean token?)` */
function describeUnknownKeys(raw: RawConfig): readonly string[] {
  const places: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['', raw, KNOWN_KEYS.config],
    ...listEntries(raw, 'workspaces', KNOWN_KEYS.workspace),
    ...listEntries(raw, 'lenses', KNOWN_KEYS.lens),
  ]
  return places.flatMap(([place, value, known]) =>
    (isObject(value) ? Object.keys(value) : [])
      .filter((key) => !known.includes(key))
      .map((key) => {
        const [near] = nearest(key, known, 1)
        const offer = near === undefined ? '' : ` (did you mean ${near}?)`
        return `${place === '' ? '' : `${place}: `}unknown key ${JSON.stringify(key)}${offer}`
      }),
  )
}

function listEntries(
  raw: RawConfig,
  key: string,
  known: readonly string[],
): readonly (readonly [string, unknown, readonly string[]])[] {
  const group = raw[key]
  if (!isObject(group)) return []
  return Object.entries(group).map(([name, value]) => [`${key}.${name}`, value, known] as const)
}

/** Keys keep their order; new ones come last. The value undefined removes a key. */
function mergeChange(raw: RawConfig, change: ConfigChange): RawConfig {
  const before = isObject(raw['workspaces']) ? raw['workspaces'] : {}
  const workspaces = { ...before }
  for (const [alias, settings] of change.workspaces) {
    const own = workspaces[alias]
    const next = { ...(isObject(own) ? own : {}), ...settings }
    const set = Object.entries(next).filter(([, value]) => value !== undefined)
    workspaces[alias] = Object.fromEntries(set)
  }
  return { ...raw, workspaces }
}

/** A symbolic link to the settings file is kept. */
function resolveWritePath(world: World): string {
  const { configFile } = world.home
  try {
    return world.files.realPath(configFile)
  } catch {
    return configFile
  }
}

/** The copies of notes below the folder are made private by their writers. */
function restrictHome({ files, home }: World): void {
  const { configFile, dataFolder } = home
  for (const it of [dirname(configFile), dataFolder, configFile, `${configFile}.lock`])
    files.closeToOthers(it)
}

/** Readable only by the owner: it may contain a token. */
const PRIVATE_MODE = 0o600

function writeConfig(world: World, path: string, raw: RawConfig): void {
  const file = world.files.replace(path, PRIVATE_MODE)
  try {
    file.write(Buffer.from(`${JSON.stringify(raw, null, 2)}\n`))
    file.flush()
    file.commit()
  } catch (error) {
    file.discard()
    throw error
  }
}

function isObject(value: unknown): value is RawConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function createConfigError(message: string): EngineError {
  return new EngineError('POC_E_CONFIG_INVALID', message, {
    hint: 'correct the file, or move it away to start with empty settings; nothing was changed',
  })
}
