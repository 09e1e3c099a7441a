/**
 * Finds which evidence refers to which: by the code index if there is one, else by names in the
 * texts.
 */
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
import { collectEvidenceLines, type EvidenceLines, type EvidenceRange } from './evidence-lines.ts'
import { type LoadedPart, loadPart } from './prompt.ts'

export interface PartDependencies {
  readonly name: string
  /** `index`: by what is called and used. `names`: by names of files that are mentioned. */
  readonly by: 'index' | 'names'
  readonly referencedBy: readonly PartReference[]
  readonly refersTo: readonly PartReference[]
}

export interface PartReference {
  /** The other part. */
  readonly name: string
  readonly file: string
  /** The first of the lines. */
  readonly line: number
  /** Of the evidence file that has the reference in it, each once. */
  readonly lines: readonly number[]
  /** The referenced symbol or file. */
  readonly what: string
  /** `call`, `usage`, `import`, … or `mention`. */
  readonly kind: string
}

export async function findDependencies(
  world: World,
  flow: Flow,
  target: string,
): Promise<PartDependencies> {
  await finishInterruptedChange(world, flow)
  const { parts } = listParts(world.files, flow)
  const evidence = parts.filter((it) => it.role === 'evidence')
  const wanted = findTargetPart(evidence, target)
  const loaded = evidence.map((part) => loadPart(world, flow, part))
  const own = loaded.filter((it) => it.path === wanted.path)
  const others = loaded.filter((it) => it.path !== wanted.path)
  const places = { own: collectEvidenceLines(own), others: collectEvidenceLines(others) }
  const isIndexed =
    kindAt(world.files, indexFile(world, flow.root)) === 'file' && places.own.paths().length > 0
  if (!isIndexed) return findByNames(wanted.name, own, others)
  return withCodeIndex(world, { path: flow.root, isFresh: true }, ({ index }) =>
    findByIndex(index, wanted.name, places),
  )
}

interface EvidenceRanges {
  readonly own: EvidenceLines
  readonly others: EvidenceLines
}

/** Counts only definitions and references inside the lines of the pieces. */
async function findByIndex(
  index: CodeIndexReader,
  name: string,
  { own, others }: EvidenceRanges,
): Promise<PartDependencies> {
  const mine = await loadChunksIn(index, own)
  const defined = await findSymbolsIn(index, mine, own)
  const theirs = await findSymbolsIn(index, await loadChunksIn(index, others), others)
  const homes = new Map<string, SymbolLocation>()
  for (const symbol of theirs) if (!homes.has(symbol.id)) homes.set(symbol.id, symbol)
  // A definition inside the piece itself is not a dependency, even if another piece contains it
  // too.
  for (const { id } of defined) homes.delete(id)
  const inward = await index.edgesTo([...new Set(defined.map((it) => it.id))].toSorted())
  const outward = await index.edgesInChunks(mine.map((it) => it.uid))
  return {
    name,
    by: 'index',
    referencedBy: await collectReferences(index, inward, ({ path, line }) =>
      findCovering(own, path, line).length > 0 ? [] : findCovering(others, path, line),
    ),
    refersTo: await collectReferences(index, outward, ({ to, path, line }) => {
      const home = homes.get(to)
      const [from] = findCovering(own, path, line)
      const [place] = home === undefined ? [] : findCovering(others, home.path, home.line)
      // The line is that of the reference, in the target part.
      return from === undefined || place === undefined ? [] : [{ ...place, offset: from.offset }]
    }),
  }
}

async function loadChunksIn(
  index: CodeIndexReader,
  lines: EvidenceLines,
): Promise<readonly StoredChunk[]> {
  const chunks = await index.chunksInFiles(lines.paths())
  return chunks.filter((chunk) =>
    lines.rangesIn(chunk.path).some((it) => chunk.startLine <= it.end && it.start <= chunk.endLine),
  )
}

interface SymbolLocation {
  readonly id: string
  readonly path: string
  /** The line of its name. */
  readonly line: number
}

/** The symbols of these chunks whose names are inside the lines. */
async function findSymbolsIn(
  index: CodeIndexReader,
  chunks: readonly StoredChunk[],
  lines: EvidenceLines,
): Promise<readonly SymbolLocation[]> {
  const byPath = Map.groupBy(chunks, (it) => it.path)
  const symbols = await index.symbolsInChunks(chunks.map((it) => it.uid))
  return symbols.flatMap(({ id, path, start }) => {
    const chunk = byPath.get(path)?.find((it) => it.start <= start && start < it.end)
    if (chunk === undefined) return []
    const above = chunk.text.slice(0, start - chunk.start).split('\n').length - 1
    const line = chunk.startLine + above
    return findCovering(lines, path, line).length === 0 ? [] : [{ id, path, line }]
  })
}

function findCovering(lines: EvidenceLines, path: string, line: number): readonly EvidenceRange[] {
  return lines.rangesIn(path).filter((it) => it.start <= line && line <= it.end)
}

interface SymbolReference {
  /** The symbol. */
  readonly to: string
  readonly path: string
  readonly line: number
}

async function collectReferences(
  index: CodeIndexReader,
  edges: readonly StoredEdge[],
  placesOf: (referring: SymbolReference) => readonly EvidenceRange[],
): Promise<readonly PartReference[]> {
  const evidence = await index.evidence(edges)
  const found = edges.flatMap(({ to, path, kind }, nth) => {
    const line = evidence[nth]?.startLine ?? 0
    return placesOf({ to, path, line }).map(({ part, offset }) => ({
      name: part.name,
      file: lastPart(part.path),
      line: line + (offset ?? 0),
      kind,
      what: symbolShortName(to),
    }))
  })
  return groupReferences(found)
}

function symbolShortName(symbol: string): string {
  const names = parseSymbol(symbol.slice('scip:'.length))?.descriptors.map((it) => it.name) ?? []
  return names.at(-1) ?? symbol
}

/** Without an index: parts that mention the source file or the name of another part. */
function findByNames(
  name: string,
  own: readonly LoadedPart[],
  others: readonly LoadedPart[],
): PartDependencies {
  const pairs = own.flatMap((it) => others.map((other) => [it, other] as const))
  // Two pieces of the same file both contain its name, so they are no references.
  const apart = pairs.filter(([it, other]) => it.title !== other.title)
  return {
    name,
    by: 'names',
    referencedBy: groupReferences(apart.flatMap(([it, other]) => findMentions(other, it, other))),
    refersTo: groupReferences(apart.flatMap(([it, other]) => findMentions(it, other, other))),
  }
}

type Mention = Omit<PartReference, 'lines'>

/**
 * Lines where one part mentions another; `named` is the part under which the reference is listed.
 */
function findMentions(from: LoadedPart, to: LoadedPart, named: LoadedPart): readonly Mention[] {
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
 * One reference per part, target and kind, with all of its lines. A call is also a usage, which is
 * not listed again.
 */
function groupReferences(all: readonly Mention[]): readonly PartReference[] {
  const seen = new Set<string>()
  const groups = new Map<string, Mention & { readonly lines: number[] }>()
  for (const it of all.toSorted(REFERENCE_ORDER)) {
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

const REFERENCE_ORDER = inOrder<Mention>(
  ascending((it) => it.file),
  ascending((it) => it.line),
  ascending((it) => it.what),
  ascending((it) => it.kind),
)
