/**
 * Code fences by a line scanner that shares nothing with the splitters, so that it can judge them.
 *
 * - A fence opens with a line of optional container marks (spaces, tabs, `>`, bullets, numbers) and
 *   then three or more backticks or tildes. After backticks, no further backtick on the line.
 * - It closes with a line of optional spaces, tabs and `>`, then at least as many of the same
 *   character, then nothing but white space.
 * - In between, everything is code. A fence that never closes runs to the end of the text.
 */
const CONTAINERS = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/
const OPENING = /^(?:`{3,}(?=[^`]*$)|~{3,})/
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/

export interface FencedLine {
  readonly start: number
  readonly kind: 'text' | 'open' | 'code' | 'close'
  /** Offset of the marks, on a line that opens. */
  readonly marksAt: number
}

export interface FenceScan {
  readonly lines: readonly FencedLine[]
  readonly endsOpen: boolean
}

export function scanFences(text: string): FenceScan {
  const lines: FencedLine[] = []
  let open: string | undefined
  for (const { 0: line, index: start } of text.matchAll(/[^\r\n]+/g)) {
    if (open !== undefined) {
      const isEnd = closes(line, open)
      lines.push({ start, kind: isEnd ? 'close' : 'code', marksAt: start })
      if (isEnd) open = undefined
      continue
    }
    const indent = CONTAINERS.exec(line)?.[0].length ?? 0
    open = OPENING.exec(line.slice(indent))?.[0]
    lines.push({ start, kind: open === undefined ? 'text' : 'open', marksAt: start + indent })
  }
  return { lines, endsOpen: open !== undefined }
}

/** Whether the text at this offset is inside a fence, the opening marks themselves excepted. */
export function isInFence(scan: FenceScan, offset: number): boolean {
  const line = scan.lines.findLast((it) => it.start <= offset)
  if (line === undefined || line.kind === 'text') return false
  return line.kind !== 'open' || offset > line.marksAt
}

export function isFenceLine(line: string): boolean {
  return OPENING.test(line.replace(CONTAINERS, ''))
}

function closes(line: string, open: string): boolean {
  const marks = CLOSING.exec(line)?.[1]
  return marks !== undefined && marks[0] === open[0] && marks.length >= open.length
}
