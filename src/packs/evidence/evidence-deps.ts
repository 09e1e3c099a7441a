/** Which evidence refers to which: by the code index where there is one, else by names in the texts. */
import { ascending, inOrder } from '../../base/order.ts'
import { lastPart } from '../../base/paths.ts'
import { finishInterruptedChange } from '../../evidence/history.ts'
import { listParts } from '../../evidence/parts.ts'
import { findTargetPart } from '../../evidence/targets.ts'
import type { CodeIndexReader, StoredChunk, StoredEdge } from '../../model/code-index.ts'
import type { Flow } from '../../model/evidence.ts'
import { parseSymbol } from '../../model/scip-symbol.ts'
import { kindAt } from '../../platform/files.ts'
import type { World } from '../../platform/world.ts'
import { indexFile } from '../index/index-place.ts'
import { withCodeIndex } from '../index/with-code-index.ts'
import { type EvidenceLines, type EvidencePlace, evidenceLines } from './evidence-lines.ts'
import { type LoadedPart, loadPart } from './prompt.ts'

export interface Dependencies {
  readonly name: string
  /** `index`: by what is called and used. `names`: by names of files that are mentioned. */
  readonly by: 'index' | 'names'
  readonly referencedBy: readonly Reference[]
  readonly refersTo: readonly Reference[]
}

export interface Reference {
  /** The other part. */
  readonly name: string
  readonly file: string
  /** The first of the lines. */
  readonly line: number
  /** Of the evidence file that has the reference in it, each once. */
  readonly lines: readonly number[]
  /** What is referred to: a symbol, or a file. */
  readonly what: string
  /** `call`, `usage`, `import`, … or `mention`. */
  readonly kind: string
}

export async function dependenciesOf(
  world: World,
  flow: Flow,
  target: string,
): Promise<Dependencies> {
  await finishInterruptedChange(world, flow)
  const { parts } = listParts(world.files, flow)
  const evidence = parts.filter((it) => it.role === 'evidence')
  const wanted = findTargetPart(evidence, target)
  const loaded = evidence.map((part) => loadPart(world, flow, part))
  const own = loaded.filter((it) => it.path === wanted.path)
  const others = loaded.filter((it) => it.path !== wanted.path)
  const places = { own: evidenceLines(own), others: evidenceLines(others) }
  const isIndexed =
    kindAt(world.files, indexFile(world, flow.root)) === 'file' && places.own.paths().length > 0
  if (!isIndexed) return byNames(wanted.name, own, others)
  return withCodeIndex(world, { path: flow.root, isFresh: true }, ({ index }) =>
    byIndex(index, wanted.name, places),
  )
}

interface Places {
  readonly own: EvidenceLines
  readonly others: EvidenceLines
}

/** What is defined and what is referred to, both inside the lines of the pieces, not just near them. */
async function byIndex(
  index: CodeIndexReader,
  name: string,
  { own, others }: Places,
): Promise<Dependencies> {
  const mine = await chunksIn(index, own)
  const defined = await symbolsIn(index, mine, own)
  const theirs = await symbolsIn(index, await chunksIn(index, others), others)
  const homes = new Map<string, SymbolPlace>()
  for (const symbol of theirs) if (!homes.has(symbol.id)) homes.set(symbol.id, symbol)
  // What is in the piece itself depends on no other one, though another one may have it as well.
  for (const { id } of defined) homes.delete(id)
  const inward = await index.edgesTo([...new Set(defined.map((it) => it.id))].toSorted())
  const outward = await index.edgesInChunks(mine.map((it) => it.uid))
  return {
    name,
    by: 'index',
    referencedBy: await references(index, inward, ({ path, line }) =>
      at(own, path, line).length > 0 ? [] : at(others, path, line),
    ),
    refersTo: await references(index, outward, ({ to, path, line }) => {
      const home = homes.get(to)
      const [from] = at(own, path, line)
      const [place] = home === undefined ? [] : at(others, home.path, home.line)
      // The line is that of the reference: in the part that was asked about.
      return from === undefined || place === undefined ? [] : [{ ...place, offset: from.offset }]
    }),
  }
}

async function chunksIn(
  index: CodeIndexReader,
  lines: EvidenceLines,
): Promise<readonly StoredChunk[]> {
  const chunks = await index.chunksInFiles(lines.paths())
  return chunks.filter((chunk) =>
    lines.at(chunk.path).some((it) => chunk.startLine <= it.end && it.start <= chunk.endLine),
  )
}

interface SymbolPlace {
  readonly id: string
  readonly path: string
  /** Where its name is. */
  readonly line: number
}

