/** Files and lines that a question names, as a stack trace does, found in the index. */
import type { Catalogue } from './catalogue.ts'
import type { MentionedPlace } from './understand.ts'

export interface NamedPlaces {
  /** By number of the file: 1 for a file that is surely meant, less where several may be. */
  readonly files: ReadonlyMap<number, number>
  /** Lines of files that are surely meant. */
  readonly lines: ReadonlyMap<number, readonly NamedLine[]>
}

export interface NamedLine {
  readonly line: number
  /** Whether the question begins with it. */
  readonly isFirst: boolean
}

/** A name that so many files have says nothing. */
const MOST_FILES = 8

export function namedPlaces(
  catalogue: Catalogue,
  mentions: readonly MentionedPlace[],
): NamedPlaces {
  const files = new Map<number, number>()
  const lines = new Map<number, NamedLine[]>()
  for (const { path, line, isFirst } of mentions) {
    const likeliest = filesLike(catalogue, path)
    if (likeliest.length > MOST_FILES) continue
    for (const file of likeliest) {
      files.set(file, Math.max(files.get(file) ?? 0, 1 / likeliest.length))
    }
    const [only, ...others] = likeliest
    if (only === undefined || others.length > 0 || line === 0) continue
    const known = lines.get(only) ?? []
    known.push({ line, isFirst })
    lines.set(only, known)
  }
  return { files, lines }
}

/** Those that share most of the end of the path: a trace has the path of another machine. */
function filesLike({ byName, layout }: Catalogue, path: string): readonly number[] {
  const parts = path.toLowerCase().split('/').toReversed()
  let most = 0
  let found: number[] = []
  for (const file of byName().get(parts[0] ?? '') ?? []) {
    const own = (layout.paths[file] ?? '').toLowerCase().split('/').toReversed()
    let shared = 0
    while (shared < own.length && own[shared] === parts[shared]) shared += 1
    if (shared > most) {
      most = shared
      found = []
    }
    if (shared === most) found.push(file)
  }
  return found
}
