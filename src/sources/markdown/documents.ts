/** The Markdown documents of a segment: which files they are, what they are called, their text. */
import { lastPart } from '../../base/paths.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import type { Files } from '../../platform/files.ts'
import { type Walked, walk } from '../walk.ts'

const EXTENSION = /\.(?:md|markdown)$/i

/** Skips nested segments: subfolders that have their own `_ctx`. */
export function findDocuments(files: Files, folder: string): Walked {
  return walk(files, folder, {
    accepts: (name) => EXTENSION.test(name),
    skipsFolder: (entries) => entries.some((it) => it.name === '_ctx' && it.isDirectory()),
  })
}

/**
 * The id of a document is the stem of its file; if two would be equal, their paths without
 * extension, and if that is not enough, their full paths.
 */
export function documentIds(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = [fileStem, removeExtension, keepPath]
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
    // All documents with the same id use the next longer form.
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

function fileStem(path: string): string {
  return removeExtension(lastPart(path))
}

function removeExtension(path: string): string {
  return path.replace(EXTENSION, '')
}

function keepPath(path: string): string {
  return path
}

export interface DecodedDocument {
  readonly text: string
  readonly diagnostics: readonly Omit<Diagnostic, 'path'>[]
}

/** A larger Markdown file is a data set, whose chunks would dominate any pack. */
export const MAX_BYTES = 64 * 1024 * 1024

/** The text of a file without byte order mark, or the reason why it has none. */
export function decodeDocument(bytes: Uint8Array): DecodedDocument | Omit<Diagnostic, 'path'> {
  const wide = decodeUtf16(bytes)
  if (wide !== undefined) return { text: wide, diagnostics: [] }
  if (bytes.includes(0))
    return { code: 'binary', message: 'contains NUL bytes, so it is not text; left out' }
  try {
    return { text: STRICT.decode(bytes), diagnostics: [] }
  } catch {
    const message = 'is not valid UTF-8; invalid bytes were replaced by U+FFFD'
    return { text: LENIENT.decode(bytes), diagnostics: [{ code: 'invalid-utf8', message }] }
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true })
const LENIENT = new TextDecoder('utf-8')

function decodeUtf16(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return undefined
}
