/** The Markdown documents of a segment: which files they are, what they are called, their text. */
import { lastPart } from '../../base/paths.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { Files } from '../../platform/files.ts'
import { type Walked, walk } from '../walk.ts'

const EXTENSION = /\.(?:md|markdown)$/i

/** Nothing of a nested segment gets in: a folder below the top with a `_ctx` of its own is another's. */
export function findDocuments(files: Files, folder: string): Walked {
  return walk(files, folder, {
    accepts: (name) => EXTENSION.test(name),
    skipsFolder: (entries) => entries.some((it) => it.name === '_ctx' && it.isDirectory()),
  })
}

/**
 * A document is called by its file's stem; where two would be called the same, each is called by
 * its path without the extension, and where that is not enough, by its whole path.
 */
export function documentIds(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = [stem, withoutExtension, whole]
  const ids = new Map<string, string>()
  let open = paths.map((path) => ({ path, rung: 0 }))
  const taken = new Map<string, { readonly path: string; readonly rung: number }[]>()
  while (open.length > 0) {
    for (const it of open) {
      const id = names[it.rung]?.(it.path) ?? it.path
      ids.set(it.path, id)
      const others = taken.get(id)
      if (others === undefined) taken.set(id, [it])
      else others.push(it)
    }
    // Those that clash go up a rung, together with whoever had the name first.
    open = []
    for (const [id, holders] of taken) {
      if (holders.length === 1) continue
      const movable = holders.filter((it) => it.rung < names.length - 1)
      open.push(...movable.map((it) => ({ path: it.path, rung: it.rung + 1 })))
      const staying = holders.filter((it) => it.rung === names.length - 1)
      if (staying.length === 0) taken.delete(id)
      else taken.set(id, staying)
    }
  }
  return ids
}

function stem(path: string): string {
  return withoutExtension(lastPart(path))
}

function withoutExtension(path: string): string {
  return path.replace(EXTENSION, '')
}

function whole(path: string): string {
  return path
}

export interface Decoded {
  readonly text: string
  readonly diagnostics: readonly Omit<Diagnostic, 'path'>[]
}

/** A Markdown file larger than this is a data set, and its parts would swamp any pack. */
export const MOST_BYTES = 64 * 1024 * 1024

/** The text of a file, or why it has none. A byte-order mark is no part of the text. */
export function decodeDocument(bytes: Uint8Array): Decoded | Omit<Diagnostic, 'path'> {
  const wide = utf16(bytes)
  if (wide !== undefined) return { text: wide, diagnostics: [] }
  if (bytes.includes(0))
    return { code: 'binary', message: 'holds NUL bytes, so it is no text; left out' }
  try {
    return { text: STRICT.decode(bytes), diagnostics: [] }
  } catch {
    const message = 'is not valid UTF-8; the bytes that are not became U+FFFD'
    return { text: LENIENT.decode(bytes), diagnostics: [{ code: 'invalid-utf8', message }] }
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true })
const LENIENT = new TextDecoder('utf-8')

function utf16(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return undefined
}
