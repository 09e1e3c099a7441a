/** Where a person's settings and notes lie: by the rules of the system, or where they say. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Home {
  readonly configFile: string
  readonly dataFolder: string
  /** What can be made again. */
  readonly cacheFolder: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** `DOSSIER_HOME` is one folder for both; else the XDG folders, and those of Windows there. */
export function findHome(environment: Environment): Home {
  const own = environment['DOSSIER_HOME']
  if (own !== undefined && own !== '') {
    const dataFolder = resolve(own)
    return {
      configFile: join(dataFolder, 'config.json'),
      dataFolder,
      cacheFolder: join(dataFolder, 'cache'),
    }
  }
  const windows = process.platform === 'win32'
  const config = absoluteOr(environment[windows ? 'APPDATA' : 'XDG_CONFIG_HOME'], '.config')
  const data = absoluteOr(environment[windows ? 'LOCALAPPDATA' : 'XDG_DATA_HOME'], '.local/share')
  const cache = windows
    ? join(data, 'dossier', 'cache')
    : join(absoluteOr(environment['XDG_CACHE_HOME'], '.cache'), 'dossier')
  return {
    configFile: join(config, 'dossier', 'config.json'),
    dataFolder: join(data, 'dossier'),
    cacheFolder: cache,
  }
}

/** Where indexes lie, where the environment says so: for commands without `--index-dir`. */
export function readIndexFolder(
  environment: Environment,
  workingFolder: string,
): string | undefined {
  const given = environment['DOSSIER_INDEX_DIR']
  return given === undefined || given === '' ? undefined : resolve(workingFolder, given)
}

/** By the XDG rules a relative path is as good as none. */
function absoluteOr(given: string | undefined, usual: string): string {
  return given !== undefined && given !== '' && resolve(given) === given
    ? given
    : join(homedir(), usual)
}
