/** A folder of ours in somebody's repository: what is in it can be made again, and is not theirs to commit. */
import { join } from 'node:path'
import { type Files, kindAt } from './files.ts'

const IGNORE_ALL =
  '# Made by dossier. Take this file away to keep what is here under version control.\n*\n'

/**
 * It holds copies of private files, so only its owner may read it. One that is there already is
 * closed to others, and its ignore file stays as it is: somebody may have decided otherwise.
 */
export function makeOwnFolder(files: Files, folder: string): void {
  const isThere = kindAt(files, folder) !== undefined
  files.makePrivateFolder(folder)
  if (isThere) return
  const ignore = files.replace(join(folder, '.gitignore'))
  ignore.write(new TextEncoder().encode(IGNORE_ALL))
  ignore.commit()
}
