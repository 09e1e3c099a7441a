/** A folder of ours in somebody's repository: what is in it can be made again, and is not theirs to commit. */
import { join } from 'node:path'
import { type Files, kindAt } from './files.ts'

const IGNORE_ALL =
  '# Made by dossier. Take this file away to keep what is here under version control.\n*\n'

/** One that is there already is left as it is: somebody may have decided otherwise. */
export function makeOwnFolder(files: Files, folder: string): void {
  if (kindAt(files, folder) !== undefined) return
  files.makeFolder(folder)
  const ignore = files.replace(join(folder, '.gitignore'))
  ignore.write(new TextEncoder().encode(IGNORE_ALL))
  ignore.commit()
}
