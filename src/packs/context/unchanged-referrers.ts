/** Who refers to changed definitions and was not changed; of tests also those one step further. */
import type { PathRole } from '../../base/path-roles.ts'
import type { Neighbour } from '../../model/candidate.ts'
import type { CodeIndexReader } from '../../model/code-index.ts'
import type { EdgeKind } from '../../model/index-record.ts'
import type { PackRequest } from '../../model/pack-request.ts'
import type { FileRoles } from '../../retrieve/file-roles.ts'
import { isModuleSymbol } from '../../traverse/module-symbol.ts'
import { findReferrers, type ReferringLine } from '../../traverse/referrers.ts'
import type { Walk } from '../../traverse/walk.ts'
import type { ChangedCode } from './changed-chunks.ts'

export interface UnchangedReferrers {
  readonly walk: Walk
  /** Of the first step. */
  readonly lines: readonly EnclosedLine[]
  /** Definitions that too many refer to. */
  readonly hubs: readonly string[]
}

/** A line that refers to something, and the definition that it is part of. */
export interface EnclosedLine extends ReferringLine {
  /** Symbol id; empty at the top of a file. */
  readonly within: string
}

/** Tests are looked for from so many of the referring definitions. */
const MOST_EXPANDED = 200
const MOST_FAR_TESTS = 40

interface ReferrerScope {
  readonly code: ChangedCode
  readonly roles: FileRoles
}

export async function findUnchangedReferrers(
  index: CodeIndexReader,
  { expansion }: PackRequest,
  { code: { chunks, symbols }, roles }: ReferrerScope,
): Promise<UnchangedReferrers> {
  const { maxHops, edgeTypes } = expansion
  const kinds: readonly EdgeKind[] = [...edgeTypes, 'inherit', 'mention', 'test']
  const known = new Set(chunks.map((it) => it.chunk.uid))
  const meant = symbols.filter((it) => it.isOwnChange)
  const near =
    maxHops < 1
      ? NOBODY
      : await findReferrers(index, {
          symbols: new Map(meant.map((it) => [it.id, it.chunkUid])),
          kinds,
          known,
        })
  const far = maxHops < 2 ? [] : await findFarTests(index, near.neighbours, { known, roles })
  const neighbours = [...near.neighbours, ...far]
  return {
    walk: {
      neighbours,
      edgesWalked: near.edges,
      maxHop: far.length > 0 ? 2 : neighbours.length > 0 ? 1 : 0,
      dropped: { noEvidence: 0, fanout: 0, nodes: 0, expanded: 0, hubs: near.hubs.length },
      isCut: false,
    },
    lines: await encloseLines(index, near.lines),
    hubs: near.hubs,
  }
}

const NOBODY = { neighbours: [], lines: [], edges: 0, hubs: [] }

/** The graph may know only the file of a reference: the definition that begins last before it has it. */
async function encloseLines(
  index: CodeIndexReader,
  lines: readonly ReferringLine[],
): Promise<readonly EnclosedLine[]> {
  const vague = lines.filter((it) => isModuleSymbol(it.edge.from)).map((it) => it.chunk.uid)
  const symbols = vague.length === 0 ? [] : await index.symbolsInChunks([...new Set(vague)])
  const byPath = Map.groupBy(symbols, (it) => it.path)
  return lines.map((line) => {
    const { edge, chunk } = line
    if (!isModuleSymbol(edge.from)) return { ...line, within: edge.from }
    const before = (byPath.get(chunk.path) ?? []).filter(
      ({ start, kind }) => chunk.start <= start && start < edge.start && CALLABLE.has(kind),
    )
    const within = before.at(-1)?.id ?? (CALLABLE_CHUNKS.test(chunk.symbol) ? chunk.symbol : '')
    return { ...line, within }
  })
}

const CALLABLE: ReadonlySet<string> = new Set(['function', 'method', 'constructor'])
const CALLABLE_CHUNKS = /\(\+?\d*\)\.$/

/** Tests of those who refer to what changed: where nothing tests it itself, they are what covers it. */
async function findFarTests(
  index: CodeIndexReader,
  near: readonly Neighbour[],
  { known, roles }: { readonly known: ReadonlySet<string>; readonly roles: FileRoles },
): Promise<readonly Neighbour[]> {
  const code = near.filter(
    ({ chunk }) =>
      chunk.symbol !== '' && !isModuleSymbol(chunk.symbol) && isCode(roles(chunk.path)),
  )
  const starts = code.slice(0, MOST_EXPANDED)
  const { neighbours } = await findReferrers(index, {
    symbols: new Map(starts.map(({ chunk }) => [chunk.symbol, chunk.uid])),
    kinds: ['call', 'test'],
    known: new Set([...known, ...near.map((it) => it.chunk.uid)]),
    before: new Map(starts.map((it) => [it.chunk.uid, it])),
  })
  return neighbours.filter((it) => roles(it.chunk.path) === 'test').slice(0, MOST_FAR_TESTS)
}

function isCode(role: PathRole): boolean {
  return role !== 'test' && role !== 'docs' && role !== 'log'
}
