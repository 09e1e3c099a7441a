/** What somebody points at, in words, as the place in the index that it is. */
import { posix } from 'node:path'
import { nearest } from '../../base/nearest.ts'
import type { CodeIndexReader, StoredSymbol } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Focus } from '../../model/pack-request.ts'
import { parseSymbol } from '../../model/scip-symbol.ts'
import { definedSymbols } from './defined-symbols.ts'
import { longName, nearNames, symbolPlaces } from './near-symbols.ts'

/**
 * Of `xxh64:…`, `scip:…`, `src/a.ts`, `src/a.ts:12`, `src/a.ts:Parser.parse`, `parse` and
 * `Parser.parse`, in this order. A path is looked for from a folder of the repository first, and
 * then from its top.
 */
export async function focusOn(index: CodeIndexReader, text: string, folder = ''): Promise<Focus> {
  const wanted = text.trim()
  if (wanted.startsWith('xxh64:')) return focusOnChunk(index, wanted)
  if (wanted.startsWith('scip:')) return focusOnSymbol(index, wanted)
  const paths = [posix.join(folder, slashed(wanted)), slashed(wanted)]
  for (const path of paths) {
    const focus = await focusOnFile(index, path)
    if (focus !== undefined) return focus
  }
  for (const path of paths) {
    const focus = await focusOnFileSymbol(index, path)
    if (focus !== undefined) return focus
  }
  return focusOnName(index, wanted)
}

async function focusOnChunk(index: CodeIndexReader, chunkUid: string): Promise<Focus> {
  if ((await index.chunks([chunkUid])).length > 0) return { chunkUid }
  throw unknown(chunkUid, 'a chunk has another id when its text changes; give its file and line')
}

async function focusOnSymbol(index: CodeIndexReader, symbolId: string): Promise<Focus> {
  if ((await index.symbols([symbolId])).length > 0) return { symbolId }
  const name = parseSymbol(symbolId.slice('scip:'.length))?.descriptors.at(-1)?.name ?? ''
  const namesakes = name === '' ? [] : await index.symbolsNamed([name])
  const ids = [...new Set(namesakes.map((it) => it.id))].toSorted()
  throw unknown(symbolId, didYouMean(nearest(symbolId, ids, NEAR)))
}

/** A path may itself end in a colon and digits. */
async function focusOnFile(index: CodeIndexReader, path: string): Promise<Focus | undefined> {
  const [, before = path, digits] = /^(.+?):(\d{1,9})(?::\d+)?$/.exec(path) ?? []
  const files = await index.files([...new Set([path, before])].filter((it) => it !== ''))
  if (files.some((it) => it.path === path)) return { fileRelPath: path }
  const file = files.find((it) => it.path === before)
  if (file === undefined || digits === undefined) return undefined
  const line = Number(digits)
  if (line >= 1 && line <= file.lines) return { fileRelPath: before, line }
  throw unknown(path, `${before} has ${file.lines} lines`)
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
}

/** `src/a.ts:Parser.parse` and `src/a.ts::parse`, whatever colons the path has. */
async function focusOnFileSymbol(index: CodeIndexReader, text: string): Promise<Focus | undefined> {
  const colons = [...text.matchAll(/:+/g)].filter((it) => it.index > 0)
  const files = await index.files(colons.map((it) => text.slice(0, it.index)))
  const colon = colons.find((it) => files.some(({ path }) => path === text.slice(0, it.index)))
  if (colon === undefined) return undefined
  const path = text.slice(0, colon.index)
  const wanted = text.slice(colon.index + colon[0].length)
  const { found } = await symbolsCalled(index, wanted)
  const inFile = found.filter((it) => it.path === path)
  if (inFile.length > 0) return onlyOne(index, inFile, `${wanted} in ${path}`)
  const chunks = await index.chunksInFiles([path])
  const symbols = await index.symbolsInChunks(chunks.map((it) => it.uid))
  const names = symbols.flatMap((it) => [it.name, longName(it)])
  throw new EngineError('POC_E_REQUEST_INVALID', `nothing in ${path} is called ${wanted}`, {
    hint: didYouMean(nearest(wanted, [...new Set(names)], NEAR)),
  })
}

