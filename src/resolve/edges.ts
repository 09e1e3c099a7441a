/** References to edges with evidence: who calls, uses, imports, exports and inherits what. */
import { folderOf } from '../base/paths.ts'
import { isTestPath, listSubjectPaths } from '../base/test-paths.ts'
import { type Expression, ROLE, TRAIT } from '../model/facts.ts'
import {
  type EdgeKind,
  type EdgeRecord,
  type EvidenceKind,
  MOST_CANDIDATES,
  type UnresolvedRecord,
} from '../model/index-record.ts'
import { dataflow } from './dataflow.ts'
import {
  type EdgeInput,
  type Edges,
  enclosing,
  fileSymbol,
  isConstructor,
  round,
} from './edge-input.ts'
import type { Place } from './linking.ts'
import { mentions } from './mentions.ts'
import type { Reference } from './references.ts'

export function edgesOf(given: EdgeInput): Edges {
  const input = { ...given, references: withFilesInUse(given) }
  const edges: EdgeRecord[] = []
  const unresolved: UnresolvedRecord[] = []
  for (const reference of input.references) {
    const before = edges.length
    if (reference.targets.length > 0) addEdges(input, reference, edges)
    if (edges.length === before) unresolved.push(...unresolvedFor(input, reference))
  }
  const mentioned = mentions(input)
  unresolved.push(...mentioned.unresolved)
  for (const it of exported(input)) edges.push(it)
  for (const it of dataflow(input)) edges.push(it)
  for (const it of mentioned.edges) edges.push(it)
  for (const it of tested(input, edges)) edges.push(it)
  return { edges, unresolved }
}

/**
 * Where a module is all the files of a folder, whoever imports it leans on those that define what
 * it uses; its bare name, which stands before each of these uses, says nothing more.
 */
function withFilesInUse({ view, references }: EdgeInput): readonly Reference[] {
  if (view.linking.exported === undefined) return references
  const paths = new Set<string>()
  for (const { targets } of references)
    for (const it of targets) if (it.definition !== 0) paths.add(it.path)
  const inUse = Map.groupBy([...paths].toSorted(), folderOf)
  return references.map((reference) => {
    const { expression, targets } = reference
    const [module] = targets
    if (module === undefined || module.definition !== 0) return reference
    if (kindOf(view.expression(expression)) !== 'import') return { expression, targets: [] }
    const used = inUse.get(folderOf(module.path))
    if (used === undefined) return reference
    return { expression, targets: used.map((path) => ({ path, definition: 0 })) }
  })
}

function addEdges(input: EdgeInput, { expression, targets }: Reference, edges: EdgeRecord[]): void {
  const { view, symbols } = input
  const it = view.expression(expression)
  const usual = kindOf(it)
  const from = usual === 'import' || usual === 'export' ? fileSymbol(input) : enclosing(input, it)
  // Of a class that is made an instance of, the constructor is called; the class is used.
  const isMade = (it.role & ROLE.make) !== 0
  const confidence = confidenceOf(it, isMade ? 1 : targets.length)
  const isUsed = isMade && targets.some((place) => isConstructor(input, place))
  for (const place of targets) {
    const to = symbols.idOf(place)
    if (to === undefined || isItself(input, place, it)) continue
    const kind = isUsed && !isConstructor(input, place) ? 'usage' : usual
    if (to === from && kind !== 'call') continue
    const evidence = EVIDENCE[kind] ?? 'identifier'
    edges.push({ kind, from, to, evidence, start: it.start, end: it.end, confidence })
  }
}

/** A declaration is no reference to itself. */
function isItself({ view }: EdgeInput, place: Place, it: Expression): boolean {
  return (
    place.path === view.path &&
    view.definition(place.definition).start === it.start &&
    it.op !== 'module'
  )
}

const EVIDENCE: Partial<Record<EdgeKind, EvidenceKind>> = {
  call: 'callsite',
  import: 'importStmt',
  export: 'importStmt',
}

function kindOf(it: Expression): EdgeKind {
  if ((it.role & ROLE.inherit) !== 0) return 'inherit'
  if ((it.role & ROLE.call) !== 0 || it.op === 'call' || it.op === 'make') return 'call'
  if ((it.role & ROLE.import) !== 0) return 'import'
  return (it.role & ROLE.export) === 0 ? 'usage' : 'export'
}

/**
 * A name is what its scope or its import says. A member is what the type of its receiver says, and
 * types are followed without being checked. Of several targets, not all can be meant every time.
 */
function confidenceOf(it: Expression, count: number): number {
  const whole = it.op === 'name' || it.op === 'import' || it.op === 'module' ? 0.95 : 0.85
  return count <= 1 ? whole : Math.max(0.2, round(whole / Math.sqrt(count)))
}

