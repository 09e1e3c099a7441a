/** What the path of a file says: what the file is called, and whether it is an old copy of another. */
import { codeForms } from '../base/code-tokens.ts'
import { compoundParts } from '../base/identifiers.ts'

/** A file with such a name is called what its folder is called. */
const FOLDER_ENTRY = /^(?:mod|index|__init__|__main__|lib|main|init)$/
/** Folders that say nothing of what is in them. */
const PLAIN_FOLDER = /^(?:src|lib|source|sources|app|pkg|packages|internal)$/

/** The words of a file's stem, or of its folder's name, each in all forms that a question may have. */
export function listStemWords(path: string): readonly (readonly string[])[] {
  const [name = '', ...folders] = path.split('/').toReversed()
  const stem = dropExtension(name)
  const folder = folders.find((it) => !PLAIN_FOLDER.test(it.toLowerCase()))
  const called = FOLDER_ENTRY.test(stem.toLowerCase()) ? (folder ?? stem) : stem
  return called.split(/[^\p{L}\p{N}]+/u).flatMap((piece) => {
    if (piece === '') return []
    const parts = compoundParts(piece)
    return (parts.length === 0 ? [piece] : parts).map(codeForms)
  })
}

const OLD_FOLDER = /(?:^|\/)(?:legacy|old|deprecated|obsolete|archived?|v\d+)\//i
const VERSION = /^v(\d+)$/

/**
 * The name of the folder that makes a file an old copy, in lower case: `legacy` where the same path
 * without it is a file as well, `v1` also where `v2` has the file. Empty for a current file.
 */
export function findOldFolder(path: string, isFile: (path: string) => boolean): string {
  if (!OLD_FOLDER.test(path)) return ''
  const parts = path.split('/')
  const old = parts.slice(0, -1).find((part, at) => {
    if (!OLD_FOLDER.test(`${part}/`)) return false
    const version = Number(VERSION.exec(part.toLowerCase())?.[1] ?? 0)
    const isAlsoAt = (...middle: readonly string[]): boolean =>
      isFile([...parts.slice(0, at), ...middle, ...parts.slice(at + 1)].join('/'))
    // `v2` beside files without a version is the newer one.
    return (version <= 1 && isAlsoAt()) || (version > 0 && isAlsoAt(`v${version + 1}`))
  })
  return old?.toLowerCase() ?? ''
}

export function dropExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '')
}