/** All symbols whose last name it is, and those of them whose names above it are as given. */
async function symbolsCalled(index: CodeIndexReader, wanted: string) {
  const parts = wanted.replace(/\(\)$/, '').split(SEPARATOR)
  const name = parts.at(-1) ?? ''
  const named = name === '' ? [] : await index.symbolsNamed([name])
  const spelled = parts.length < 2 ? [] : await spelledNames(index, named)
  const found = named.filter((it, at) => endsWith(namesOf(it, spelled[at]), parts))
  return { parts, named, found }
}

async function focusOnName(index: CodeIndexReader, wanted: string): Promise<Focus> {
  const { parts, named, found } = await symbolsCalled(index, wanted)
  if (found.length === 0) {
    const places = await symbolPlaces(index, named)
    const names = places.length > 0 ? [] : await nearNames(index, parts.join('.'), NEAR)
    const symbols = [...places, ...names]
    const paths = await nearPaths(index, wanted)
    const near = /[/\\]/.test(wanted) ? [...paths, ...symbols] : [...symbols, ...paths]
    throw unknown(wanted, didYouMean(near.slice(0, NEAR)))
  }
  return onlyOne(index, found, wanted)
}

/** Throws where several are defined. */
async function onlyOne(
  index: CodeIndexReader,
  symbols: readonly StoredSymbol[],
  wanted: string,
): Promise<Focus> {
  const found = await definedSymbols(index, symbols)
  const [id = '', another] = new Set(found.map((it) => it.id))
  if (another === undefined) return { symbolId: id }
  const places = await symbolPlaces(index, found)
  const rest = places.length - MOST_NAMED
  const all = [...places.slice(0, MOST_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])]
  throw new EngineError(
    'POC_E_REQUEST_INVALID',
    `more than one symbol is called ${wanted}: ${all.join(', ')}`,
    { hint: 'say which, by file and line' },
  )
}

/** The `#` of `Pier#length` stands between names; that of `Pier.#length` begins a private one. */
const SEPARATOR = /\.|::|\/|(?<=[^.:/#])#/

const NEAR = 3
const MOST_NAMED = 6

/** Of each symbol the names that stand before it in the text: `Parser` of `int Parser::parse() {`. */
async function spelledNames(
  index: CodeIndexReader,
  symbols: readonly StoredSymbol[],
): Promise<readonly (readonly string[])[]> {
  const chunks = await index.chunksAt(symbols.map(({ path, start }) => ({ path, offset: start })))
  return symbols.map(({ start }, at) => {
    const chunk = chunks[at]
    const before = chunk?.text.slice(0, start - chunk.start) ?? ''
    const spelled = /(?:\w+(?:<[^<>]*>)?::)+$/.exec(before.slice(-LONGEST_SPELLED))?.[0] ?? ''
    return spelled
      .replaceAll(/<[^<>]*>/g, '')
      .split('::')
      .slice(0, -1)
  })
}

const LONGEST_SPELLED = 200

/** The names down to the symbol, those of its file included. */
function namesOf({ id, name }: StoredSymbol, spelled: readonly string[] = []): readonly string[] {
  const descriptors = parseSymbol(id.slice('scip:'.length))?.descriptors ?? []
  const names = descriptors.map((it) => it.name)
  return spelled.length === 0 ? names : [...names.slice(0, -1), ...spelled, name]
}

function endsWith(names: readonly string[], parts: readonly string[]): boolean {
  return parts.every((part, at) => names[names.length - parts.length + at] === part)
}

/** By the whole path, or by the last part of it alone. */
async function nearPaths(index: CodeIndexReader, wanted: string): Promise<readonly string[]> {
  const paths = (await index.layout()).paths.toSorted()
  const last = wanted.replace(/:\d+$/, '').split('/').at(-1) ?? ''
  const byName = paths.filter((it) => it.endsWith(`/${last}`))
  return [...new Set([...byName, ...nearest(wanted, paths, NEAR)])].slice(0, NEAR)
}

function didYouMean(near: readonly string[]): string {
  return near.length > 0
    ? `did you mean ${near.join(' or ')}?`
    : 'give a path in the repository, with a line or without, or the name of a symbol'
}

function unknown(wanted: string, hint: string): EngineError {
  return new EngineError('POC_E_REQUEST_INVALID', `nothing in the index is ${wanted}`, { hint })
}
