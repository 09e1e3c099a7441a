/** Where a person's settings and notes lie: by the rules of the system, or where they say. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Home {
  readonly configFile: string
  readonly dataFolder: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** `DOSSIER_HOME` is one folder for both; else the XDG folders, and those of Windows there. */
export function homeOf(environment: Environment): Home {
  const own = environment['DOSSIER_HOME']
  if (own !== undefined && own !== '') {
    return { configFile: join(resolve(own), 'config.json'), dataFolder: resolve(own) }
  }
  const windows = process.platform === 'win32'
  const config = folder(environment[windows ? 'APPDATA' : 'XDG_CONFIG_HOME'], '.config')
  const data = folder(environment[windows ? 'LOCALAPPDATA' : 'XDG_DATA_HOME'], '.local/share')
  return { configFile: join(config, 'dossier', 'config.json'), dataFolder: join(data, 'dossier') }
}

/** By the XDG rules a relative path is as good as none. */
function folder(given: string | undefined, usual: string): string {
  return given !== undefined && given !== '' && resolve(given) === given
    ? given
    : join(homedir(), usual)
}
