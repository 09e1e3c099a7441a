/**
 * The person's settings: read from one file of JSON, and changed there a few keys at a time. What we
 * do not know in it is kept where it stands.
 */
import { dirname } from 'node:path'
import { nearest } from '../base/nearest.ts'
import { EngineError } from '../model/engine-error.ts'
import { acquireLock } from '../platform/lock.ts'
import { asWriteError } from '../platform/trouble.ts'
import type { World } from '../platform/world.ts'
import { jsonFault } from './json-fault.ts'
import { type Config, configSchema, KNOWN_KEYS, type WorkspaceSettings } from './schema.ts'

export interface ConfigChange {
  /** What is set of each; the other keys of the same workspace stay. */
  readonly workspaces: ReadonlyMap<string, WorkspaceSettings>
}

/** No file is no settings, and no error. Says which keys it does not know, and goes on. */
export function readConfig(world: World): Config {
  const { configFile } = world.home
  closeHome(world)
  const raw = rawConfig(world)
  for (const line of strayKeys(raw)) world.notice(`${configFile}: ${line}`)
  return configOf(configFile, raw)
}

/** `change` sees the settings as they are, while nobody else can change them. */
export async function changeConfig(
  world: World,
  change: (config: Config) => ConfigChange,
): Promise<Config> {
  const path = writtenPath(world)
  try {
    world.files.makeFolder(dirname(path))
    closeHome(world)
    const lock = await acquireLock(`${path}.lock`, {
      signal: world.signal,
      onWait: () => world.notice(`waiting for another change of ${path}`),
    })
    try {
      const raw = rawConfig(world)
      const changed = merged(raw, change(configOf(world.home.configFile, raw)))
      const config = configOf(world.home.configFile, changed)
      if (JSON.stringify(changed) !== JSON.stringify(raw)) write(world, path, changed)
      return config
    } finally {
      lock.release()
    }
  } catch (error) {
    throw asWriteError(error, path)
  }
}

type Raw = Readonly<Record<string, unknown>>

function rawConfig(world: World): Raw {
  const { configFile } = world.home
  const text = textOf(world, configFile)
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { line, column, what } = jsonFault(text)
    throw invalid(`${configFile}:${line}:${column} is not JSON: ${what}`)
  }
  if (isObject(value)) return value
  throw invalid(`${configFile} is not an object, such as { "workspaces": {} }`)
}

function textOf(world: World, path: string): string {
  let bytes: Uint8Array
  try {
    bytes = world.files.read(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    const why = error instanceof Error ? error.message : String(error)
    throw new EngineError('POC_E_READ_FAILED', `${path} cannot be read: ${why}`, {
      hint: 'it holds your settings: see what stands there, and its permissions',
      cause: error,
    })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid(`${path} is not UTF-8 text`)
  }
}

function configOf(file: string, raw: Raw): Config {
  const parsed = configSchema.safeParse(raw)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const place = issue?.path.map(String).join('.') || 'the whole'
    // What is wrong with a name is said one level down.
    const said = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
    throw invalid(`${file}: ${place}: ${said ?? 'not valid'}`)
  }
  const { defaultWorkspace, workspaces = {}, lenses = {} } = parsed.data
  return {
    defaultWorkspace,
    workspaces: new Map(Object.entries(workspaces)),
    lenses: new Map(Object.entries(lenses)),
  }
}

/** `workspaces.main: unknown key "tokens" (did you mean token?)` */
function strayKeys(raw: Raw): readonly string[] {
  const places: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['', raw, KNOWN_KEYS.config],
    ...inside(raw, 'workspaces', KNOWN_KEYS.workspace),
    ...inside(raw, 'lenses', KNOWN_KEYS.lens),
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

function inside(
  raw: Raw,
  key: string,
  known: readonly string[],
): readonly (readonly [string, unknown, readonly string[]])[] {
  const group = raw[key]
  if (!isObject(group)) return []
  return Object.entries(group).map(([name, value]) => [`${key}.${name}`, value, known] as const)
}

/** Keys stay in their order; new ones come last. A value of undefined takes a key away. */
function merged(raw: Raw, change: ConfigChange): Raw {
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

/** A link to where somebody keeps their settings stays a link. */
function writtenPath(world: World): string {
  const { configFile } = world.home
  try {
    return world.files.realPath(configFile)
  } catch {
    return configFile
  }
}

/** The copies of notes below the folder are closed by whoever writes them. */
function closeHome({ files, home }: World): void {
  const { configFile, dataFolder } = home
  for (const it of [dirname(configFile), dataFolder, configFile, `${configFile}.lock`])
    files.closeToOthers(it)
}

/** For the owner alone: there may be a token in it. */
const PRIVATE = 0o600

function write(world: World, path: string, raw: Raw): void {
  const file = world.files.replace(path, PRIVATE)
  try {
    file.write(Buffer.from(`${JSON.stringify(raw, null, 2)}\n`))
    file.flush()
    file.commit()
  } catch (error) {
    file.discard()
    throw error
  }
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(message: string): EngineError {
  return new EngineError('POC_E_CONFIG_INVALID', message, {
    hint: 'correct the file, or move it away to start anew; nothing was changed',
  })
}
