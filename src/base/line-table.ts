/**
 * Where the lines of a text begin and end. Lines end with LF, CRLF or a lone CR, as CommonMark
 * has it; numbers are 1-based and are those of the file on disk.
 */
export interface LineTable {
  readonly count: number
  /** Offset of the line's first character. */
  start(line: number): number
  /** Offset just after the line's last character, its terminator not included. */
  end(line: number): number
  isBlank(line: number): boolean
  /** The line that holds the character at this offset. */
  lineAt(offset: number): number
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

export function lineTable(text: string): LineTable {
  const starts = lineStarts(text)
  // A final terminator ends the last line; it does not begin another one.
  const count =
    starts.length > 1 && starts.at(-1) === text.length ? starts.length - 1 : starts.length
  const start = (line: number): number => starts[line - 1] ?? text.length
  const end = (line: number): number => {
    let at = line < starts.length ? start(line + 1) : text.length
    if (at > start(line) && text.charCodeAt(at - 1) === LINE_FEED) at -= 1
    if (at > start(line) && text.charCodeAt(at - 1) === CARRIAGE_RETURN) at -= 1
    return at
  }
  return {
    count,
    start,
    end,
    isBlank: (line) => text.slice(start(line), end(line)).trim() === '',
    lineAt: (offset) => lastAtOrBefore(starts, offset) + 1,
  }
}

function lineStarts(text: string): readonly number[] {
  return text.includes('\r') ? mixedLineStarts(text) : plainLineStarts(text)
}

function plainLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function mixedLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === LINE_FEED || (unit === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) {
      starts.push(at + 1)
    }
  }
  return starts
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
