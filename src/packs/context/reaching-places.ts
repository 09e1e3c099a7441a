/**
 * The places from which a symbol is reached, step by step back along the edges: by symbols, not by
 * chunks, so that callers in the chunk of the symbol are found as well.
 */
import { ascending, inOrder } from '../../base/order.ts'
import type { PathRole } from '../../base/path-roles.ts'
import { lineAt } from '../../base/text.ts'
import { secretsOf } from '../../budget/chunk-secrets.ts'
import { symbolName } from '../../format/pack-explain.ts'
import type { CodeIndexReader, StoredChunk, StoredEdge } from '../../model/code-index.ts'
import { IMPACT_RELATIONS, type ImpactPlace, type ImpactRelation } from '../../model/impact.ts'
import { isModuleSymbol } from '../../traverse/module-symbol.ts'
import { titleOf } from './pack-item.ts'

/** Edges that are told one by one: far more than can be listed. */
const MOST_EDGES = 2_000
const MOST_FAR_EDGES = 400
/** Symbols that are gone back from at each further step, and how many may use each of them. */
const MOST_SYMBOLS = 100
const MOST_USERS = 100
/** What leads on: that a file imports something says nothing of what it does with it. */
const LEADING: readonly ImpactRelation[] = ['call', 'usage', 'inherit']

interface Reaching {
  readonly meant: ReadonlySet<string>
  readonly deepest: number
  isShown(path: string): boolean
  /** What a file is for. */
  roles(path: string): PathRole
}

interface ReachingPlaces {
  /** Nearest first. */
  readonly places: readonly ImpactPlace[]
  readonly isCut: boolean
}

export async function findReachingPlaces(
  index: CodeIndexReader,
  { meant, deepest, isShown, roles }: Reaching,
): Promise<ReachingPlaces> {
  const places: ImpactPlace[] = []
  const known = new Set(meant)
  const homes = new Set((await index.symbols([...meant])).map((it) => it.path))
  let targets: readonly string[] = [...meant]
  let isCut = false
  for (let depth = 1; depth <= deepest && targets.length > 0; depth += 1) {
    const kinds = depth === 1 ? IMPACT_RELATIONS : LEADING
    const found = (await index.edgesTo(targets, kinds)).filter(
      (it) => isShown(it.path) && !known.has(it.from) && !isOwnExport(it, homes),
    )
    const told = sourceFirst(withoutMereImports(found), roles)
    const edges = told.slice(0, depth === 1 ? MOST_EDGES : MOST_FAR_EDGES)
    places.push(...joinLines(await placesAt(index, edges, depth)))
    const next = [...new Set(edges.filter((it) => leadsOn(it, roles)).map((it) => it.from))]
    for (const it of edges) known.add(it.from)
    const few = next.slice(0, MOST_SYMBOLS)
    const users = depth === deepest ? [] : await index.countEdgesTo(few, MOST_USERS + 1)
    targets = few.filter((_, at) => (users[at] ?? 0) <= MOST_USERS)
    isCut ||= edges.length < told.length || (depth < deepest && targets.length < next.length)
  }
  return { places, isCut }
}

/** What the file of the symbol itself offers to others. */
function isOwnExport({ kind, path }: StoredEdge, homes: ReadonlySet<string>): boolean {
  return kind === 'export' && homes.has(path)
}

/** Imports are listed only for files that do nothing else with the symbol. */
function withoutMereImports(edges: readonly StoredEdge[]): readonly StoredEdge[] {
  const using = new Set(edges.filter((it) => !isPassing(it)).map((it) => it.path))
  return edges.filter((it) => !isPassing(it) || !using.has(it.path))
}

function isPassing({ kind }: StoredEdge): boolean {
  return kind === 'import' || kind === 'export'
}

/** Nobody calls a test, and everybody a file. */
function leadsOn(edge: StoredEdge, roles: Reaching['roles']): boolean {
  return !isPassing(edge) && !isModuleSymbol(edge.from) && roles(edge.path) !== 'test'
}

/** Source before tests, examples and the like; calls before other references. */
function sourceFirst(
  edges: readonly StoredEdge[],
  roles: Reaching['roles'],
): readonly StoredEdge[] {
  const paths = new Set(edges.map((it) => it.path))
  const source = new Set([...paths].filter((it) => roles(it) === 'source'))
  return edges.toSorted(
    inOrder(
      ascending((it) => Number(!source.has(it.path))),
      EDGE_ORDER,
    ),
  )
}

const EDGE_ORDER = inOrder<StoredEdge>(
  ascending((it) => IMPACT_RELATIONS.findIndex((kind) => kind === it.kind)),
  ascending((it) => it.path),
  ascending((it) => it.start),
  ascending((it) => it.from),
  ascending((it) => it.to),
)

async function placesAt(
  index: CodeIndexReader,
  edges: readonly StoredEdge[],
  depth: number,
): Promise<readonly ImpactPlace[]> {
  const chunks = await index.chunksAt(edges.map(({ path, start }) => ({ path, offset: start })))
  return edges.flatMap((edge, at): readonly ImpactPlace[] => {
    const chunk = chunks[at]
    const relation = IMPACT_RELATIONS.find((it) => it === edge.kind)
    if (chunk === undefined || relation === undefined) return []
    return [
      {
        path: edge.path,
        lines: [lineAt(chunk, edge.start)],
        name: nameAt(edge, chunk),
        depth,
        relation,
        ...(depth === 1 ? {} : { through: symbolName(edge.to) }),
      },
    ]
  })
}

/** The function around a reference; without a name for it, the line that opens the block around. */
export function nameAt(
  { from, start }: Pick<StoredEdge, 'from' | 'start'>,
  chunk: StoredChunk | undefined,
): string {
  if (from !== '' && !isModuleSymbol(from)) return symbolName(from)
  if (chunk === undefined) return ''
  const lines = linesUpTo(chunk, start)
  const above = headsAbove(lines)
  const head = above.find((it) => /['"`]/.test(it.text)) ?? above[0] ?? lines.at(-1)
  if (head === undefined) return titleOf(chunk)
  const end = head.start + head.text.length
  const isSecret = secretsOf(chunk).some((it) => it.start < end && head.start < it.end)
  return isSecret ? titleOf(chunk) : head.text.trim()
}

interface Line {
  /** In the text of the chunk. */
  readonly start: number
  readonly text: string
}

/** Of a chunk, to the end of the one that holds a place. */
function linesUpTo({ text, start }: StoredChunk, offset: number): readonly Line[] {
  const lines: Line[] = []
  for (let at = 0; at <= offset - start && at < text.length; ) {
    const end = text.indexOf('\n', at)
    const past = end < 0 ? text.length : end
    lines.push({ start: at, text: text.slice(at, past) })
    at = past + 1
  }
  return lines
}

/** Lines that the last one is indented below, from the inside out: `test('opens', () => {`. */
function headsAbove(lines: readonly Line[]): readonly Line[] {
  let indent = indentOf(lines.at(-1)?.text ?? '')
  return lines.toReversed().filter(({ text }) => {
    if (text.trim() === '' || indentOf(text) >= indent) return false
    indent = indentOf(text)
    return true
  })
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Lines of one function are one place. The order is that of the first of them. */
export function joinLines(places: readonly ImpactPlace[]): readonly ImpactPlace[] {
  const byFunction = Map.groupBy(places, (it) => `${it.path}\n${it.name}`)
  return [...byFunction.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const lines = new Set([first, ...others].flatMap((it) => it.lines))
    return [{ ...first, lines: [...lines].toSorted(ascending((it) => it)) }]
  })
}
