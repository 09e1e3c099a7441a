/**
 * Which parts somebody means: an exact rank, an exact name, a range of ranks, or the beginning of
 * one name. What could be several is refused with the candidates, never guessed.
 */
import { nearest } from '../base/nearest.ts'
import { EngineError } from '../model/engine-error.ts'
import type { ContextPart } from '../model/evidence.ts'
import { fileName, rankText } from './part-names.ts'

const RANK = /^\d{3}$/
const SHORT_RANK = /^\d{1,2}$/
const RANGE = /^(\d{1,3})-(\d{1,3})$/

export function partsMeant(parts: readonly ContextPart[], target: string): readonly ContextPart[] {
  const [, from, to] = RANGE.exec(target) ?? []
  if (from !== undefined && to !== undefined) return inRange(parts, Number(from), Number(to))
  const exact = parts.filter((it) => isCalled(it, target))
  if (exact.length === 1 || (exact.length > 0 && RANK.test(target))) return exact
  const likely = exact.length > 0 ? exact : parts.filter((it) => couldBe(it, target))
  if (likely.length === 1 && target !== '') return likely
  throw likely.length === 0 || target === '' ? unknown(parts, target) : ambiguous(likely, target)
}

/** One part, where a command can only be about one. */
export function partMeant(parts: readonly ContextPart[], target: string): ContextPart {
  const meant = partsMeant(parts, target)
  const [first] = meant
  if (first === undefined) throw unknown(parts, target)
  if (meant.length > 1) throw ambiguous(meant, target)
  return first
}

/** `10` is the beginning of `100_flow` and as well the rank of `010_request`. */
function couldBe({ name, rank }: ContextPart, target: string): boolean {
  return name.startsWith(target) || (SHORT_RANK.test(target) && rank === rankText(Number(target)))
}

/** A path is how a shell gives it: `$e1`. */
function isCalled(part: ContextPart, target: string): boolean {
  const { name, kind, rank, path } = part
  return [name, kind, rank, path, fileName(part)].includes(target) || target.endsWith(`/${path}`)
}

function inRange(parts: readonly ContextPart[], from: number, to: number): readonly ContextPart[] {
  if (from > to) {
    throw new EngineError(
      'POC_E_REQUEST_INVALID',
      `the range ${from}-${to} ends before it begins`,
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

const MOST_NAMED = 8

function unknown(parts: readonly ContextPart[], target: string): EngineError {
  const near = nearest(
    target,
    parts.map((it) => it.name),
    3,
  )
  return new EngineError('POC_E_TARGET_UNKNOWN', `no part is called ${JSON.stringify(target)}`, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'see `dossier evidence list`',
  })
}

function ambiguous(parts: readonly ContextPart[], target: string): EngineError {
  const names = parts.slice(0, MOST_NAMED).map((it) => it.name)
  const rest = parts.length > names.length ? `, and ${parts.length - names.length} more` : ''
  return new EngineError(
    'POC_E_TARGET_AMBIGUOUS',
    `${JSON.stringify(target)} could be any of ${parts.length} parts: ${names.join(', ')}${rest}`,
    { hint: 'give a whole name, three digits of a rank, or a range such as 300-399' },
  )
}
