/** Where two values of JSON differ, in the order of their keys. */

export interface Difference {
  /** `sections[0].items[2].title`; empty for the values themselves. */
  readonly place: string
  /** Absent where there is nothing. */
  readonly before?: unknown
  readonly after?: unknown
}

export function* differencesOf(
  before: unknown,
  after: unknown,
  place = '',
): Generator<Difference, void> {
  if (Object.is(before, after)) return
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    for (let at = 0; at < length; at += 1)
      yield* differencesOf(before[at], after[at], `${place}[${at}]`)
    return
  }
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    for (const key of [...keys].toSorted())
      yield* differencesOf(before[key], after[key], place === '' ? key : `${place}.${key}`)
    return
  }
  yield {
    place,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
