/** The environment variables that the program reads. A test compares the names with the source. */
import { code, table } from './markdown.ts'

export const VARIABLES: Readonly<Record<string, string>> = {
  DOSSIER_HOME:
    'One folder for settings, notes and caches, in place of the folders that the system uses.',
  DOSSIER_INDEX_DIR: 'Folder of the index, for commands without `--index-dir`.',
  DOSSIER_EMBED_KEY: 'Key for the embedding endpoint of `--embed`.',
  DOSSIER_TANA_TOKEN: 'Personal access token for the Tana Local API.',
  FLOW_DIR: 'The flow to use, for commands without `--flow`.',
  ANTHROPIC_API_KEY: 'Key that `submit` sends to the Anthropic API.',
  ANTHROPIC_BASE_URL: 'Address of another server with the Anthropic API.',
  ANTHROPIC_MODEL: 'Model for `submit`, when `--model` is not given.',
  OPENAI_API_KEY: 'Key that `submit` sends to an OpenAI-compatible API.',
  OPENAI_BASE_URL: 'Address of another server with an OpenAI-compatible API.',
  OPENAI_MODEL: 'Model for `submit`, when `--model` is not given.',
  SOURCE_DATE_EPOCH: 'Seconds since 1970, written as the creation time of docs packs.',
  XDG_CONFIG_HOME: 'Parent of the settings folder (`APPDATA` on Windows).',
  XDG_DATA_HOME: 'Parent of the data folder: copies of notes, shell history (`LOCALAPPDATA`).',
  XDG_CACHE_HOME: 'Parent of the cache folder: indexes of repositories that are read-only.',
  NO_COLOR: 'Set to any value to print without colors.',
  FORCE_COLOR: 'Set to print colors even where the output is not a terminal.',
  SHELL: 'The shell that runs the lines of `dossier shell`.',
}

export function describeVariables(): string {
  const rows = Object.entries(VARIABLES).map(([name, meaning]) => [code(name), meaning])
  return ['## Environment variables', '', ...table(['variable', 'meaning'], rows), ''].join('\n')
}
