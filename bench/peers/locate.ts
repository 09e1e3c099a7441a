/**
 * Where in a document each piece begins, told from its characters alone: no tool's own word is
 * taken for it. Pieces come in order, so each is looked for where the last one ended.
 */
import { isFenceLine } from './fences.ts'
import { type Squeezed, squeeze } from './squeezed.ts'

export interface Place {
  /** Offset in the document of the piece's first own character. */
  readonly offset: number
  /** The piece begins with a fence line that the tool put there itself. */
  readonly isReopened: boolean
}

/** One place per piece; `undefined` for a text that the document does not have. */
export function locate(document: Squeezed, pieces: readonly string[]): (Place | undefined)[] {
  let cursor = 0
  return pieces.map((piece) => {
    const found = find(document.text, piece, cursor)
    if (found === undefined) return undefined
    cursor = found.at + commonPrefix(document.text, found.at, found.candidate.text)
    const offset = document.offsets[found.at]
    return offset === undefined ? undefined : { offset, isReopened: found.candidate.isReopened }
  })
}

interface Candidate {
  readonly text: string
  /** Enough of the beginning to know it by. */
  readonly probe: string
  readonly isReopened: boolean
}

const PROBE = 64
/** A fence line that closes a piece may look like text that follows it in the document. */
const OVERRUN = 8

function find(
  document: string,
  piece: string,
  cursor: number,
): { readonly at: number; readonly candidate: Candidate } | undefined {
  const candidates = candidatesOf(piece)
  const here = candidates.find((it) => document.startsWith(it.probe, cursor))
  if (here !== undefined) return { at: cursor, candidate: here }
  return candidates
    .map((it) => ({
      at: document.indexOf(it.probe, Math.max(0, cursor - OVERRUN)),
      candidate: it,
    }))
    .filter((it) => it.at !== -1)
    .toSorted((a, b) => a.at - b.at)[0]
}

/** The piece as it is and, if it begins with a fence line, without that line. */
function candidatesOf(piece: string): readonly Candidate[] {
  const lines = piece.split(/[\r\n]+/).filter((it) => it.trim() !== '')
  const isReopened = lines.length > 1 && isFenceLine(lines[0] ?? '')
  const whole = candidate(lines, false)
  return isReopened ? [whole, candidate(lines.slice(1), true)] : [whole]
}

function candidate(lines: readonly string[], isReopened: boolean): Candidate {
  const text = squeeze(lines.join(''))
  // A last fence line may be the tool's own, too, so a short piece is known by what is before it.
  const isClosed = lines.length > (isReopened ? 0 : 1) && isFenceLine(lines.at(-1) ?? '')
  const known = isClosed ? squeeze(lines.slice(0, -1).join('')) : text
  return { text, probe: known.slice(0, PROBE), isReopened }
}

function commonPrefix(document: string, from: number, text: string): number {
  let length = 0
  while (length < text.length && document.charCodeAt(from + length) === text.charCodeAt(length)) {
    length += 1
  }
  return length
}
