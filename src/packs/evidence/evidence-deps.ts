/** Which evidence refers to which: by the code index where there is one, else by names in the texts. */
import { ascending, inOrder } from '../../base/order.ts'
import { lastPart } from '../../base/paths.ts'
import { settled } from '../../evidence/history.ts'
import { partsOf } from '../../evidence/parts.ts'
import { partMeant } from '../../evidence/targets.ts'
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
  /** Of the evidence file in which the reference stands. */
  readonly line: number
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
  await settled(world, flow)
  const { parts } = partsOf(world.files, flow)
  const evidence = parts.filter((it) => it.role === 'evidence')
  const wanted = partMeant(evidence, target)
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

async function byIndex(
  index: CodeIndexReader,
  name: string,
  { own, others }: Places,
): Promise<Dependencies> {
  const mine = await chunksIn(index, own)
  const theirs = await chunksIn(index, others)
  const symbols = await index.symbolsIn(mine.map((it) => it.uid))
  const inward = await index.edgesTo([...new Set(symbols.map((it) => it.id))].toSorted())
  const outward = await index.edgesIn(mine.map((it) => it.uid))
  const defined = await index.symbolsIn(theirs.map((it) => it.uid))
  const homes = new Map(defined.map((it) => [it.id, it]))
  return {
    name,
    by: 'index',
    referencedBy: await references(index, inward, (edge, line) => at(others, edge.path, line)),
    refersTo: await references(index, outward, (edge, line) => {
      const home = homes.get(edge.to)
      if (home === undefined || at(own, edge.path, line) === undefined) return undefined
      const place = others.at(home.path)[0]
      // The line is where the reference stands: in the part that was asked about.
      return place && { ...place, offset: at(own, edge.path, line)?.offset }
    }),
  }
}

async function chunksIn(
  index: CodeIndexReader,
  lines: EvidenceLines,
): Promise<readonly StoredChunk[]> {
  const chunks = await index.chunksOf(lines.paths())
  return chunks.filter((chunk) =>
    lines.at(chunk.path).some((it) => chunk.startLine <= it.end && it.start <= chunk.endLine),
  )
}

function at(lines: EvidenceLines, path: string, line: number): EvidencePlace | undefined {
  return lines.at(path).find((it) => it.start <= line && line <= it.end)
}

async function references(
  index: CodeIndexReader,
  edges: readonly StoredEdge[],
  placeOf: (edge: StoredEdge, line: number) => EvidencePlace | undefined,
): Promise<readonly Reference[]> {
  const evidence = await index.evidence(edges)
  const found = edges.flatMap((edge, nth) => {
    const line = evidence[nth]?.startLine ?? 0
    const place = placeOf(edge, line)
    if (place === undefined) return []
    return [referenceTo(place, { line, kind: edge.kind, what: nameOf(edge.to) })]
  })
  return sorted(found)
}

interface Referring {
  readonly line: number
  readonly kind: string
  readonly what: string
}

function referenceTo({ part, offset }: EvidencePlace, { line, kind, what }: Referring): Reference {
  const file = lastPart(part.path)
  return { name: part.name, file, line: line + (offset ?? 0), kind, what }
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
  const inward = others.flatMap((other) => own.flatMap((it) => mentions(other, it, other)))
  const outward = own.flatMap((it) => others.flatMap((other) => mentions(it, other, other)))
  return { name, by: 'names', referencedBy: sorted(inward), refersTo: sorted(outward) }
}

/** Where one part says the name of another; `named` is the one that the reference is listed under. */
function mentions(from: LoadedPart, to: LoadedPart, named: LoadedPart): readonly Reference[] {
  const file = lastPart(named.path)
  const base = lastPart(to.title)
  const wanted = [base, to.name].filter((it) => it.length > 2)
  return from.text.split('\n').flatMap((line, place) => {
    const isProvenance = line.startsWith('<!-- source_uri=')
    const what = wanted.find((it) => line.includes(it))
    if (what === undefined || isProvenance) return []
    return [{ name: named.name, file, line: place + 1 + from.linesBefore, what, kind: 'mention' }]
  })
}

/** One for each place and thing: what is called there is used there as well, and that is no news. */
function sorted(all: readonly Reference[]): readonly Reference[] {
  const inPlace = all.toSorted(
    inOrder(
      ascending((it) => it.file),
      ascending((it) => it.line),
      ascending((it) => it.what),
      ascending((it) => it.kind),
    ),
  )
  const seen = new Set<string>()
  return inPlace.filter(({ file, line, what }) => {
    const key = `${file} ${line} ${what}`
    const isNews = !seen.has(key)
    seen.add(key)
    return isNews
  })
}
