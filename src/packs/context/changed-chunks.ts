/** Which chunks and definitions of the index the lines of a diff are part of. */
import { ascending, descending, inOrder } from '../../base/order.ts'
import { redactSecretsInLines } from '../../base/secrets.ts'
import { lineAt } from '../../base/text.ts'
import type { CodeIndexReader, StoredChunk, StoredFile } from '../../model/code-index.ts'
import type { Definition } from '../../model/facts.ts'
import { factsIn } from '../../model/facts-codec.ts'
import type { SymbolRecord } from '../../model/index-record.ts'
import type { ItemChanges, OtherLines } from '../../model/pack-changes.ts'
import type { FileChange, LineEdit } from '../../model/repository-diff.ts'
import { followLine, followPlace, undoEdits } from '../../sources/git/line-drift.ts'
import type { RepositoryDiff } from './diff-request.ts'

export interface ChangedChunk {
  readonly chunk: StoredChunk
  readonly changes: ItemChanges
  /** Whether all of its lines are new. */
  readonly isNew: boolean
  /** Whether a definition is changed in it. */
  readonly isNamed: boolean
}

export interface ChangedSymbol {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly chunkUid: string
  /** Whether those who refer to it are concerned: of a class, where its head changed. */
  readonly isOwnChange: boolean
  /** Whether it is part of another one of them that is new, or a field of one that changed. */
  readonly isInner: boolean
}

export interface ChangedCode {
  /** By path and place. */
  readonly chunks: readonly ChangedChunk[]
  readonly symbols: readonly ChangedSymbol[]
  /** Of the files that the index has. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** How many files the index has, and were not looked into. */
  readonly filesLeft: number
}

/** More than a pack can name; what is left is counted. */
const MOST_FILES = 400

export async function findChangedCode(
  index: CodeIndexReader,
  { files, drift }: RepositoryDiff,
): Promise<ChangedCode> {
  const edited = files.filter((it) => it.edits.length > 0)
  const known = new Set((await index.files(edited.map((it) => it.path))).map((it) => it.path))
  const wanted = edited.filter((it) => known.has(it.path))
  const looked = wanted.slice(0, MOST_FILES)
  const stored = await index.storedFiles(looked.map((it) => it.path))
  const byPath = new Map(stored.map((it) => [it.path, it]))
  const found = looked.flatMap((change) => {
    const file = byPath.get(change.path)
    return file === undefined ? [] : [mapFile(file, change, drift.get(change.path) ?? [])]
  })
  return {
    chunks: found.flatMap((it) => it.chunks),
    symbols: found.flatMap((it) => it.symbols),
    files: byPath,
    filesLeft: wanted.length - looked.length,
  }
}

interface FileMap {
  readonly chunks: readonly ChangedChunk[]
  readonly symbols: readonly ChangedSymbol[]
}

function mapFile(file: StoredFile, change: FileChange, drift: readonly LineEdit[]): FileMap {
  const place = new FilePlaces(file)
  const isPending = change.isPending === true
  const elsewhere = drift.length > 0 ? undefined : undoEdits(linesIn(file), change.edits)
  // Secrets are looked for in the whole text: a few lines may not show what they are part of.
  const redacted = elsewhere && redactSecretsInLines(elsewhere.join('\n')).text.split('\n')
  const chunks = new Map<StoredChunk, { lines: Set<number>; others: OtherLines[] }>()
  const symbols = new Map<string, ChangedSymbol>()
  for (const edit of change.edits) {
    const lines = edit.added.flatMap((_, at) => followLine(edit.newStart + at, drift) ?? [])
    const before = followPlace(edit.newStart, drift)
    // What is gone from the file belongs to what is around the place.
    const around = lines.length > 0 ? lines : [before - 1, before]
    const first = place.chunkAt(around)
    for (const line of lines) noteLine(place.chunkAt([line]), line)
    if (first !== undefined && edit.removed.length > 0) {
      const at = isPending ? before + lines.length : before
      const { length: count } = edit.removed
      const from = edit.oldStart - 1
      const gone = redacted?.slice(from, from + count) ?? redactLines(edit.removed)
      others(first).push({ before: at, count, lines: shorten(gone) })
    }
    const inside = lines.length > 0 ? lines.map((it) => [it]) : [around]
    for (const each of inside) noteSymbol(each)
  }
  const named = new Set([...symbols.values()].map((it) => it.chunkUid))
  return {
    chunks: [...chunks]
      .map(([chunk, it]) => ({
        ...changedChunk(chunk, it, isPending),
        isNamed: named.has(chunk.uid),
      }))
      .toSorted(inOrder(ascending((it) => it.chunk.start))),
    symbols: place.markInner([...symbols.values()], change),
  }

  function entry(chunk: StoredChunk) {
    const known = chunks.get(chunk) ?? { lines: new Set<number>(), others: [] }
    chunks.set(chunk, known)
    return known
  }
  function noteLine(chunk: StoredChunk | undefined, line: number): void {
    if (chunk !== undefined) entry(chunk).lines.add(line)
  }
  function others(chunk: StoredChunk): OtherLines[] {
    return entry(chunk).others
  }
  function noteSymbol(lines: readonly number[]): void {
    const found = place.symbolAt(lines)
    if (found === undefined) return
    const known = symbols.get(found.id)
    if (known === undefined || (found.isOwnChange && !known.isOwnChange))
      symbols.set(found.id, found)
  }
}

