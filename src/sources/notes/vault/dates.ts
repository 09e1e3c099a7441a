/** Dates as people and programs write them in notes. Without a zone they are UTC: the same everywhere. */

const NUMERIC = /^(\d{4})[-_/.](\d{1,2})[-_/.](\d{1,2})$/
const IN_WORDS = /^(?:[a-z]+day,?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i
const MONTHS =
  'january february march april may june july august september october november december'
const MONTH_NAMES: readonly string[] = MONTHS.split(' ')

/** `2025-12-13` for `2025_12_13`, `2025/12/13` and `Dec 13th, 2025`. */
export function parseDay(text: string): string | undefined {
  const numeric = NUMERIC.exec(text)
  if (numeric !== null) return formatDay(numeric[1], Number(numeric[2]), Number(numeric[3]))
  const worded = IN_WORDS.exec(text)
  if (worded === null) return undefined
  const month = (worded[1] ?? '').toLowerCase()
  const at = MONTH_NAMES.findIndex((it) => it === month || it.slice(0, 3) === month)
  return at < 0 ? undefined : formatDay(worded[3], at + 1, Number(worded[2]))
}

/** The day that a file is of: `2025_12_13`, `2025-12-13`, and Dendron's `daily.2025.12.13`. */
export function parseFileDay(stem: string): string | undefined {
  const match = /^(?:[\w-]+\.)*(\d{4}([-_.])\d{2}\2\d{2})$/.exec(stem)
  if (match === null || (match[2] !== '.' && match[1] !== stem)) return undefined
  return parseDay(match[1] ?? '')
}

function formatDay(year: string | undefined, month: number, date: number): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
  const time = Date.parse(`${text}T00:00:00Z`)
  // The thirty-first of February parses in some forms, as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}

const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i
const MIN_SECONDS = 1e8
const MIN_MILLISECONDS = 1e11

/** Milliseconds since 1970 of a date, a time, or a number of seconds or milliseconds. */
export function parseTime(text: string): number | undefined {
  if (/^\d{9,14}(?:\.\d+)?$/.test(text)) {
    const count = Number(text)
    if (count < MIN_SECONDS) return undefined
    return Math.trunc(count < MIN_MILLISECONDS ? count * 1000 : count)
  }
  const match = TIME.exec(text)
  if (match === null) {
    const named = parseDay(text)
    return named === undefined ? undefined : Date.parse(`${named}T00:00:00Z`)
  }
  const zone = (match[4] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const seconds = (match[3] ?? ':00').slice(0, 7)
  const time = Date.parse(`${match[1]}T${match[2] ?? '00:00'}${seconds}${zone}`)
  return Number.isNaN(time) ? undefined : Math.trunc(time)
}