/** Of the symbols of these chunks, those whose names are in the lines. */
async function symbolsIn(
  index: CodeIndexReader,
  chunks: readonly StoredChunk[],
  lines: EvidenceLines,
): Promise<readonly SymbolPlace[]> {
  const byPath = Map.groupBy(chunks, (it) => it.path)
  const symbols = await index.symbolsInChunks(chunks.map((it) => it.uid))
  return symbols.flatMap(({ id, path, start }) => {
    const chunk = byPath.get(path)?.find((it) => it.start <= start && start < it.end)
    if (chunk === undefined) return []
    const above = chunk.text.slice(0, start - chunk.start).split('\n').length - 1
    const line = chunk.startLine + above
    return at(lines, path, line).length === 0 ? [] : [{ id, path, line }]
  })
}

function at(lines: EvidenceLines, path: string, line: number): readonly EvidencePlace[] {
  return lines.at(path).filter((it) => it.start <= line && line <= it.end)
}

interface Referring {
  /** The symbol. */
  readonly to: string
  readonly path: string
  readonly line: number
}

async function references(
  index: CodeIndexReader,
  edges: readonly StoredEdge[],
  placesOf: (referring: Referring) => readonly EvidencePlace[],
): Promise<readonly Reference[]> {
  const evidence = await index.evidence(edges)
  const found = edges.flatMap(({ to, path, kind }, nth) => {
    const line = evidence[nth]?.startLine ?? 0
    return placesOf({ to, path, line }).map(({ part, offset }) => ({
      name: part.name,
      file: lastPart(part.path),
      line: line + (offset ?? 0),
      kind,
      what: nameOf(to),
    }))
  })
  return grouped(found)
}

function nameOf(symbol: string): string {
  const names = parseSymbol(symbol.slice('scip:'.length))?.descriptors.map((it) => it.name) ?? []
  return names.at(-1) ?? symbol
}

/** Without an index: whoever says the name of the file that a part came from, or that of the part. */
function byNames(
  name: string,
  own: readonly LoadedPart[],
  others: readonly LoadedPart[],
): Dependencies {
  const pairs = own.flatMap((it) => others.map((other) => [it, other] as const))
  // Two pieces of one file both have its name.
  const apart = pairs.filter(([it, other]) => it.title !== other.title)
  return {
    name,
    by: 'names',
    referencedBy: grouped(apart.flatMap(([it, other]) => mentions(other, it, other))),
    refersTo: grouped(apart.flatMap(([it, other]) => mentions(it, other, other))),
  }
}

type Mention = Omit<Reference, 'lines'>

/** Where one part says the name of another; `named` is the one that the reference is listed under. */
function mentions(from: LoadedPart, to: LoadedPart, named: LoadedPart): readonly Mention[] {
  const file = lastPart(named.path)
  const wanted = [lastPart(to.title), to.name].filter((it) => it.length > 2)
  return from.text.split('\n').flatMap((line, place) => {
    const isProvenance = line.startsWith('<!-- source_uri=')
    const what = wanted.find((it) => hasWord(line, it))
    if (what === undefined || isProvenance) return []
    return [{ name: named.name, file, line: place + 1 + from.linesBefore, what, kind: 'mention' }]
  })
}

const INSIDE_A_NAME = /[\p{L}\p{N}_-]/u

/** `flow.sh` is in `core/flow.sh.` and not in `workflow.sh`. */
function hasWord(line: string, word: string): boolean {
  for (let place = line.indexOf(word); place >= 0; place = line.indexOf(word, place + 1)) {
    const around = [line.charAt(place - 1), line.charAt(place + word.length)]
    if (!around.some((it) => INSIDE_A_NAME.test(it))) return true
  }
  return false
}

/**
 * One for each part, thing and kind, with all of its lines. What is called in a place is used there
 * as well, and that is not said twice.
 */
function grouped(all: readonly Mention[]): readonly Reference[] {
  const seen = new Set<string>()
  const groups = new Map<string, Mention & { readonly lines: number[] }>()
  for (const it of all.toSorted(IN_PLACE)) {
    const place = JSON.stringify([it.file, it.line, it.what])
    if (seen.has(place)) continue
    seen.add(place)
    const key = JSON.stringify([it.file, it.what, it.kind])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ...it, lines: [it.line] })
    else group.lines.push(it.line)
  }
  return [...groups.values()]
}

const IN_PLACE = inOrder<Mention>(
  ascending((it) => it.file),
  ascending((it) => it.line),
  ascending((it) => it.what),
  ascending((it) => it.kind),
)