function changedChunk(
  chunk: StoredChunk,
  {
    lines,
    others,
  }: { readonly lines: ReadonlySet<number>; readonly others: readonly OtherLines[] },
  isPending: boolean,
): Omit<ChangedChunk, 'isNamed'> {
  const ranges: { start: number; end: number }[] = []
  for (const line of [...lines].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.end === line - 1) last.end = line
    else ranges.push({ start: line, end: line })
  }
  const isNew =
    !isPending && others.length === 0 && lines.size === chunk.endLine - chunk.startLine + 1
  return { chunk, changes: { lines: ranges, others, isPending }, isNew }
}

const MOST_REMOVED = 12
const LONGEST_LINE = 200

/** The chunks of a file hold all of its lines but blank ones. */
export function linesIn({ chunks, lines }: StoredFile): readonly string[] {
  const all = Array.from<string>({ length: lines }).fill('')
  for (const { text, startLine } of chunks)
    for (const [at, line] of text.split('\n').entries()) all[startLine - 1 + at] = line
  return all
}

function redactLines(lines: readonly string[]): readonly string[] {
  return redactSecretsInLines(lines.join('\n')).text.split('\n')
}

/** What is gone is shown in short. */
function shorten(removed: readonly string[]): readonly string[] {
  const shown = removed.slice(0, MOST_REMOVED).map((line) => {
    const plain = line.replace(/\r$/, '')
    return plain.length > LONGEST_LINE ? `${plain.slice(0, LONGEST_LINE).toWellFormed()}…` : plain
  })
  const rest = removed.length - shown.length
  return rest > 0 ? [...shown, `⋯ ${rest} more lines`] : shown
}

/** What stands on the lines of a file. */
class FilePlaces {
  readonly #file: StoredFile
  readonly #extents: readonly Extent[]

