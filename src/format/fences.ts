/** Fenced code, line by line: enough of CommonMark to cut a text without leaving a fence open. */

export interface OpenFence {
  /** The line's indentation and quote marks. */
  readonly indent: string
  readonly marker: string
}

const OPENING = /^((?:[>\s]|[-+*](?=\s)|\d{1,9}[.)](?=\s))*)(`{3,}(?=[^`]*$)|~{3,})/
const CLOSING = /^[>\s]*(`{3,}|~{3,})\s*$/

/** The fence that is open after this line, given the one that was open before it. */
export function fenceAfter(line: string, before: OpenFence | undefined): OpenFence | undefined {
  if (before === undefined) {
    const opening = OPENING.exec(line)
    if (opening === null) return undefined
    // Quote marks go on in the next line, bullets do not.
    return { indent: (opening[1] ?? '').replace(/[^>\s]/g, ' '), marker: opening[2] ?? '' }
  }
  const closing = CLOSING.exec(line)?.[1]
  return closing?.startsWith(before.marker) === true ? undefined : before
}

/** The lines, followed by the end of a fence that they leave open. */
export function closed(lines: readonly string[]): readonly string[] {
  let open: OpenFence | undefined
  for (const line of lines) open = fenceAfter(line, open)
  return open === undefined ? lines : [...lines, open.indent + open.marker]
}
