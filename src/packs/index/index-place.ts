/**
 * Where the index of a repository lies: in the repository; in the folder that is named for it; or, where
 * the repository cannot be written to, in the user's cache. Kept packs and exports lie beside it.
 */
import { basename, join } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import { kindAt } from '../../platform/files.ts'
import { sha256 } from '../../platform/hash.ts'
import { makeOwnFolder } from '../../platform/own-folder.ts'
import { asWriteError } from '../../platform/trouble.ts'
import type { World } from '../../platform/world.ts'

/** The name of the folder in the repository. */
export const INDEX_FOLDER = '.dossier'
/** What helps where an index cannot be written. */
const ELSEWHERE = 'name another folder with --index-dir'

const INDEX_NAME = 'index.db'
/** In a folder outside of the repository: which repository it is for. */
const RECORD = 'repository'
const HASH_LENGTH = 16

/** Of an index in the repository. */
export function indexPath(top: string): string {
  return join(top, INDEX_FOLDER, INDEX_NAME)
}

export function indexFile(world: World, top: string): string {
  return join(indexFolder(world, top), INDEX_NAME)
}

/** An index that is in the repository and can be read is used, whether it can be written to or not. */
export function indexFolder(world: World, top: string): string {
  const own = join(top, INDEX_FOLDER)
  const named = world.indexFolder
  if (named !== undefined) {
    if (named !== own) refuseOthers(world, named, top)
    return named
  }
  if (kindAt(world.files, indexPath(top)) !== undefined) return own
  if (canHold(world, own, top)) return own
  const cached = cachedFolder(world, top)
  refuseOthers(world, cached, top)
  return cached
}

/** To be called before an index is written. */
export function claimIndexFolder(world: World, top: string): void {
  const folder = indexFolder(world, top)
  if (folder === join(top, INDEX_FOLDER)) return
  if (world.indexFolder === undefined) tellOnce(world, top, folder)
  try {
    makeOwnFolder(world.files, folder)
    if (recordedIn(world, folder) === top) return
    const record = world.files.replace(join(folder, RECORD))
    record.write(Buffer.from(`${top}\n`))
    record.commit()
  } catch (error) {
    const own = join(top, INDEX_FOLDER)
    const place = world.indexFolder === undefined ? `${own}, and ${folder} in its place,` : folder
    throw asWriteError(error, place, ELSEWHERE)
  }
}

/** Whether this folder has an index, in it or in the user's cache. */
export function hasIndex(world: World, top: string): boolean {
  const folders = [join(top, INDEX_FOLDER)]
  if (kindAt(world.files, world.home.cacheFolder) !== undefined)
    folders.push(cachedFolder(world, top))
  return folders.some((it) => kindAt(world.files, join(it, INDEX_NAME)) === 'file')
}

/** Says where the index is that is used, if that is not where it is expected. */
export function tellPlace(world: World, top: string): void {
  const folder = indexFolder(world, top)
  if (world.indexFolder === undefined && folder !== join(top, INDEX_FOLDER))
    tellOnce(world, top, folder)
}

const TOLD = new WeakMap<World, Set<string>>()

function tellOnce(world: World, top: string, folder: string): void {
  const told = TOLD.get(world) ?? new Set()
  TOLD.set(world, told)
  if (told.has(top)) return
  told.add(top)
  world.notice(`${top} cannot be written to; its index is in ${folder}`)
}

/** Something else in the place of the folder is said by whoever writes there. */
function canHold({ files }: World, own: string, top: string): boolean {
  const kind = kindAt(files, own)
  if (kind === 'directory') return files.canWrite(own)
  const isInTheWay = kind !== undefined || files.linkTarget(own) !== undefined
  return isInTheWay || files.isMadeUp(top) || files.canWrite(top)
}

function cachedFolder({ home }: World, top: string): string {
  return join(
    home.cacheFolder,
    `${basename(top)}-${sha256(Buffer.from(top)).slice(0, HASH_LENGTH)}`,
  )
}

/** What belongs to another repository, or to somebody else, is neither read nor written. */
function refuseOthers(world: World, folder: string, top: string): void {
  if (kindAt(world.files, folder) !== 'directory') return
  const recorded = recordedIn(world, folder)
  if (recorded !== undefined) {
    // A repository may have been moved; its index is as good as before.
    if (recorded === top || kindAt(world.files, recorded) === undefined) return
    throw foreign(`${folder} is for the index of ${recorded}`)
  }
  const names = world.files.list(folder).map((it) => it.name)
  const [first] = names.toSorted()
  if (first === undefined || names.includes(INDEX_NAME)) return
  // Left by a command that was killed before it wrote the record.
  if (names.every((it) => it.startsWith('.'))) return
  throw foreign(`${folder} is not for an index: it holds ${first}`)
}

function recordedIn({ files }: World, folder: string): string | undefined {
  try {
    return new TextDecoder().decode(files.read(join(folder, RECORD))).trimEnd()
  } catch {
    return undefined
  }
}

function foreign(message: string): EngineError {
  return new EngineError('POC_E_PACK_FOREIGN', message, {
    hint: 'name an empty folder, or one that does not exist yet, with --index-dir',
  })
}
