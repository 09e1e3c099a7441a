/**
 * Finds the parts that a target means: an exact rank, an exact name, a range of ranks, or a unique
 * prefix of a name. An ambiguous target is an error that lists the candidates.
 */
import { nearest } from '../base/nearest.ts'
import { EngineError } from '../model/engine-error.ts'
import type { ContextPart } from '../model/evidence.ts'
import { formatRank, partFileName } from './part-names.ts'

const RANK = /^\d{3}$/
const SHORT_RANK = /^\d{1,2}$/
const RANGE = /^(\d{1,3})-(\d{1,3})$/

export function findTargetParts(
  parts: readonly ContextPart[],
  target: string,
): readonly ContextPart[] {
  const [, from, to] = RANGE.exec(target) ?? []
  if (from !== undefined && to !== undefined)
    return partsInRankRange(parts, Number(from), Number(to))
  const exact = parts.filter((it) => matchesTarget(it, target))
  if (exact.length === 1 || (exact.length > 0 && RANK.test(target))) return exact
  const likely = exact.length > 0 ? exact : parts.filter((it) => mayMatchTarget(it, target))
  if (likely.length === 1 && target !== '') return likely
  throw likely.length === 0 || target === ''
    ? createUnknownTargetError(parts, target)
    : createAmbiguousTargetError(likely, target)
}

/** For commands that take exactly one part. */
export function findTargetPart(parts: readonly ContextPart[], target: string): ContextPart {
  const meant = findTargetParts(parts, target)
  const [first] = meant
  if (first === undefined) throw createUnknownTargetError(parts, target)
  if (meant.length > 1) throw createAmbiguousTargetError(meant, target)
  return first
}

/** `10` is a prefix of `100_flow` and also the rank of `010_request`. */
function mayMatchTarget({ name, rank }: ContextPart, target: string): boolean {
  return name.startsWith(target) || (SHORT_RANK.test(target) && rank === formatRank(Number(target)))
}

/** Shell variables such as `$e1` hold paths, so a path is accepted too. */
function matchesTarget(part: ContextPart, target: string): boolean {
  const { name, kind, rank, path } = part
  return (
    [name, kind, rank, path, partFileName(part)].includes(target) || target.endsWith(`/${path}`)
  )
}

function partsInRankRange(
  parts: readonly ContextPart[],
  from: number,
  to: number,
): readonly ContextPart[] {
  if (from > to) {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      `the range ${from}-${to} ends before it starts`,
      {
        hint: `did you mean ${to}-${from}?`,
      },
    )
  }
  const found = parts.filter((it) => Number(it.rank) >= from && Number(it.rank) <= to)
  if (found.length > 0) return found
  throw new EngineError('POC_E_TARGET_UNKNOWN', `no part has a rank from ${from} to ${to}`, {
    hint: 'see `dossier evidence list`',
  })
}

const MAX_NAMES_SHOWN = 8

function createUnknownTargetError(parts: readonly ContextPart[], target: string): EngineError {
  const near = nearest(
    target,
    parts.map((it) => it.name),
    3,
  )
  return new EngineError('POC_E_TARGET_UNKNOWN', `no part is named ${JSON.stringify(target)}`, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'see `dossier evidence list`',
  })
}

function createAmbiguousTargetError(parts: readonly ContextPart[], target: string): EngineError {
  const names = parts.slice(0, MAX_NAMES_SHOWN).map((it) => it.name)
  const rest = parts.length > names.length ? `, and ${parts.length - names.length} more` : ''
  return new EngineError(
    'POC_E_TARGET_AMBIGUOUS',
    `${JSON.stringify(target)} matches ${parts.length} parts: ${names.join(', ')}${rest}`,
    { hint: 'give a full name, a three-digit rank, or a range such as 300-399' },
  )
}
