/** What somebody points at, in words, as the place in the index that it is. */
import { posix } from 'node:path'
import { nearest } from '../../base/nearest.ts'
import type { CodeIndexReader, StoredSymbol } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import type { Focus } from '../../model/pack-request.ts'
import { parseSymbol } from '../../model/scip-symbol.ts'
import { nearNames, symbolPlaces } from './near-symbols.ts'

/**
 * Of `xxh64:…`, `scip:…`, `src/a.ts`, `src/a.ts:12`, `parse` and `Parser.parse`, in this order. A
 * path is looked for from a folder of the repository first, and then from its top.
 */
export async function focusOn(index: CodeIndexReader, text: string, folder = ''): Promise<Focus> {
  const wanted = text.trim()
  if (wanted.startsWith('xxh64:')) return focusOnChunk(index, wanted)
  if (wanted.startsWith('scip:')) return focusOnSymbol(index, wanted)
  return (
    (await focusOnFile(index, posix.join(folder, slashed(wanted)))) ??
    (await focusOnFile(index, slashed(wanted))) ??
    (await focusOnName(index, wanted))
  )
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

async function focusOnName(index: CodeIndexReader, wanted: string): Promise<Focus> {
  const parts = wanted.replace(/\(\)$/, '').split(SEPARATOR)
  const name = parts.at(-1) ?? ''
  const named = name === '' ? [] : await index.symbolsNamed([name])
  const found = named.filter((it) => endsWith(it, parts))
  const [first] = found
  if (first === undefined) {
    const places = await symbolPlaces(index, named)
    const names = places.length > 0 ? [] : await nearNames(index, parts.join('.'), NEAR)
    const symbols = [...places, ...names]
    const paths = await nearPaths(index, wanted)
    const near = /[/\\]/.test(wanted) ? [...paths, ...symbols] : [...symbols, ...paths]
    throw unknown(wanted, didYouMean(near.slice(0, NEAR)))
  }
  if (new Set(found.map((it) => it.id)).size === 1) return { symbolId: first.id }
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

/** Whether the names down to the symbol end in these. */
function endsWith(symbol: StoredSymbol, parts: readonly string[]): boolean {
  const descriptors = parseSymbol(symbol.id.slice('scip:'.length))?.descriptors ?? []
  const names = descriptors.map((it) => it.name)
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