  constructor(file: StoredFile) {
    this.#file = file
    const definitions = factsIn(file.facts)?.definitions ?? []
    this.#extents = file.symbols.flatMap((symbol) => {
      const definition = definitions[symbol.definition]
      return definition === undefined || !isNamed(definition) ? [] : [{ symbol, definition }]
    })
  }

  /** The smallest that holds all of the lines, else the first of them, else the next. */
  chunkAt(lines: readonly number[]): StoredChunk | undefined {
    for (const wanted of [lines, ...lines.map((it) => [it])]) {
      const holding = this.#file.chunks.filter((chunk) =>
        wanted.every((line) => chunk.startLine <= line && line <= chunk.endLine),
      )
      const [smallest] = holding.toSorted(SMALLEST)
      if (smallest !== undefined) return smallest
    }
    return undefined
  }

  /** The innermost that holds all of the lines. */
  symbolAt(lines: readonly number[]): ChangedSymbol | undefined {
    const chunk = this.chunkAt(lines)
    if (chunk === undefined) return undefined
    const offsets = lines.flatMap((line) => this.#offsetOf(line) ?? [])
    if (offsets.length < lines.length) return undefined
    const around = this.#extents.filter(({ definition: { from, to } }) =>
      offsets.every((it) => from <= it && it < to),
    )
    const holdsAll = lines.every((it) => chunk.startLine <= it && it <= chunk.endLine)
    // A comment before a method is the method's, though only its class is around it.
    const next =
      holdsAll && this.#isRemark(offsets[0] ?? 0) ? this.#next(offsets[0] ?? 0) : undefined
    const own = next?.symbol.id === chunk.symbol ? next : undefined
    const begun = lines.length === 1 ? this.#begunAt(offsets[0] ?? 0) : undefined
    const found = [...around, own, begun].filter((it) => it !== undefined)
    const [inner] = found.toSorted(INNERMOST)
    if (inner === undefined) return undefined
    const { symbol, definition } = inner
    const { path } = this.#file
    const isHead = offsets.some((it) => it <= (this.#lineEnd(symbol.start) ?? symbol.end))
    const isOwnChange = !CONTAINERS.has(definition.kind) || isHead
    const { id, name } = symbol
    return { id, name, path, chunkUid: chunk.uid, isOwnChange, isInner: false }
  }

  markInner(symbols: readonly ChangedSymbol[], change: FileChange): readonly ChangedSymbol[] {
    const extents = new Map(this.#extents.map((it) => [it.symbol.id, it]))
    const changed = symbols.flatMap((it) => extents.get(it.id) ?? [])
    return symbols.map((symbol) => {
      const own = extents.get(symbol.id)
      const outer = changed.filter((it) => own !== undefined && it !== own && contains(it, own))
      const isPart = own !== undefined && PARTS.has(own.definition.kind) && outer.length > 0
      const isInner = isPart || outer.some((it) => this.#isAdded(it, change))
      return { ...symbol, isInner }
    })
  }

  /** Whether all of its lines are of the diff. */
  #isAdded({ definition: { from, to } }: Extent, { edits }: FileChange): boolean {
    const first = this.#lineAt(from)
    const last = this.#lineAt(to - 1)
    return edits.some(
      ({ newStart, removed, added }) =>
        removed.length === 0 && newStart <= first && last < newStart + added.length,
    )
  }

  #lineAt(offset: number): number {
    const chunk = this.#file.chunks.find((it) => it.start <= offset && offset < it.end)
    return chunk === undefined ? 0 : lineAt(chunk, offset)
  }

  /** The definition that begins next. */
  #next(offset: number): Extent | undefined {
    return this.#extents.filter((it) => it.definition.from > offset).toSorted(FIRST)[0]
  }

  /** The definition that begins on a line after nothing but words such as `export`. */
  #begunAt(offset: number): Extent | undefined {
    const chunk = this.#file.chunks.find((it) => it.start <= offset && offset < it.end)
    const next = this.#next(offset)
    if (chunk === undefined || next === undefined) return undefined
    const before = chunk.text.slice(offset - chunk.start, next.definition.from - chunk.start)
    return /^[\w \t]+$/.test(before) ? next : undefined
  }

  /** Whether a line is a comment or a mark of what follows it. */
  #isRemark(offset: number): boolean {
    const chunk = this.#file.chunks.find((it) => it.start <= offset && offset < it.end)
    const text = chunk?.text.slice(offset - chunk.start, offset - chunk.start + LONGEST_MARK) ?? ''
    return REMARK.test(text)
  }

  /** Of the first character of a line that is not a space. */
  #offsetOf(line: number): number | undefined {
    const chunk = this.chunkAt([line])
    if (chunk === undefined) return undefined
    let start = 0
    for (let at = chunk.startLine; at < line; at += 1) {
      start = chunk.text.indexOf('\n', start) + 1
      if (start === 0) return undefined
    }
    const spaces = /^[ \t]*/.exec(chunk.text.slice(start, start + LONGEST_INDENT))?.[0] ?? ''
    return chunk.start + start + spaces.length
  }

  #lineEnd(offset: number): number | undefined {
    const chunk = this.#file.chunks.find((it) => it.start <= offset && offset < it.end)
    if (chunk === undefined) return undefined
    const end = chunk.text.indexOf('\n', offset - chunk.start)
    return end < 0 ? chunk.end : chunk.start + end
  }
}

interface Extent {
  readonly symbol: SymbolRecord
  readonly definition: Definition
}

/** The beginnings of comments, decorators and attributes in most languages; `#include` is neither. */
const REMARK =
  /^(?:\/[/*]|\*|#(?!\s*(?:include|define|undef|if|el|endif|import|pragma))|--|;|@|\[|"""|''')/
const LONGEST_MARK = 40

/** What says nothing more where its whole is named. */
const PARTS: ReadonlySet<string> = new Set(['field', 'member', 'variable', 'parameter', 'object'])

function contains(outer: Extent, inner: Extent): boolean {
  const [a, b] = [outer.definition, inner.definition]
  return a.from <= b.from && b.to <= a.to && a.to - a.from > b.to - b.from
}

const FIRST = inOrder<Extent>(
  ascending(({ definition }) => definition.from),
  descending(({ definition }) => definition.to),
  ascending(({ symbol }) => symbol.id),
)

const LONGEST_INDENT = 400

/** What holds other definitions: a change between them is not a change of it. */
const CONTAINERS: ReadonlySet<string> = new Set(['class', 'interface', 'enum'])

function isNamed({ kind, name }: Definition): boolean {
  return name !== '' && kind !== 'file' && kind !== 'namespace' && kind !== 'import'
}

const SMALLEST = inOrder<StoredChunk>(
  ascending((it) => it.end - it.start),
  ascending((it) => it.start),
  ascending((it) => it.uid),
)

const INNERMOST = inOrder<Extent>(
  ascending(({ definition }) => definition.to - definition.from),
  ascending(({ definition }) => definition.from),
  ascending(({ symbol }) => symbol.id),
)
