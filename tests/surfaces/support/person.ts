/** Somebody with notes: a folder to work in, a home of their own, and the program. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newFolder, removeFolder, write } from './folder.ts'
import { dossier, type Finished } from './program.ts'

export interface Person {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly configFile: string
  run(...args: readonly string[]): Promise<Finished>
  /** With more in the environment. */
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Finished>
  config(): unknown
  configure(config: unknown): void
}

/** A small vault: three pages that link to each other, and one that does not. */
export const VAULT: Readonly<Record<string, string>> = {
  'vault/Lighthouse.md':
    '---\nstatus: active\nowner: "[[Mara]]"\n---\n# Lighthouse\n\nThe lamp must turn every night. #project\n\nSee [[Lamp oil]] and ask [[Mara]].\n',
  'vault/Lamp oil.md': '# Lamp oil\n\nTwo barrels a month, ordered by [[Mara]]. #task\n',
  'vault/people/Mara.md': '# Mara\n\nKeeper of the [[Lighthouse]]. #person\n',
  'vault/Recipes.md': '# Recipes\n\nBread takes a day.\n',
}

/** Gone when the test is. */
export function person(files: Readonly<Record<string, string>> = VAULT): Person {
  const it = newPerson(files)
  onTestFinished(() => removeFolder(it.folder))
  return it
}

/** The caller removes the folder. */
export function newPerson(files: Readonly<Record<string, string>> = VAULT): Person {
  const folder = newFolder()
  write(folder, files)
  const home = join(folder, 'home')
  const env = { DOSSIER_HOME: home }
  const configFile = join(home, 'config.json')
  return {
    folder,
    env,
    configFile,
    run: (...args) => dossier(args, { cwd: folder, env }),
    runWith: (more, ...args) => dossier(args, { cwd: folder, env: { ...env, ...more } }),
    config: () => JSON.parse(readFileSync(configFile, 'utf8')),
    configure: (config) => {
      mkdirSync(home, { recursive: true })
      writeFileSync(configFile, typeof config === 'string' ? config : JSON.stringify(config))
    },
  }
}
