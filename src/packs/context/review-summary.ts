/** What a pack says of a diff as a whole, and how much of that there is room for. */
import { ascending, type Compare, descending, inOrder } from '../../base/order.ts'
import { coChangeLine, fileLine, referrerLine } from '../../format/pack-changes.ts'
import { symbolName } from '../../format/pack-explain.ts'
import type { ChangedFile, CoChange, PackChanges, Referrer } from '../../model/pack-changes.ts'
import type { FileChange } from '../../model/repository-diff.ts'
import type { CountTokens } from '../../model/tokens.ts'
import type { FileRoles } from '../../retrieve/file-roles.ts'
import type { ChangedCode } from './changed-chunks.ts'
import type { RepositoryDiff } from './diff-request.ts'
import type { RemovedName, StaleReference } from './removed-names.ts'
import { reviewWorth } from './review-worth.ts'
import type { UnchangedReferrers } from './unchanged-referrers.ts'

interface ReviewFindings {
  readonly roles: FileRoles
  readonly diff: RepositoryDiff
  readonly code: ChangedCode
  readonly removed: readonly RemovedName[]
  readonly stale: readonly StaleReference[]
  readonly referrers: UnchangedReferrers
  readonly together: { readonly found: readonly CoChange[]; readonly lookedAt: number }
}

/** With everything that there is to say. */
export function summarizeChanges(findings: ReviewFindings): PackChanges {
  const { diff, code, together, roles } = findings
  const files = diff.files.map((it) => changedFile(it, findings)).toSorted(fileOrder(roles))
  const referrers = [...staleReferrers(findings), ...unchangedReferrers(findings)]
  return {
    source: diff.identity.source,
    counts: {
      files: files.length,
      symbols: code.symbols.filter((it) => !it.isInner).length,
      addedLines: files.reduce((sum, it) => sum + it.addedLines, 0),
      removedLines: files.reduce((sum, it) => sum + it.removedLines, 0),
      referrers: referrers.length,
      together: together.found.length,
      commits: together.lookedAt,
    },
    files,
    referrers,
    together: together.found,
    notes: [...diff.notes, ...ownNotes(findings)],
  }
}

function fileOrder(roles: FileRoles): Compare<ChangedFile> {
  return inOrder<ChangedFile>(
    descending((it) => reviewWorth(roles(it.path))),
    ascending((it) => it.path),
    ascending((it) => it.oldPath ?? ''),
  )
}

function changedFile(change: FileChange, { code, removed }: ReviewFindings): ChangedFile {
  const { path, oldPath, status, isBinary, modes, edits, isPending } = change
  const count = (side: 'added' | 'removed'): number =>
    edits.reduce((sum, it) => sum + it[side].length, 0)
  const own = code.symbols.filter((it) => it.path === path && !it.isInner)
  const names = own.map((it) => symbolName(it.id))
  const isLeftOut = !isBinary && edits.length > 0 && status !== 'deleted' && !code.files.has(path)
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    status,
    addedLines: count(isPending === true ? 'removed' : 'added'),
    removedLines: count(isPending === true ? 'added' : 'removed'),
    symbols: [...new Set(names)],
    removedNames: removed.filter((it) => it.path === (oldPath ?? path)).map((it) => it.name),
    notes: [
      ...(isBinary ? ['binary'] : []),
      ...(modes === undefined ? [] : [`mode ${modes.before} → ${modes.after}`]),
      ...(isLeftOut && code.filesLeft === 0 ? ['not in the index'] : []),
    ],
  }
}

function staleReferrers({ stale }: ReviewFindings): readonly Referrer[] {
  return stale.map(({ chunk, line, removed }) => ({
    path: chunk.path,
    lines: [line],
    name: chunk.name,
    to: removed.name,
    isRemoved: true,
  }))
}

/**
 * In code: tests and documents have sections. What uses comes before what only imports, and other files
 * come before the one of the definition, where whoever changed it has looked.
 */
function unchangedReferrers({ referrers, code, roles }: ReviewFindings): readonly Referrer[] {
  const homes = new Map(code.symbols.map((it) => [it.id, it.path]))
  const told = referrers.lines.filter(({ chunk }) => !OTHER_ROLES.has(roles(chunk.path)))
  const groups = Map.groupBy(
    told,
    ({ edge, chunk, within }) => `${chunk.path}\n${within}\n${edge.to}`,
  )
  const found = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { edge, chunk, within } = first
    const referrer = {
      path: chunk.path,
      lines: [...new Set(group.map((it) => it.line))],
      name: within === '' ? '' : symbolName(within),
      to: symbolName(edge.to),
      isRemoved: false,
    }
    const isHome = homes.get(edge.to) === chunk.path
    return [{ referrer, isHome, isImport: edge.kind === 'import' || edge.kind === 'export' }]
  })
  return found
    .toSorted(
      inOrder(
        ascending((it) => Number(it.isImport)),
        descending((it) => reviewWorth(roles(it.referrer.path))),
        ascending((it) => Number(it.isHome)),
        ascending((it) => it.referrer.path),
        ascending((it) => it.referrer.lines[0] ?? 0),
        ascending((it) => it.referrer.to),
        ascending((it) => it.referrer.name),
      ),
    )
    .map((it) => it.referrer)
}

const OTHER_ROLES: ReadonlySet<string> = new Set(['test', 'docs', 'log'])

function ownNotes({ code, referrers }: ReviewFindings): readonly string[] {
  const left = code.filesLeft === 0 ? [] : [`${code.filesLeft} changed files were not looked into`]
  const hubs = referrers.hubs.map(
    (it) => `${symbolName(it)} is referred to in so many places that they are not listed`,
  )
  return [...left, ...hubs]
}

interface Room {
  readonly countTokens: CountTokens
  /** Of the whole pack. */
  readonly maxTokens: number
}

/** Of the whole pack, for each of the lists. */
const SHARES = { files: 0.12, referrers: 0.16, together: 0.06, notes: 0.03 } as const
const MOST = { files: 60, referrers: 80, together: 10, notes: 5 } as const

/** What does not fit is counted. */
export function boundChanges(changes: PackChanges, room: Room): PackChanges {
  return {
    ...changes,
    files: firstFitting(changes.files, fileLine, { list: 'files', ...room }),
    referrers: firstFitting(changes.referrers, referrerLine, { list: 'referrers', ...room }),
    together: firstFitting(changes.together, coChangeLine, { list: 'together', ...room }),
    notes: firstFitting(changes.notes, (it) => it, { list: 'notes', ...room }),
  }
}

function firstFitting<T>(
  items: readonly T[],
  line: (item: T) => string,
  { list, countTokens, maxTokens }: Room & { readonly list: keyof typeof SHARES },
): readonly T[] {
  let left = SHARES[list] * maxTokens
  const kept: T[] = []
  for (const item of items.slice(0, MOST[list])) {
    const tokens = countTokens(line(item)) + 1
    if (tokens > left) continue
    left -= tokens
    kept.push(item)
  }
  return kept
}