const CALLABLE: ReadonlySet<string> = new Set([
  'function',
  'method',
  'constructor',
  'class',
  'macro',
])

/** Calls and bases that lead nowhere are kept with what they might mean. */
function unresolvedFor(input: EdgeInput, reference: Reference): readonly UnresolvedRecord[] {
  const { view, symbols } = input
  const it = view.expression(reference.expression)
  const kind = kindOf(it)
  if ((kind !== 'call' && kind !== 'inherit') || reference.targets.length > 0) return NONE
  if (it.op !== 'name' && it.op !== 'member') return NONE
  if (it.op === 'member' && isOutside(input, it.of)) return NONE
  const candidates = symbols
    .named(it.name)
    .filter((each) => CALLABLE.has(each.kind) && (it.op === 'member') === isMember(each.kind))
    .map(({ id }) => id)
  // Nothing of that name: it comes from outside the repository.
  if (candidates.length === 0) return NONE
  const confidence = round(0.4 / candidates.length)
  return [
    {
      kind,
      from: enclosing(input, it),
      name: it.name,
      start: it.start,
      end: it.end,
      candidates: candidates.slice(0, MOST_CANDIDATES),
      confidence,
    },
  ]
}

const NONE: readonly UnresolvedRecord[] = []

/** Whether something comes from a module that is not in the repository: `os.environ`, `strings`. */
function isOutside(input: EdgeInput, at: number): boolean {
  const { view, evaluator } = input
  let root = view.expression(at)
  let number = at
  while (THROUGH.has(root.op) && root.of > 0) {
    number = root.of
    root = view.expression(number)
  }
  if (root.op === 'module') return evaluator.targets(view, number).length === 0
  if (root.op !== 'name') return false
  const places = evaluator.targets(view, number)
  return (
    places.length > 0 &&
    places.every(
      ({ path, definition }) => evaluator.view(path)?.definition(definition).kind === 'import',
    )
  )
}

/** What a member, a call or an item of something is, comes from where that comes from. */
const THROUGH: ReadonlySet<string> = new Set(['member', 'call', 'item', 'generic'])

function isMember(kind: string): boolean {
  return kind === 'method' || kind === 'constructor'
}

/** What the file offers to others under its own name. */
function exported(input: EdgeInput): readonly EdgeRecord[] {
  const { view, symbols } = input
  const from = fileSymbol(input)
  const edges: EdgeRecord[] = []
  const { definitions } = view.facts
  for (let at = 0; at < definitions.length; at += 1) {
    const { traits, owner, start, end } = view.definition(at)
    if ((traits & TRAIT.exported) === 0 || owner !== 0) continue
    const to = symbols.idOf(view.place(at))
    if (to === undefined) continue
    edges.push({ kind: 'export', from, to, evidence: 'span', start, end, confidence: 1 })
  }
  return edges
}

/** A test tests what it calls and imports; failing that, what it is named after. */
function tested(input: EdgeInput, edges: readonly EdgeRecord[]): readonly EdgeRecord[] {
  const { view, symbols, ask } = input
  if (!isTestPath(view.path)) return []
  const subjects = new Set<string>()
  const direct = input.references.flatMap((reference) => {
    const outside = reference.targets.filter((it) => it.path !== view.path && !isTestPath(it.path))
    const it = view.expression(reference.expression)
    const kind = kindOf(it)
    if (kind !== 'call' && kind !== 'import') return []
    return outside.flatMap((place) => {
      subjects.add(place.path)
      const to = symbols.idOf(place)
      const from = kind === 'call' ? enclosing(input, it) : fileSymbol(input)
      return to === undefined
        ? []
        : [edge({ from, to, it, confidence: kind === 'call' ? 0.9 : 0.7 })]
    })
  })
  const named = listSubjectPaths(view.path).find((path) => !subjects.has(path) && ask.exists(path))
  const to = named === undefined ? undefined : symbols.idOf({ path: named, definition: 0 })
  const byName =
    to === undefined || edges.some((each) => each.kind === 'test')
      ? []
      : [edge({ from: fileSymbol(input), to, it: { start: 0, end: 0 }, confidence: 0.5 })]
  return [...direct, ...byName]
}

interface TestEdge {
  readonly from: string
  readonly to: string
  readonly it: { readonly start: number; readonly end: number }
  readonly confidence: number
}

function edge({ from, to, it, confidence }: TestEdge): EdgeRecord {
  return { kind: 'test', from, to, evidence: 'span', start: it.start, end: it.end, confidence }
}
