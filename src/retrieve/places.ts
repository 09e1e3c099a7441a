/** Files and lines that a question names, as a stack trace does, found in the index. */
import { lineAt } from '../base/text.ts'
import type { CodeIndexReader, StoredChunk } from '../model/code-index.ts'
import type { Catalogue } from './catalogue.ts'
import type { TraceFrame } from './trace-frames.ts'
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
  /** The function that a trace names there. */
  readonly name?: string
  /** Whether the line is that of the function, because the line of the trace is in another one. */
  readonly isByName?: boolean
}

/** A name that so many files have says nothing. */
const MOST_FILES = 8

export function namedPlaces(
  catalogue: Catalogue,
  mentions: readonly MentionedPlace[],
  frames: readonly TraceFrame[],
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
    const frame = frames.find((it) => it.line === line && it.path.endsWith(path))
    known.push(frame === undefined ? { line, isFirst } : { line, isFirst, name: frame.name })
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

/**
 * A trace of another version has other lines: where the function that it names is in the file, and
 * the line is in none of that name, the line is taken to be that of the function.
 */
export async function correctLines(
  index: CodeIndexReader,
  { layout }: Catalogue,
  places: NamedPlaces,
): Promise<NamedPlaces> {
  const names = new Set([...places.lines.values()].flat().flatMap(({ name }) => name ?? []))
  if (names.size === 0) return places
  const paths = new Set([...places.lines.keys()].map((file) => layout.paths[file] ?? ''))
  const symbols = (await index.symbolsNamed([...names])).filter((it) => paths.has(it.path))
  const chunks = await index.chunksInFiles([...paths])
  const lines = new Map(
    [...places.lines].map(([file, own]) => {
      const inFile = chunks.filter((it) => it.path === layout.paths[file])
      return [file, own.map(correctLine)] as const

      function correctLine(place: NamedLine): NamedLine {
        const { name, line } = place
        const definitions = symbols.filter((it) => it.name === name && it.path === inFile[0]?.path)
        const defining = definitions.flatMap(({ start }) => {
          const chunk = inFile.find((it) => it.start <= start && start < it.end)
          return chunk === undefined ? [] : [{ chunk, line: lineAt(chunk, start) }]
        })
        const [first] = defining
        const isRight = inFile.some(
          (it) =>
            holdsLine(it, line) &&
            (defining.some(({ chunk }) => chunk === it) || endsInName(it.name, name ?? '')),
        )
        return first === undefined || isRight
          ? place
          : { ...place, line: first.line, isByName: true }
      }
    }),
  )
  return { ...places, lines }
}

/** The later parts of a long function have its name, and do not define it. */
function endsInName(qualified: string, name: string): boolean {
  return qualified.split(/[.#:/]+/).at(-1) === name
}

export function holdsLine(chunk: StoredChunk, line: number): boolean {
  return chunk.startLine <= line && line <= chunk.endLine
}
